#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "vqas/receive/idle_input.h"

namespace vqas {

/// What an end receives while no mark arrives, as in messages.
nlohmann::ordered_json idle_input_json(const IdleInput& input);
/// The reverse; nothing for invalid JSON. Re-entrant.
std::optional<IdleInput> idle_input_from(const nlohmann::ordered_json& json);

}  // namespace vqas
