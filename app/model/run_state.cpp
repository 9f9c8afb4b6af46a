#include "model/run_state.h"

#include <algorithm>

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
      return u"Ready: choose a line and press Start"_s;
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

int progress_permille(const RunStatus& status) {
  if (status.phase == RunPhase::finished) return 1000;
  if (status.phase == RunPhase::idle) return 0;
  if (status.progress.expected_total == 0) return is_running(status.phase) ? -1 : 0;
  const double share =
      static_cast<double>(status.progress.measured) / static_cast<double>(status.progress.expected_total);
  return static_cast<int>(std::clamp(share, 0.0, 1.0) * 1000);
}

}  // namespace vqas::app
