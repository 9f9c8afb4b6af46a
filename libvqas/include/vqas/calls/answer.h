#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "vqas/calls/call_outcome.h"
#include "vqas/calls/calls_plan.h"
#include "vqas/corpus/corpus.h"
#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// How calls are answered.
struct AnswerPlan {
  std::string line;                     ///< "sip:…" without dial
  FarEnd as = FarEnd::echo;             ///< what this end does in each call
  bool narrowband_too = false;          ///< as in CallsPlan, of an end that listens
  std::vector<std::string> stimuli;     ///< ids that are sent; empty: all
  std::size_t most = kMostCallsAtOnce;  ///< calls at a time; others get 486
  std::size_t total = 0;                ///< calls until the end; 0: any number
  double for_s = 0;                     ///< 0: no limit
  double late_ms = 15;                  ///< as in CallsPlan
};

struct AnswerEvents {
  /// A call that is over. Fails: the answering ends with that error.
  std::function<Status(const CallOutcome&, const Signal& recording)> ended;
  std::function<void(const std::string&)> noticed;  ///< may be empty
  /// The signalling, as CallsEvents::traced; may be empty.
  std::function<Status(std::uint32_t number, const std::string& entries)> traced;
  std::function<void()> ready;  ///< calls are taken from now on; may be empty
};

/// Whether answer_calls() can begin with this line and corpus, before a folder is made or emptied. Fails with
/// bad_input. Re-entrant.
Status check_answer(const AnswerPlan& plan, const Corpus& corpus);

/// Answers calls until the plan's end or `cancelled`, then hangs up. Blocks. Fails with io or bad_input when the line
/// cannot be opened, with line_lost or bad_input when the registrar refuses it.
Status answer_calls(const AnswerPlan& plan, const Corpus& corpus, const AnswerEvents& events,
                    const std::atomic<bool>& cancelled);

}  // namespace vqas
