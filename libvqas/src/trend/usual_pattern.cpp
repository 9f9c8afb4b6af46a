#include <map>
#include <set>

#include "trend/parts.h"
#include "vqas/signal/median.h"

namespace vqas::trend {

std::vector<double> usual_pattern(std::span<const double> values, std::span<const std::int64_t> period,
                                  std::span<const int> phase, std::size_t least) {
  std::map<std::int64_t, std::vector<double>> of_period;
  for (std::size_t i = 0; i < values.size(); ++i) of_period[period[i]].push_back(values[i]);
  std::map<std::int64_t, double> level;
  for (auto& [name, members] : of_period) level[name] = median(std::move(members));
  struct Seen {
    std::vector<double> differences;
    std::set<std::int64_t> periods;
  };
  std::map<int, Seen> seen;
  for (std::size_t i = 0; i < values.size(); ++i) {
    seen[phase[i]].differences.push_back(values[i] - level[period[i]]);
    seen[phase[i]].periods.insert(period[i]);
  }
  std::map<int, double> usual;
  for (auto& [name, one] : seen) {
    if (one.periods.size() < least) return std::vector<double>(values.size(), 0);
    usual[name] = median(std::move(one.differences));
  }
  std::vector<double> pattern;
  for (std::size_t i = 0; i < values.size(); ++i) pattern.push_back(usual[phase[i]]);
  return pattern;
}

}  // namespace vqas::trend
