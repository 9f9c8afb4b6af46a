#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "vqas/calls/call_outcome.h"
#include "vqas/calls/calls_plan.h"
#include "vqas/calls/calls_ramp.h"
#include "vqas/corpus/corpus.h"
#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// How many calls are where.
struct CallsProgress {
  std::size_t at_once = 0;   ///< wanted at a time
  std::size_t dialling = 0;  ///< not answered yet
  std::size_t up = 0;
  std::size_t scoring = 0;  ///< over, and waiting for their score
  std::size_t ended = 0;    ///< with an outcome, those of earlier sessions among them
  double passed_s = 0;      ///< of this session
};

/// Called by the thread of run_calls(). All but `ended` may be empty.
struct CallsEvents {
  /// A call with its outcome and what was heard in it. If it fails, the calls end with that error.
  std::function<Status(CallOutcome, const Signal& recording)> ended;
  std::function<void(const CallsProgress&)> progressed;  ///< about five times a second
  std::function<void(const std::string&)> noticed;       ///< for the operator, one sentence without a full stop
  /// The signalling of the call with that number, in parts; 0: of no call. Where it fails, that is told once.
  std::function<Status(std::uint32_t number, const std::string& entries)> traced;
};

/// What earlier sessions of the same calls have done.
struct CallsBefore {
  std::uint32_t last_number = 0;
  std::size_t ended = 0;  ///< calls that count towards the total
  double last_s = 0;      ///< CallOutcome::started_s of the last one
};

struct CallsDone {
  std::optional<RampFound> ramp;
  bool cancelled = false;
};

/// validate(), and whether the corpus has what the plan asks for, before a folder is made or emptied. Fails with
/// bad_input. Re-entrant.
Status check_calls(const CallsPlan& plan, const Corpus& corpus);

/// Makes the calls of a plan that passed validate(), and scores them. Blocks; its own threads are one for the
/// signalling of all calls, one for their packets, and some for the scores. Fails with io or bad_input when the line
/// cannot be opened, and with line_lost or bad_input when the registrar refuses it. When `cancelled` is set, all calls
/// are hung up, and those under way have no outcome.
Result<CallsDone> run_calls(const CallsPlan& plan, const Corpus& corpus, const CallsBefore& before,
                            const CallsEvents& events, const std::atomic<bool>& cancelled);

}  // namespace vqas
