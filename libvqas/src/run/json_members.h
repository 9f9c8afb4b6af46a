#pragma once

#include <string>

#include "vqas/signal/json_text.h"

namespace vqas {

// For JSON of any shape: a member of the wrong type counts as missing. `json` is an object.

/// Empty if there is no such text.
inline std::string text_at(const Json& json, const char* key) {
  const Json value = json.value(key, Json());
  return value.is_string() ? value.get<std::string>() : std::string();
}

/// `otherwise` if there is no such number from 0 to `most`.
inline double number_at(const Json& json, const char* key, double otherwise, double most) {
  const Json value = json.value(key, Json());
  const double given = value.is_number() ? value.get<double>() : otherwise;
  return given >= 0 && given <= most ? given : otherwise;
}

/// An empty object if there is none.
inline Json object_at(const Json& json, const char* key) {
  const Json value = json.value(key, Json());
  return value.is_object() ? value : Json::object();
}

}  // namespace vqas
