#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "relay/packets.h"
#include "relay/pattern_file.h"
#include "relay/pattern_notes.h"
#include "relay/pattern_recorder.h"
#include "relay/relay_path.h"
#include "support/temporary_folder.h"
#include "vqas/channel/bit_error_stream.h"

namespace vqas {
namespace {

using test::Octets;
using test::stream_packet;

// The octets in which a pattern inverts zeros.
Octets inverted_zeros(const std::filesystem::path& file) {
  const auto pattern = read_error_pattern(file);
  EXPECT_TRUE(pattern) << pattern.error().message;
  if (!pattern) return {};
  Octets octets(pattern->bits / 8);
  BitErrorStream(std::make_unique<ListedErrors>(pattern->places)).process(octets);
  return octets;
}
RelayConditions with_ber(double ber) {
  RelayConditions conditions;
  conditions.profile.errors = {RandomRate{ber}};
  return conditions;
}

class Pattern : public ::testing::TestWithParam<const char*> {
 protected:
  Pattern() : file_(folder_.path() / ("pattern." + std::string(GetParam()))) {}

  std::unique_ptr<PatternRecorder> recorder() {
    auto created = PatternRecorder::create(file_, {});
    EXPECT_TRUE(created);
    return std::move(created).value();
  }
  static void take(RelayPath& path, Octets& packet, Octets* heard = nullptr) {
    path.take(packet, 0);
    if (heard == nullptr) return;
    const Octets payload = test::payload_of(packet);
    heard->insert(heard->end(), payload.begin(), payload.end());
  }

