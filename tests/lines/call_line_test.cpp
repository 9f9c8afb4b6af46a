// A real call: two phones, G.711 over RTP, the nodes on JACK ports at its ends. The truth is a third JACK client that
// records what enters one phone and what leaves the other.
#include <gtest/gtest.h>

#include <cmath>

#include "lines/free_ports.h"
#include "lines/jack_phone.h"
#include "lines/jack_server.h"
#include "lines/jack_witness.h"
#include "lines/judged.h"
#include "lines/node_process.h"
#include "lines/spoken_node.h"
#include "support/places.h"

namespace vqas {
namespace {

class CallLineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    test::application();
    ASSERT_TRUE(test::JackPhone::is_installed()) << "baresip is missing; run tools/install-packages";
    ASSERT_TRUE(server_.start()) << "no JACK server came up; run tools/install-packages\n"
                                 << test::read_text(folder_.path() / "jackd");
    for (const std::string end : {"a", "b"}) {
      nodes_of_.push_back(
          std::make_unique<test::NodeProcess>(end, "audio:system?host=jack&client=vq" + end, folder_.path()));
    }
    for (auto& process : nodes_of_) {
      const std::string address = process->address();
      ASSERT_FALSE(address.empty()) << process->output();
      nodes_.push_back(std::make_unique<test::SpokenNode>(address));
    }
  }
  int port(int offset) const { return first_port_ + offset; }
  // From a to b only: a loop of JACK clients would get a period of delay somewhere.
  void call(const std::string& through = {}) {
    phone_b_ = std::make_unique<test::JackPhone>(folder_.path(), "bsB", port(32));
    phone_a_ = std::make_unique<test::JackPhone>(folder_.path(), "bsA", port(0));
    ASSERT_TRUE(phone_b_->start()) << phone_b_->output();
    ASSERT_TRUE(phone_a_->start("sip:bsB@" + (through.empty() ? "127.0.0.1:" + std::to_string(port(32)) : through)))
        << phone_a_->output();
    witness_ = std::make_unique<test::JackWitness>(8000 * 240);
    ASSERT_TRUE(witness_->works());
    const std::string into_a = witness_->port("bsA", JackPortIsInput),
                      out_of_b = witness_->port("bsB", JackPortIsOutput);
    ASSERT_FALSE(into_a.empty() || out_of_b.empty()) << phone_a_->output() << phone_b_->output();
    const std::string sends = witness_->port("vqa", JackPortIsOutput), hears = witness_->port("vqb", JackPortIsInput);
    ASSERT_FALSE(sends.empty() || hears.empty());
    ASSERT_TRUE(witness_->connect(sends, into_a));
    ASSERT_TRUE(witness_->connect(out_of_b, hears));
    ASSERT_TRUE(witness_->record(sends, out_of_b));
    ASSERT_TRUE(witness_->wait(8000));  // until the phones' buffers have settled
  }
  void TearDown() override {
    witness_.reset();
    phone_a_.reset();
    phone_b_.reset();
    nodes_.clear();
    nodes_of_.clear();
  }
  // Beginnings of the transmissions in what the witness heard: half a second of nothing, then something.
  std::vector<std::size_t> beginnings() const {
    const auto heard = witness_->heard(0);
    std::vector<std::size_t> found;
    std::size_t silent = 0;
    for (std::size_t n = 0; n < heard.size(); ++n) {
      if (heard[n] == 0.0F) {
        ++silent;
      } else {
        if (silent >= 1200) found.push_back(n);
        silent = 0;
      }
    }
    return found;
  }
  void measure(int number, const std::vector<std::string>& stimuli, int first) {
    ASSERT_TRUE(nodes_[1]->run_round(number, {}, stimuli, first).contains("result"));
    ASSERT_TRUE(nodes_[0]->run_round(number, stimuli, {}, first).contains("result"));
    ASSERT_TRUE(test::serve_until([&] { return nodes_[0]->done && nodes_[1]->done; }, 90000));
  }
  // These, and again where a sound device was disturbed, until there is an undisturbed one of each: in a call a stalled
  // machine makes the phones lose samples, and their jitter buffers step. Gives the sequence numbers of all rounds.
  std::vector<int> measure_undisturbed(std::vector<std::string> stimuli) {
    constexpr int kMostRounds = 5;  // beyond it no sound device works here
    std::vector<int> undisturbed;
    for (int round = 1; !stimuli.empty() && round <= kMostRounds; ++round) {
      const int first = static_cast<int>(sent_.size()) + 1;
      measure(round, stimuli, first);
      if (HasFatalFailure()) return undisturbed;
      sent_.insert(sent_.end(), stimuli.begin(), stimuli.end());
      std::vector<std::string> again;
      for (std::size_t n = 0; n < stimuli.size(); ++n) {
        const int sequence = first + static_cast<int>(n);
        const test::Judged judged = test::judge(nodes_[1]->measured[sequence], nodes_[0]->played[sequence], usual_);
        if (judged.disturbed) {
          fmt::print("{}: {}; repeated\n", stimuli[n], judged.fault.value_or("a sound device was disturbed"));
          again.push_back(stimuli[n]);
        } else {
          undisturbed.push_back(sequence);
        }
      }
      stimuli = again;
    }
    EXPECT_TRUE(stimuli.empty()) << "after " << kMostRounds << " rounds a device is still disturbed";
    return undisturbed;
  }
  // Root mean square of VQAS's delay less the witness's, in ms.
  double delay_error_ms(const std::vector<int>& sequences) {
    const auto begins = beginnings();
    EXPECT_EQ(begins.size(), sent_.size());
    if (begins.size() != sent_.size() || sequences.empty()) return 1e9;
    double sum = 0;
    for (const int sequence : sequences) {
      const Json& m = nodes_[1]->measured[sequence];
      const std::size_t begin = begins[static_cast<std::size_t>(sequence) - 1];
      const double ours_ms = test::delay_ms(m, nodes_[0]->sent[sequence]);
      const std::size_t lag = test::lag_of(witness_->heard(0), witness_->heard(1), begin, begin + 16000, 3200);
      const double true_ms = static_cast<double>(lag) / 8;
      fmt::print("{}: {} MOS {}, delay {:.3f} ms, truth {:.3f} ms\n", m.value("stimulus", ""), m.value("outcome", ""),
                 m["mos_lqo"].dump(), ours_ms, true_ms);
      sum += (ours_ms - true_ms) * (ours_ms - true_ms);
    }
    return std::sqrt(sum / static_cast<double>(sequences.size()));
  }

