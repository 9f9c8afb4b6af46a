// Damaged or malicious manifests: always bad_input with the file's name, never a crash, never a file read outside the
// folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "scratch_corpus.h"
#include "vqas/corpus/corpus.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

class HostileManifest : public test::ScratchCorpus {
 protected:
  void expect_refused(const std::string& what, const std::string& expected = "manifest.json") const {
    const auto corpus = Corpus::load(folder_);
    ASSERT_FALSE(corpus) << what;
    EXPECT_EQ(corpus.error().code, ErrorCode::bad_input) << what;
    EXPECT_THAT(corpus.error().message, HasSubstr(expected)) << what;
    EXPECT_FALSE(check_corpus(folder_)) << what;
  }
  void expect_text_refused(const std::string& text) const {
    test::write_text(folder_ / "manifest.json", text);
    expect_refused(text.substr(0, 60));
  }
  void expect_change_refused(const std::string& what, const std::function<void(Json&)>& change) const {
    auto json = manifest();
    change(json["stimuli"][0]);
    write_manifest(json);
    expect_refused(what);
  }
  void expect_file_change_refused(const std::string& what, const std::function<void(Json&)>& change) const {
    auto json = manifest();
    change(json["stimuli"][0]["files"]["8000"]);
    write_manifest(json);
    expect_refused(what);
  }
  void TearDown() override {
    // Shows that the refusals are due to the changes: the unchanged copy is valid.
    fs::copy_file(test::project_corpus() / "manifest.json", folder_ / "manifest.json",
                  fs::copy_options::overwrite_existing);
    EXPECT_TRUE(Corpus::load(folder_));
    ScratchCorpus::TearDown();
  }
};

TEST_F(HostileManifest, PathsThatLeaveTheFolderAreRefused) {
  for (const std::string path : {"../secret.wav", "8k/../../secret.wav", "/etc/passwd", "//etc/passwd", "", ".", "8k/",
                                 "..", "8k/..", "a/b/../../../c.wav"}) {
    expect_file_change_refused("path " + path, [&](Json& file) { file["path"] = path; });
  }
}

TEST_F(HostileManifest, ValuesOfTheWrongTypeAreRefused) {
  for (const std::string field : {"id", "talker", "text", "licence", "recipe", "files"}) {
    for (const Json& value : {Json(nullptr), Json(7), Json(true), Json::array({1}), Json(-1.5)}) {
      expect_change_refused(field + " " + value.dump(), [&](Json& one) { one[field] = value; });
    }
    expect_change_refused(field + " missing", [&](Json& one) { one.erase(field); });
  }
  for (const std::string field : {"path", "sha256", "duration_s", "active_level_dbov"}) {
    for (const Json& value : {Json(nullptr), Json(true), Json::array({1}), Json::object()}) {
      expect_file_change_refused(field + " " + value.dump(), [&](Json& file) { file[field] = value; });
    }
    expect_file_change_refused(field + " missing", [&](Json& file) { file.erase(field); });
  }
}

TEST_F(HostileManifest, ValuesOutOfRangeAreRefused) {
  expect_file_change_refused("long duration", [](Json& file) { file["duration_s"] = 1e300; });
  expect_file_change_refused("negative duration", [](Json& file) { file["duration_s"] = -1; });
  expect_file_change_refused("loud", [](Json& file) { file["active_level_dbov"] = 10; });
  expect_file_change_refused("short digest", [](Json& file) { file["sha256"] = "abcd"; });
  expect_file_change_refused("capital digest", [](Json& file) { file["sha256"] = std::string(64, 'A'); });
  expect_change_refused("long text", [](Json& one) { one["text"] = std::string(100000, 'x'); });
  expect_change_refused("empty text", [](Json& one) { one["text"] = ""; });
  expect_change_refused("control characters", [](Json& one) { one["text"] = "clear the screen \x1b[2J"; });
  for (const std::string id :
       {"", "../M1", "M 1", "-M1", "M1\n", "M/1", "\xc3\xa4", "0123456789012345678901234567890123"}) {
    expect_change_refused("id " + id, [&](Json& one) { one["id"] = id; });
  }
}

TEST_F(HostileManifest, InvalidRatesAreRefused) {
  for (const std::string rate : {"", "0", "-8000", "08000", "8000.0", "8 kHz", "4000", "99999999999999999999", "1e4"}) {
    expect_change_refused("rate " + rate, [&](Json& one) { one["files"][rate] = one["files"]["8000"]; });
  }
  expect_change_refused("no 8 kHz", [](Json& one) { one["files"].erase("8000"); });
}

TEST_F(HostileManifest, TheSameStimulusTwiceIsRefused) {
  auto json = manifest();
  json["stimuli"][1] = json["stimuli"][0];
  write_manifest(json);
  expect_refused("twice");
}

TEST_F(HostileManifest, AnotherSchemaIsRefused) {
  auto json = manifest();
  json["schema"] = "vqas-corpus-99";
  write_manifest(json);
  expect_refused("schema");
}

TEST_F(HostileManifest, OtherTextIsRefused) {
  for (const std::string text :
       {"", "{", "[]", "null", "7", "\"text\"", "{}", "{\"schema\": \"vqas-corpus-1\"}",
        R"({"schema": "vqas-corpus-1", "stimuli": {}})", R"({"schema": "vqas-corpus-1", "stimuli": []})",
        R"({"schema": "vqas-corpus-1", "stimuli": [7]})", "\xff\xfe\x00", "{\"schema\": 1e999}"}) {
    expect_text_refused(text);
  }
  expect_text_refused(std::string(200000, '['));
  std::string nested;
  for (int n = 0; n < 50000; ++n) nested += "{\"a\":";
  expect_text_refused(nested);
}

TEST_F(HostileManifest, ATooLargeManifestIsNotRead) {
  test::write_text(folder_ / "manifest.json", "{\"schema\": \"" + std::string(5U << 20, 'x') + "\"}");
  expect_refused("large", "larger than");
}

TEST_F(HostileManifest, AFolderInPlaceOfTheManifestIsRefused) {
  fs::remove(folder_ / "manifest.json");
  fs::create_directory(folder_ / "manifest.json");
  expect_refused("folder");
  fs::remove(folder_ / "manifest.json");
}

TEST_F(HostileManifest, RandomDamageNeverCrashesAndIsAlwaysDetected) {
  const std::string good = test::read_text(folder_ / "manifest.json");
  const auto original = Corpus::load(folder_);
  ASSERT_TRUE(original);
  constexpr std::uint64_t kSeed = 20261121;
  std::mt19937_64 random(kSeed);
  for (int n = 0; n < 60; ++n) {
    std::string damaged = good;
    const std::size_t at = random() % damaged.size();
    switch (n % 3) {
      case 0:
        damaged[at] = static_cast<char>(random() & 0xFF);
        break;
      case 1:
        damaged.resize(at);
        break;
      default:
        damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 200));
    }
    test::write_text(folder_ / "manifest.json", damaged);
    const auto corpus = Corpus::load(folder_);
    if (corpus) {
      // Only descriptive text may differ: the digest covers everything about the sound.
      EXPECT_EQ(corpus->stimuli().size(), original->stimuli().size()) << "seed " << kSeed << ", change " << n;
      for (const Stimulus& one : corpus->stimuli()) EXPECT_TRUE(corpus->recording(one.id)) << n;
    } else {
      EXPECT_EQ(corpus.error().code, ErrorCode::bad_input) << "seed " << kSeed << ", change " << n;
    }
  }
}

}  // namespace
}  // namespace vqas
