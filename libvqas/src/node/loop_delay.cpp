#include "vqas/node/loop_delay.h"

#include <algorithm>
#include <vector>

#include "node/echo_listener.h"
#include "vqas/signal/signal.h"

namespace vqas {
namespace {

constexpr std::size_t kBlocksBefore = 25, kBlocks = 125;  // of 20 ms

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

Result<LoopDelay> measure_loop_delay(Line& line, std::size_t marks) {
  EchoListener listener(End::a);
  LoopDelay result;
  std::vector<double> delays, losses;
  std::vector<float> sent(kLineBlock), heard(kLineBlock);
  std::uint64_t block = 0;
  for (std::size_t n = 0; n < marks; ++n) {
    MarkData data;
    data.sequence = static_cast<std::uint16_t>(n + 1);
    std::vector<float> samples(kBlocks * kLineBlock, 0.0F);
    std::ranges::copy(make_leading_mark(data), samples.begin() + kBlocksBefore * kLineBlock);
    for (std::size_t b = 0; b < kBlocks; ++b, ++block) {
      std::copy_n(samples.begin() + static_cast<std::ptrdiff_t>(b * kLineBlock), kLineBlock, sent.begin());
      const auto time = line.exchange(sent, heard, {1, true});
      if (!time) return time.error();
      if (b == kBlocksBefore) {
        ++result.sent;
        listener.left(static_cast<double>(block * kLineBlock) +
                      static_cast<double>(time->leaves_after_ns) * 1e-9 * kLineRateHz);
      }
      listener.hear(heard);
    }
    if (!listener.echo()) continue;
    delays.push_back(listener.echo()->delay_ms);
    losses.push_back(listener.echo()->return_loss_db);
  }
  result.heard = delays.size();
  if (delays.empty()) return result;
  result.median_ms = median(delays);
  result.spread_ms = *std::ranges::max_element(delays) - *std::ranges::min_element(delays);
  result.return_loss_db = median(losses);
  return result;
}

}  // namespace vqas
