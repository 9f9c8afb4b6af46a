#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "vqas/line/line.h"

namespace vqas {

/// Runs of a sound device's samples that its system may have inserted for lost ones: exact zeros, and exact repetitions
/// of samples shortly before (a JACK client that is late in a cycle leaves the last period in its port, which is then
/// received twice). Whether a run was inserted is decided elsewhere. For one thread; allocates.
class SpoiltRuns {
 public:
  explicit SpoiltRuns(int rate_hz);

  /// The stream's next samples, at the device's rate.
  void add(std::span<const float> samples);
  /// Writes the longest run of each kind within this block into it. Blocks must be in order.
  void note(BlockTime& block);

 private:
  // One kind of run.
  class Runs {
   public:
    void extend(std::uint64_t begin, std::uint64_t end, std::uint64_t needed, std::uint64_t block);
    void close();
    void note(std::uint64_t block, double scale, std::uint16_t& begin, std::uint16_t& count);

   private:
    struct Run {
      std::uint64_t begin = 0, end = 0;
    };
    std::deque<Run> told_;
    Run open_;
    bool is_open_ = false, counts_ = false;  // counts_: the run is long enough
  };
  static constexpr std::size_t kHistory = 1U << 15;  // frames
  static constexpr std::size_t kPlaces = 1U << 14;
  static constexpr std::size_t kPattern = 4;  // samples by which a repetition is recognised

  void add_zero(float sample);
  void add_repeat(float sample);
  float at(std::uint64_t frame) const { return history_[frame % kHistory]; }
  bool is_pattern_of(std::uint64_t frame) const;
  std::size_t place() const;

  const double scale_;            // 8 kHz over the rate
  const std::uint64_t shortest_;  // frames
  const std::uint64_t block_;     // frames of a block
  std::uint64_t frame_ = 0;       // of the sample that is added
  Runs zeros_, repeats_;
  std::uint64_t zeros_begin_ = 0;
  bool in_zeros_ = false;
  std::vector<float> history_;
  std::vector<std::uint64_t> last_seen_;  // by pattern: the frame after its last sample, 0 for none
  std::uint64_t lag_ = 0;                 // of the current repetition; 0: none
  std::uint64_t repeat_begin_ = 0;
};

}  // namespace vqas
