// The simulated line as three processes.
#include <gmock/gmock.h>

#include <regex>

#include "node/node_harness.h"
#include "support/places.h"
#include "support/process.h"
#include "vqas/node/simulated_bench.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ProcessBench : public test::NodeTest {
 protected:
  BenchOptions options() const {
    return {test::vqas_command(), test::corpus_folder(), folder_ / "nodes", test::varied_line(1e-5, 7), {}, {}};
  }
  RunPlan plan(const SimulatedBench& bench) const {
    RunPlan plan = test::plan_for(bench.node_a(), bench.node_b(), folder_ / "run");
    plan.sampling.cap_count = 5;
    return plan;
  }
};

struct Watched {
  explicit Watched(const BenchOptions& options) : bench(options) {
    QObject::connect(&bench, &SimulatedBench::ready, &bench, [this] { ready = true; });
    QObject::connect(&bench, &SimulatedBench::failed, &bench,
                     [this](const QString& message) { failure = message.toStdString(); });
    bench.start();
  }
  bool settled() {
    return test::serve_until([this] { return ready || !failure.empty(); });
  }
  SimulatedBench bench;
  bool ready = false;
  std::string failure;
};

TEST_F(ProcessBench, MeasuresAndEnds) {
  Watched watched(options());
  ASSERT_TRUE(watched.settled());
  ASSERT_TRUE(watched.ready) << watched.failure;
  test::WatchedRun run(plan(watched.bench));
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(run.all().size(), 10U);
  const std::string address = watched.bench.node_a();
  watched.bench.stop();
  EXPECT_EQ(watched.failure, "") << "an end that was asked for is no failure";
  RunPlan again = plan(watched.bench);
  again.folder = folder_ / "again";
  test::WatchedRun after(again);
  ASSERT_TRUE(after.finish());
  EXPECT_EQ(after.code, ErrorCode::line_lost) << "the processes are gone";
}

TEST_F(ProcessBench, AReadinessTestFinishes) {
  BenchOptions quiet = options();
  quiet.line = symmetric_line(LineConditions{}, 20, -20, 7);
  Watched watched(quiet);
  ASSERT_TRUE(watched.settled());
  ASSERT_TRUE(watched.ready) << watched.failure;
  const auto run = test::run_command(std::string(test::vqas_command()) + " line check --json --stimuli M4 --node-a " +
                                     watched.bench.node_a() + " --node-b " + watched.bench.node_b() + " --corpus " +
                                     test::corpus_folder().string());
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("\"passed\": true"));
  EXPECT_THAT(run.output, Not(HasSubstr("\"measured\": false"))) << "both parts, at any line's guard";
  EXPECT_FALSE(std::regex_search(run.output, std::regex(R"("value": -?[0-9]*\.[0-9]{4})"))) << "no more than is known";
}

TEST_F(ProcessBench, AReadinessTestWithoutNodesPrintsOnlyTheReason) {
  const auto run =
      test::run_command(std::string(test::vqas_command()) + " line check --node-a ws://127.0.0.1:1 --node-b " +
                        "ws://127.0.0.1:2 --corpus " + test::corpus_folder().string());
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_THAT(run.output, Not(HasSubstr("FAIL")));
}

TEST_F(ProcessBench, AMissingProgramFailsNamingThePart) {
  BenchOptions bad = options();
  bad.program = folder_ / "no-such-program";
  Watched watched(bad);
  ASSERT_TRUE(watched.settled());
  EXPECT_THAT(watched.failure, HasSubstr("simulator"));
}

TEST_F(ProcessBench, ANodeThatRefusesFailsWithItsOwnMessage) {
  BenchOptions bad = options();
  bad.corpus = folder_ / "no-such-corpus";
  Watched watched(bad);
  ASSERT_TRUE(watched.settled());
  EXPECT_FALSE(watched.ready);
  EXPECT_THAT(watched.failure, HasSubstr("no-such-corpus"));
}

}  // namespace
}  // namespace vqas
