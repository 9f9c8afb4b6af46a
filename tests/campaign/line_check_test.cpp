// A line check as a library call: nodes and simulator in this process, findings as values.
#include "vqas/campaign/line_check.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "node/node_harness.h"

namespace vqas {
namespace {

using test::Bench;
using ::testing::ElementsAre;

class LineCheckCall : public test::NodeTest {
 protected:
  RunPlan plan(const Bench& bench) const {
    return test::plan_for(bench.node_a->address(), bench.node_b->address(), folder_ / "run");
  }
  LineCheckEvents events() {
    LineCheckEvents events;
    events.on_part = [this](std::size_t part, std::size_t parts, double) {
      EXPECT_EQ(parts, 2U);
      parts_.push_back(part);
    };
    events.on_part_ended = [this] { ++ended_; };
    events.on_found = [this](const LineCheckResult& result) { found_.push_back(result); };
    events.on_finished = [this](const LineCheckResult& result) { result_ = result; };
    return events;
  }
  bool finish() {
    return test::serve_until([this] { return result_.has_value(); });
  }

  std::vector<std::size_t> parts_;
  std::size_t ended_ = 0;
  std::optional<LineCheckResult> result_;
  std::vector<LineCheckResult> found_;
};

TEST_F(LineCheckCall, OnAGoodLineEverythingPassesBothWays) {
  Bench bench(symmetric_line(LineConditions{}, 20, -20, 7), folder_);
  LineCheck check(plan(bench), events());
  check.start();
  ASSERT_TRUE(finish());
  EXPECT_FALSE(result_->error) << result_->error->message;
  EXPECT_TRUE(result_->passed);
  EXPECT_THAT(parts_, ElementsAre(1, 2));
  EXPECT_EQ(ended_, 2U);
  ASSERT_EQ(found_.size(), 1U) << "what the first part found is told before the second begins";
  EXPECT_EQ(found_.front().directions.front().transmissions, 2U);
  ASSERT_EQ(result_->directions.size(), 2U);
  EXPECT_EQ(result_->directions.front().from, End::a);
  EXPECT_EQ(result_->directions.back().from, End::b);
  for (const CheckedDirection& direction : result_->directions) {
    EXPECT_EQ(direction.transmissions, 4U) << "two with each guard";
    EXPECT_TRUE(std::ranges::all_of(direction.findings, &CheckFinding::pass));
    EXPECT_TRUE(std::ranges::any_of(direction.findings, [](const CheckFinding& one) { return one.name == "onsets"; }));
  }
}

TEST_F(LineCheckCall, CancelledItReportsSoAndFindsNothing) {
  Bench bench(symmetric_line(LineConditions{}, 20, -20, 7), folder_);
  LineCheck check(plan(bench), events());
  check.start();
  check.cancel();
  ASSERT_TRUE(finish());
  ASSERT_TRUE(result_->error);
  EXPECT_EQ(result_->error->code, ErrorCode::cancelled);
  EXPECT_THAT(parts_, ElementsAre(1));
}

TEST_F(LineCheckCall, WithoutNodesItReportsThatTheyAreGone) {
  RunPlan gone;
  gone.node_a = "ws://127.0.0.1:1";
  gone.node_b = "ws://127.0.0.1:2";
  gone.corpus = test::corpus_folder();
  gone.folder = folder_ / "run";
  LineCheck check(gone, events());
  check.start();
  ASSERT_TRUE(finish());
  ASSERT_TRUE(result_->error);
  EXPECT_EQ(result_->error->code, ErrorCode::line_lost);
  ASSERT_EQ(result_->directions.size(), 2U);
  for (const CheckedDirection& direction : result_->directions) EXPECT_EQ(direction.transmissions, 0U);
}

}  // namespace
}  // namespace vqas