  test::TemporaryFolder folder_;
  const int first_port_ = test::free_ports(64);
  test::JackServer server_{8000, 160, folder_.path() / "jackd"};
  std::vector<std::unique_ptr<test::NodeProcess>> nodes_of_;
  std::vector<std::unique_ptr<test::SpokenNode>> nodes_;
  std::unique_ptr<test::JackPhone> phone_a_, phone_b_;
  std::unique_ptr<test::JackWitness> witness_;
  std::vector<std::string> sent_;  // stimuli, by sequence from 1
  UsualDrift usual_;
};

TEST_F(CallLineTest, ItsDelayIsTheTrueOneAndAHungUpCallIsALostLine) {
  const std::vector<std::string> stimuli{"M4", "F4", "M2"};
  for (auto& node : nodes_) ASSERT_TRUE(node->open(stimuli));
  call();
  if (HasFatalFailure()) return;
  const std::vector<int> undisturbed = measure_undisturbed(stimuli);
  if (HasFailure()) return;
  for (const int n : undisturbed) {
    EXPECT_EQ(nodes_[1]->measured[n].value("outcome", ""), "scored") << nodes_[1]->measured[n].dump();
  }
  EXPECT_LE(delay_error_ms(undisturbed), 1.0);

  constexpr int kRound = 10;
  const int last = static_cast<int>(sent_.size()) + 1;
  ASSERT_TRUE(nodes_[1]->run_round(kRound, {}, {"M2"}, last).contains("result"));
  ASSERT_TRUE(nodes_[0]->run_round(kRound, {"M2"}, {}, last).contains("result"));
  ASSERT_TRUE(test::serve_until([&] { return nodes_[0]->sent.contains(last); }));
  ASSERT_TRUE(witness_->wait(12000));
  phone_a_->stop();
  ASSERT_TRUE(test::serve_until([&] { return nodes_[1]->measured.contains(last); }));
  EXPECT_EQ(nodes_[1]->measured[last].value("outcome", ""), "line_lost") << nodes_[1]->measured[last].dump();
}

TEST_F(CallLineTest, BitErrorsInItsPacketsLowerTheScoreAndNotTheDelay) {
  const std::vector<std::string> stimuli{"M4", "F4"};
  for (auto& node : nodes_) ASSERT_TRUE(node->open(stimuli));
  test::Child relay(
      test::guarded({test::vqas_command(), "relay", "sip", "--listen", "127.0.0.1:0", "--phone",
                     "bsB=127.0.0.1:" + std::to_string(port(32)), "--json", "--seed", "7", "--a-to-b", "ber=1e-3"}),
      folder_.path() / "relay");
  std::string said;
  for (int i = 0; i < 600 && said.find('\n') == std::string::npos; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    said = test::read_text(folder_.path() / "relay");
  }
  const Json ready = Json::parse(said.substr(0, said.find('\n')), nullptr, false);
  ASSERT_TRUE(ready.is_object()) << said;
  call(ready["sip"].get<std::string>());
  if (HasFatalFailure()) return;
  const std::vector<int> undisturbed = measure_undisturbed(stimuli);
  if (HasFailure()) return;
  for (const int n : undisturbed) {
    const Json& m = nodes_[1]->measured[n];
    ASSERT_EQ(m.value("outcome", ""), "scored") << m.dump();
    EXPECT_LT(m["mos_lqo"].get<double>(), 3.5) << "1e-3: every 16th sample or so is wrong";
  }
  EXPECT_LE(delay_error_ms(undisturbed), 1.0);
}

}  // namespace
}  // namespace vqas
