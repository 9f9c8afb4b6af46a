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

/// The bits of an octet that a process affects: all, or some, for example only the sign of a G.711 code. The most
/// significant is 0x80. The process's ratio counts only these bits.
using BitMask = std::uint8_t;
inline constexpr BitMask kAllBits = 0xFF;
inline constexpr BitMask kSignBit = 0x80;      ///< of a G.711 code
inline constexpr BitMask kSegmentBits = 0x70;  ///< of a G.711 code
inline constexpr BitMask kStepBits = 0x0F;     ///< of a G.711 code

/// Applies the errors of a process to a stream of octets and counts them. The result does not depend on block sizes.
/// process() does not allocate and is real-time safe; for one thread, except where stated otherwise.
class BitErrorStream {
 public:
  /// `mask` is not 0. The counters count all bits, masked or not, at `bits_per_second`.
  explicit BitErrorStream(std::unique_ptr<ErrorProcess> errors, BitMask mask = kAllBits,
                          std::uint64_t bits_per_second = ErrorCounters::kG711BitsPerSecond);

  /// Inverts the bits that are due among the next octets. Returns the number of errors of the process in them.
  std::uint64_t process(std::span<std::uint8_t> octets);
  /// The same with the errors of `other`; the process's own errors are skipped. Returns how many were skipped.
  std::uint64_t process_instead(std::span<std::uint8_t> octets, BitErrorStream& other);
  /// Octets that are not heard: the process's errors are skipped, not applied, counted or recorded; returns how many.
  std::uint64_t process_unheard(std::uint64_t octets);
  /// Inverts the next bits that the mask selects and that are heard, in addition to the process's errors. From any
  /// thread.
  void inject(std::uint32_t bits = 1) { on_demand_.fetch_add(bits, std::memory_order_relaxed); }

  const ErrorCounters& counters() const { return counters_; }  ///< of the heard octets
  /// Appends every inverted bit to `pattern` from here on, counted from this point; null stops it. The pattern must
  /// outlive the recording; where its places have no capacity left, process() allocates.
  void record_to(ErrorPattern* pattern) { record_ = pattern; }

 private:
  std::uint64_t take_demanded(std::uint64_t most);
  void invert(std::span<std::uint8_t> octets, std::uint64_t shown_bit, std::uint64_t start);
  std::uint64_t pass_over(std::uint64_t shown);
  /// Queries the process until the next error is known, or is known not to be among the next `shown` bits.
  void look(std::uint64_t shown);

  std::unique_ptr<ErrorProcess> errors_;
  std::array<std::uint8_t, 8> shown_{};  // numbers of the bits that the mask selects, 0 being the most significant
  std::uint64_t shown_count_ = 0;
  ErrorStep next_;  // from the first bit of the octets being processed
  std::atomic<std::uint32_t> on_demand_{0};
  ErrorCounters counters_;
  ErrorPattern* record_ = nullptr;
};

}  // namespace vqas
