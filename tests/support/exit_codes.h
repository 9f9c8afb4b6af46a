#pragma once

namespace vqas::test {

// As documented in README.md: repeated here, so that a test fails when a command's codes change.
constexpr int kUsage = 2;
constexpr int kBadInput = 3;
constexpr int kNotMeasured = 4;
constexpr int kLineLost = 5;
constexpr int kCancelled = 6;
constexpr int kIo = 7;
constexpr int kInUse = 9;
constexpr int kFailed = 10;
constexpr int kUndecided = 11;

}  // namespace vqas::test
