// A node is watched without being held.
#include "vqas/node/node_watch.h"

#include <gtest/gtest.h>

#include "node/node_harness.h"
#include "vqas/node/peers.h"

namespace vqas {
namespace {

class Watched : public test::NodeTest {
 protected:
  void start_nodes(bool tls = false) {
    NodeOptions options;
    options.tls = tls;
    bench_.emplace(test::varied_line(1e-4, 7), folder_, options, options);
  }
  /// Watches until something is seen or lost.
  void watch(const std::string& address, const NodeAccess& access = {}) {
    watch_.emplace(address, access);
    QObject::connect(&*watch_, &NodeWatch::seen, [this](const NodeSighting& node) { seen_.push_back(node); });
    QObject::connect(&*watch_, &NodeWatch::lost, [this](NodeFault fault, const QString& why) {
      fault_ = fault;
      why_ = why.toStdString();
    });
    watch_->start();
    EXPECT_TRUE(test::serve_until([this] { return !seen_.empty() || fault_; }, 20000));
  }
  std::optional<test::Bench> bench_;
  std::optional<NodeWatch> watch_;
  std::vector<NodeSighting> seen_;
  std::optional<NodeFault> fault_;
  std::string why_;
};

TEST_F(Watched, SaysItsEndItsLineAndWhoHoldsIt) {
  start_nodes();
  watch(bench_->node_b->address());
  ASSERT_FALSE(seen_.empty()) << why_;
  EXPECT_EQ(seen_.back().end, End::b);
  EXPECT_EQ(seen_.back().line, bench_->simulator->name(End::b));
  EXPECT_EQ(seen_.back().held_by, "");
  EXPECT_GT(seen_.back().round_trip_ms, 0);
  test::WatchedRun run(test::short_plan(*bench_, folder_ / "run"));
  ASSERT_TRUE(test::serve_until([this, &run] { return run.finished || !seen_.back().held_by.empty(); }, 20000));
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.error, "") << "watching disturbs no run";
}

TEST_F(Watched, ACodeThatWasReadOutOpensANodeOverTls) {
  start_nodes(true);
  const auto code = renew_node_code(folder_ / "a", "partner");
  ASSERT_TRUE(code);
  watch(bench_->node_a->address(), {bench_->node_a->fingerprint(), *code});
  EXPECT_FALSE(seen_.empty()) << why_;
  const auto renewed = renew_node_code(folder_ / "a", "partner");
  ASSERT_TRUE(renewed);
  seen_.clear();
  watch(bench_->node_a->address(), {bench_->node_a->fingerprint(), *code});
  EXPECT_EQ(fault_, NodeFault::token_refused) << "a new code replaces the old one";
}

TEST_F(Watched, AMissingTokenAWrongCertificateAndNoNodeAreToldApart) {
  start_nodes(true);
  watch(bench_->node_a->address(), {bench_->node_a->fingerprint(), ""});
  EXPECT_EQ(fault_, NodeFault::token_refused) << why_;
  fault_.reset();
  watch(bench_->node_a->address(), {bench_->node_b->fingerprint(), "x"});
  EXPECT_EQ(fault_, NodeFault::wrong_certificate) << why_;
  fault_.reset();
  watch("ws://127.0.0.1:1");
  EXPECT_EQ(fault_, NodeFault::unreachable) << why_;
}

TEST_F(Watched, ANodeThatEndsIsGone) {
  start_nodes();
  watch(bench_->node_a->address());
  ASSERT_FALSE(seen_.empty());
  bench_->node_a.reset();
  ASSERT_TRUE(test::serve_until([this] { return fault_.has_value(); }, 20000));
  EXPECT_EQ(fault_, NodeFault::gone) << why_;
}

}  // namespace
}  // namespace vqas
