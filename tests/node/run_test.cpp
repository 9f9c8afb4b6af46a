// Whole runs: controller, two nodes and simulator in one process.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <deque>
#include <fstream>

#include "node/node_harness.h"

namespace vqas {
namespace {

using test::Bench;
using test::WatchedRun;
using ::testing::HasSubstr;

class WholeRun : public test::NodeTest {};

// Everything but wall-clock values, in order.
std::string fingerprint(const RunResults& results) {
  std::string text = std::to_string(results.seed) + " " + results.corpus_digest + " " + results.line;
  const auto number = [](const std::optional<double>& value) { return value ? Json(*value).dump() : "-"; };
  for (const DirectionRun& direction : results.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      text += std::string("\n") + name_of(direction.from) + stimulus.stimulus + " " +
              std::string(to_string(stimulus.stopped_because));
      for (const Measurement& m : stimulus.measurements) {
        text += "\n  " + std::to_string(m.sequence) + " " + std::string(to_string(m.outcome)) + " " +
                number(m.mos_lqo) + " " + number(m.auditory_distance) + " " + number(m.delay_ms) + " " +
                number(m.clock_drift_ppm) + " " + number(m.level_difference_db) + " " +
                std::string(to_string(m.marks_found.value())) + " " + m.recording;
      }
    }
  }
  return text;
}

TEST_F(WholeRun, MeasuresEverythingPlanned) {
  Bench bench(test::varied_line(1e-4, 7), folder_);
  WatchedRun run(test::short_plan(bench, folder_ / "run"));
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.error, "");
  const RunResults& results = run.results();
  ASSERT_EQ(results.directions.size(), 2U);
  EXPECT_EQ(results.line, "sim:");
  EXPECT_EQ(results.simulated.at("a-to-b").ber, 1e-4);
  EXPECT_GT(results.line_seconds, 20 * 2.7 / 2);
  for (const DirectionRun& direction : results.directions) {
    ASSERT_EQ(direction.stimuli.size(), 2U);
    for (const StimulusRun& stimulus : direction.stimuli) {
      EXPECT_EQ(stimulus.measurements.size(), 5U);
      EXPECT_EQ(stimulus.interval.n, 5U);
      EXPECT_GT(stimulus.interval.standard_deviation, 0);
      for (const Measurement& m : stimulus.measurements) {
        EXPECT_EQ(m.outcome, Outcome::scored) << m.reason;
        EXPECT_EQ(m.marks_found, MarksFound::both);
        EXPECT_NEAR(m.delay_ms.value(), 250, 0.2);
        EXPECT_EQ(m.delay_basis, DelayBasis::virtual_time);
        EXPECT_NEAR(m.clock_drift_ppm.value(), direction.to() == End::a ? 50 : -50, 10);
        EXPECT_TRUE(std::filesystem::exists(folder_ / "run" / m.recording)) << m.recording;
        EXPECT_THAT(m.recording, HasSubstr(fmt::format("recordings/{}", direction_name(direction.from))));
      }
    }
  }
}

TEST_F(WholeRun, EachMeasurementIsAnnouncedOnceInTheOrderOfItsDirection) {
  Bench bench(test::varied_line(1e-4, 7), folder_);
  WatchedRun run(test::short_plan(bench, folder_ / "run"));
  ASSERT_TRUE(run.finish());
  ASSERT_EQ(run.announced.size(), 20U);
  std::map<std::string, std::uint32_t> last;
  for (const Measurement& one : run.announced) {
    const std::string direction = one.recording.substr(0, std::string("recordings/a-to-b").size());
    EXPECT_EQ(one.sequence, last[direction] + 1);
    last[direction] = one.sequence;
  }
}

TEST_F(WholeRun, OnlyTheSameSeedGivesTheSameResults) {
  const auto measure = [this](const std::string& name, std::uint64_t seed) {
    Bench bench(test::varied_line(1e-4, seed), folder_ / name);
    RunPlan plan = test::short_plan(bench, folder_ / name / "run");
    plan.seed = seed;
    WatchedRun run(plan);
    EXPECT_TRUE(run.finish());
    EXPECT_EQ(run.error, "");
    return fingerprint(run.results());
  };
  const std::string first = measure("first", 3);
  EXPECT_EQ(measure("again", 3), first);
  EXPECT_EQ(measure("once more", 3), first);
  EXPECT_NE(measure("other", 4), first);
}

