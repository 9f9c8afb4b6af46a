#include "calls/media/call_part.h"

#include <algorithm>

namespace vqas {

CallSpeech::CallSpeech(const CallPart& part) : items_(part.says), repeats_(part.repeats), item_(part.first) {}

void CallSpeech::fill(std::span<float> block) {
  while (!block.empty()) {
    if (item_ >= items_.size() && repeats_ && !items_.empty()) item_ = 0;
    if (item_ >= items_.size()) {
      std::ranges::fill(block, 0.0F);
      return;
    }
    const SpokenItem& item = items_[item_];
    const bool silent = at_ < item.silence;
    const std::size_t left = silent ? item.silence - at_ : item.size() - at_;
    const std::span<float> part = block.first(std::min(block.size(), left));
    if (silent) {
      std::ranges::fill(part, 0.0F);
    } else {
      std::copy_n(item.samples->begin() + static_cast<std::ptrdiff_t>(at_ - item.silence), part.size(), part.begin());
    }
    at_ += part.size();
    block = block.subspan(part.size());
    if (at_ < item.size()) continue;
    at_ = 0;
    ++item_;
  }
}

}  // namespace vqas
