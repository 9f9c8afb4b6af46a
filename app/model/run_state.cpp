#include "model/run_state.h"

#include <algorithm>
#include <cmath>

#include "model/phrases.h"
#include "model/text.h"
#include "model/words.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

QString kept_words(std::size_t measured) {
  if (measured == 0) return Text::tr("nothing was measured");
  return Text::tr("%1 kept").arg(measurements_words(measured));
}

QString measuring_line(const RunStatus& status) {
  if (status.held) return Text::tr("Paused: the line is kept, %1").arg(kept_words(status.measured));
  if (status.pausing) return Text::tr("Pausing: the sentence under way is finished first");
  if (!status.waiting.isEmpty())
    return Text::tr("Waiting for %1: %2").arg(translated(status.waiting), kept_words(status.measured));
  if (!status.silent.isEmpty())
    return Text::tr("Nothing arrives from end %1: see what to look at below")
        .arg(status.silent.join(Text::tr(" nor from end ")));
  const RunProgress& progress = status.progress;
  if (status.followed)
    return Text::tr("Following another program's run: %1").arg(measurements_words(progress.measured));
  const std::size_t expected = std::max(progress.expected_total, progress.measured);
  QString line =
      status.current.isEmpty()
          ? Text::tr("Measuring: %1 of about %2").arg(progress.measured).arg(expected)
          : Text::tr("Measuring %3: %1 of about %2").arg(progress.measured).arg(expected).arg(status.current);
  if (progress.remaining_s >= 0 && progress.measured > 0)
    line += Text::tr(", %1 left").arg(duration_words(progress.remaining_s));
  return line;
}

QString finished_line(const RunStatus& status) {
  QString line = Text::tr("Finished: %1").arg(measurements_words(status.measured));
  if (status.measured == 0) return Text::tr("Finished: nothing was measured");
  if (status.scored == status.measured)
    return line + (status.measured == 1 ? Text::tr(", scored") : Text::tr(", all scored"));
  return line + Text::tr(", %1 not scored").arg(status.measured - status.scored);
}

}  // namespace

bool is_running(RunPhase phase) {
  return phase == RunPhase::preparing || phase == RunPhase::measuring || phase == RunPhase::stopping;
}

QString state_line(const RunStatus& status) {
  if (!status.kept.isEmpty())
    return Text::tr("Earlier run %1: %2, %3 scored")
        .arg(status.kept, measurements_words(status.measured))
        .arg(status.scored);
  switch (status.phase) {
    case RunPhase::idle:
      return status.forecast.isEmpty() ? Text::tr("Ready: choose a line and press Start")
                                       : Text::tr("Ready: Start will use %1").arg(status.forecast);
    case RunPhase::preparing:
      if (!status.waiting.isEmpty()) return Text::tr("Waiting for %1").arg(translated(status.waiting));
      if (status.resumed) return Text::tr("Resuming: connecting to both nodes");
      return status.simulated ? Text::tr("Starting the simulated line") : Text::tr("Connecting to both nodes");
    case RunPhase::measuring:
      return measuring_line(status);
    case RunPhase::stopping:
      return Text::tr("Stopping: the sentence under way is finished first");
    case RunPhase::finished:
      return finished_line(status);
    case RunPhase::cancelled:
      return Text::tr("Stopped: %1").arg(kept_words(status.measured));
    case RunPhase::failed:
      return Text::tr("Ended early: %1").arg(kept_words(status.measured));
  }
  return {};
}

QString forecast_words(const RunForecast& forecast) {
  // Whole minutes: the waits between sentences are not counted.
  const auto minutes = [](double seconds) { return static_cast<int>(std::ceil(seconds / 60)); };
  const int least = minutes(forecast.least_s), most = minutes(forecast.most_s);
  const QString words = least == most ? Text::tr("about %1 min of line time").arg(most)
                                      : Text::tr("%1 to %2 min of line time").arg(least).arg(most);
  return forecast.in_turn ? words + Text::tr(", one direction at a time") : words;
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