TEST_F(WholeRun, OneDirectionAlone) {
  Bench bench(test::varied_line(0, 7), folder_);
  RunPlan plan = test::short_plan(bench, folder_ / "run");
  plan.a_to_b = false;
  WatchedRun run(plan);
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.error, "");
  ASSERT_EQ(run.results().directions.size(), 1U);
  EXPECT_EQ(run.results().directions[0].from, End::b);
  EXPECT_EQ(run.all().size(), 10U);
}

TEST_F(WholeRun, NodesServeOneRunAfterTheOther) {
  Bench bench(test::varied_line(0, 7), folder_);
  for (const std::string name : {"one", "two"}) {
    WatchedRun run(test::short_plan(bench, folder_ / name));
    ASSERT_TRUE(run.finish());
    EXPECT_EQ(run.error, "") << name;
    EXPECT_EQ(run.all().size(), 20U);
  }
}

TEST_F(WholeRun, RandomWaitsOfTheSenderDoNotChangeTheResults) {
  const auto mean = [this](const std::string& name, double wait_s) {
    NodeOptions waiting;
    waiting.max_send_delay_s = wait_s;
    waiting.seed = 5;
    Bench bench(test::varied_line(0, 7), folder_ / name, waiting, waiting);
    WatchedRun run(test::short_plan(bench, folder_ / name / "run"));
    EXPECT_TRUE(run.finish());
    std::vector<double> means;
    for (const DirectionRun& direction : run.results().directions) {
      for (const StimulusRun& stimulus : direction.stimuli) {
        EXPECT_EQ(stimulus.interval.n, 5U);
        EXPECT_EQ(stimulus.measurements.size(), 5U) << "none is repeated";
        means.push_back(stimulus.interval.mean);
        for (const Measurement& m : stimulus.measurements) EXPECT_NEAR(m.delay_ms.value_or(0), 250, 0.2);
      }
    }
    return means;
  };
  const auto at_once = mean("at once", 0), waited = mean("waited", 3);
  ASSERT_EQ(at_once.size(), waited.size());
  for (std::size_t n = 0; n < at_once.size(); ++n) EXPECT_NEAR(waited[n], at_once[n], 0.05);
}

// Thirty measurements, none spoilt by an echo.
void measure_through_echo(const RunPlan& plan, double delay_ms) {
  WatchedRun run(plan);
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(run.all().size(), 30U) << "none is repeated";
  for (const Measurement& one : run.all()) {
    EXPECT_EQ(one.outcome, Outcome::scored) << one.reason;
    EXPECT_EQ(one.marks_found, MarksFound::both);
    EXPECT_NEAR(one.delay_ms.value_or(0), delay_ms, 0.3);
    EXPECT_FALSE(one.delay_step_ms);
  }
}

// Later than the pause between two transmissions: it overlaps the next one's marks.
TEST_F(WholeRun, ALateEchoIsIgnored) {
  for (const auto& [delay_s, loss_db] : {std::pair{0.7, 20.0}, std::pair{1.2, 30.0}}) {
    SCOPED_TRACE(delay_s);
    Profile profile;
    profile.line.delay_s = 0.25;
    profile.analogue.echo_delay_s = delay_s;
    profile.analogue.echo_loss_db = loss_db;
    Bench bench(profiled_line(profile, 20, -30, 7), folder_ / "nodes");
    measure_through_echo(test::short_plan(bench, folder_ / "run", 5, {"M4", "F4", "M6"}), 250);
  }
}

TEST_F(WholeRun, ALineInRealTimeGivesTheSameMeasurements) {
  constexpr double kSpeed = 4;  // of the line's clock
  const auto measured = [this](const std::string& name, std::function<std::int64_t()> clock_ns) {
    const test::RunningSimulator simulator(test::varied_line(1e-3, 7), std::chrono::seconds(5), 0, std::move(clock_ns));
    const Bench bench(simulator, folder_ / name);
    WatchedRun run(test::short_plan(bench, folder_ / name / "run", 2, {"M4"}));
    EXPECT_TRUE(run.finish());
    EXPECT_EQ(run.error, "");
    return run.results();
  };
  const auto scores = [](const RunResults& results) {
    std::vector<double> found;
    for (const DirectionRun& direction : results.directions) {
      for (const Measurement& one : direction.stimuli[0].measurements) found.push_back(one.mos_lqo.value_or(0));
    }
    return found;
  };
  const RunResults paced = measured("paced", test::fast_clock(kSpeed));
  EXPECT_EQ(scores(measured("free", {})), scores(paced));
  EXPECT_EQ(scores(paced).size(), 4U);
  // The backlog of a slow machine, and the line time before its first block.
  EXPECT_GE(paced.wall_seconds * kSpeed, paced.line_seconds - 0.3);
  EXPECT_GT(paced.line_seconds, 8);
}

