#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "vqas/receive/idle_input.h"

namespace vqas {

/// What an end hears while no mark comes, as it stands in messages.
nlohmann::ordered_json idle_input_json(const IdleInput& input);
/// The reverse; nothing when it cannot be. Re-entrant.
std::optional<IdleInput> idle_input_from(const nlohmann::ordered_json& json);

}  // namespace vqas
