// Two nodes in network namespaces of their own: two hosts on one machine, joined by a wire of the kernel's.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <array>

#include "lines/node_process.h"
#include "lines/spoken_node.h"
#include "support/process.h"

namespace vqas {
namespace {

using test::Json;

class NamespaceLineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    test::application();
    home_ = ::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    const std::string tag = std::to_string(::getpid());
    names_ = {"vqa" + tag, "vqb" + tag};
    if (!run("netns add " + names_[0]))
      GTEST_SKIP() << "not run: network namespaces need root (CAP_SYS_ADMIN and CAP_NET_ADMIN)";
    ASSERT_TRUE(run("netns add " + names_[1]));
    ASSERT_TRUE(run("link add " + names_[0] + " type veth peer name " + names_[1]));
    for (std::size_t n = 0; n < 2; ++n) {
      ASSERT_TRUE(run("link set " + names_[n] + " netns " + names_[n]));
      const std::string in = "-n " + names_[n] + " ";
      ASSERT_TRUE(run(in + "addr add 10.99.0." + std::to_string(n + 1) + "/24 dev " + names_[n]));
      ASSERT_TRUE(run(in + "link set " + names_[n] + " up"));
      ASSERT_TRUE(run(in + "link set lo up"));
    }
    start("rtp:10.99.0.1:20000/10.99.0.2:20000", "rtp:10.99.0.2:20000/10.99.0.1:20000");
  }
  void start(const std::string& line_a, const std::string& line_b) {
    for (std::size_t n = 0; n < 2; ++n) {
      processes_.push_back(
          std::make_unique<test::NodeProcess>(n == 0 ? "a" : "b", n == 0 ? line_a : line_b, folder_.path(),
                                              std::vector<std::string>{"ip", "netns", "exec", names_[n]}));
    }
    for (std::size_t n = 0; n < 2; ++n) {
      const std::string address = processes_[n]->address();
      ASSERT_FALSE(address.empty()) << processes_[n]->output();
      // The control socket is on the namespace's own loopback; a socket stays where it was made.
      const int there = ::open(("/run/netns/" + names_[n]).c_str(), O_RDONLY | O_CLOEXEC);
      ASSERT_EQ(::setns(there, CLONE_NEWNET), 0);
      nodes_.push_back(std::make_unique<test::SpokenNode>(address));
      EXPECT_EQ(::setns(home_, CLONE_NEWNET), 0);
      ::close(there);
    }
  }
  void TearDown() override {
    nodes_.clear();
    processes_.clear();
    for (const std::string& name : names_) {
      if (!name.empty()) run("netns del " + name);
    }
    if (home_ >= 0) ::close(home_);
  }
  static bool run(const std::string& arguments) {
    return test::run_command("ip " + arguments + " 2>/dev/null").exit_code == 0;
  }

  test::TemporaryFolder folder_;
  int home_ = -1;
  std::array<std::string, 2> names_;
  std::vector<std::unique_ptr<test::NodeProcess>> processes_;
  std::vector<std::unique_ptr<test::SpokenNode>> nodes_;
};

TEST_F(NamespaceLineTest, SpeechPassesBothWaysOverRtpAndItsPacketsAreCounted) {
  const std::vector<std::string> stimuli{"M4", "F2"};
  for (auto& node : nodes_) ASSERT_TRUE(node->open(stimuli));
  for (auto& node : nodes_) ASSERT_TRUE(node->run_round(1, stimuli, stimuli, 1).contains("result"));
  ASSERT_TRUE(test::serve_until([&] { return nodes_[0]->done && nodes_[1]->done; }, 60000));
  for (std::size_t to = 0; to < 2; ++to) {
    for (int sequence = 1; sequence <= 2; ++sequence) {
      const Json& m = nodes_[to]->measured[sequence];
      ASSERT_EQ(m.value("outcome", ""), "scored") << m.dump();
      // What mu-law alone makes of these two.
      EXPECT_NEAR(m["mos_lqo"].get<double>(), sequence == 1 ? 4.15 : 3.89, 0.03);
      EXPECT_EQ(m["line"]["packets_lost"], 0) << m.dump();
      EXPECT_GT(m["line"]["packets"].get<int>(), 100);
      // The jitter buffer holds 60 ms, and the ends' blocks begin at different times.
      const double delay_ms = test::delay_ms(m, nodes_[1 - to]->sent[sequence]);
      EXPECT_GE(delay_ms, 39);
      EXPECT_LE(delay_ms, 101);
      fmt::print("end {}: MOS {:.2f}, delay {:.2f} ms, {} packets, jitter {:.3f} ms\n", to, m["mos_lqo"].get<double>(),
                 delay_ms, m["line"]["packets"].get<int>(), m["line"]["jitter_ms"].get<double>());
    }
  }
}

TEST_F(NamespaceLineTest, AnEndThatIsGoneIsALostLine) {
  const std::vector<std::string> stimuli{"M5"};
  for (auto& node : nodes_) ASSERT_TRUE(node->open(stimuli));
  for (auto& node : nodes_) ASSERT_TRUE(node->run_round(1, stimuli, stimuli, 1).contains("result"));
  ASSERT_TRUE(test::serve_until([&] { return nodes_[1]->sent.contains(1); }, 20000));
  processes_[0]->child().end();
  ASSERT_TRUE(test::serve_until([&] { return nodes_[1]->failed; }, 20000));
  EXPECT_EQ(nodes_[1]->failure["code"], "line_lost");
  EXPECT_NE(nodes_[1]->failure["message"].get<std::string>().find("no packet"), std::string::npos);
}

}  // namespace
}  // namespace vqas
