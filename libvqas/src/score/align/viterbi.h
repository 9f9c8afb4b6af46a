#pragma once

#include <span>
#include <vector>

namespace vqas::scoring {

/// The best path through a table of gains, where a change of state costs something and a change to a near state costs
/// less. Holds its work space; the cost goes with rows · states. For one thread.
class Viterbi {
 public:
  struct Costs {
    double change = 0;
    double near_change = 0;
  };
  /// `gains` holds rows of `states` each, `weights` one factor a row; state i is near to i - 1 and i + 1. Writes the
  /// state of each row to `path`.
  void run(std::span<const float> gains, std::span<const float> weights, int states, const Costs& costs,
           std::vector<int>& path);

 private:
  void begin(std::span<const float> gains, std::span<const float> weights, int states, std::vector<int>& path);
  void trace_back(std::vector<int>& path) const;

  std::vector<float> total_, next_;
  std::vector<int> came_from_;
};

}  // namespace vqas::scoring
