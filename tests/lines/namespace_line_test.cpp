// Two nodes in separate network namespaces: two hosts on one machine, joined by a virtual wire.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "lines/network_space.h"
#include "lines/node_process.h"
#include "lines/spoken_node.h"

namespace vqas {
namespace {

using test::Json;

class NamespaceLineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    test::application();
    for (auto& space : spaces_) {
      space = test::NetworkSpace::create();
      if (!space) GTEST_SKIP() << "not run: network namespaces need root (CAP_SYS_ADMIN and CAP_NET_ADMIN)";
    }
    test::join(*spaces_[0], *spaces_[1], "10.99.0");
    if (!HasFatalFailure() && !HasNonfatalFailure()) {
      start({"rtp:10.99.0.1:20000/10.99.0.2:20000", "rtp:10.99.0.2:20000/10.99.0.1:20000"});
    }
  }
  void start(const std::array<std::string, 2>& lines) {
    // The control socket is on the namespace's own loopback; a socket stays in the namespace of its creation.
    for (std::size_t n = 0; n < 2; ++n) {
      ASSERT_TRUE(spaces_[n]->enter());
      processes_.push_back(std::make_unique<test::NodeProcess>(n == 0 ? "a" : "b", lines[n], folder_.path()));
      ASSERT_TRUE(spaces_[n]->leave());
    }
    for (std::size_t n = 0; n < 2; ++n) {
      const std::string address = processes_[n]->address();
      ASSERT_FALSE(address.empty()) << processes_[n]->output();
      ASSERT_TRUE(spaces_[n]->enter());
      nodes_.push_back(std::make_unique<test::SpokenNode>(address));
      ASSERT_TRUE(spaces_[n]->leave());
    }
  }
  void TearDown() override {
    nodes_.clear();
    processes_.clear();
  }

  test::TemporaryFolder folder_;
  std::array<std::unique_ptr<test::NetworkSpace>, 2> spaces_;
  std::vector<std::unique_ptr<test::NodeProcess>> processes_;
  std::vector<std::unique_ptr<test::SpokenNode>> nodes_;
};

TEST_F(NamespaceLineTest, SpeechPassesBothWaysOverRtpAndPacketsAreCounted) {
  const std::vector<std::string> stimuli{"M4", "F2"};
  for (auto& node : nodes_) ASSERT_TRUE(node->open(stimuli));
  // A paused machine sends too late: the nodes report it, and the transmission is repeated.
  constexpr int kRounds = 5;
  std::array<std::array<bool, 2>, 2> passed{};
  for (int round = 0; round < kRounds && passed != std::array<std::array<bool, 2>, 2>{{{true, true}, {true, true}}};
       ++round) {
    const int first = 2 * round + 1;
    ASSERT_TRUE(test::exchange(nodes_, first, stimuli, first));
    ASSERT_TRUE(test::serve_until([&] { return nodes_[0]->done && nodes_[1]->done; }, 120000));
    for (std::size_t to = 0; to < 2; ++to) {
      for (std::size_t n = 0; n < 2; ++n) {
        const int sequence = first + static_cast<int>(n);
        const Json& m = nodes_[to]->measured[sequence];
        // Late packets are due to the machine, packets that never arrived to the network; this network loses none.
        const int lost = m["line"].value("packets_lost", -1), late = m["line"].value("packets_late", -1);
        EXPECT_EQ(lost - late, 0) << m.dump();
        const auto& played = nodes_[1 - to]->played[sequence]["line"];
        const bool stood = late > 0 || played.value("inserted_samples", 0) > 0 || m["outcome"] == "audio_fault";
        if (stood) fmt::print("end {}, {}: the machine paused, {} packets late\n", to, sequence, late);
        if (stood) continue;
        passed.at(to).at(n) = true;
        ASSERT_EQ(m.value("outcome", ""), "scored") << m.dump();
        // The scores of these two after mu-law alone.
        EXPECT_NEAR(m["mos_lqo"].get<double>(), n == 0 ? 4.10 : 3.85, 0.03);
        EXPECT_GT(m["line"]["packets"].get<int>(), 100);
        // The jitter buffer holds 60 ms, and the ends' blocks start at different times.
        const double delay_ms = test::delay_ms(m, nodes_[1 - to]->sent[sequence]);
        EXPECT_GE(delay_ms, 39);
        EXPECT_LE(delay_ms, 101);
        fmt::print("end {}: MOS {:.2f}, delay {:.2f} ms, {} packets, jitter {:.3f} ms\n", to,
                   m["mos_lqo"].get<double>(), delay_ms, m["line"]["packets"].get<int>(),
                   m["line"]["jitter_ms"].get<double>());
      }
    }
  }
  for (const auto& end : passed) EXPECT_TRUE(end[0] && end[1]) << "the machine paused in " << kRounds << " rounds";
}

TEST_F(NamespaceLineTest, AnEndThatLeavesIsALostLine) {
  const std::vector<std::string> stimuli{"M5"};
  for (auto& node : nodes_) ASSERT_TRUE(node->open(stimuli));
  ASSERT_TRUE(test::exchange(nodes_, 1, stimuli, 1));
  ASSERT_TRUE(test::serve_until([&] { return nodes_[1]->sent.contains(1); }));
  processes_[0]->child().end();
  ASSERT_TRUE(test::serve_until([&] { return nodes_[1]->failed; }));
  EXPECT_EQ(nodes_[1]->failure["code"], "line_lost");
  EXPECT_NE(nodes_[1]->failure["message"].get<std::string>().find("hung up"), std::string::npos);
}

}  // namespace
}  // namespace vqas
