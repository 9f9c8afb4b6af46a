// Reading a recording in pieces gives the same samples as reading the whole.
#include "vqas/signal/audio_reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "support/places.h"
#include "support/temporary_folder.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

const std::filesystem::path kSentence = std::filesystem::path(test::source_dir()) / "corpus/8k/M1.wav";

TEST(AudioReader, PiecesInAnyOrderEqualTheWhole) {
  const auto whole = read_audio(kSentence);
  auto reader = AudioReader::open(kSentence);
  ASSERT_TRUE(whole && reader);
  EXPECT_NEAR(reader->seconds(), whole->seconds(), 1e-9);
  for (const double start_s : {1.0, 0.25, 2.0, 0.0}) {
    const auto piece = reader->read(start_s, 0.5);
    ASSERT_TRUE(piece) << piece.error().message;
    ASSERT_EQ(piece->size(), 4000U);
    const auto from = static_cast<std::size_t>(start_s * 8000);
    for (std::size_t n = 0; n < piece->size(); ++n) ASSERT_EQ(piece->samples[n], whole->samples[from + n]);
  }
}

TEST(AudioReader, PiecesBeyondTheEndsAreSilent) {
  const auto whole = read_audio(kSentence);
  auto reader = AudioReader::open(kSentence);
  ASSERT_TRUE(whole && reader);
  const auto all = reader->read(-0.5, whole->seconds() + 1);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), whole->size() + 8000);
  for (std::size_t n = 0; n < 4000; ++n) {
    ASSERT_EQ(all->samples[n], 0);
    ASSERT_EQ(all->samples[all->size() - 1 - n], 0);
  }
  for (std::size_t n = 0; n < whole->size(); ++n) ASSERT_EQ(all->samples[4000 + n], whole->samples[n]);
  for (const double start_s : {-10.0, 1000.0}) {
    const auto outside = reader->read(start_s, 1);
    ASSERT_TRUE(outside);
    EXPECT_EQ(outside->samples, std::vector<float>(8000));
  }
}

TEST(AudioReader, MoreChannelsThanAnyRecorderHasAreRefused) {
  test::TemporaryFolder temporary;
  const auto path = temporary.path() / "wide.au";
  // Sun's format: offset, length, 8-bit samples, rate and channels, each in four bytes.
  test::write_text(
      path, std::string(".snd\0\0\0\x18\0\0\x03\x20\0\0\0\x02\0\0\x1F\x40\0\0\0\xC8", 24) + std::string(800, '\0'));
  const auto reader = AudioReader::open(path, 1);
  ASSERT_FALSE(reader);
  EXPECT_NE(reader.error().message.find("has 200 channels"), std::string::npos) << reader.error().message;
}

TEST(AudioReader, UnreadableFileAndMissingChannelAreNamed) {
  test::TemporaryFolder temporary;
  const auto text = temporary.path() / "text.wav";
  std::ofstream(text) << "no recording";
  for (const auto& path : {text, temporary.path() / "missing.wav"}) {
    const auto reader = AudioReader::open(path);
    ASSERT_FALSE(reader);
    EXPECT_NE(reader.error().message.find(path.filename().string()), std::string::npos) << reader.error().message;
  }
  EXPECT_FALSE(AudioReader::open(kSentence, 2));
  EXPECT_TRUE(AudioReader::open(kSentence, 1));
}

}  // namespace
}  // namespace vqas
