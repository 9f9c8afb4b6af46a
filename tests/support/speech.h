#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "support/places.h"

namespace vqas::test {

/// The folder of recorded speech for tests (VQAS_SPEECH_DIR, otherwise ../shared/speech beside the project), or
/// nothing.
inline std::optional<std::filesystem::path> speech_folder() {
  const char* named = std::getenv("VQAS_SPEECH_DIR");  // NOLINT(concurrency-mt-unsafe): tests read it in one thread
  const std::filesystem::path folder =
      named != nullptr ? std::filesystem::path(named)
                       : std::filesystem::path(test::source_dir()).parent_path() / "shared" / "speech";
  if (std::filesystem::is_regular_file(folder / "manifest.csv")) return folder;
  return std::nullopt;
}

/// True if a missing folder must fail the test, not skip it.
inline bool speech_is_required() {
  return std::getenv("VQAS_REQUIRE_SPEECH") != nullptr;  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace vqas::test

/// Defines `folder` in the test, or ends the test: skipped with a notice, or failed where the speech is required.
#define VQAS_SPEECH_OR_SKIP(folder)                                                      \
  const auto folder##_found = ::vqas::test::speech_folder();                             \
  if (!folder##_found) {                                                                 \
    ASSERT_FALSE(::vqas::test::speech_is_required()) << "recorded speech is missing";    \
    GTEST_SKIP() << "recorded speech is not here; set VQAS_SPEECH_DIR to run this test"; \
  }                                                                                      \
  const std::filesystem::path& folder = *folder##_found
