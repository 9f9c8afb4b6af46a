#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace vqas {

/// Seconds of a digital connection by ITU-T G.821. Only whole seconds count. Errored and severely errored ones are
/// counted while the connection is available; unavailable time begins with the first of ten severely errored seconds in
/// a row, and ends with the first of ten in a row that are not. G.821 says nothing of bits in whose place something
/// else came; here half of them count as wrong, as unrelated bits are, so that 2 ms of a second without the signal make
/// it severely errored.
struct G821Seconds {
  std::uint64_t total = 0;
  std::uint64_t error_free = 0;        ///< available, without a wrong or missing bit
  std::uint64_t errored = 0;           ///< available, with at least one
  std::uint64_t severely_errored = 0;  ///< of these, those with a ratio of 1e-3 or more
  std::uint64_t unavailable = 0;
};

/// A ratio with the bounds of its confidence interval.
struct RatioInterval {
  double ratio = 0;
  double low = 0;
  double high = 1;
};

/// Counts the errors of a bit stream as they come. A small value; no allocation; real-time safe (except
/// ber_interval()); for one thread.
class ErrorCounters {
 public:
  static constexpr std::uint64_t kG711BitsPerSecond = 64000;
  /// Errors with fewer good bits than this between them belong to one burst: the choice of VQAS, four octets of G.711.
  static constexpr std::uint64_t kBurstGuardBits = 32;
  static constexpr std::size_t kBurstClasses = 24;

  explicit ErrorCounters(std::uint64_t bits_per_second = kG711BitsPerSecond) : per_second_(bits_per_second) {}

  /// An error at the bit `place`, counted from the stream's beginning; places rise.
  void error_at(std::uint64_t place);
  /// The stream has come so far, in bits from its beginning; does not fall.
  void advance_to(std::uint64_t bits);
  /// The same, but since the bit before nothing was heard, because something stood in its place: this time counts in
  /// the seconds, its bits do not count.
  void pass_unheard_to(std::uint64_t bits);
  /// So many of the bits about to be passed over by advance_to() are not heard, wherever they lie; in the seconds they
  /// count in the one under way.
  void leave_out(std::uint64_t bits) {
    left_out_ += bits;
    second_unheard_ += bits;
  }

  /// How far the stream has come, which is its time.
  std::uint64_t place() const { return place_; }
  /// Bits that were heard: what the errors are a share of.
  std::uint64_t bits() const { return place_ - left_out_; }
  std::uint64_t errors() const { return errors_; }
  /// Of the whole seconds so far.
  const G821Seconds& seconds() const { return settled_; }
  /// How many bursts ended whose length, from the first to the last wrong bit, was 2^k..2^(k+1)-1 bits; single errors
  /// are at 0, the last class holds all longer ones. A burst has ended when the stream is beyond its guard; the one
  /// that has not yet is there with its length so far.
  std::array<std::uint64_t, kBurstClasses> bursts() const;
  /// Name of a class of bursts(), by its lengths: "1_bit", "2_to_3_bits" … "8388608_bits_or_more". `index` is below
  /// kBurstClasses.
  static std::string burst_lengths(std::size_t index);
  /// Of the bit error ratio: C. J. Clopper and E. S. Pearson, Biometrika 26, 1934, as if errors were independent (in
  /// bursts it is too narrow). `confidence` is 0.5..0.9999.
  RatioInterval ber_interval(double confidence = 0.95) const;

 private:
  void end_seconds_before(std::uint64_t second);
  void end_second(std::uint64_t errors, std::uint64_t unheard);
  std::size_t burst_class() const;

  std::uint64_t per_second_;
  std::uint64_t place_ = 0;
  std::uint64_t left_out_ = 0;
  std::uint64_t errors_ = 0;

  std::uint64_t second_ = 0;         // number of the one under way
  std::uint64_t second_errors_ = 0;  // in it
  std::uint64_t second_unheard_ = 0;
  G821Seconds settled_;
  // Seconds in a row that would change the state if they became ten; at most nine.
  bool available_ = true;
  std::uint64_t turning_ = 0;
  std::uint64_t turning_errored_ = 0;

  bool in_burst_ = false;
  std::uint64_t burst_first_ = 0;
  std::uint64_t burst_last_ = 0;
  std::array<std::uint64_t, kBurstClasses> bursts_{};
};

}  // namespace vqas
