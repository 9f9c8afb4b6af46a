#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "support/places.h"

namespace vqas::test {

/// The stimuli that the project ships.
inline std::filesystem::path project_corpus() {
  return std::filesystem::path(test::source_dir()) / "corpus";
}

inline std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

inline void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
}

/// A temporary folder, empty at the start of the test and removed after it.
class ScratchFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) /
              (std::string("vqas-") + test->test_suite_name() + "-" + test->name() + "-" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

/// The same with a copy of the project's corpus in it, to be damaged.
class ScratchCorpus : public ScratchFolder {
 protected:
  void SetUp() override {
    ScratchFolder::SetUp();
    std::filesystem::copy(project_corpus(), folder_, std::filesystem::copy_options::recursive);
  }

  nlohmann::ordered_json manifest() const {
    return nlohmann::ordered_json::parse(read_text(folder_ / "manifest.json"));
  }
  void write_manifest(const nlohmann::ordered_json& json) const { write_text(folder_ / "manifest.json", json.dump()); }

  /// Inverts one bit of a file.
  void flip_bit(const std::string& file, std::size_t byte) const {
    std::string bytes = read_text(folder_ / file);
    bytes.at(byte) = static_cast<char>(bytes[byte] ^ 1);
    write_text(folder_ / file, bytes);
  }
};

}  // namespace vqas::test
