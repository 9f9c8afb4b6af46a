#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "relay/pattern_file.h"
#include "support/temporary_folder.h"

namespace vqas::test {

/// What the relay wrote about the pattern that it recorded.
inline nlohmann::json notes_on(const std::filesystem::path& pattern) {
  return nlohmann::json::parse(read_text(notes_file(pattern)), nullptr, false);
}

}  // namespace vqas::test
