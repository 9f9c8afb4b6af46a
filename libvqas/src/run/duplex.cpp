#include <array>
#include <utility>

#include "vqas/run/session_record.h"

namespace vqas {
namespace {

constexpr std::array<std::pair<Duplex, std::string_view>, 3> kDuplex{
    {{Duplex::automatic, "auto"}, {Duplex::both, "both"}, {Duplex::one, "one"}}};

}  // namespace

std::string_view name_of(Duplex duplex) {
  for (const auto& [one, name] : kDuplex) {
    if (one == duplex) return name;
  }
  return {};
}

std::optional<Duplex> duplex_from_string(std::string_view name) {
  for (const auto& [duplex, known] : kDuplex) {
    if (known == name) return duplex;
  }
  return std::nullopt;
}

}  // namespace vqas
