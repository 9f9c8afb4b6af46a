// Two node processes on a real audio path: PortAudio and a JACK server with the dummy driver.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <csignal>
#include <map>
#include <thread>

#include "lines/jack_server.h"
#include "lines/judged.h"
#include "lines/node_process.h"
#include "lines/spoken_node.h"
#include "support/places.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

constexpr int kPeriod = 160;
// Between two clients the loopback ports deliver samples one period after they were played.
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
  // Position of the stimulus in a recording, sample for sample; nothing when it is not there.
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

  struct Judged : test::Judged {
    int sequence = 0;
    double apparent_ms = 0, delay_ms = 0;
  };
  Judged judge(std::size_t to, int sequence) {
    const Json& measured = nodes_[to]->measured[sequence];
    const Json& sent = nodes_[1 - to]->sent[sequence];
    const Json& played = nodes_[1 - to]->played[sequence];
    Judged judged{test::judge(measured, played, usual_[to]), sequence};
    const Measurement& one = judged.received.measurement;
    if (judged.fault || HasFailure()) return judged;
    // The instrument reported no fault, so no sample may be missing.
    EXPECT_EQ(one.outcome, Outcome::scored) << measured.dump();
    EXPECT_GE(one.mos_lqo.value_or(0), 4.5) << measured.dump();
    EXPECT_EQ(one.line->lost_samples, 0U);
    EXPECT_TRUE(place_of(judged.received.stimulus, one.recording, *processes_[to]))
        << judged.received.stimulus << ": a sample is missing and was not reported: " << measured.dump()
        << " sender: " << played.dump();
    judged.apparent_ms = test::apparent_ms(measured, sent);
    judged.delay_ms = test::delay_ms(measured, sent);
    return judged;
  }
  // Measures these in both directions and repeats those spoilt by a device, as a run does, until all have a score.
  std::vector<Judged> measure_all(std::vector<std::string> stimuli) {
    constexpr int kMostRounds = 5;  // after more rounds no sound device works here
    std::vector<Judged> all;
    int next = 1;
    for (int round = 0; !stimuli.empty() && round < kMostRounds; ++round) {
      EXPECT_TRUE(test::exchange(nodes_, 2 * round + 1, stimuli, next));
      const bool ended = this->all(&test::SpokenNode::done, 30 + 15 * static_cast<int>(stimuli.size()));
      EXPECT_TRUE(ended) << processes_[0]->output() << processes_[1]->output();
      if (!ended) return all;
      std::vector<std::string> again;
      for (const std::string& stimulus : stimuli) {
        bool spoilt = false;
        for (std::size_t to = 0; to < 2; ++to) {
          all.push_back(judge(to, next));
          if (!all.back().fault) continue;
          spoilt = true;
          fmt::print("{}, to {}: {}; repeated\n", stimulus, to == 0 ? "a" : "b", *all.back().fault);
        }
        if (spoilt) again.push_back(stimulus);
        ++next;
      }
      stimuli = again;
    }
    EXPECT_TRUE(stimuli.empty()) << "after " << kMostRounds << " rounds a device still spoils " << stimuli.size();
    return all;
  }

  test::TemporaryFolder folder_;
  test::JackServer server_{8000, kPeriod, folder_.path() / "jackd"};
  std::vector<std::unique_ptr<test::NodeProcess>> processes_;
  std::vector<std::unique_ptr<test::SpokenNode>> nodes_;
  std::array<UsualDrift, 2> usual_;  // by receiver
};

TEST_F(JackLineTest, AllStimuliPassBothWaysWithoutLossAndWithTheExactDelay) {
  const std::vector<Judged> all = measure_all(kStimuli);
  double worst_one_way = 0, worst_half = 0;
  std::size_t undisturbed = 0;
  std::map<int, std::vector<double>> apparent;
  for (const Judged& one : all) {
    if (one.disturbed) continue;
    EXPECT_NEAR(one.received.evidence.drift_ppm.value_or(1e9), 0, 2);
    ++undisturbed;
    worst_one_way = std::max(worst_one_way, std::fabs(one.delay_ms - kDelay_ms));
    apparent[one.sequence].push_back(one.apparent_ms);
  }
  for (const auto& [sequence, ways] : apparent) {
    if (ways.size() == 2) worst_half = std::max(worst_half, std::fabs((ways[0] + ways[1]) / 2 - kDelay_ms));
  }
  EXPECT_GE(undisturbed, all.size() / 4) << "sound devices do not work on this machine";
  // Half of the round trip does not depend on the clocks of the two processes.
  EXPECT_LT(worst_half, kSample_ms / 4);
  EXPECT_LT(worst_one_way, 1.0) << "by the machine's clock, as accurately as two processes read it";
  fmt::print(
      "{} transmissions, {} undisturbed: half the round trip within {:.4f} ms, one way within {:.3f} ms of {} ms\n",
      all.size(), undisturbed, worst_half, worst_one_way, kDelay_ms);
}

// Like a virtual machine that pauses for a moment.
TEST_F(JackLineTest, TransmissionsSpoiltByAStalledNodeAreNotScored) {
  std::atomic<bool> over = false;
  std::thread stalls([&] {
    for (int n = 0; !over && n < 8; ++n) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1300));
      const pid_t node = processes_[static_cast<std::size_t>(n) % 2]->child().process();
      ::kill(node, SIGSTOP);
      std::this_thread::sleep_for(std::chrono::milliseconds(10 + 5 * n));
      ::kill(node, SIGCONT);
    }
  });
  measure_all({"M4", "F4"});
  over = true;
  stalls.join();
}

TEST_F(JackLineTest, AKilledAudioServerIsALostLineUntilItRestarts) {
  ASSERT_TRUE(test::exchange(nodes_, 1, kStimuli, 1));
  ASSERT_TRUE(test::serve_until([&] { return nodes_[0]->sent.contains(1) && nodes_[1]->sent.contains(1); }));
  server_.kill();
  ASSERT_TRUE(all(&test::SpokenNode::failed, 60)) << "a node hangs";
  for (auto& node : nodes_) {
    EXPECT_EQ(node->failure["code"], "line_lost");
    EXPECT_NE(node->failure["message"].get<std::string>().find("stopped"), std::string::npos) << node->failure.dump();
  }
  // The nodes still run and answer.
  for (auto& node : nodes_) EXPECT_TRUE(node->ask("node.hello").contains("result"));
  const Json refused = nodes_[0]->run_round(10, {}, {}, 1);
  EXPECT_TRUE(refused.contains("error")) << "a line without its server cannot be opened: " << refused.dump();
  ASSERT_TRUE(server_.start()) << test::read_text(log());
  // The numbers of rounds only increase.
  // Each direction separately: a machine that pauses for a moment spoils one or the other.
  std::array scored{false, false};
  for (int round = 0; !(scored[0] && scored[1]) && round < 8; ++round) {
    ASSERT_TRUE(test::exchange(nodes_, 11 + 2 * round, {"M5"}, 101 + round))
        << processes_[0]->output() << processes_[1]->output();
    ASSERT_TRUE(all(&test::SpokenNode::done, 120)) << processes_[0]->output() << processes_[1]->output();
    for (const std::size_t end : {0U, 1U}) scored.at(end) = !judge(end, 101 + round).fault || scored.at(end);
  }
  EXPECT_TRUE(scored[0] && scored[1]);
}

}  // namespace
}  // namespace vqas
