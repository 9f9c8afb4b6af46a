// Files of JSON that nest deeper than any file of VQAS.
#include <gtest/gtest.h>

#include "support/temporary_folder.h"
#include "vqas/campaign/baseline_figures.h"
#include "vqas/campaign/kept_plan.h"

namespace vqas {
namespace {

std::string deep(const std::string& member) {
  return R"({")" + member + R"(": )" + std::string(500'000, '[') + std::string(500'000, ']') + "}";
}

TEST(DeepJson, ADeepKeptPlanIsRefusedWithTheCure) {
  const test::TemporaryFolder folder;
  for (const char* const member : {"file", "text", "profile_text"}) {
    test::write_text(folder.path() / kPlanFile, deep(member));
    const auto plan = kept_plan(folder.path());
    ASSERT_FALSE(plan) << member;
    EXPECT_EQ(plan.error().code, ErrorCode::bad_input);
    EXPECT_NE(plan.error().message.find("name the plan"), std::string::npos) << plan.error().message;
  }
}

TEST(DeepJson, ADeepBaselineIsRefusedWithTheCure) {
  const test::TemporaryFolder folder;
  test::write_text(folder.path() / kBaselineFigures, deep("directions"));
  const auto figures = read_baseline_figures(folder.path());
  ASSERT_FALSE(figures);
  EXPECT_EQ(figures.error().code, ErrorCode::bad_input);
  EXPECT_NE(figures.error().message.find("keep the run once more"), std::string::npos) << figures.error().message;
}

}  // namespace
}  // namespace vqas
