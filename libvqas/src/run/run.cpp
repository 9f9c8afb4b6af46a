#include "vqas/run/run.h"

#include <array>
#include <utility>

namespace vqas {
namespace {

constexpr std::array kDelayBasisNames{
    std::pair(DelayBasis::unknown, std::string_view("unknown")),
    std::pair(DelayBasis::virtual_time, std::string_view("virtual")),
    std::pair(DelayBasis::same_clock, std::string_view("same_clock")),
    std::pair(DelayBasis::synchronised, std::string_view("synchronised")),
    std::pair(DelayBasis::half_round_trip, std::string_view("half_round_trip")),
};

}  // namespace

std::string_view to_string(DelayBasis basis) {
  for (const auto& [candidate, name] : kDelayBasisNames) {
    if (candidate == basis) return name;
  }
  return "unknown";
}

std::optional<DelayBasis> delay_basis_from_string(std::string_view name) {
  for (const auto& [basis, candidate] : kDelayBasisNames) {
    if (candidate == name) return basis;
  }
  return std::nullopt;
}

}  // namespace vqas
