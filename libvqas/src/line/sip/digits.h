#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "line/media/telephone_event.h"

struct dtmf_tx_state_s;

namespace vqas {

/// A pause, or a digit of "0123456789*#ABCD".
struct DigitStep {
  int pause_blocks = 0;  ///< of 20 ms
  char digit = '\0';     ///< nul: a pause
  bool operator==(const DigitStep&) const = default;
};
/// Reads "wait 2, 1234#": parts with commas between, each "wait SECONDS" (up to 60, fractions allowed) or digits; up to
/// 64 digits and 10 pauses. Nothing: it cannot be read. Re-entrant.
std::optional<std::vector<DigitStep>> parse_digits(const std::string& text);

/// Dials digits during a call, 20 ms at a time: 100 ms each, and 100 ms after each. For one thread.
class DigitWalk {
 public:
  /// `by_events`: as telephone events (RFC 4733); else in band, as tones of DTMF (ITU-T Q.23; -10 dBm0 each).
  DigitWalk(std::vector<DigitStep> steps, bool by_events);
  ~DigitWalk();
  DigitWalk(DigitWalk&&) noexcept;
  DigitWalk& operator=(DigitWalk&&) noexcept;

  bool done() const { return step_ == steps_.size(); }
  bool by_events() const { return tones_ == nullptr; }
  int digits() const;
  int blocks() const;  ///< all, of 20 ms
  /// The next 20 ms, which must exist: what is to be sent, as samples, and as an event that is sent in their place.
  std::optional<EventBlock> next(std::span<float> block);

 private:
  struct Free {
    void operator()(dtmf_tx_state_s* tones) const;
  };
  std::vector<DigitStep> steps_;
  std::unique_ptr<dtmf_tx_state_s, Free> tones_;  // in band only
  std::size_t step_ = 0;
  int block_ = 0;  // within the step
};

}  // namespace vqas
