#include "vqas/signal/plain_text.h"

#include <gtest/gtest.h>

#include <random>

namespace vqas {
namespace {

TEST(PlainText, OrdinaryTextOfAnyScriptIsKept) {
  for (const char* text :
       {"", "M6 over the line", "±0.1 MOS … ≥ 4", "Ürümqi, Żółć, 測定, خط, קו", "😀 U+10FFFF: \U0010FFFF"}) {
    EXPECT_EQ(plain_text(text), text);
    EXPECT_TRUE(is_plain_text(text));
  }
}

TEST(PlainText, ControlCharactersAndLineEndsAreReplaced) {
  EXPECT_EQ(plain_text("a\x1b[2Jb\rc\nd\te\x7f"
                       "f"),
            "a [2Jb c d e f");
  EXPECT_EQ(plain_text("a\u0080b\u009b31mc\u009f"), "a b 31mc ") << "U+009B begins a control sequence as ESC [ does";
  EXPECT_EQ(plain_text("a\u00a0b"), "a\u00a0b") << "the first one after the controls";
  EXPECT_EQ(plain_text("a\u2028b\u2029c"), "a b c");
  EXPECT_EQ(plain_text(std::string("a\0b", 3)), "a b");
  EXPECT_EQ(plain_text("a\n\tb\r", "\n\t"), "a\n\tb ");
}

TEST(PlainText, BidirectionalControlsAreReplaced) {
  for (const char* turn : {"\u061c", "\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066",
                           "\u2067", "\u2068", "\u2069"}) {
    EXPECT_EQ(plain_text("gpj." + std::string(turn) + "exe"), "gpj. exe");
    EXPECT_FALSE(is_plain_text(turn));
  }
}

TEST(PlainText, InvalidUtf8BytesAreMarked) {
  EXPECT_EQ(plain_text("M\xfcller"), "M?ller");
  EXPECT_EQ(plain_text("\x9b"
                       "31m"),
            "?31m")
      << "an 8-bit terminal reads it as ESC [";
  EXPECT_EQ(plain_text("\xc0\xaf"), "??") << "overlong encoding";
  EXPECT_EQ(plain_text("\xe0\x80\xaf"), "???");
  EXPECT_EQ(plain_text("\xed\xa0\x80"), "???") << "a lone UTF-16 surrogate";
  EXPECT_EQ(plain_text("\xf4\x90\x80\x80"), "????") << "beyond the last character";
  EXPECT_EQ(plain_text("cut\xe2\x80"), "cut??");
}

TEST(PlainText, RandomInputGivesPlainTextThatIsNotLonger) {
  constexpr unsigned kSeed = 7;
  std::mt19937 random(kSeed);
  for (int n = 0; n < 20000; ++n) {
    std::string text;
    for (unsigned length = random() % 12; length > 0; --length)
      text += static_cast<char>(random() % 2 == 0 ? random() % 256 : 0x80 + random() % 0x70);
    const std::string plain = plain_text(text);
    ASSERT_TRUE(is_plain_text(plain)) << "seed " << kSeed << ", round " << n;
    ASSERT_LE(plain.size(), text.size());
  }
}

TEST(WholeCharacters, IncompleteLastCharacterIsLeftOut) {
  const std::string text = "a\u00e9\u20ac\U0001F600";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    const std::size_t whole = whole_characters(std::string_view(text).substr(0, cut));
    EXPECT_TRUE(whole == 0 || whole == 1 || whole == 3 || whole == 6 || whole == 10);
    EXPECT_LE(whole, cut);
    EXPECT_LT(cut - whole, 4U);
  }
  EXPECT_EQ(whole_characters("\x80\x80\x80\x80\x80"), 5U) << "not the start of a character, so not incomplete";
  EXPECT_EQ(whole_characters("\xff"), 1U);
}

}  // namespace
}  // namespace vqas
