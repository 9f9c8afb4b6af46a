#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "score/dsp/kernels.h"
#include "signal/aligned.h"

namespace vqas::scoring {

/// What changes along a path cost, in nats: the logarithm of one over their probability.
struct PathCosts {
  double step = 0;        ///< to any other delay
  double near_step = 0;   ///< to one no more than `near_by` samples away,
  double small_step = 0;  ///< and no more than `small_by`
  double begin_loss = 0;  ///< from received to lost,
  double lost = 0;        ///< each further frame of it,
  double end_loss = 0;    ///< and back
  int near_by = 0;        ///< samples, less than two hops: frames overlap by one
  int small_by = 0;       ///< samples, fewer
  int hop = 0;            ///< samples from frame to frame
};

/// What became of a frame of the reference.
enum class Fate : char {
  received,  ///< at its delay
  lost,      ///< in place: time went on
  skipped    ///< the line left it out: what follows came earlier by as much
};

/// The likeliest path over the frames of a reference (A. Viterbi, IEEE Trans. Inf. Theory 13(2), 1967). Each frame is
/// received at one of the delays, lost, or skipped. No place of the recording is used twice, and the order stays: a
/// step back by so many frames skips as many of the reference, one of less than two hops none. Holds its work space;
/// for one thread.
class BestPath {
 public:
  /// `evidence` in nats, for received against lost: delays.size() values a frame. `delays` ascend, in samples.
  void run(std::span<const float> evidence, std::span<const int> delays, const PathCosts& costs);

  /// Frames of the reference that weigh less than `below` are pauses; one weight a frame.
  struct Pauses {
    std::span<const float> weight;
    double below = 0;
  };
  /// Moves each step within a pause to the middle of the places that lose no more than one small step costs, so that as
  /// little speech as may be is beside it: silence tells no place. Of two steps in one silence the first has the middle
  /// of what is in front of the second. `evidence` is that of the last run.
  void settle(std::span<const float> evidence, const Pauses& pauses);
  /// Index of each frame's delay; a frame that was not received keeps that of its neighbours.
  std::span<const int> path() const { return path_; }
  std::span<const Fate> fates() const { return fate_; }

 private:
  struct Step {
    int first = 0, end = 0;  ///< what it skips, half open
    int before = 0, behind = 0;
  };
  /// Writes the path between two frames: at the step's delays, what it skips, and else `beside`.
  void lay(const Step& step, int first, int end, Fate beside);
  /// How many frames later (`by` 1) or earlier (-1) a step may lie.
  int room(const Step& step, int by, std::span<const float> evidence, const Pauses& pauses) const;

  struct Origin {
    int frame = -1;
    int delay = -1;
    bool lost = false;
  };
  /// The best that ends at a place of the recording, one a hop; larger by what all frames before would cost if lost.
  struct Used {
    double total = 0;
    int place = 0;
    int by = -1;  ///< the state, as state_of() numbers it
    /// Of several that are as good, the one that ends first counts.
    bool is_better_than(const Used& other) const {
      return total > other.total || (total == other.total && place < other.place);
    }
  };
  void begin(std::span<const float> evidence, std::span<const int> delays, const PathCosts& costs);
  void frame(int j, std::span<const float> evidence);
  void use(int j);
  void tell_row_against_best(int j);
  Origin origin_of(int j, int c) const;
  bool was_lost_before(int j, int c) const;
  void skip(const Origin& from, int j, int c);
  void trace_back();

  int state_of(int frame, int delay, bool lost) const {
    return 2 * (frame * static_cast<int>(count_) + delay) + (lost ? 1 : 0);
  }
  std::size_t row_of(int frame) const { return static_cast<std::size_t>(frame) * width_; }

  std::size_t count_ = 0, width_ = 0;  // of delays; with those that fill up whole registers
  int frames_ = 0;
  PathCosts costs_;
  // Rows of all frames: where a value came from is told again for the one path that is the best. Totals are told
  // against the best of their frame: a pause adds next to nothing to thousands of nats, and says where in it a step
  // lies.
  AlignedVector<float> received_, lost_;
  double best_so_far_ = 0;       // of the last frame, nats
  AlignedVector<float> behind_;  // of a step from anywhere, its cost taken off
  std::vector<int> behind_by_;
  AlignedVector<float> near_cost_;  // a row for each delay that a step leaves
  std::vector<PathFrame::Near> near_;
  AlignedVector<float> evidence_row_, best_;
  std::vector<int> place_;    // of each delay, in hops from the smallest on
  std::vector<Used> used_;    // of each place
  std::vector<Used> passed_;  // of each delay: the best of all places in front of where it lands
  std::vector<int> path_;
  std::vector<Fate> fate_;
};

}  // namespace vqas::scoring
