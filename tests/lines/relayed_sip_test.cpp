// Two "sip:" nodes on hosts of their own (network namespaces) call each other through "vqas relay sip" on a third one.
// The recorded errors, applied offline to what was sent, give what was heard, and its score.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>

#include "lines/guarded.h"
#include "lines/network_space.h"
#include "lines/node_process.h"
#include "lines/spoken_node.h"
#include "vqas/channel/bit_error_stream.h"
#include "vqas/channel/error_pattern.h"
#include "vqas/channel/g711.h"
#include "vqas/corpus/corpus.h"
#include "vqas/score/score.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

using test::Json;
using Octets = std::vector<std::uint8_t>;
using Places = std::vector<std::uint64_t>;

constexpr const char* kStimulus = "M4";
constexpr double kBer = 1e-3;

Octets codes_of(std::span<const float> samples) {
  Octets codes(samples.size());
  g711_encode(samples, codes, G711Law::mu);
  return codes;
}

// The same octets, as a receiver's recording tells them: decoded, the two codes of 0 are alike.
Octets as_heard(const Octets& octets) {
  std::vector<float> samples(octets.size());
  g711_decode(octets, samples, G711Law::mu);
  return codes_of(samples);
}

// Where `sent` stands in `heard`: most octets of its middle agree.
std::size_t place_of(const Octets& sent, const Octets& heard) {
  constexpr std::size_t kProbe = 2000;
  const std::size_t middle = sent.size() / 2;
  std::size_t best = 0, most = 0;
  for (std::size_t at = 0; at + sent.size() <= heard.size(); ++at) {
    std::size_t equal = 0;
    for (std::size_t i = 0; i < kProbe; ++i) equal += sent[middle + i] == heard[at + middle + i] ? 1 : 0;
    if (equal <= most) continue;
    most = equal;
    best = at;
  }
  return best;
}

// The inverted bits, the first of an octet its most significant one.
Places wrong_bits(std::span<const std::uint8_t> sent, std::span<const std::uint8_t> heard) {
  Places places;
  for (std::size_t i = 0; i < sent.size(); ++i) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      if (((sent[i] ^ heard[i]) & (0x80U >> bit)) != 0) places.push_back(8 * i + bit);
    }
  }
  return places;
}

// How far the pattern's places lie behind these: of all shifts by whole octets, the one with the most in common.
std::uint64_t shift_of(const Places& places, const ErrorPattern& pattern) {
  std::vector<bool> recorded(pattern.bits);
  for (const std::uint64_t place : pattern.places) recorded[place] = true;
  std::uint64_t best = 0;
  std::ptrdiff_t most = 0;
  for (std::uint64_t shift = 0; places.back() + shift < pattern.bits; shift += 8) {
    const auto common = std::ranges::count_if(places, [&](std::uint64_t place) { return recorded[place + shift]; });
    if (common <= most) continue;
    most = common;
    best = shift;
  }
  return best;
}

class RelayedSipTest : public ::testing::Test {
 protected:
  void SetUp() override {
    test::application();
    for (auto& space : spaces_) {
      space = test::NetworkSpace::create();
      if (!space) GTEST_SKIP() << "not run: network namespaces need root (CAP_SYS_ADMIN and CAP_NET_ADMIN)";
    }
    test::join(*spaces_[0], *spaces_[2], "10.99.1");
    test::join(*spaces_[1], *spaces_[2], "10.99.2");
    spaces_[1]->ip("route add 10.99.1.0/24 via 10.99.2.2");
    ASSERT_TRUE(spaces_[2]->enter());
    relay_ = std::make_unique<test::Child>(
        test::guarded({test::vqas_command(), "relay", "sip", "--listen", "10.99.1.2:5060", "--phone",
                       "4712=10.99.2.1:5060", "--record", (folder_.path() / "patterns").string(), "--json", "--seed",
                       "7", "--a-to-b", fmt::format("ber={}", kBer)}),
        folder_.path() / "relay");
    ASSERT_TRUE(spaces_[2]->leave());
    ASSERT_TRUE(
        test::wait_until([&] { return test::read_text(folder_.path() / "relay").find('\n') != std::string::npos; }));
    start(1, "sip:4712@10.99.2.1:5060");
    start(0, "sip:4711@10.99.1.2;dial=4712@10.99.1.2:5060;listen=10.99.1.1");
  }
  void start(std::size_t n, const std::string& line) {
    ASSERT_TRUE(spaces_.at(n)->enter());
    processes_.at(n) = std::make_unique<test::NodeProcess>(n == 0 ? "a" : "b", line, folder_.path());
    const std::string address = processes_.at(n)->address();
    nodes_.at(n) = std::make_unique<test::SpokenNode>(address);
    ASSERT_TRUE(spaces_.at(n)->leave());
    ASSERT_FALSE(address.empty()) << processes_.at(n)->output();
    ASSERT_TRUE(nodes_.at(n)->open({kStimulus}));
  }
  void TearDown() override {
    nodes_.clear();
    for (auto& one : processes_) one.reset();
  }

