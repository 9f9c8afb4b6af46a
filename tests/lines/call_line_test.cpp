// A real call: two phones, G.711 over RTP, the nodes on JACK ports at its ends. The reference is a third JACK client
// that records the input of one phone and the output of the other.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include "lines/free_ports.h"
#include "lines/jack_phone.h"
#include "lines/jack_server.h"
#include "lines/jack_witness.h"
#include "lines/judged.h"
#include "lines/node_process.h"
#include "lines/spoken_node.h"
#include "support/places.h"
#include "support/wait_until.h"
#include "vqas/signal/audio_file.h"
#include "vqas/store/journal.h"
#include "vqas/sync/transmission.h"

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
  // From a to b only: in a loop of JACK clients one would get an additional period of delay.
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
    ASSERT_TRUE(witness_->connect(sends, into_a)) << sends << " -> " << into_a << '\n' << phone_a_->output();
    ASSERT_TRUE(witness_->connect(out_of_b, hears)) << out_of_b << " -> " << hears << '\n' << phone_b_->output();
    ASSERT_TRUE(witness_->record(sends, out_of_b));
    ASSERT_TRUE(witness_->wait(8000));  // until the phones' buffers have settled
  }
  // Calls again after a hang-up.
  void call_again() {
    ASSERT_TRUE(witness_->wait_until_gone("bsB")) << "the called phone has not hung up";
    ASSERT_TRUE(phone_a_->start("sip:bsB@127.0.0.1:" + std::to_string(port(32)))) << phone_a_->output();
    const std::string into_a = witness_->port("bsA", JackPortIsInput),
                      out_of_b = witness_->port("bsB", JackPortIsOutput);
    ASSERT_FALSE(into_a.empty() || out_of_b.empty()) << phone_a_->output() << phone_b_->output();
    ASSERT_TRUE(witness_->connect(witness_->port("vqa", JackPortIsOutput), into_a));
    ASSERT_TRUE(witness_->connect(out_of_b, witness_->port("vqb", JackPortIsInput)));
    ASSERT_TRUE(witness_->wait(8000));
  }
  // Starts a relay between the phones, for call(); its first message is its address.
  Json relay(const std::vector<std::string>& options) {
    std::vector<std::string> command{test::vqas_command(),
                                     "relay",
                                     "sip",
                                     "--listen",
                                     "127.0.0.1:0",
                                     "--phone",
                                     "bsB=127.0.0.1:" + std::to_string(port(32)),
                                     "--json"};
    command.insert(command.end(), options.begin(), options.end());
    relay_ = std::make_unique<test::Child>(test::guarded(std::move(command)), folder_.path() / "relay");
    std::string said;
    test::wait_until([&] {
      said = test::read_text(folder_.path() / "relay");
      return said.find('\n') != std::string::npos;
    });
    return Json::parse(said.substr(0, said.find('\n')), nullptr, false);
  }
  void TearDown() override {
    witness_.reset();
    phone_a_.reset();
    phone_b_.reset();
    relay_.reset();
    nodes_.clear();
    nodes_of_.clear();
  }
  // Starts of the transmissions in the witness's recording: half a second of silence, then sound.
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
  // Measures these, and repeats those disturbed by a sound device, until each has one undisturbed measurement: a
  // stalled machine makes the phones lose samples, and their jitter buffers step. Returns the sequence numbers of all
  // rounds.
  std::vector<int> measure_undisturbed(std::vector<std::string> stimuli) {
    constexpr int kMostRounds = 5;  // after more rounds no sound device works here
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
  // Root mean square of VQAS's delay minus the witness's, in ms.
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
  std::unique_ptr<test::Child> relay_;
  std::unique_ptr<test::JackWitness> witness_;
  std::vector<std::string> sent_;  // stimuli, by sequence from 1
  UsualDrift usual_;
};

