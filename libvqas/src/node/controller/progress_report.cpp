#include "node/controller/progress_report.h"

#include <algorithm>
#include <cmath>

#include "node/controller/node_links.h"
#include "node/controller/run_engine.h"
#include "node/controller/run_turns.h"

namespace vqas {

void ProgressReport::begin_round() {
  catching_up_ = false;
  pace_.round_begun(run_.elapsed_s());
  for (std::size_t d = 0; d < run_.ledger().directions(); ++d) settled_before_s_.at(d) = run_.ledger().settled_s(d);
}

// Line time of a round by that of its directions: if both run at a time, the longer one decides.
double ProgressReport::together(double a, double b) const {
  return turns_.in_turn() ? a + b : std::max(a, b);
}

WorkLeft ProgressReport::work_left(double used_s) const {
  std::array<WorkLeft, 2> of;
  for (std::size_t d = 0; d < run_.ledger().directions(); ++d) of.at(d) = run_.ledger().work_left(d);
  WorkLeft work;
  work.round_s = together(of[0].round_s, of[1].round_s);
  work.later_s = std::max(0.0, together(of[0].round_s + of[0].later_s, of[1].round_s + of[1].later_s) - work.round_s);
  // A cap of line time leaves out a part of it, and as large a part of its rounds.
  const double cap_s = run_.plan().cap_line_time_s, fits_s = std::max(0.0, cap_s - used_s - work.round_s);
  const double part = cap_s > 0 && work.later_s > fits_s ? fits_s / work.later_s : 1;
  work.later_s *= part;
  // On a line in real time the next round begins before the last one is over.
  const bool in_turn = turns_.in_turn();
  if (work.later_s > 0 && (run_.line().virtual_time || (in_turn && !run_.links().take_turns())))
    work.later_rounds =
        in_turn ? of[0].later_rounds + of[1].later_rounds : std::max(of[0].later_rounds, of[1].later_rounds);
  work.later_rounds = static_cast<std::size_t>(std::ceil(part * static_cast<double>(work.later_rounds)));
  return work;
}

void ProgressReport::tell(bool in_round, double used_s) {
  const RunLedger& ledger = run_.ledger();
  std::array<double, 2> settled{}, all{};
  for (std::size_t d = 0; d < ledger.directions(); ++d) {
    all.at(d) = ledger.settled_s(d);
    settled.at(d) = all.at(d) - settled_before_s_.at(d);
  }
  const double done_s = together(settled[0], settled[1]), now_s = run_.elapsed_s();
  // Measurements fetched after a break, or from a node that was out of reach, say nothing about the pace.
  if (catching_up_) {
    pace_.resumed(now_s, done_s);
  } else if (in_round) {
    pace_.came(now_s, done_s);
  }
  RunProgress progress;
  progress.measured = ledger.measured();
  progress.expected_total = ledger.expected_total();
  const WorkLeft work = work_left(used_s);
  progress.remaining_s = pace_.left_s(run_.elapsed_s(), work).value_or(-1);
  if (const double all_s = together(all[0], all[1]); run_.plan().cap_line_time_s > 0 && all_s > 0) {
    const double fit = (work.round_s + work.later_s) / all_s * static_cast<double>(progress.measured);
    progress.expected_total =
        std::min(progress.expected_total, progress.measured + static_cast<std::size_t>(std::ceil(fit)));
  }
  emit run_.owner().progressed(progress);
}

}  // namespace vqas
