#include "line/sip/digits.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <string_view>

#include "line/media/pcm16.h"

// After the C++ headers, because spandsp's own rounding functions would disturb them, and each after those it needs.
// clang-format off
#include <spandsp/telephony.h>
#include <spandsp/logging.h>
#include <spandsp/queue.h>
#include <spandsp/super_tone_rx.h>
#include <spandsp/dtmf.h>
// clang-format on

namespace vqas {
namespace {

constexpr int kBlock_ms = 20;
constexpr int kOn = 5, kOff = 5;  // blocks; ITU-T Q.24 wants 40 ms each at least
constexpr int kCopies = 2;        // of an event's last packet (RFC 4733, 2.5.1.4)
constexpr double kLongestPause_s = 60;
constexpr std::ptrdiff_t kMostDigits = 64, kMostPauses = 10;

int blocks_of(const DigitStep& step) {
  return step.digit == '\0' ? step.pause_blocks : kOn + kOff;
}

bool is_digit(const DigitStep& step) {
  return step.digit != '\0';
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::optional<int> pause_blocks(std::string_view text) {
  double pause_s = 0;
  const auto [stopped, fault] = std::from_chars(text.data(), text.data() + text.size(), pause_s);
  if (fault != std::errc() || stopped != text.data() + text.size()) return std::nullopt;
  if (!(pause_s > 0 && pause_s <= kLongestPause_s)) return std::nullopt;
  return static_cast<int>(std::ceil(pause_s * 1000 / kBlock_ms));
}

}  // namespace

std::optional<std::vector<DigitStep>> parse_digits(const std::string& text) {
  constexpr std::string_view kWait = "wait ";
  std::vector<DigitStep> steps;
  std::string_view rest = text;
  for (bool more = true; more;) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = trimmed(rest.substr(0, comma));
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);
    if (part.empty()) return std::nullopt;
    if (part.starts_with(kWait)) {
      const auto pause = pause_blocks(trimmed(part.substr(kWait.size())));
      if (!pause) return std::nullopt;
      steps.push_back({*pause, '\0'});
      continue;
    }
    for (const char digit : part) {
      if (!event_of_digit(digit)) return std::nullopt;
      steps.push_back({0, digit});
    }
  }
  const auto digits = std::ranges::count_if(steps, is_digit);
  if (digits > kMostDigits || std::ssize(steps) - digits > kMostPauses) return std::nullopt;
  return steps;
}

void DigitWalk::Free::operator()(dtmf_tx_state_s* tones) const {
  dtmf_tx_free(tones);
}

DigitWalk::DigitWalk(std::vector<DigitStep> steps, bool by_events) : steps_(std::move(steps)) {
  if (by_events) return;
  tones_.reset(dtmf_tx_init(nullptr));
  if (!tones_) throw std::bad_alloc();
  dtmf_tx_set_timing(tones_.get(), kOn * kBlock_ms, kOff * kBlock_ms);
}

DigitWalk::~DigitWalk() = default;
DigitWalk::DigitWalk(DigitWalk&&) noexcept = default;
DigitWalk& DigitWalk::operator=(DigitWalk&&) noexcept = default;

int DigitWalk::digits() const {
  return static_cast<int>(std::ranges::count_if(steps_, is_digit));
}

int DigitWalk::blocks() const {
  return std::accumulate(steps_.begin(), steps_.end(), 0,
                         [](int sum, const DigitStep& step) { return sum + blocks_of(step); });
}

std::optional<EventBlock> DigitWalk::next(std::span<float> block) {
  const DigitStep& step = steps_.at(step_);
  const int at = block_++;
  if (block_ == blocks_of(step)) {
    block_ = 0;
    ++step_;
  }
  std::ranges::fill(block, 0.0F);
  if (!is_digit(step)) return std::nullopt;
  if (tones_) {
    if (at == 0) dtmf_tx_put(tones_.get(), &step.digit, 1);
    Pcm16Block linear{};
    dtmf_tx(tones_.get(), linear.data(), static_cast<int>(linear.size()));
    from_pcm16(linear, block);
    return std::nullopt;
  }
  if (at >= kOn + kCopies) return std::nullopt;
  return EventBlock{event_of_digit(step.digit).value_or(0), std::min(at + 1, kOn), at == 0, at + 1 >= kOn};
}

}  // namespace vqas
