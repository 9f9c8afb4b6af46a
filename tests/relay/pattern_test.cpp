#include <gtest/gtest.h>

#include <filesystem>

#include "relay/packets.h"
#include "relay/pattern_recorder.h"
#include "support/temporary_folder.h"
#include "vqas/relay/packet_path.h"

namespace vqas {
namespace {

using test::Octets;
using test::stream_packet;

class Pattern : public ::testing::TestWithParam<PatternFormat> {
 protected:
  Pattern() : folder_(), file_(folder_.path() / "pattern") {}

  std::unique_ptr<PatternRecorder> recorder() {
    PatternNotes notes;
    notes.format = GetParam();
    auto created = PatternRecorder::create(file_, notes);
    EXPECT_TRUE(created);
    return std::move(created).value();
  }
  Octets pattern() const {
    auto read = read_pattern(file_, GetParam());
    EXPECT_TRUE(read) << (read ? "" : read.error().message);
    return read ? *read : Octets();
  }
  static void take(PacketPath& path, Octets& packet, Octets* heard = nullptr) {
    path.take(packet, 0);
    if (heard == nullptr) return;
    const Octets payload = test::payload_of(packet);
    heard->insert(heard->end(), payload.begin(), payload.end());
  }

  test::TemporaryFolder folder_;
  std::filesystem::path file_;
};

TEST_P(Pattern, PlayedBackOnWhatWasSentItGivesWhatWasHeard) {
  Octets heard;
  {
    const auto recording = recorder();
    RelayConditions conditions;
    conditions.errors.ber = 1e-2;
    PacketPath path(conditions, 5, 0, recording.get());
    for (std::uint64_t k = 7; k < 1007; ++k) {
      Octets packet = stream_packet(k);
      take(path, packet, &heard);
    }
    ASSERT_TRUE(recording->finish());
  }
  EXPECT_EQ(pattern(), heard);  // what was sent is zeros
  const auto notes = read_pattern_notes(file_);
  ASSERT_TRUE(notes) << notes.error().message;
  EXPECT_EQ(notes->octets, 160'000U);
  ASSERT_EQ(notes->streams.size(), 1U);
  EXPECT_EQ(notes->streams[0].timestamp, 7U * 160);
  EXPECT_EQ(notes->streams[0].ssrc, 0x11223344U);
}

TEST_P(Pattern, PlacesAreThoseOfTheSendersClock) {
  const auto recording = recorder();
  RelayConditions every;
  every.errors.stretches = {{.bits = ErrorProcess::kNever, .from_ber = 0.5, .to_ber = 0.5}};
  PacketPath path(every, 5, 0, recording.get());
  Octets expected(6 * 160);
  // Packet 2 never comes, packet 4 comes before 3, packet 5 is lost in the relay.
  for (const std::uint64_t k : {0, 1, 4, 3}) {
    Octets packet = stream_packet(k);
    take(path, packet);
    const Octets payload = test::payload_of(packet);
    std::copy(payload.begin(), payload.end(), expected.begin() + static_cast<std::ptrdiff_t>(160 * k));
  }
  RelayConditions loss;
  loss.packets.loss = 1;
  path.change(loss);
  Octets packet = stream_packet(5);
  take(path, packet);
  ASSERT_TRUE(recording->finish());
  EXPECT_EQ(pattern(), expected);
  const auto notes = read_pattern_notes(file_);
  ASSERT_TRUE(notes);
  ASSERT_EQ(notes->losses.size(), 1U);
  EXPECT_EQ(notes->losses[0].at_octet, 5U * 160);
  EXPECT_EQ(notes->losses[0].octets, 160U);
}

TEST_P(Pattern, AnotherSourceOrAWildTimestampBeginsAnotherStream) {
  const auto recording = recorder();
  PacketPath path({}, 5, 0, recording.get());
  Octets first = stream_packet(0);
  Octets wild = test::rtp_packet({.sequence = 1, .timestamp = 0x7000'0000});
  Octets other = test::rtp_packet({.sequence = 2, .timestamp = 0x7000'00A0, .ssrc = 1});
  for (Octets* packet : {&first, &wild, &other}) take(path, *packet);
  ASSERT_TRUE(recording->finish());
  EXPECT_EQ(pattern().size(), 3U * 160);
  const auto notes = read_pattern_notes(file_);
  ASSERT_TRUE(notes);
  ASSERT_EQ(notes->streams.size(), 3U);
  EXPECT_EQ(notes->streams[2].at_octet, 320U);
  EXPECT_EQ(notes->streams[2].timestamp, 0x7000'00A0U);
}

INSTANTIATE_TEST_SUITE_P(Formats, Pattern, ::testing::Values(PatternFormat::bits, PatternFormat::g192),
                         [](const auto& tested) { return tested.param == PatternFormat::bits ? "Bits" : "G192"; });

TEST(PatternFile, WordsAreThoseOfG192) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "pattern";
  PatternNotes notes;
  notes.format = PatternFormat::g192;
  auto recorder = PatternRecorder::create(file, notes);
  ASSERT_TRUE(recorder);
  const Octets inverted{0x81};
  (*recorder)->passed(0, inverted);
  ASSERT_TRUE((*recorder)->finish());
  const std::string right("\x7F\0", 2);
  const std::string wrong("\x81\0", 2);
  EXPECT_EQ(test::read_text(file), wrong + right + right + right + right + right + right + wrong);
}

TEST(PatternFile, DamagedOnesAreRefusedByName) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "pattern";
  EXPECT_FALSE(read_pattern(file, PatternFormat::bits));
  EXPECT_FALSE(read_pattern_notes(file));
  test::write_text(file, std::string(15, '\x7F'));
  const auto cut = read_pattern(file, PatternFormat::g192);
  ASSERT_FALSE(cut);
  EXPECT_NE(cut.error().message.find(file.string()), std::string::npos);
  test::write_text(file, std::string(16, '\x7F'));
  EXPECT_FALSE(read_pattern(file, PatternFormat::g192));
  for (const std::string text : {"", "[]", "{\"format\": 3}", "{\"streams\": [[[["}) {
    test::write_text(file.string() + ".json", text);
    EXPECT_FALSE(read_pattern_notes(file)) << text;
  }
}

TEST(PatternFile, AFileThatCannotBeMadeIsTold) {
  const auto created = PatternRecorder::create("/no/such/folder/pattern", {});
  ASSERT_FALSE(created);
  EXPECT_EQ(created.error().code, ErrorCode::io);
  EXPECT_NE(created.error().message.find("/no/such/folder/pattern"), std::string::npos);
}

TEST(PatternFile, AFullDiskIsToldAtTheEnd) {
  const test::TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/full", folder.path() / "full");
  const auto created = PatternRecorder::create(folder.path() / "full", {});
  ASSERT_TRUE(created);
  (*created)->passed(0, Octets(160));
  const Status finished = (*created)->finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code, ErrorCode::io);
}

}  // namespace
}  // namespace vqas
