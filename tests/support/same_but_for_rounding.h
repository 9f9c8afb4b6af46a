#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace vqas::test {

/// Of directions of a run: a measurement that results.json gave back is rounded, so an estimate that is made of their
/// mean may differ in its last digit, and nothing else may.
inline void expect_the_same_but_for_rounding(const nlohmann::json& now, const nlohmann::json& before) {
  for (const nlohmann::json& one : nlohmann::json::diff(before, now)) {
    const auto path = one["path"].get<std::string>();
    ASSERT_THAT(path, ::testing::MatchesRegex(".*/conversation_estimate/(mos_cqe|rating|ie_eff|delay_ms)"));
    const double last_digit = path.ends_with("mos_cqe") ? 1e-4 : path.ends_with("delay_ms") ? 1e-3 : 1e-2;
    EXPECT_NEAR(one["value"].get<double>(), before[nlohmann::json::json_pointer(path)].get<double>(), 1.5 * last_digit)
        << path;
  }
}

}  // namespace vqas::test
