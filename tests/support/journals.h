#pragma once

#include <filesystem>
#include <regex>
#include <string>
#include <utility>

#include "vqas/store/journal.h"

namespace vqas::test {

/// The journal in the format of the release before lines had digests.
inline std::string without_digests(const std::string& journal) {
  static const std::regex digests(R"re(,"after":"[0-9a-f]*","digest":"[0-9a-f]*"\})re");
  return std::regex_replace(journal, digests, "}");
}

/// The measurements of a stored run, without the versions.
inline Result<RunResults> read_journal(const std::filesystem::path& folder) {
  auto run = read_stored_run(folder);
  if (!run) return run.error();
  return std::move(run->results);
}

}  // namespace vqas::test
