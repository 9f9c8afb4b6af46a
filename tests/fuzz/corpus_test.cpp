// Replays the committed inputs of each fuzz target. An input that breaks an invariant ends the program; its name is the
// last line of the output.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "support/places.h"

#define VQAS_FUZZ_TARGET(name) extern "C" int fuzz_##name(const std::uint8_t* data, std::size_t size);
#include "fuzz_targets.h"
#undef VQAS_FUZZ_TARGET

namespace vqas {
namespace {

void replay(const char* target, int (*run)(const std::uint8_t*, std::size_t)) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(test::source_dir()) / "tests" /
                                                               "fuzz" / "corpus" / target)) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  ASSERT_FALSE(files.empty());
  for (const auto& path : files) {
    std::cout << path.string() << std::endl;
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
    EXPECT_EQ(run(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()), 0);
  }
}

#define VQAS_FUZZ_TARGET(name)  \
  TEST(FuzzCorpus, name) {      \
    replay(#name, fuzz_##name); \
  }
#include "fuzz_targets.h"

}  // namespace
}  // namespace vqas
