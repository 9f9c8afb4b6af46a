#include "vqas/signal/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#ifndef NDEBUG
#error "this test shows what a release build does: it is compiled with NDEBUG"
#endif

namespace vqas {
namespace {

Result<std::string> missing() {
  return Error{ErrorCode::io, "plan.toml: there is no such file"};
}

TEST(Result, GivesItsValueInEveryForm) {
  Result<std::string> text = std::string("one");
  ASSERT_TRUE(text);
  text.value() += " two";
  *text += " three";
  EXPECT_EQ(text->size(), 13U);
  EXPECT_EQ(*std::as_const(text), "one two three");
  const std::string taken = *std::move(text);
  EXPECT_EQ(taken, "one two three");
  EXPECT_EQ(*Result<std::unique_ptr<int>>(std::make_unique<int>(5)).value(), 5);
}

TEST(Result, FailureHoldsItsReason) {
  const auto result = missing();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::io);
  EXPECT_EQ(result.error().message, "plan.toml: there is no such file");
}

TEST(ResultDeathTest, TakingAMissingValueEndsAReleaseBuildTooAndPrintsTheError) {
  constexpr const char* kMessage = "without a value: plan.toml: there is no such file";
  EXPECT_DEATH((void)missing().value(), kMessage);
  EXPECT_DEATH(
      {
        const auto result = missing();
        (void)result->size();
      },
      kMessage);
  // Handlers of parser exceptions do not hide it.
  EXPECT_DEATH(
      {
        try {
          (void)*missing();
        } catch (...) {
        }
      },
      kMessage);
}

TEST(ResultDeathTest, TakingAMissingErrorEndsAReleaseBuildToo) {
  EXPECT_DEATH((void)success().error(), "called on a Result without an error");
}

}  // namespace
}  // namespace vqas
