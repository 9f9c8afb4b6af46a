#pragma once

#include <cstdint>
#include <vector>

#include "calls/media/call_part.h"
#include "calls/scoring/call_corpus.h"
#include "vqas/calls/call_outcome.h"

namespace vqas {

/// What was sent to this end in a call.
struct CallExpectation {
  /// This end's own sentences, which an echo sends back, in order. Empty: sentences of the far end, which their marks
  /// name.
  std::vector<MarkData> own;
  End sender = End::a;          ///< whose marks they are
  bool narrowband_too = false;  ///< beside scores in wideband
  std::size_t most = 0;  ///< sentences that count; 0: all that were heard. Fewer: the missing ones were not found
};

/// Scores the sentences in the recording of a call, by the same captures and judgement as "vqas listen". Re-entrant.
std::vector<CallSentence> score_call(const RecordedCall& call, const CallExpectation& expected,
                                     const CallCorpus& corpus);

}  // namespace vqas