  test::TemporaryFolder folder_;
  std::array<std::unique_ptr<test::NetworkSpace>, 3> spaces_;  // of a, b and the relay
  std::unique_ptr<test::Child> relay_;
  std::array<std::unique_ptr<test::NodeProcess>, 2> processes_;
  std::vector<std::unique_ptr<test::SpokenNode>> nodes_ = std::vector<std::unique_ptr<test::SpokenNode>>(2);
};

TEST_F(RelayedSipTest, TheRelaysErrorsAppliedOfflineGiveWhatWasHeardAndItsScore) {
  constexpr int kRounds = 5;
  Json damaged, clean;
  for (int n = 0; n < kRounds && damaged.is_null(); ++n) {
    const int first = 2 * n + 1;
    ASSERT_TRUE(test::exchange(nodes_, first, {kStimulus}, first));
    ASSERT_TRUE(test::serve_until(
        [&] { return (nodes_[0]->done && nodes_[1]->done) || nodes_[0]->failed || nodes_[1]->failed; }, 120000));
    ASSERT_FALSE(nodes_[0]->failed) << nodes_[0]->failure.dump();
    const Json &to_b = nodes_[1]->measured[first], &to_a = nodes_[0]->measured[first];
    const auto is_whole = [](const Json& one) {
      return one["outcome"] == "scored" && one["line"].value("packets_lost", 0) == 0;
    };
    // A machine that pauses sends or reads too late.
    if (!is_whole(to_b) || !is_whole(to_a)) continue;
    damaged = to_b;
    clean = to_a;
  }
  ASSERT_FALSE(damaged.is_null()) << "the machine paused in " << kRounds << " rounds";
  processes_[0]->child().end();  // says BYE
  processes_[1]->child().end();
  EXPECT_EQ(relay_->end(), 0) << test::read_text(folder_.path() / "relay");

  const auto heard = read_audio(processes_[1]->data() / "recordings" / damaged["recording"].get<std::string>());
  ASSERT_TRUE(heard) << heard.error().message;
  const auto corpus = Corpus::load(std::string(test::source_dir()) + "/corpus");
  const auto reference = corpus->recording(kStimulus);
  ASSERT_TRUE(reference);
  const auto pattern = read_error_pattern(folder_.path() / "patterns" / "call-0000-a-to-b.bits");
  ASSERT_TRUE(pattern) << pattern.error().message;

  const Octets sent = codes_of(reference->samples), all = codes_of(heard->samples);
  ASSERT_GT(all.size(), sent.size());
  const Octets received(all.begin() + static_cast<std::ptrdiff_t>(place_of(sent, all)), all.end());
  const Places wrong = wrong_bits(as_heard(sent), std::span(received).first(sent.size()));
  ASSERT_GT(wrong.size(), 20U);
  const std::uint64_t shift = shift_of(wrong, *pattern);

  Places recorded;
  for (const std::uint64_t place : pattern->places) {
    if (place >= shift && place < shift + 8 * sent.size()) recorded.push_back(place - shift);
  }
  Octets offline = sent;
  BitErrorStream(std::make_unique<ListedErrors>(recorded)).process(offline);
  const Octets heard_again = as_heard(offline);
  std::size_t differing = 0;
  for (std::size_t i = 0; i < sent.size(); ++i) differing += heard_again[i] == received[i] ? 0 : 1;
  EXPECT_EQ(differing, 0U) << "of " << sent.size() << " octets, with " << recorded.size() << " wrong bits";

  Signal replayed{std::vector<float>(offline.size()), kLineRateHz};
  g711_decode(offline, replayed.samples, G711Law::mu);
  const auto score = Scorer().score(*reference, replayed);
  ASSERT_TRUE(score.mos_lqo) << score.reason;
  const double live = damaged["mos_lqo"].get<double>();
  EXPECT_NEAR(live, *score.mos_lqo, 0.05) << "the same errors, live and offline";
  EXPECT_NEAR(clean["mos_lqo"].get<double>(), 4.10, 0.03) << "the other direction has no errors";
  fmt::print("live {:.3f}, offline {:.3f}, {} wrong bits\n", live, *score.mos_lqo, recorded.size());
}

}  // namespace
}  // namespace vqas
