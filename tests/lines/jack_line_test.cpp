// Two node processes on a real audio path: PortAudio and a JACK server with the dummy driver.
#include <gtest/gtest.h>

#include <cmath>

#include "lines/jack_server.h"
#include "lines/node_process.h"
#include "lines/spoken_node.h"
#include "support/places.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

using test::Json;

constexpr int kPeriod = 160;
// Between two clients the loopback ports hand over what was played a period ago.
constexpr double kDelay_ms = kPeriod / 8.0;
constexpr double kSample_ms = 0.125;

const std::vector<std::string> kStimuli{"M1", "M2", "M3", "M4", "M5", "M6", "F1", "F2", "F3", "F4", "F5", "F6"};

class JackLineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    test::application();
    ASSERT_TRUE(server_.start()) << "no JACK server came up; run tools/install-packages\n" << test::read_text(log());
    for (const std::string end : {"a", "b"}) {
      const std::string own = end == "a" ? "1" : "2", other = end == "a" ? "2" : "1";
      processes_.push_back(std::make_unique<test::NodeProcess>(
          end, "audio:loopback?host=jack&out_channel=" + own + "&in_channel=" + other, folder_.path()));
    }
    for (auto& process : processes_) {
      const std::string address = process->address();
      ASSERT_FALSE(address.empty()) << process->output();
      nodes_.push_back(std::make_unique<test::SpokenNode>(address));
      ASSERT_TRUE(nodes_.back()->open(kStimuli));
    }
  }
  std::filesystem::path log() const { return folder_.path() / "jackd"; }
  bool all(bool test::SpokenNode::*what, int seconds) {
    return test::serve_until([&] { return nodes_[0].get()->*what && nodes_[1].get()->*what; }, seconds * 1000);
  }
  // Where in a recording the stimulus lies, sample for sample; nothing when it does not.
  std::optional<std::size_t> place_of(const std::string& stimulus, const std::string& recording,
                                      const test::NodeProcess& node) const {
    const auto heard = read_audio(node.data() / "recordings" / recording);
    const auto sent = read_audio(std::filesystem::path(test::source_dir()) / "corpus/8k" / (stimulus + ".wav"));
    EXPECT_TRUE(heard && sent);
    if (!heard || !sent || heard->size() < sent->size()) return std::nullopt;
    for (std::size_t at = 0; at + sent->size() <= heard->size(); ++at) {
      const bool same = std::equal(sent->samples.begin(), sent->samples.end(),
                                   heard->samples.begin() + static_cast<std::ptrdiff_t>(at));
      if (same) return at;
    }
    return std::nullopt;
  }

  test::TemporaryFolder folder_;
  test::JackServer server_{8000, kPeriod, folder_.path() / "jackd"};
  std::vector<std::unique_ptr<test::NodeProcess>> processes_;
  std::vector<std::unique_ptr<test::SpokenNode>> nodes_;
};

TEST_F(JackLineTest, AllStimuliPassBothWaysWithoutALostSampleAndTheirDelayIsExact) {
  ASSERT_TRUE(test::exchange(nodes_, 1, kStimuli, 1));
  ASSERT_TRUE(all(&test::SpokenNode::done, 150)) << processes_[0]->output() << processes_[1]->output();
  int flags = 0;
  double worst_one_way = 0, worst_half = 0;
  for (int sequence = 1; sequence <= static_cast<int>(kStimuli.size()); ++sequence) {
    const std::string& stimulus = kStimuli[static_cast<std::size_t>(sequence - 1)];
    std::array<double, 2> apparent{};
    for (std::size_t to = 0; to < 2; ++to) {
      const Json& m = nodes_[to]->measured[sequence];
      ASSERT_EQ(m.value("outcome", ""), "scored") << m.dump();
      EXPECT_GE(m["mos_lqo"].get<double>(), 4.5) << m.dump();
      EXPECT_EQ(m["line"]["lost_samples"], 0);
      EXPECT_EQ(nodes_[1 - to]->played[sequence]["line"]["inserted_samples"], 0);
      EXPECT_NEAR(m["mark_drift_ppm"].get<double>(), 0, 2);
      EXPECT_TRUE(place_of(stimulus, m["recording"], *processes_[to])) << stimulus << ": a sample is missing";
      flags += m["line"]["input_overflows"].get<int>() + m["line"]["input_underflows"].get<int>();
      apparent[to] = test::apparent_ms(m, nodes_[1 - to]->sent[sequence]);
      worst_one_way = std::max(worst_one_way, std::fabs(test::delay_ms(m, nodes_[1 - to]->sent[sequence]) - kDelay_ms));
    }
    worst_half = std::max(worst_half, std::fabs((apparent[0] + apparent[1]) / 2 - kDelay_ms));
  }
  // Half of the round trip is free of the two processes' clocks.
  EXPECT_LT(worst_half, kSample_ms / 4);
  EXPECT_LT(worst_one_way, 1.0) << "by the machine's clock, as well as two processes read it";
  fmt::print("{} flags of the sound system; half the round trip within {:.4f} ms, one way within {:.3f} ms of {} ms\n",
             flags, worst_half, worst_one_way, kDelay_ms);
}

TEST_F(JackLineTest, AKilledAudioServerIsALostLineAndFoundAgainWhenItIsBack) {
  ASSERT_TRUE(test::exchange(nodes_, 1, kStimuli, 1));
  ASSERT_TRUE(test::serve_until([&] { return nodes_[0]->sent.contains(1) && nodes_[1]->sent.contains(1); }));
  server_.kill();
  ASSERT_TRUE(all(&test::SpokenNode::failed, 60)) << "a node hangs";
  for (auto& node : nodes_) {
    EXPECT_EQ(node->failure["code"], "line_lost");
    EXPECT_NE(node->failure["message"].get<std::string>().find("stopped"), std::string::npos) << node->failure.dump();
  }
  // The nodes themselves are there and answer.
  for (auto& node : nodes_) EXPECT_TRUE(node->ask("node.hello").contains("result"));
  const Json refused = nodes_[0]->run_round(10, {}, {}, 1);
  EXPECT_TRUE(refused.contains("error")) << "a line without its server cannot be opened: " << refused.dump();
  ASSERT_TRUE(server_.start()) << test::read_text(log());
  ASSERT_TRUE(test::exchange(nodes_, 11, {"M5"}, 101)) << processes_[0]->output() << processes_[1]->output();
  ASSERT_TRUE(all(&test::SpokenNode::done, 120)) << processes_[0]->output() << processes_[1]->output();
  for (auto& node : nodes_) EXPECT_EQ(node->measured[101].value("outcome", ""), "scored") << node->measured[101].dump();
}

}  // namespace
}  // namespace vqas
