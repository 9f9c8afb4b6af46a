#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "vqas/channel/error_counters.h"
#include "vqas/channel/error_pattern.h"
#include "vqas/channel/error_process.h"

namespace vqas {

/// Which bits of an octet a process sees: all, or some of them, say the sign of a G.711 code alone. The most
/// significant is 0x80. The process's ratio then counts the bits that it sees.
using BitMask = std::uint8_t;
inline constexpr BitMask kAllBits = 0xFF;
inline constexpr BitMask kSignBit = 0x80;      ///< of a G.711 code
inline constexpr BitMask kSegmentBits = 0x70;  ///< of a G.711 code
inline constexpr BitMask kStepBits = 0x0F;     ///< of a G.711 code

/// Puts the errors of a process into a stream of octets and counts them. What is inverted does not depend on block
/// sizes. process() does not allocate and is real-time safe; for one thread, save where it is said otherwise.
class BitErrorStream {
 public:
  /// `mask` is not 0. The counters count all bits, masked or not, at `bits_per_second`.
  explicit BitErrorStream(std::unique_ptr<ErrorProcess> errors, BitMask mask = kAllBits,
                          std::uint64_t bits_per_second = ErrorCounters::kG711BitsPerSecond);

  /// Inverts what is due among the next octets. Gives how many errors the process had for them.
  std::uint64_t process(std::span<std::uint8_t> octets);
  /// The same, but the errors of `other` take the place of the process's own, which pass unseen; gives how many passed.
  std::uint64_t process_instead(std::span<std::uint8_t> octets, BitErrorStream& other);
  /// Octets that nobody will hear: the process's errors pass, none is put in, counted or recorded; gives how many
  /// passed.
  std::uint64_t process_unheard(std::uint64_t octets);
  /// Inverts the very next bits that the mask shows and somebody hears, besides those that the process inverts. From
  /// any thread.
  void inject(std::uint32_t bits = 1) { on_demand_.fetch_add(bits, std::memory_order_relaxed); }

  const ErrorCounters& counters() const { return counters_; }
  /// Adds every inverted bit to `pattern` from here on, which counts as the pattern's first bit; null ends it. The
  /// pattern outlives the recording; where its places have no capacity left, process() allocates.
  void record_to(ErrorPattern* pattern) { record_ = pattern; }

 private:
  std::uint64_t take_demanded(std::uint64_t most);
  void invert(std::span<std::uint8_t> octets, std::uint64_t shown_bit, std::uint64_t start);
  std::uint64_t pass_over(std::uint64_t shown);
  /// Asks the process until the next error is known, or that it is not among the next `shown` bits.
  void look(std::uint64_t shown);

  std::unique_ptr<ErrorProcess> errors_;
  std::array<std::uint8_t, 8> shown_{};  // numbers of the bits that the mask shows, 0 being the most significant
  std::uint64_t shown_count_ = 0;
  ErrorStep next_;  // from the first bit of the octets that are worked on
  std::atomic<std::uint32_t> on_demand_{0};
  ErrorCounters counters_;
  ErrorPattern* record_ = nullptr;
};

}  // namespace vqas