TEST_F(CallLineTest, MeasuredDelayIsTheTrueOneAndAHungUpCallIsALostLine) {
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

TEST_F(CallLineTest, AfterAHangUpTheCommandRedialsAndTheRunContinues) {
  call();
  if (HasFatalFailure()) return;
  const std::string asked = (folder_.path() / "asked").string(), made = (folder_.path() / "made").string();
  const test::Child measure(test::guarded({test::vqas_command(),
                                           "measure",
                                           "--node-a",
                                           nodes_of_[0]->address(),
                                           "--node-b",
                                           nodes_of_[1]->address(),
                                           "--corpus",
                                           std::string(test::source_dir()) + "/corpus",
                                           "--stimuli",
                                           "F4",
                                           "--directions",
                                           "a-to-b",
                                           "--out",
                                           (folder_.path() / "results").string(),
                                           "--redial",
                                           "touch '" + asked + "'; while [ ! -e '" + made + "' ]; do sleep 0.05; done",
                                           "--redial-s",
                                           "0",
                                           "--within-s",
                                           "4",
                                           "--cap",
                                           "5"}),
                            folder_.path() / "measure");
  const auto said = [&] { return test::read_text(folder_.path() / "measure"); };
  // The first may be spoilt by a disturbed sound device, and a call without a score is not counted.
  const auto journal = folder_.path() / "results" / kJournalFile;
  ASSERT_TRUE(test::serve_until(
      [&] { return test::read_text(journal).find(R"("outcome":"scored")") != std::string::npos; }, 120000))
      << said();
  const std::size_t begun = beginnings().size();
  ASSERT_TRUE(test::serve_until([&] { return beginnings().size() > begun; }, 120000)) << said();
  ASSERT_TRUE(witness_->wait(12000));  // into the stimulus
  phone_a_->stop();
  ASSERT_TRUE(test::serve_until([&] { return std::filesystem::exists(asked); }, 120000)) << said();
  const auto gone = std::chrono::steady_clock::now();
  call_again();
  if (HasFatalFailure()) return;
  const std::chrono::duration<double> lost = std::chrono::steady_clock::now() - gone;
  test::write_text(made, "");
  const auto results_at = folder_.path() / "results" / "results.json";
  ASSERT_TRUE(test::serve_until([&] { return std::filesystem::exists(results_at); }, 180000)) << said();

  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - gone;

  const Json results = Json::parse(test::read_text(results_at));
  const Json& stimulus = results["directions"][0]["stimuli"][0];
  std::set<int> sequences, calls;
  std::set<std::string> recordings;
  int scored = 0, lost_with_the_call = 0;
  for (const Json& one : stimulus["measurements"]) {
    EXPECT_TRUE(sequences.insert(one["sequence"].get<int>()).second) << "counted twice";
    lost_with_the_call += one["outcome"] == "line_lost";
    EXPECT_EQ(one["mos_lqo"].is_number(), one["outcome"] == "scored");
    if (one["outcome"] != "scored") continue;
    ++scored;
    calls.insert(one.value("call", 1));
    EXPECT_TRUE(recordings.insert(one["recording"].get<std::string>()).second) << "counted twice";
    EXPECT_GT(one["mos_lqo"].get<double>(), 3.0) << "half a stimulus was scored: " << one.dump();
  }
  EXPECT_GE(scored, 5) << stimulus.dump();
  EXPECT_EQ(stimulus["n"], scored);
  EXPECT_EQ(calls, (std::set<int>{1, 2}));
  EXPECT_GE(lost_with_the_call, 1);
  fmt::print("{} transmissions, {} scored, {} lost with the call; {:.1f} s lost, {:.1f} s from the redial on\n",
             beginnings().size(), scored, lost_with_the_call, results["timing"]["lost_seconds"].get<double>(),
             whole.count());
  EXPECT_LE(sequences.size(), beginnings().size()) << "more measurements than transmissions recorded by the witness";
  EXPECT_GE(results["timing"]["lost_seconds"].get<double>(), lost.count());
  EXPECT_TRUE(results["ended_because"].is_null() || results["ended_because"] == "") << results["ended_because"].dump();
}

// The witness's view of a transmission with one step of the delay in it.
struct TrueStep {
  std::size_t at = 0;  // the first sample sent that arrives with the later delay, from the transmission's start
  double before_ms = 0, after_ms = 0;
  double correlation = 0;  // correlation of the received signal with the sent one delayed in this way: 1 is identical
};

TrueStep true_step(std::span<const float> sent, std::span<const float> heard, std::size_t begin, std::size_t length) {
  constexpr std::size_t kMark = 3600, kTail = 1080, kMost = 3200;  // samples: of either mark, and of lag
  const std::size_t before = test::lag_of(sent, heard, begin, begin + kMark, kMost);
  const std::size_t after = test::lag_of(sent, heard, begin + length - kTail, begin + length, kMost);
  const auto off = [&](std::size_t n, std::size_t lag) {
    const double difference = static_cast<double>(heard[n + lag]) - static_cast<double>(sent[n]);
    return difference * difference;
  };
  double error = 0, power = 0;
  for (std::size_t n = begin; n < begin + length; ++n) {
    error += off(n, after);
    power += static_cast<double>(sent[n]) * static_cast<double>(sent[n]);
  }
  double least = error;
  TrueStep step{0, static_cast<double>(before) / 8, static_cast<double>(after) / 8};
  for (std::size_t n = begin; n < begin + length; ++n) {
    error += off(n, before) - off(n, after);
    if (error >= least) continue;
    least = error;
    step.at = n + 1 - begin;
  }
  step.correlation = 1 - least / power;
  return step;
}

TEST_F(CallLineTest, ADelayStepIsFoundAtItsPlace) {
  const std::vector<std::string> stimuli{"M4"};
  for (auto& node : nodes_) ASSERT_TRUE(node->open(stimuli));
  const Json ready = relay({});
  ASSERT_TRUE(ready.is_object()) << test::read_text(folder_.path() / "relay");
  test::SpokenNode desk(ready["control"].get<std::string>());
  call(ready["sip"].get<std::string>());
  if (HasFatalFailure()) return;
  const auto stimulus = read_audio(std::filesystem::path(test::source_dir()) / "corpus/8k/M4.wav");
  ASSERT_TRUE(stimulus);
  const TransmissionLayout layout = transmission_layout(stimulus->size(), {});

  constexpr int kMostRounds = 5;       // after more rounds no sound device works here
  constexpr double kLeastStepMs = 10;  // half a packet of the phone
  bool seen = false;
  for (int round = 1; !seen && round <= kMostRounds; ++round) {
    ASSERT_TRUE(desk.ask("relay.set", {{"direction", "a_to_b"}, {"conditions", {{"delay_ms", 0}}}}).contains("result"));
    ASSERT_TRUE(witness_->wait(8000));  // until the phone's buffer has settled
    ASSERT_TRUE(nodes_[1]->run_round(round, {}, stimuli, round).contains("result"));
    ASSERT_TRUE(nodes_[0]->run_round(round, stimuli, {}, round).contains("result"));
    ASSERT_TRUE(test::serve_until([&] { return nodes_[0]->sent.contains(round); }));
    ASSERT_TRUE(witness_->wait(16000));
    ASSERT_TRUE(
        desk.ask("relay.set", {{"direction", "a_to_b"}, {"conditions", {{"delay_ms", 100}}}}).contains("result"));
    ASSERT_TRUE(test::serve_until([&] { return nodes_[0]->done && nodes_[1]->done; }, 90000));
    ASSERT_TRUE(witness_->wait(4000));
    const Json& m = nodes_[1]->measured[round];
    const auto begins = beginnings();
    ASSERT_EQ(begins.size(), static_cast<std::size_t>(round));
    const TrueStep truth = true_step(witness_->heard(0), witness_->heard(1), begins.back(), layout.total);
    const test::Judged judged = test::judge(m, nodes_[0]->played[round], usual_);
    constexpr double kWhole =
        0.9;  // share of the sent signal that arrived as one step explains, apart from mu-law's noise
    if (judged.disturbed || truth.correlation < kWhole) {
      fmt::print("{}; repeated\n", judged.fault.value_or("a sound device or a phone was disturbed"));
      continue;
    }
    const double step_ms = truth.after_ms - truth.before_ms;
    // Some of it always; a buffer that a repeated round has left long takes nearly all.
    if (step_ms < kLeastStepMs) {
      fmt::print("the phone's buffer absorbed all but {:.1f} ms of the step; repeated\n", step_ms);
      continue;
    }
    const Measurement& one = judged.received.measurement;
    ASSERT_EQ(one.outcome, Outcome::scored) << m.dump();
    ASSERT_GE(one.delay_track.size(), 2U) << m.dump();
    const double first_ms = one.delay_track.front().delay_ms;
    EXPECT_NEAR(one.delay_track.back().delay_ms - first_ms, step_ms, 1) << m.dump();
    EXPECT_NEAR(one.delay_step_ms.value_or(0), step_ms, 1);
    const auto later = std::ranges::find_if(
        one.delay_track, [&](const DelayPiece& piece) { return piece.delay_ms - first_ms > step_ms / 2; });
    ASSERT_NE(later, one.delay_track.end());
    const double true_s = (static_cast<double>(truth.at) - static_cast<double>(layout.speech_start)) / 8000;
    EXPECT_NEAR(later->start_s, true_s, 0.1);
    fmt::print("a step of {:+.3f} ms at {:.3f} s; found {:+.3f} ms at {:.3f} s\n", step_ms, true_s,
               one.delay_track.back().delay_ms - first_ms, later->start_s);
    seen = true;
  }
  EXPECT_TRUE(seen) << "after " << kMostRounds << " rounds a device is still disturbed";
}

TEST_F(CallLineTest, BitErrorsInPacketsLowerTheScoreAndDoNotChangeTheDelay) {
  const std::vector<std::string> stimuli{"M4", "F4"};
  for (auto& node : nodes_) ASSERT_TRUE(node->open(stimuli));
  const Json ready = relay({"--seed", "7", "--a-to-b", "ber=1e-3"});
  ASSERT_TRUE(ready.is_object()) << test::read_text(folder_.path() / "relay");
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
