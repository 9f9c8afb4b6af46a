#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace vqas {

/// Seconds of a digital connection by ITU-T G.821. Only whole seconds count. Errored and severely errored seconds are
/// counted while the connection is available. Unavailable time starts with the first of ten severely errored seconds in
/// a row and ends with the first of ten in a row that are not. G.821 does not cover bits that were replaced; here half
/// of them count as wrong, as in unrelated data, so 2 ms without the signal make a second severely errored.
struct G821Seconds {
  std::uint64_t total = 0;
  std::uint64_t error_free = 0;        ///< available, without a wrong or missing bit
  std::uint64_t errored = 0;           ///< available, with at least one wrong or missing bit
  std::uint64_t severely_errored = 0;  ///< of these, those with a ratio of 1e-3 or more
  std::uint64_t unavailable = 0;
};

/// A ratio with its confidence interval.
struct RatioInterval {
  double ratio = 0;
  double low = 0;
  double high = 1;
};

/// Counts the errors of a bit stream as they occur. A small value; no allocation; real-time safe (except
/// ber_interval()); for one thread.
class ErrorCounters {
 public:
  static constexpr std::uint64_t kG711BitsPerSecond = 64000;
  /// Errors separated by fewer good bits than this belong to one burst: the choice of VQAS, four octets of G.711.
  static constexpr std::uint64_t kBurstGuardBits = 32;
  static constexpr std::size_t kBurstClasses = 24;

  explicit ErrorCounters(std::uint64_t bits_per_second = kG711BitsPerSecond) : per_second_(bits_per_second) {}

  /// An error at the bit `place`, counted from the start of the stream; places must rise.
  void error_at(std::uint64_t place);
  /// Advances the stream to `bits`, counted from its start; must not decrease.
  void advance_to(std::uint64_t bits);
  /// The same, but the bits since the previous call were not heard, because they were replaced: their time counts in
  /// the seconds, the bits themselves do not count.
  void pass_unheard_to(std::uint64_t bits);
  /// This many of the bits that the next advance_to() covers are not heard, wherever they lie; they count in the
  /// current second.
  void leave_out(std::uint64_t bits) {
    left_out_ += bits;
    second_unheard_ += bits;
  }

  /// Position in the stream, which is also its time.
  std::uint64_t place() const { return place_; }
  /// Bits that were heard: the denominator of the error ratio.
  std::uint64_t bits() const { return place_ - left_out_; }
  std::uint64_t errors() const { return errors_; }
  /// Over the whole seconds so far.
  const G821Seconds& seconds() const { return settled_; }
  /// Number of finished bursts whose length, from the first to the last wrong bit, was 2^k..2^(k+1)-1 bits. Single
  /// errors are at 0; the last class holds all longer bursts. A burst is finished when the stream is beyond its guard
  /// interval; an unfinished one is included with its length so far.
  std::array<std::uint64_t, kBurstClasses> bursts() const;
  /// Name of a class of bursts(), by its lengths: "1_bit", "2_to_3_bits" … "8388608_bits_or_more". `index` is below
  /// kBurstClasses.
  static std::string burst_lengths(std::size_t index);
  /// Confidence interval of the bit error ratio (C. J. Clopper and E. S. Pearson, Biometrika 26, 1934), for independent
  /// errors; for bursts it is too narrow. `confidence` is 0.5..0.9999.
  RatioInterval ber_interval(double confidence = 0.95) const;

 private:
  void end_seconds_before(std::uint64_t second);
  void end_second(std::uint64_t errors, std::uint64_t unheard);
  std::size_t burst_class() const;

  std::uint64_t per_second_;
  std::uint64_t place_ = 0;
  std::uint64_t left_out_ = 0;
  std::uint64_t errors_ = 0;

  std::uint64_t second_ = 0;         // number of the current second
  std::uint64_t second_errors_ = 0;  // in the current second
  std::uint64_t second_unheard_ = 0;
  G821Seconds settled_;
  // Consecutive seconds that would change the state if there were ten; at most nine.
  bool available_ = true;
  std::uint64_t turning_ = 0;
  std::uint64_t turning_errored_ = 0;

  bool in_burst_ = false;
  std::uint64_t burst_first_ = 0;
  std::uint64_t burst_last_ = 0;
  std::array<std::uint64_t, kBurstClasses> bursts_{};
};

}  // namespace vqas
