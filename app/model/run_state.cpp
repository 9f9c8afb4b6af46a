#include "model/run_state.h"

#include <algorithm>
#include <cmath>

#include "model/words.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

QString count_words(std::size_t count) {
  return count == 1 ? u"1 measurement"_s : u"%1 measurements"_s.arg(count);
}

QString kept_words(std::size_t measured) {
  if (measured == 0) return u"nothing was measured"_s;
  return u"%1 kept"_s.arg(count_words(measured));
}

QString measuring_line(const RunStatus& status) {
  if (status.held) return u"Paused: the line is kept, %1"_s.arg(kept_words(status.measured));
  if (status.pausing) return u"Pausing: the sentence under way is finished first"_s;
  if (!status.waiting.isEmpty()) return u"Waiting for %1: %2"_s.arg(status.waiting, kept_words(status.measured));
  if (!status.silent.isEmpty())
    return u"Nothing arrives from end %1: see what to look at below"_s.arg(status.silent.join(u" nor from end "_s));
  QString line = status.current.isEmpty() ? u"Measuring"_s : u"Measuring "_s + status.current;
  const RunProgress& progress = status.progress;
  line += u": %1 of about %2"_s.arg(progress.measured).arg(std::max(progress.expected_total, progress.measured));
  if (progress.remaining_s >= 0 && progress.measured > 0)
    line += u", %1 left"_s.arg(duration_words(progress.remaining_s));
  return line;
}

QString finished_line(const RunStatus& status) {
  QString line = u"Finished: %1"_s.arg(count_words(status.measured));
  if (status.measured == 0) return u"Finished: nothing was measured"_s;
  if (status.scored == status.measured) return line + (status.measured == 1 ? u", scored"_s : u", all scored"_s);
  return line + u", %1 not scored"_s.arg(status.measured - status.scored);
}

}  // namespace

bool is_running(RunPhase phase) {
  return phase == RunPhase::preparing || phase == RunPhase::measuring || phase == RunPhase::stopping;
}

QString state_line(const RunStatus& status) {
  if (!status.kept.isEmpty())
    return u"Earlier run %1: %2, %3 scored"_s.arg(status.kept, count_words(status.measured)).arg(status.scored);
  switch (status.phase) {
    case RunPhase::idle:
      return status.forecast.isEmpty() ? u"Ready: choose a line and press Start"_s
                                       : u"Ready: Start will use %1"_s.arg(status.forecast);
    case RunPhase::preparing:
      if (!status.waiting.isEmpty()) return u"Waiting for %1"_s.arg(status.waiting);
      if (status.resumed) return u"Resuming: connecting to both nodes"_s;
      return status.simulated ? u"Starting the simulated line"_s : u"Connecting to both nodes"_s;
    case RunPhase::measuring:
      return measuring_line(status);
    case RunPhase::stopping:
      return u"Stopping: the sentence under way is finished first"_s;
    case RunPhase::finished:
      return finished_line(status);
    case RunPhase::cancelled:
      return u"Stopped: %1"_s.arg(kept_words(status.measured));
    case RunPhase::failed:
      return u"Ended early: %1"_s.arg(kept_words(status.measured));
  }
  return {};
}

QString forecast_words(const RunForecast& forecast) {
  // Whole minutes: the waits between sentences are not counted.
  const auto minutes = [](double seconds) { return static_cast<int>(std::ceil(seconds / 60)); };
  const int least = minutes(forecast.least_s), most = minutes(forecast.most_s);
  const QString words =
      least == most ? u"about %1 min of line time"_s.arg(most) : u"%1 to %2 min of line time"_s.arg(least).arg(most);
  return forecast.in_turn ? words + u", one direction at a time"_s : words;
}

int progress_permille(const RunStatus& status) {
  if (status.phase == RunPhase::finished) return 1000;
  if (status.phase == RunPhase::idle) return 0;
  if (status.progress.expected_total == 0) return is_running(status.phase) ? -1 : 0;
  const double share =
      static_cast<double>(status.progress.measured) / static_cast<double>(status.progress.expected_total);
  return static_cast<int>(std::clamp(share, 0.0, 1.0) * 1000);
}

}  // namespace vqas::app