/// Its end receives its own signal back, late and weaker.
class TalkersEcho : public Line {
 public:
  TalkersEcho(std::unique_ptr<Line> line, double delay_s, double loss_db)
      : line_(std::move(line)),
        under_way_(static_cast<std::size_t>(delay_s * kLineRateHz), 0.0F),
        gain_(static_cast<float>(std::pow(10, -loss_db / 20))) {}
  LineDescription description() const override { return line_->description(); }
  Result<BlockTime> exchange(std::span<const float> sent, std::span<float> heard, Round round) override {
    auto time = line_->exchange(sent, heard, round);
    if (!time || time->standing) return time;
    under_way_.insert(under_way_.end(), sent.begin(), sent.end());
    for (float& sample : heard) {
      sample += gain_ * under_way_.front();
      under_way_.pop_front();
    }
    return time;
  }
  Status stand() override { return line_->stand(); }
  void interrupt() override { line_->interrupt(); }

 private:
  std::unique_ptr<Line> line_;
  std::deque<float> under_way_;
  const float gain_;
};

TEST_F(WholeRun, ASendersLateEchoIsNotTakenForThePartner) {
  for (const auto& [delay_s, loss_db] : {std::pair{0.7, 20.0}, std::pair{1.2, 30.0}}) {
    SCOPED_TRACE(delay_s);
    const test::RunningSimulator simulator(test::varied_line(0, 7));
    const auto nodes = start_nodes([&simulator, delay = delay_s, loss = loss_db](End own) {
      return std::unique_ptr<Line>(std::make_unique<TalkersEcho>(simulator.open(own), delay, loss));
    });
    ASSERT_EQ(nodes.size(), 2U);
    RunPlan plan;
    plan.node_a = nodes[0]->address();
    plan.node_b = nodes[1]->address();
    plan.corpus = test::corpus_folder();
    plan.stimuli = {"M4", "F4", "M6"};
    plan.sampling.first_count = plan.sampling.cap_count = 5;
    plan.seed = 7;
    plan.folder = folder_ / "run";
    measure_through_echo(plan, 250);
  }
}

TEST_F(WholeRun, CancellingKeepsTheMeasurementsAndSetsTheReason) {
  Bench bench(test::varied_line(0, 7), folder_);
  RunPlan plan = test::short_plan(bench, folder_ / "run", 30, {});
  WatchedRun run(plan);
  QObject::connect(&run.controller, &Controller::measured, &run.controller, [&] {
    if (run.measured == 6) run.controller.cancel();
  });
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.code, ErrorCode::cancelled);
  EXPECT_THAT(run.error, HasSubstr("cancelled"));
  EXPECT_GE(run.all().size(), 6U);
  EXPECT_LT(run.all().size(), 120U);
  EXPECT_EQ(run.all().size(), run.measured);
  for (const Measurement& one : run.all()) EXPECT_EQ(one.outcome, Outcome::scored) << one.reason;
  EXPECT_EQ(run.results().directions[0].stimuli[0].stopped_because, StopReason::cancelled);
  // The nodes are free immediately.
  WatchedRun next(test::short_plan(bench, folder_ / "next"));
  ASSERT_TRUE(next.finish());
  EXPECT_EQ(next.error, "");
}

TEST_F(WholeRun, CancellingTwiceOrBeforeTheStartEndsTheRun) {
  Bench bench(test::varied_line(0, 7), folder_);
  WatchedRun early(test::short_plan(bench, folder_ / "early"));
  early.controller.cancel();
  ASSERT_TRUE(early.finish());
  EXPECT_EQ(early.code, ErrorCode::cancelled);
  WatchedRun twice(test::short_plan(bench, folder_ / "twice", 30, {}));
  QObject::connect(&twice.controller, &Controller::measured, &twice.controller, [&] { twice.controller.cancel(); });
  ASSERT_TRUE(twice.finish());
  EXPECT_EQ(twice.code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace vqas
