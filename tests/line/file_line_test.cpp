#include "line/file_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "support/signals.h"
#include "support/temporary_folder.h"
#include "vqas/line/open_line.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;
using Block = std::array<float, kLineBlock>;

TEST(FileLine, SentSamplesCanBeReceivedFromTheFileLater) {
  const test::TemporaryFolder folder;
  const std::string file = (folder.path() / "sent.wav").string();
  Block block, heard;
  block.fill(0.25F);
  {
    auto line = open_line("file:?out=" + file, End::a);
    ASSERT_TRUE(line) << line.error().message;
    EXPECT_TRUE((*line)->exchange(block, heard, {1, false})->standing) << "idle: nothing is written";
    for (int n = 0; n < 3; ++n) EXPECT_FALSE((*line)->exchange(block, heard, {1, true})->standing);
    EXPECT_EQ(heard[0], 0.0F);
  }
  EXPECT_FALSE(open_line("file:?out=" + file, End::a)) << "no recording is ever overwritten";
  auto line = open_line("file:?in=" + file, End::b);
  ASSERT_TRUE(line) << line.error().message;
  for (int n = 0; n < 3; ++n) {
    ASSERT_TRUE((*line)->exchange(block, heard, {1, true}));
    EXPECT_EQ(heard[7], 0.25F);
  }
  const auto ended = (*line)->exchange(block, heard, {1, true});
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::line_lost);
  EXPECT_THAT(ended.error().message, HasSubstr("has ended"));
}

TEST(FileLine, WaitsForWorkUntilItIsInterrupted) {
  const test::TemporaryFolder folder;
  auto line = open_line("file:?out=" + (folder.path() / "x.wav").string(), End::a);
  ASSERT_TRUE(line);
  (*line)->interrupt();
  EXPECT_TRUE((*line)->stand());
}

TEST(FileLineName, NamesAFile) {
  for (const char* name : {"file:", "file:x.wav", "file:?of=x", "file:?in="}) {
    EXPECT_FALSE(check_line_name(name, End::a)) << name;
  }
  const auto missing = open_line("file:?in=/nowhere/x.wav", End::a);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("/nowhere/x.wav"));
}

}  // namespace
}  // namespace vqas
