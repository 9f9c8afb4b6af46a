#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "vqas/channel/error_process.h"
#include "vqas/channel/random.h"

namespace vqas {

/// A segment of a line during which the bit error ratio is constant, or linear in its logarithm.
struct ErrorSegment {
  std::uint64_t bits = 0;  ///< its length; kNever: forever
  double from_ber = 0;     ///< 0 or 1e-12..0.5
  double to_ber = 0;       ///< reached at its end; if either is 0, from_ber applies
};

/// Errors of a rate that varies with time, segment by segment. Within one segment the errors are independent. The cost
/// depends on the number of errors and segments.
class VaryingErrors : public ErrorProcess {
 public:
  ErrorStep next_step() final;

 protected:
  VaryingErrors(std::uint64_t seed, std::uint64_t stream);
  /// The next segment, or nothing: no errors from here on. At least one bit long.
  virtual std::optional<ErrorSegment> next_segment() = 0;

 private:
  bool begin_segment();
  void begin_piece();
  double ramp_ber(std::uint64_t place) const;
  bool keeps_error(std::uint64_t place);

  GeometricGaps gaps_;  // at the piece's highest ratio
  Random thinning_;     // decides which errors a ramp keeps
  ErrorSegment segment_;
  // A segment of one ratio is one piece, a ramp has many.
  std::uint64_t pieces_ = 1;
  std::uint64_t piece_ = 1;  // how many of them have started
  std::uint64_t done_ = 0;   // bits of the segment already processed
  std::uint64_t left_ = 0;   // bits of the piece still to process
  bool over_ = false;
};

/// A list of segments, once or in a loop: time-varying profiles and periodic bursts.
class ProfileErrors final : public VaryingErrors {
 public:
  ProfileErrors(std::vector<ErrorSegment> segments, bool loop, std::uint64_t seed, std::uint64_t stream = 0);

 private:
  std::optional<ErrorSegment> next_segment() override;

  std::vector<ErrorSegment> segments_;
  bool loop_;
  std::size_t next_ = 0;
};

/// Two randomly alternating states, each with its own error ratio: E. N. Gilbert, "Capacity of a burst-noise channel",
/// Bell System Technical Journal 39, 1960; E. O. Elliott, BSTJ 42, 1963. Also used for bursts of random length and
/// distance.
struct GilbertElliott {
  double good_ber = 0;          ///< 0 or 1e-12..0.5
  double bad_ber = 0;           ///< 0 or 1e-12..0.5
  double mean_good_bits = 1e6;  ///< 2..1e12; the chance to leave the good state after each bit is 1 over this
  double mean_bad_bits = 1e3;   ///< 2..1e12
  bool operator==(const GilbertElliott&) const = default;
};
class GilbertElliottErrors final : public VaryingErrors {
 public:
  /// The first state is drawn by the share of time of each.
  GilbertElliottErrors(const GilbertElliott& model, std::uint64_t seed, std::uint64_t stream = 0);

 private:
  std::optional<ErrorSegment> next_segment() override;

  GilbertElliott model_;
  GeometricGaps good_lengths_;
  GeometricGaps bad_lengths_;
  bool bad_;
};

}  // namespace vqas
