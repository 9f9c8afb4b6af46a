#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "node/node_harness.h"
#include "vqas/corpus/corpus.h"
#include "vqas/node/line_only.h"

namespace vqas::test {

/// Two ends of a simulated line with nothing else between them.
class LineOnlyTest : public NodeTest {
 protected:
  void SetUp() override {
    NodeTest::SetUp();
    auto loaded = Corpus::load(corpus_folder());
    ASSERT_TRUE(loaded) << loaded.error().message;
    corpus_ = std::move(loaded).value();
  }
  // Few measurements of each stimulus.
  static SamplerOptions few(std::size_t count) {
    SamplerOptions sampling;
    sampling.first_count = count;
    sampling.cap_count = count;
    return sampling;
  }
  ListenPlan listen_plan(std::size_t count) {
    ListenPlan plan;
    plan.sampling = few(count);
    plan.kept = [this](const std::string& stimulus, const Measurement& one, const Signal& recording) {
      EXPECT_FALSE(recording.samples.empty());
      kept_.push_back(stimulus + std::to_string(one.sequence));
      return Result<std::string>("recordings/" + kept_.back() + ".flac");
    };
    return plan;
  }
  struct Both {
    Result<SendProgress> sent;
    Result<ListenResults> heard;
  };
  Both run(const SimulatedLine& simulated, const SendPlan& send, const ListenPlan& listen) {
    const RunningSimulator simulator(simulated);
    auto line_a = simulator.open(End::a), line_b = simulator.open(End::b);
    auto heard = std::async(std::launch::async, [&] {
      auto results = listen_on_line(*line_b, *corpus_, listen, cancelled_);
      line_b.reset();
      return results;
    });
    auto sent = send_over_line(*line_a, *corpus_, send, cancelled_);
    line_a.reset();
    return {std::move(sent), heard.get()};
  }
  static std::size_t scored(const ListenResults& heard) {
    std::size_t count = 0;
    for (const StimulusRun& one : heard.results.directions.at(0).stimuli) {
      for (const Measurement& m : one.measurements) count += m.outcome == Outcome::scored;
    }
    return count;
  }

  std::optional<Corpus> corpus_;
  std::vector<std::string> kept_;
  const std::atomic<bool> cancelled_ = false;
};

}  // namespace vqas::test
