#pragma once

#include <optional>
#include <string_view>

namespace vqas {

/// Whether both directions are measured at the same time.
enum class Duplex {
  automatic,  ///< of a plan: both if the line has four wires, one if an end hears its own echo; of a run: not decided
  both,
  one,
};
/// "auto", "both", "one". Not to_string(): CLI11 would take the option for a text.
std::string_view name_of(Duplex duplex);
std::optional<Duplex> duplex_from_string(std::string_view name);

}  // namespace vqas
