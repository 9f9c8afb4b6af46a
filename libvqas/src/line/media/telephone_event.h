#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace vqas {

/// 20 ms of a digit as a telephone event (RFC 4733, 2.3).
struct EventBlock {
  std::uint8_t event = 0;  ///< 0..15: 0-9, *, #, A-D
  int blocks = 1;          ///< of 20 ms, since its beginning, this one included
  bool first = false, last = false;
};
/// `ticks`: timestamps of 20 ms.
std::array<std::uint8_t, 4> event_payload(const EventBlock& block, std::uint32_t ticks);

/// "0123456789*#ABCD": the event of a digit is its place. Nothing: no digit. Re-entrant.
std::optional<std::uint8_t> event_of_digit(char digit);
char digit_of_event(std::uint8_t event);

/// Collects the digits that a stream of events carries. For one thread.
class EventReceiver {
 public:
  /// `payload_type`: of the events, as agreed; nothing: none are expected.
  explicit EventReceiver(std::optional<std::uint8_t> payload_type = {}) : payload_type_(payload_type) {}
  /// Whether a datagram has the form of an event. Accepts arbitrary octets.
  bool expects(std::span<const std::uint8_t> datagram) const;
  /// Takes a datagram that is no speech, and returns its sequence number; nothing when it is no event of a digit
  /// either. Accepts arbitrary octets. Each event comes many times, and counts once.
  std::optional<std::uint16_t> take(std::span<const std::uint8_t> datagram);
  /// The digits since the last call, once no other came for this many calls, one for each block of 20 ms. Empty: none.
  std::string take_digits();

 private:
  static constexpr int kPause = 50;               // blocks, 1 s: digits that belong together are told together
  static constexpr std::size_t kMostDigits = 64;  // digits held; a flood must not fill memory
  struct Begun {
    std::uint32_t ssrc = 0, timestamp = 0;
  };
  std::optional<std::uint8_t> payload_type_;
  std::optional<Begun> last_;
  std::string digits_;
  int quiet_ = 0;
};

}  // namespace vqas
