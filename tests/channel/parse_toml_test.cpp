// Untrusted TOML: a profile, a plan, a message to a control socket. VQAS_FUZZ_SEED and VQAS_FUZZ_TEXTS make other and
// longer runs.
#include "channel/parse_toml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>

#include "support/fuzz.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

std::string message_of(const std::string& text) {
  const auto table = parse_toml(text, "x.toml");
  return table ? "" : table.error().message;
}

TEST(ParseToml, AKeyOfTooManyPartsIsRefusedInEverySpelling) {
  constexpr std::size_t kMany = 200'000;
  const std::string bare = repeated("a.", kMany) + "a", key = bare + " = 1";
  for (const std::string& text : {
           "[" + bare + "]",
           key,
           "[[" + bare + "]]",
           repeated("\"a\" . ", kMany) + "a = 1",
           repeated("'a'\t.\t", kMany) + "a = 1",
           "x = {" + key + "}",
           "x = [{" + key + "}]",
           // Strings that end where a careless reader would miss it.
           R"(s = """a""""")"
           "\n" +
               key,
           "s = '''\n'''''\n" + key,
           "s = 'C:\\'\n" + key,
           "s = \"\\\"\"\n" + key,
           "s = \"\"\"\\\"\"\"\"\n" + key,
           "s = \"\" # \"\"\"\n" + key,
           "s = ''\n# '''\n" + key,
       }) {
    EXPECT_THAT(message_of(text), HasSubstr("a key has more than 16 parts")) << text.substr(0, 60);
  }
  EXPECT_THAT(message_of("a = 1\n\n[" + bare + "]"), StartsWith("x.toml:3: "));
}

TEST(ParseToml, DeeplyNestedBracketsAreRefused) {
  EXPECT_THAT(message_of("x = " + repeated("[", 100'000)), HasSubstr("brackets"));
  EXPECT_THAT(message_of("x = " + repeated("{a = ", 17) + "1" + repeated("}", 17)), HasSubstr("brackets"));
  // Keys and brackets together make up the depth of the parser's tree.
  EXPECT_THAT(message_of("x = " + repeated("{a.b.c.d = ", 200) + "1" + repeated("}", 200)), HasSubstr("brackets"));
}

TEST(ParseToml, DotsAndBracketsInStringsAndCommentsAreIgnored) {
  for (const std::string& inner : {repeated("a.", 1000), repeated("[{", 1000)}) {
    for (const std::string& text : {
             "s = \"" + inner + "\"",
             "s = '" + inner + "'",
             "s = \"\"\"\n" + inner + "\n\"" + inner + "\\\"\"\"\"",
             "s = '''\n" + inner + "'" + inner + "\n'''''",
             "# " + inner + "\ns = 1",
             "s = 1 # \"\"\"" + inner,
             "\"" + inner + "\" = 1",
             "s = \"\\\"" + inner + "\"",
             "s = \"\\\\\"\nt = \"" + inner + "\"",
         }) {
      EXPECT_EQ(message_of(text), "") << text.substr(0, 60);
    }
  }
}

TEST(ParseToml, LongListsOfNumbersAndTablesAreRead) {
  EXPECT_EQ(message_of("x = [" + repeated("1.5, ", 10'000) + "]"), "");
  EXPECT_EQ(message_of("x = [\n" + repeated("  [1.5, 2.5],\n", 1000) + "]"), "");
  EXPECT_EQ(message_of(repeated("[[errors]]\nat = 12:00:00.5\nb.c.d = 1\n", 1000)), "");
  EXPECT_EQ(message_of(repeated("a.", 15) + "a = 1"), "") << "16 parts";
}

TEST(ParseToml, AnErrorIsReportedWithItsLine) {
  EXPECT_THAT(message_of("a = 1\nb = \n"), StartsWith("x.toml:2: cannot be read as TOML: "));
  EXPECT_THAT(message_of(std::string(kLongestToml + 1, ' ')), HasSubstr("at most 4194304 are read"));
}

std::size_t depth_of(const toml::node& node) {
  std::size_t deepest = 0;
  if (const auto* const table = node.as_table()) {
    for (const auto& [key, value] : *table) deepest = std::max(deepest, depth_of(value));
  } else if (const auto* const array = node.as_array()) {
    for (const toml::node& value : *array) deepest = std::max(deepest, depth_of(value));
  } else {
    return 0;
  }
  return deepest + 1;
}

TEST(ParseTomlFuzz, NoParsedTextIsDeeperThanTheBound) {
  const std::uint64_t seed = test::number_of("VQAS_FUZZ_SEED", 1), texts = test::number_of("VQAS_FUZZ_TEXTS", 1000);
  std::cout << "seed " << seed << ", " << texts << " texts\n";
  test::Mutator mutator(
      seed, {"name = \"storm\" # a.b.c\n[[errors]]\nkind = 'random'\nber = 1e-4\n[analogue]\nhum_hz = 50.0\n",
             "summary = \"\"\"two\nlines \\\"\"\"\"\"\na.'b'.\"c\" . d = {x.y = [1, {z = 2}], w = '''t'''''}\n[p.q . "
             "r]\ns = 1\n",
             "a.a.a.a.a.a.a.a.a.a = [[[[[[{b.b.b.b.b.b.b.b = {c.c.c.c.c.c = 1}}]]]]]]\n",
             "x = \"\"\n[y.y.y.y.y.y.y.y.y.y.y.y]\nz.z.z.z.z.z = ''\nv = '''\n''''\n"});
  std::mt19937_64 random(seed);
  std::size_t read = 0, too_deep = 0;
  for (std::uint64_t n = 0; n < texts; ++n) {
    std::string text = mutator.next();
    // The mutator does not repeat a part so often that a parser without a depth limit would crash.
    if (random() % 2 == 0 && !text.empty()) {
      const std::size_t at = random() % text.size();
      text.insert(at, repeated(text.substr(at, 1 + random() % 8), 50'000));
    }
    const auto table = parse_toml(text, "x.toml");
    if (table) {
      ++read;
      ASSERT_LE(depth_of(*table), (kDeepestToml + 1) * (kDeepestToml + 1)) << text.substr(0, 500);
    } else if (table.error().message.find("a key has more than") != std::string::npos) {
      ++too_deep;
    }
  }
  std::cout << read << " read, " << too_deep << " too deep\n";
  EXPECT_GT(read, texts / 200) << "some texts must reach the tree";
  EXPECT_GT(too_deep, texts / 200) << "some texts must be too deep";
}

}  // namespace
}  // namespace vqas
