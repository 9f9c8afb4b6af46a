#include "channel/interrupter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "vqas/signal/signal.h"

namespace vqas {
namespace {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

std::uint64_t to_octets(double seconds) {
  return static_cast<std::uint64_t>(std::llround(seconds * kLineRateHz));
}

}  // namespace

std::uint8_t idle_octet(G711Law law) {
  const std::array<std::int16_t, 1> silence{0};
  std::array<std::uint8_t, 1> octet{};
  g711_encode(silence, octet, law);
  return octet[0];
}

Interrupter::Interrupter(const std::vector<Interruption>& interruptions, G711Law law)
    : idle_(idle_octet(law)), last_(idle_) {
  for (const Interruption& one : interruptions) {
    windows_.push_back({one.fill, to_octets(one.start_s), std::max<std::uint64_t>(1, to_octets(one.duration_s)),
                        to_octets(one.every_s)});
  }
}

std::uint64_t Interrupter::octets_left() const {
  std::uint64_t left = kNever;
  for (const Window& window : windows_) {
    if (now_ < window.start) {
      left = std::min(left, window.start - now_);
      continue;
    }
    const std::uint64_t since = window.every > 0 ? (now_ - window.start) % window.every : now_ - window.start;
    if (since < window.length) {
      left = std::min(left, window.length - since);
    } else if (window.every > 0) {
      left = std::min(left, window.every - since);
    }
  }
  return left;
}

const Interrupter::Window* Interrupter::open_window() const {
  const auto is_open_now = [this](const Window& window) {
    if (now_ < window.start) return false;
    const std::uint64_t since = window.every > 0 ? (now_ - window.start) % window.every : now_ - window.start;
    return since < window.length;
  };
  const auto open = std::find_if(windows_.begin(), windows_.end(), is_open_now);
  return open == windows_.end() ? nullptr : &*open;
}

void Interrupter::set_law(G711Law law) {
  idle_ = idle_octet(law);
  last_ = idle_;
}

void Interrupter::process(std::span<std::uint8_t> octets) {
  if (const Window* const open = open_window()) {
    std::fill(octets.begin(), octets.end(), octet_for(open->fill));
  } else if (!octets.empty()) {
    last_ = octets.back();
  }
  now_ += octets.size();
}

std::uint8_t Interrupter::octet_for(Fill fill) const {
  switch (fill) {
    case Fill::idle:
      return idle_;
    case Fill::ones:
      return 0xFF;
    case Fill::zeros:
      return 0x00;
    case Fill::hold:
      break;
  }
  return last_;
}

}  // namespace vqas
