#include "vqas/run/run.h"

#include "signal/words.h"

namespace vqas {
namespace {

constexpr Words<DelayBasis, 5> kDelayBasis{{{"unknown", DelayBasis::unknown},
                                            {"virtual", DelayBasis::virtual_time},
                                            {"same_clock", DelayBasis::same_clock},
                                            {"synchronised", DelayBasis::synchronised},
                                            {"half_round_trip", DelayBasis::half_round_trip}}};

}  // namespace

std::string_view to_string(DelayBasis basis) {
  return word_of(kDelayBasis, basis);
}

std::optional<DelayBasis> delay_basis_from_string(std::string_view name) {
  return value_of(kDelayBasis, name);
}

}  // namespace vqas