  test::TemporaryFolder folder_;
  std::filesystem::path file_;
};

TEST_P(Pattern, ThePatternAppliedToWhatWasSentGivesWhatWasHeard) {
  Octets heard;
  {
    const auto recording = recorder();
    RelayPath path(with_ber(1e-2), 5, 0, recording.get());
    for (std::uint64_t k = 7; k < 1007; ++k) {
      Octets packet = stream_packet(k);
      take(path, packet, &heard);
    }
    ASSERT_TRUE(recording->finish());
  }
  EXPECT_EQ(inverted_zeros(file_), heard);  // only zeros were sent
  const nlohmann::json notes = test::notes_on(file_);
  EXPECT_EQ(notes["octets"], 160'000U);
  ASSERT_EQ(notes["streams"].size(), 1U);
  EXPECT_EQ(notes["streams"][0]["timestamp"], 7U * 160);
  EXPECT_EQ(notes["streams"][0]["ssrc"], 0x11223344U);
}

TEST_P(Pattern, PlacesFollowTheSendersClock) {
  const auto recording = recorder();
  RelayPath path(with_ber(0.5), 5, 0, recording.get());
  Octets expected(6 * 160);
  // Packet 2 never arrives, packet 4 arrives before 3, packet 5 is lost in the relay.
  for (const std::uint64_t k : {0, 1, 4, 3}) {
    Octets packet = stream_packet(k);
    take(path, packet);
    const Octets payload = test::payload_of(packet);
    std::copy(payload.begin(), payload.end(), expected.begin() + static_cast<std::ptrdiff_t>(160 * k));
  }
  RelayConditions loss;
  loss.profile.packets.emplace();
  loss.profile.packets->loss = LossKind::pattern;
  loss.profile.packets->loss_pattern = std::make_shared<const std::vector<bool>>(std::vector<bool>{true});
  path.change(loss);
  Octets packet = stream_packet(5);
  take(path, packet);
  ASSERT_TRUE(recording->finish());
  EXPECT_EQ(inverted_zeros(file_), expected);
  const nlohmann::json notes = test::notes_on(file_);
  ASSERT_EQ(notes["losses"].size(), 1U);
  EXPECT_EQ(notes["losses"][0]["at_octet"], 5U * 160);
  EXPECT_EQ(notes["losses"][0]["octets"], 160U);
}

TEST_P(Pattern, AnotherSourceOrAWildTimestampStartsAnotherStream) {
  const auto recording = recorder();
  RelayPath path({}, 5, 0, recording.get());
  Octets first = stream_packet(0);
  Octets wild = test::rtp_packet({.sequence = 1, .timestamp = 0x7000'0000});
  Octets other = test::rtp_packet({.sequence = 2, .timestamp = 0x7000'00A0, .ssrc = 1});
  for (Octets* packet : {&first, &wild, &other}) take(path, *packet);
  ASSERT_TRUE(recording->finish());
  EXPECT_EQ(inverted_zeros(file_).size(), 3U * 160);
  const nlohmann::json notes = test::notes_on(file_);
  ASSERT_EQ(notes["streams"].size(), 3U);
  EXPECT_EQ(notes["streams"][2]["at_octet"], 320U);
  EXPECT_EQ(notes["streams"][2]["timestamp"], 0x7000'00A0U);
}

INSTANTIATE_TEST_SUITE_P(Formats, Pattern, ::testing::Values("bits", "g192"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST(PatternFile, WordsFollowG192) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "pattern.g192";
  auto recorder = PatternRecorder::create(file, {});
  ASSERT_TRUE(recorder);
  const Octets inverted{0x81};
  (*recorder)->passed(0, inverted);
  ASSERT_TRUE((*recorder)->finish());
  const std::string right("\x7F\0", 2);
  const std::string wrong("\x81\0", 2);
  EXPECT_EQ(test::read_text(file), wrong + right + right + right + right + right + right + wrong);
}

TEST(PatternFile, AFileThatCannotBeCreatedIsReported) {
  const auto created = PatternRecorder::create("/no/such/folder/pattern.bits", {});
  ASSERT_FALSE(created);
  EXPECT_EQ(created.error().code, ErrorCode::io);
  EXPECT_FALSE(PatternRecorder::create("pattern.wav", {}));
  EXPECT_NE(created.error().message.find("/no/such/folder/pattern.bits"), std::string::npos);
}

TEST(PatternFile, AnEarlierRecordingIsNeverOverwritten) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "call.bits";
  test::write_text(file, "earlier");
  const auto over = PatternRecorder::create(file, {});
  ASSERT_FALSE(over);
  EXPECT_EQ(over.error().code, ErrorCode::bad_input);
  EXPECT_EQ(test::read_text(file), "earlier");
  std::filesystem::rename(file, folder.path() / "call.bits.json");
  EXPECT_FALSE(PatternRecorder::create(file, {})) << "only its notes exist";
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(PatternFile, OctetsThatASlowDiskLosesAreCountedAndReportedAtTheEnd) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "flood.bits";
  const auto created = PatternRecorder::create(file, {});
  ASSERT_TRUE(created);
  // Sixteen times the most that waits for the disk.
  const Octets inverted(1024, 0xFF);
  constexpr std::uint64_t kPieces = 16 * PatternRecorder::kRing / 1024;
  for (std::uint64_t k = 0; k < kPieces; ++k) (*created)->passed(k * inverted.size(), inverted);
  const Status finished = (*created)->finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code, ErrorCode::io);
  const auto unrecorded = test::notes_on(file)["unrecorded_octets"].get<std::uint64_t>();
  EXPECT_GT(unrecorded, 0U);
  const std::string recorded = test::read_text(file);
  EXPECT_EQ(static_cast<std::uint64_t>(std::count(recorded.begin(), recorded.end(), '\xFF')) + unrecorded,
            kPieces * inverted.size());
}

TEST(PatternFile, AFullDiskIsReportedAtTheEnd) {
  const test::TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/full", folder.path() / "full.bits");
  const auto created = PatternRecorder::create(folder.path() / "full.bits", {});
  ASSERT_TRUE(created);
  (*created)->passed(0, Octets(160));
  const Status finished = (*created)->finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code, ErrorCode::io);
}

}  // namespace
}  // namespace vqas
