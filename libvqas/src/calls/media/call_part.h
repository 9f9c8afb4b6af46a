#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "vqas/line/line.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// A transmission to send: silence, then these samples at the line's rate, which several calls may share.
struct SpokenItem {
  std::size_t silence = 0;
  std::shared_ptr<const std::vector<float>> samples;
  std::size_t size() const { return silence + samples->size(); }
};

/// What this end does in a call.
struct CallPart {
  bool echoes = false;            ///< sends back what it hears, in place of `says`
  std::vector<SpokenItem> says;   ///< one after the other; silence before and after
  bool repeats = false;           ///< begins anew after the last one
  std::size_t first = 0;          ///< the item that it begins with
  std::size_t stays = 0;          ///< blocks, from the beginning of speech; 0: until the far end hangs up
  std::size_t most_recorded = 0;  ///< blocks, from the beginning of the call; 0: nothing is recorded
};

/// Fills blocks from the items of a part. For one thread; does not allocate.
class CallSpeech {
 public:
  explicit CallSpeech(const CallPart& part);
  void fill(std::span<float> block);

 private:
  const std::vector<SpokenItem> items_;
  const bool repeats_;
  std::size_t item_, at_ = 0;
};

/// What arrived in a call: what its score is made of.
struct RecordedCall {
  int rate_hz = kLineRateHz;          ///< of the samples: 8000, or 16000 in HD voice
  std::vector<std::int16_t> samples;  ///< the codecs' decoders and concealment have 16 bits
  std::vector<BlockTime> blocks;
};

}  // namespace vqas
