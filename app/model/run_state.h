#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>

#include "vqas/node/controller.h"
#include "vqas/node/run_forecast.h"

namespace vqas::app {

/// Where a run stands.
enum class RunPhase { idle, preparing, measuring, stopping, finished, cancelled, failed };

/// True while a run occupies a line: from Start until it is over.
bool is_running(RunPhase phase);

/// The content of the state line.
struct RunStatus {
  RunPhase phase = RunPhase::idle;
  bool simulated = true;     ///< the built-in line, else two nodes
  bool resumed = false;      ///< resumes an earlier run
  bool followed = false;     ///< another program measures it
  QString kept;              ///< name of an earlier run that is shown, "2026-01-31-120000"; empty: this is the last run
  QString forecast;          ///< line time that a run by these settings uses, "4 to 25 min of line time"; may be empty
  QString waiting;           ///< what the run waits for, "node b at ws://…", "your answer"; empty: nothing
  QStringList silent;        ///< ends of which nothing arrives though a mark is due: "A"
  bool pausing = false;      ///< a pause was asked for
  bool held = false;         ///< and nothing is on the line any more
  QString current;           ///< "M6, A to B": the measurement made last; empty before the first
  RunProgress progress;      ///< the controller's last report
  std::size_t scored = 0;    ///< measurements with a score
  std::size_t measured = 0;  ///< measurements in all
};

/// One short sentence for the large line on top: "Measuring M6, A to B: 34 of about 240, 1 min 20 s left". Pure.
QString state_line(const RunStatus& status);

/// "4 min to 25 min of line time", "20 min of line time". Pure.
QString forecast_words(const RunForecast& forecast);

/// Share of the run that is done, in per mille, 0..1000; -1 when it is not known.
int progress_permille(const RunStatus& status);

}  // namespace vqas::app
