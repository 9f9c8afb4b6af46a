#include "vqas/node/spoken_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <set>
#include <sstream>

namespace vqas {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::vector<std::string> all_words() {
  std::array<std::uint8_t, 256> bytes{};
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  return words_of(in_spoken_words(bytes));
}

/// Letters in which two words of one length differ; large for other lengths.
std::size_t differing(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return 9;
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i] ? 1 : 0;
  return count;
}

TEST(SpokenWords, EachByteHasAWordUnlikeAllOthers) {
  const auto words = all_words();
  ASSERT_EQ(words.size(), 256U);
  for (std::size_t i = 0; i < words.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_GE(differing(words[i], words[j]), 2U) << words[i] << " " << words[j];
}

TEST(SpokenWords, AFingerprintHasTwelveAndAnotherTextNone) {
  const std::string fingerprint = "sha256:00ff" + std::string(60, '0');
  const auto words = words_of(fingerprint_in_words(fingerprint));
  ASSERT_EQ(words.size(), 12U);
  EXPECT_EQ(words[0], "acorn");
  EXPECT_EQ(words[1], "zipper");
  EXPECT_EQ(fingerprint_in_words("sha256:00"), "");
}

TEST(SpokenWords, ACodeIsTheSameHoweverItIsTyped) {
  const auto code = new_spoken_code();
  ASSERT_TRUE(code);
  std::string shouted = "  ";
  for (const char c : *code)
    shouted += c == '-' ? std::string(", ") : std::string(1, static_cast<char>(std::toupper(c)));
  const auto typed = typed_code(shouted + "\n");
  ASSERT_TRUE(typed) << typed.error().message;
  EXPECT_EQ(*typed, *code);
  EXPECT_NE(*new_spoken_code(), *code);
}

TEST(SpokenWords, AWrongWordOfACodeIsNamedAndMissingOnesAreCounted) {
  const auto wrong = typed_code("acorn album alpine amber ancor ankle");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("\"ancor\""));
  const auto few = typed_code("acorn album");
  ASSERT_FALSE(few);
  EXPECT_THAT(few.error().message, HasSubstr("6 words"));
}

TEST(SpokenWords, AnotherTokenIsLeftAsItIs) {
  EXPECT_EQ(*typed_code(" vqas-0123abcd "), "vqas-0123abcd");
  EXPECT_EQ(*typed_code(""), "");
}

}  // namespace
}  // namespace vqas
