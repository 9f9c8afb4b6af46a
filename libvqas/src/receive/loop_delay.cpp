#include "vqas/receive/loop_delay.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "receive/echo_listener.h"
#include "sync/mark_rate.h"
#include "vqas/signal/median.h"
#include "vqas/signal/signal.h"

namespace vqas {
namespace {

// Blocks of 20 ms. A newly opened device fills its buffers, and the line adjusts its lead.
constexpr std::size_t kRunIn = 100;
constexpr std::size_t kBefore = 25;
// After a mark's first sample has left: the longest echo that a listener accepts, and the mark itself.
constexpr std::size_t kAfter = 75;
constexpr double kSameLevel_db = 1, kSameForm = 0.1;

bool disturbs(const LineStatistics& noticed) {
  return noticed.flags() + noticed.lost_samples + noticed.inserted_samples + noticed.unsent_samples +
             noticed.packets_lost + noticed.packets_late + noticed.buffer_steps + noticed.silence_samples >
         0;
}

/// Plays marks and silence, and listens for their echoes. For one thread.
class Loop {
 public:
  explicit Loop(Line& line)
      : line_(line), rate_hz_(line.description().rate_hz), block_(line_block(rate_hz_)), mark_rate_(rate_hz_) {}

  Status rest(std::size_t blocks) {
    for (std::size_t b = 0; b < blocks; ++b) {
      const auto time = exchange(std::vector<float>(block_), false);
      if (!time) return time.error();
    }
    return success();
  }

  // The echo of one mark, and whether anything was noticed meanwhile.
  struct Heard {
    std::optional<Echo> echo;
    bool disturbed = false;
  };
  Result<Heard> send(std::size_t number) {
    if (const Status rested = rest(kBefore); !rested) return rested.error();
    MarkData data;
    data.sequence = static_cast<std::uint16_t>(number);
    const auto mark = sync::mark_at(make_leading_mark(data), rate_hz_);
    std::size_t blocks = kAfter;
    Heard heard;
    for (std::size_t b = 0; b < blocks; ++b) {
      std::vector<float> sent(block_);
      const std::size_t begin = std::min(b * block_, mark.size());
      std::copy_n(mark.begin() + static_cast<std::ptrdiff_t>(begin), std::min(block_, mark.size() - begin),
                  sent.begin());
      const std::uint64_t block = blocks_;
      const auto time = exchange(sent, true);
      if (!time) return time.error();
      if (b == 0) {
        const double lead = static_cast<double>(time->leaves_after_ns) * 1e-9 * kLineRateHz;
        listener_.left(static_cast<double>(block * kLineBlock) + lead);
        blocks += static_cast<std::size_t>(std::max(lead, 0.0) / kLineBlock);
      }
      heard.disturbed = heard.disturbed || disturbs(time->noticed);
    }
    heard.echo = listener_.echo();
    return heard;
  }

 private:
  Result<BlockTime> exchange(std::span<const float> sent, bool busy) {
    std::vector<float> heard(block_);
    auto time = line_.exchange(sent, heard, {1, busy});
    if (!time) return time;
    ++blocks_;
    listener_.hear(mark_rate_.push(heard));
    return time;
  }

  Line& line_;
  const int rate_hz_;
  const std::size_t block_;  // samples
  sync::MarkRate mark_rate_;
  EchoListener listener_{End::a};
  std::uint64_t blocks_ = 0;
};

// Echoes of one level and form: a disturbed mark is found at another position.
std::vector<Echo> alike(const std::vector<Echo>& echoes) {
  std::vector<double> levels, forms;
  for (const Echo& one : echoes) {
    levels.push_back(one.return_loss_db);
    forms.push_back(one.confidence);
  }
  std::vector<Echo> kept;
  for (const Echo& one : echoes) {
    if (std::fabs(one.return_loss_db - median(levels)) <= kSameLevel_db && one.confidence >= median(forms) - kSameForm)
      kept.push_back(one);
  }
  return kept;
}

}  // namespace

bool LoopDelay::steady() const {
  return heard >= kLeastLoopMarks && 2 * heard > sent && spread_ms <= kMostLoopSpread_ms;
}

Result<LoopDelay> measure_loop_delay(Line& line, std::size_t marks) {
  Loop loop(line);
  if (const Status ran_in = loop.rest(kRunIn); !ran_in) return ran_in.error();
  // The first one shows the detector what this line is like, and the line what it will carry.
  if (const auto first = loop.send(0); !first) return first.error();
  LoopDelay result;
  std::vector<Echo> echoes;
  std::size_t came = 0;
  for (std::size_t n = 0; n < marks; ++n) {
    const auto heard = loop.send(n + 1);
    if (!heard) return heard.error();
    ++result.sent;
    if (!heard->echo) continue;
    ++came;
    if (!heard->disturbed) echoes.push_back(*heard->echo);
  }
  if (!echoes.empty()) echoes = alike(echoes);
  result.heard = echoes.size();
  result.disturbed = came - echoes.size();
  if (echoes.empty()) return result;
  std::vector<double> delays, losses;
  for (const Echo& one : echoes) {
    delays.push_back(one.delay_ms);
    losses.push_back(one.return_loss_db);
  }
  result.median_ms = median(delays);
  result.spread_ms = *std::ranges::max_element(delays) - *std::ranges::min_element(delays);
  result.return_loss_db = median(losses);
  return result;
}

}  // namespace vqas
