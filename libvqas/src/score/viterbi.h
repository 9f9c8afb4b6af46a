#pragma once

#include <span>
#include <vector>

namespace vqas::scoring {

/// The best path through a table of gains, where a change of state costs something and a change to a near state costs
/// less. Holds its work space; the cost goes with rows · (states + pairs of near states). For one thread.
class Viterbi {
 public:
  /// `near[i]` lists the states that state i is near to.
  struct Costs {
    double change = 0;
    double near_change = 0;
    std::span<const std::vector<int>> near;
  };
  /// `gains` holds rows of `states` each, `weights` one factor a row. Writes the state of each row to `path`.
  void run(std::span<const float> gains, std::span<const float> weights, int states, const Costs& costs,
           std::vector<int>& path);

 private:
  std::vector<double> total_, next_;
  std::vector<int> came_from_;
};

}  // namespace vqas::scoring
