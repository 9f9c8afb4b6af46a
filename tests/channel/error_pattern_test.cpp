#include "vqas/channel/error_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "channel/loss_pattern.h"
#include "support/compare_octets.h"
#include "support/temporary_folder.h"
#include "vqas/channel/bit_error_stream.h"
#include "vqas/channel/profile.h"
#include "vqas/channel/profile_text.h"

namespace vqas {
namespace {

using testing::HasSubstr;

const ErrorPattern kPattern{{0, 7, 8, 159, 160, 333}, 336};

std::string words(std::initializer_list<unsigned> list) {
  std::string text;
  for (const unsigned word : list) {
    text += static_cast<char>(word & 0xFFU);
    text += static_cast<char>(word >> 8U);
  }
  return text;
}

TEST(ErrorPattern, WrittenPatternsAreReadUnchangedInBothFormats) {
  const test::TemporaryFolder folder;
  for (const char* name : {"p.g192", "p.bits"}) {
    ASSERT_TRUE(write_error_pattern(folder.path() / name, kPattern));
    const auto back = read_error_pattern(folder.path() / name);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, kPattern) << name;
  }
}

TEST(ErrorPattern, TheFirstBitIsTheMostSignificant) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_error_pattern(folder.path() / "p.bits", {{0, 15}, 16}));
  EXPECT_EQ(test::read_text(folder.path() / "p.bits"), std::string("\x80\x01", 2));
}

TEST(ErrorPattern, SoftBitsAreReadWithAndWithoutFrames) {
  const test::TemporaryFolder folder;
  test::write_text(folder.path() / "plain.g192", words({0x7F, 0x81, 0x7F, 0x81}));
  test::write_text(folder.path() / "framed.g192", words({0x6B21, 3, 0x7F, 0x81, 0x7F, 0x6B20, 1, 0x81}));
  for (const char* name : {"plain.g192", "framed.g192"}) {
    const auto pattern = read_error_pattern(folder.path() / name);
    ASSERT_TRUE(pattern) << pattern.error().message;
    EXPECT_EQ(*pattern, (ErrorPattern{{1, 3}, 4})) << name;
  }
}

TEST(ErrorPattern, DamagedFilesAreRefusedByName) {
  const test::TemporaryFolder folder;
  const auto fault_of = [&](const std::string& name, const std::string& content) {
    test::write_text(folder.path() / name, content);
    const auto pattern = read_error_pattern(folder.path() / name);
    return pattern ? std::string("no fault") : pattern.error().message;
  };
  EXPECT_THAT(fault_of("a.g192", ""), HasSubstr("a.g192: is empty"));
  EXPECT_THAT(fault_of("b.g192", words({0x7F, 0x80})), HasSubstr("word 2 is 0x0080"));
  EXPECT_THAT(fault_of("c.g192", words({0x6B21, 4, 0x7F})), HasSubstr("truncated"));
  EXPECT_THAT(fault_of("d.g192", words({0x7F}) + "x"), HasSubstr("truncated"));
  EXPECT_THAT(fault_of("e.g192", words({0x6B21})), HasSubstr("truncated"));
  EXPECT_THAT(fault_of("f.txt", "x"), HasSubstr(".bits"));
  EXPECT_FALSE(read_error_pattern(folder.path() / "none.bits"));
}

TEST(ErrorPattern, MoreWrongBitsThanTheLimitAreRefusedBeforeTheyTakeMemory) {
  const test::TemporaryFolder folder;
  test::write_text(folder.path() / "ones.bits", std::string((64U << 20U) / 8 + 1, '\xFF'));
  const auto pattern = read_error_pattern(folder.path() / "ones.bits");
  ASSERT_FALSE(pattern);
  EXPECT_THAT(pattern.error().message, HasSubstr("more than 67108864 wrong bits"));
}

TEST(ErrorPattern, PlaybackInvertsTheSameBitsAndRepeats) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_error_pattern(folder.path() / "p.bits", kPattern));
  const auto profile =
      parse_profile("[[errors]]\nkind = \"pattern\"\nfile = \"p.bits\"\n", folder.path() / "line.toml");
  ASSERT_TRUE(profile) << profile.error().message;
  const std::vector<std::uint8_t> sent(84, 0x55);
  auto received = sent;
  BitErrorStream(make_errors(*profile, 1, 0)).process(received);
  ErrorPattern twice = kPattern;
  for (const auto place : kPattern.places) twice.places.push_back(place + 336);
  twice.bits = 672;
  EXPECT_EQ(test::compare_octets(sent, received), twice);
}

TEST(LossPattern, FrameMarksAreReadWithAndWithoutBits) {
  const test::TemporaryFolder folder;
  test::write_text(folder.path() / "a.g192", words({0x6B21, 0x6B20, 0x6B21}));
  test::write_text(folder.path() / "b.g192", words({0x6B21, 1, 0x7F, 0x6B20, 0, 0x6B21, 1, 0x81}));
  for (const char* name : {"a.g192", "b.g192"}) {
    const auto lost = read_loss_pattern(folder.path() / name);
    ASSERT_TRUE(lost) << lost.error().message;
    EXPECT_EQ(*lost, (std::vector<bool>{false, true, false})) << name;
  }
  test::write_text(folder.path() / "c.g192", words({0x6B21, 0x6B22}));
  EXPECT_FALSE(read_loss_pattern(folder.path() / "c.g192"));
  test::write_text(folder.path() / "d.g192", words({0x1234}));
  EXPECT_FALSE(read_loss_pattern(folder.path() / "d.g192"));
  test::write_text(folder.path() / "e.g192", "");
  EXPECT_FALSE(read_loss_pattern(folder.path() / "e.g192"));
}

}  // namespace
}  // namespace vqas
