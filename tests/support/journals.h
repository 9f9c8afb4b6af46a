#pragma once

#include <regex>
#include <string>

namespace vqas::test {

/// The journal in the format of the release before lines had digests.
inline std::string without_digests(const std::string& journal) {
  static const std::regex digests(R"re(,"after":"[0-9a-f]*","digest":"[0-9a-f]*"\})re");
  return std::regex_replace(journal, digests, "}");
}

}  // namespace vqas::test
