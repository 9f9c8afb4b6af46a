#pragma once

#include <span>
#include <vector>

#include "score/model/model.h"
#include "score/model/shared_numbers.h"

namespace vqas::scoring {

/// Which frames of a reference have not been received at a delay of theirs: one value a frame each, or none.
struct NotReceived {
  std::span<const char> skipped = {};  ///< 1 where a step of the delay left out what was there; it is heard as the step
  std::span<const char> deleted = {};  ///< 1 where the line has taken out a pause: there is no difference
  std::span<const char> lost = {};     ///< 1 where speech was not found; its delay has no meaning
};

/// What lies at the steps of a pair's delay: frames that are heard at both delays, frames that a step left out, and
/// what a step put between two frames. Holds its work space; for one thread.
class StepPlaces {
 public:
  explicit StepPlaces(const PerceptualModel& model)
      : model_(model), packet_(static_cast<int>(kPacketSteps * kStepMs * model.rate_hz / 1000)) {}

  /// `delay` in samples and `active`: one value a frame of the reference.
  void find(std::span<const int> delay, std::span<const char> active, const NotReceived& not_received);

  /// Frames that are heard at the delay of either side of a jump, and the delay on its other side, of each frame.
  std::span<const int> both_sides() const { return both_sides_; }
  std::span<const int> other_delay() const { return other_delay_; }
  /// Those, and what a step left out with as many frames on either side.
  std::span<const int> beside() const { return beside_; }
  /// By how much the delay steps beside a frame that is, between speech that was found.
  int size_beside(int frame) const { return size_[static_cast<std::size_t>(nearest_step_[frame])]; }

  /// What a step put between two frames that follow each other, without the ends that both_sides() hears: whole frames
  /// of the degraded recording, a hop apart.
  struct Between {
    int from = 0;    ///< the first sample
    int frames = 0;  ///< 1 and more
  };
  std::span<const Between> between() const { return between_; }

  /// J+ of Measurements, over steps of `longest` samples and less.
  double inserted(std::span<const int> delay, std::span<const char> active, int longest) const;

  /// How far pauses that last longer or shorter have moved speech that was found, seconds: from the smallest to the
  /// largest sum of steps so far, of those by more than 20 ms where speech has a gap as long as the frames that hear a
  /// step, and of those longer than any the model was fitted to wherever they are.
  double moved_by_pauses(std::span<const int> delay, std::span<const char> active, std::span<const char> lost) const;

  /// By how much speech was stretched or shrunk where it was most: seconds by which the delay moves within one second
  /// of speech that was found, by steps that are each shorter than 20 ms. Pauses count no time, and what moves in one
  /// of 0.2 s and more does not count.
  double stretched(std::span<const int> delay, std::span<const char> active, std::span<const char> lost) const;

 private:
  void find_sizes(std::span<const int> delay, std::span<const char> active, std::span<const char> lost);
  void find_both_sides(std::span<const int> delay);
  void find_beside(std::span<const int> delay, std::span<const char> skipped);
  void find_between(std::span<const int> delay);

  PerceptualModel model_;
  int packet_;                     // samples
  std::vector<int> size_;          // of each frame: by how much the delay steps in front of it, between speech found
  std::vector<int> nearest_;       // of each frame: how far its jump is, jump_reach + 1 for none
  std::vector<int> nearest_step_;  // of each frame: the first frame behind that jump
  std::vector<int> other_delay_, both_sides_, beside_;
  std::vector<Between> between_;
};

}  // namespace vqas::scoring
