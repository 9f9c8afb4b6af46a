#include "vqas/signal/json_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace vqas {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string nested(std::size_t depth, const std::string& inside = "") {
  return std::string(depth, '[') + inside + std::string(depth, ']');
}

TEST(JsonText, IsReadWithItsMembersInOrder) {
  const auto json = parse_json_text(R"({"z": 1, "a": [true, null, "x"]})", "x.json");
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_EQ(json->dump(), R"({"z":1,"a":[true,null,"x"]})");
}

TEST(JsonText, NestedToTheLimitIsRead) {
  EXPECT_TRUE(parse_json_text(nested(kDeepestJson), "x.json"));
}

TEST(JsonText, NestedDeeperIsRefusedWithItsName) {
  for (const std::string& text : {nested(kDeepestJson + 1), nested(500'000), std::string(500'000, '['),
                                  std::string(500'000, '{'), R"({"text": )" + nested(500'000) + "}"}) {
    const auto json = parse_json_text(text, "plan.json");
    ASSERT_FALSE(json);
    EXPECT_EQ(json.error().code, ErrorCode::bad_input);
    EXPECT_THAT(json.error().message, AllOf(HasSubstr("plan.json"), HasSubstr("16"), HasSubstr("give it as")));
  }
}

TEST(JsonText, BracketsInTextDoNotNest) {
  EXPECT_TRUE(parse_json_text("[\"" + std::string(100, '[') + "\", \"\\\"" + std::string(100, '{') + "\"]", "x.json"));
  EXPECT_FALSE(parse_json_text(nested(kDeepestJson, R"("\\", [1])"), "x.json")) << "the text ends after the backslash";
}

TEST(JsonText, DamagedIsRefusedWithItsName) {
  for (const char* const text : {"", "{", "[1,]", "{} {}", "\"\xff\"", "nan"}) {
    const auto json = parse_json_text(text, "plan.json");
    ASSERT_FALSE(json) << text;
    EXPECT_EQ(json.error().code, ErrorCode::bad_input);
    EXPECT_THAT(json.error().message, HasSubstr("plan.json is not valid JSON"));
  }
}

}  // namespace
}  // namespace vqas
