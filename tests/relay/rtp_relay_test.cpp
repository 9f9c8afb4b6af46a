#include "vqas/relay/rtp_relay.h"

#include <gtest/gtest.h>

#include <thread>

#include "channel/binomial_bounds.h"
#include "relay/endpoint.h"
#include "relay/pattern_notes.h"
#include "support/compare_octets.h"
#include "support/temporary_folder.h"
#include "vqas/channel/random.h"

namespace vqas {
namespace {

using test::Endpoint;
using test::kMs;
using test::loopback;
using test::Octets;
using test::stream_packet;

class RtpRelayTest : public ::testing::Test {
 protected:
  RtpRelayTest() : relay_(std::move(RtpRelay::start()).value()) {
    for (CallSide& side : options_.sides) side.listen = loopback();
  }

  // With both peers known from the start.
  RelayedCallState add_call() {
    options_.sides[0].peer = a_.address();
    options_.sides[1].peer = b_.address();
    return add_unknown_call();
  }
  RelayedCallState add_unknown_call() {
    auto added = relay_->add_call(options_);
    EXPECT_TRUE(added) << (added ? "" : added.error().message);
    return *added;
  }
  static SocketAddress port(const RelayedCallState& call, End side) {
    return call.directions[static_cast<std::size_t>(side)].listen;
  }
  RelayCounters counters(const RelayedCallState& call, End from) const {
    return relay_->call(call.number)->directions[static_cast<std::size_t>(from)].counters;
  }
  static RelayConditions with_ber(double ber) {
    RelayConditions conditions;
    conditions.profile.errors = {RandomRate{ber}};
    return conditions;
  }
  // Sends packets and returns the received payload.
  Octets talk(const Endpoint& from, Endpoint& to, const SocketAddress& port, std::uint64_t count) {
    Octets heard;
    for (std::uint64_t k = 0; k < count; ++k) {
      from.send(stream_packet(sent_++), port);
      const auto packet = to.hear();
      EXPECT_TRUE(packet);
      if (!packet) return heard;
      const Octets payload = test::payload_of(packet->octets);
      heard.insert(heard.end(), payload.begin(), payload.end());
    }
    return heard;
  }

  std::unique_ptr<RtpRelay> relay_;
  CallOptions options_;
  std::uint64_t sent_ = 0;  // packets, by talk()
  Endpoint a_, b_;
};

TEST_F(RtpRelayTest, RtpAndRtcpPassInBothDirections) {
  const RelayedCallState call = add_call();
  a_.send(stream_packet(1), port(call, End::a));
  const auto at_b = b_.hear();
  ASSERT_TRUE(at_b);
  EXPECT_EQ(at_b->octets, stream_packet(1));
  EXPECT_EQ(at_b->from, port(call, End::b));
  b_.send(stream_packet(2), port(call, End::b));
  const auto at_a = a_.hear();
  ASSERT_TRUE(at_a);
  EXPECT_EQ(at_a->octets, stream_packet(2));
  EXPECT_EQ(at_a->from, port(call, End::a));
  const Octets report = test::rtp_packet({.payload_type = 200, .octets = 16});
  SocketAddress rtcp = port(call, End::a);
  ++rtcp.port;
  a_.send_rtcp(report, rtcp);
  const auto control = b_.hear_rtcp();
  ASSERT_TRUE(control);
  EXPECT_EQ(control->octets, report);
  EXPECT_EQ(counters(call, End::a).packets, 1U);
  EXPECT_EQ(counters(call, End::a).sent, 1U);
  EXPECT_EQ(counters(call, End::a).rtcp_packets, 1U);
}

TEST_F(RtpRelayTest, ControlPacketsOnThePortOfRtpAreNotCountedAsRtp) {
  const RelayedCallState call = add_call();
  const Octets report = test::rtp_packet({.payload_type = 200, .octets = 16});
  a_.send(report, port(call, End::a));
  const auto control = b_.hear();
  ASSERT_TRUE(control);
  EXPECT_EQ(control->octets, report);
  const RelayCounters counted = counters(call, End::a);
  EXPECT_EQ(counted.packets, 0U);
  EXPECT_EQ(counted.sent, 0U);
  EXPECT_EQ(counted.rtcp_packets, 1U);
}

TEST_F(RtpRelayTest, OneFileForBothDirectionsIsRefused) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory_symlink(folder.path(), folder.path() / "again");
  options_.sides[0].record = {folder.path() / "both.bits"};
  options_.sides[1].record = {folder.path() / "again" / "both.bits"};
  const auto refused = relay_->add_call(options_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::bad_input);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "both.bits"));
  options_.sides[1].record = {folder.path() / "there.bits"};
  test::write_text(folder.path() / "there.bits", "earlier");
  EXPECT_FALSE(relay_->add_call(options_));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "both.bits")) << "left by a refused call";
  EXPECT_EQ(test::read_text(folder.path() / "there.bits"), "earlier");
}

TEST_F(RtpRelayTest, AddressesOfEndpointsAreLearnt) {
  const RelayedCallState call = add_unknown_call();
  a_.send(stream_packet(1), port(call, End::a));  // no peer is known yet
  while (counters(call, End::a).unsendable == 0) std::this_thread::yield();
  b_.send(stream_packet(1), port(call, End::b));
  EXPECT_TRUE(a_.hear());
  a_.send(stream_packet(2), port(call, End::a));
  EXPECT_TRUE(b_.hear());
  Endpoint stranger;
  stranger.send(stream_packet(3), port(call, End::a));
  while (counters(call, End::a).strangers == 0) std::this_thread::yield();
  EXPECT_FALSE(b_.hear(50));
}

TEST_F(RtpRelayTest, APacketThatIsNotRtpDoesNotDecideWhereAStreamIsSent) {
  const RelayedCallState call = add_unknown_call();
  Endpoint stranger;
  stranger.send({1, 2, 3}, port(call, End::b));
  b_.send(stream_packet(1), port(call, End::b));
  while (counters(call, End::b).packets == 0) std::this_thread::yield();
  a_.send(stream_packet(2), port(call, End::a));
  EXPECT_TRUE(b_.hear());
  EXPECT_EQ(counters(call, End::b).malformed, 1U);
}

TEST_F(RtpRelayTest, OnlySymmetricPeersMayUseAnotherPortOfTheirHost) {
  for (const bool symmetric : {true, false}) {
    options_.sides[0].symmetric = symmetric;
    const RelayedCallState call = add_call();
    Endpoint elsewhere;
    elsewhere.send(stream_packet(1), port(call, End::a));
    EXPECT_EQ(b_.hear(symmetric ? 2000 : 50).has_value(), symmetric);
    b_.send(stream_packet(1), port(call, End::b));
    EXPECT_TRUE(symmetric ? elsewhere.hear() : a_.hear());
    EXPECT_EQ(counters(call, End::a).strangers, symmetric ? 0U : 1U);
    ASSERT_TRUE(relay_->remove_call(call.number));
  }
}

TEST_F(RtpRelayTest, EachDirectionHasItsOwnErrors) {
  options_.seed = 42;
  options_.sides[0].conditions = with_ber(1e-2);
  options_.sides[1].conditions = with_ber(1e-2);
  const RelayedCallState call = add_call();
  const Octets at_b = talk(a_, b_, port(call, End::a), 200);
  const Octets at_a = talk(b_, a_, port(call, End::b), 200);
  Octets from_a(at_b.size());
  Octets from_b(at_a.size());
  BitErrorStream(std::make_unique<RandomErrors>(1e-2, 42, 2 * call.number)).process(from_a);
  BitErrorStream(std::make_unique<RandomErrors>(1e-2, 42, 2 * call.number + 1)).process(from_b);
  EXPECT_EQ(at_b, from_a);
  EXPECT_EQ(at_a, from_b);
  EXPECT_NE(at_a, at_b);
}

TEST_F(RtpRelayTest, DelayIsKept) {
  options_.sides[0].conditions.delay_ms = 80;
  const RelayedCallState call = add_call();
  for (std::uint64_t k = 0; k < 5; ++k) {
    const std::int64_t sent = monotonic_ns();
    a_.send(stream_packet(k), port(call, End::a));
    const auto heard = b_.hear();
    ASSERT_TRUE(heard);
    EXPECT_GE(heard->came_ns - sent, 80 * kMs);
    // The upper bound is looser: load on the machine delays the relay.
    EXPECT_LT(heard->came_ns - sent, 180 * kMs);
  }
}

TEST_F(RtpRelayTest, DelayedPacketsKeepTheirOrderAndArriveOnce) {
  RelayConditions& conditions = options_.sides[0].conditions;
  conditions.delay_ms = 20;
  conditions.profile.packets.emplace();
  conditions.profile.packets->jitter_ms = 30;
  conditions.profile.packets->keeps_order = true;
  const RelayedCallState call = add_call();
  for (std::uint64_t k = 0; k < 100; ++k) a_.send(stream_packet(k), port(call, End::a));
  for (std::uint64_t k = 0; k < 100; ++k) {
    const auto heard = b_.hear();
    ASSERT_TRUE(heard);
    EXPECT_EQ(heard->octets, stream_packet(k));
  }
  EXPECT_FALSE(b_.hear(50));
}

TEST_F(RtpRelayTest, ConditionsChangeWhileItRuns) {
  const RelayedCallState call = add_call();
  EXPECT_EQ(talk(a_, b_, port(call, End::a), 10), Octets(1600));
  ASSERT_TRUE(relay_->change(call.number, End::a, with_ber(0.5)));
  EXPECT_NE(talk(a_, b_, port(call, End::a), 10), Octets(1600));
  EXPECT_EQ(talk(b_, a_, port(call, End::b), 10), Octets(1600)) << "the other direction must not change";
  ASSERT_TRUE(relay_->change(call.number, End::a, {}));
  ASSERT_TRUE(relay_->inject(call.number, End::a, 1));
  Octets single(1600);
  single[0] = 0x80;
  EXPECT_EQ(talk(a_, b_, port(call, End::a), 10), single);
  EXPECT_FALSE(relay_->change(call.number, End::a, with_ber(0.7)));
  EXPECT_FALSE(relay_->change(99, End::a, {}));
  EXPECT_FALSE(relay_->inject(call.number, End::a, 0));
  EXPECT_FALSE(relay_->inject(99, End::a, 1));
}

TEST_F(RtpRelayTest, RecordsThePatternOfEachDirection) {
  const test::TemporaryFolder folder;
  options_.sides[0].conditions = with_ber(1e-2);
  options_.sides[1].conditions = with_ber(1e-3);
  options_.sides[0].record = {folder.path() / "ab.bits"};
  options_.sides[1].record = {folder.path() / "ba.g192"};
  const RelayedCallState call = add_call();
  const Octets at_b = talk(a_, b_, port(call, End::a), 100);
  const Octets at_a = talk(b_, a_, port(call, End::b), 100);
  const auto last = relay_->remove_call(call.number);
  ASSERT_TRUE(last) << last.error().message;
  EXPECT_TRUE(test::is_binomial(last->directions[0].counters.errors.errors(), 128'000, 1e-2));
  EXPECT_EQ(*read_error_pattern(folder.path() / "ab.bits"), test::compare_octets(Octets(at_b.size()), at_b));
  EXPECT_EQ(*read_error_pattern(folder.path() / "ba.g192"), test::compare_octets(Octets(at_a.size()), at_a));
  EXPECT_EQ(test::notes_on(folder.path() / "ba.g192")["stream"], 2 * call.number + 1);
}

TEST_F(RtpRelayTest, HostilePacketsAreCountedAndTheCallContinues) {
  const RelayedCallState call = add_call();
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    Octets noise(random.next() % 3000);
    for (auto& octet : noise) octet = static_cast<std::uint8_t>(random.next());
    a_.send(noise, port(call, End::a));
    SocketAddress rtcp = port(call, End::a);
    ++rtcp.port;
    a_.send_rtcp(noise, rtcp);
  }
  a_.send(Octets(60'000, 0x80), port(call, End::a));
  b_.send(stream_packet(1), port(call, End::b));
  EXPECT_TRUE(a_.hear());
  const RelayCounters counted = counters(call, End::a);
  EXPECT_GT(counted.malformed, 500U);
  EXPECT_GT(counted.oversized, 500U);
}

TEST_F(RtpRelayTest, OddOrUsedPortsAreRefused) {
  options_.sides[0].listen = a_.address();
  auto refused = relay_->add_call(options_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::io);
  options_.sides[0].listen.port = 40'001;
  refused = relay_->add_call(options_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::bad_input);
  options_.sides[0].listen.port = 0;
  options_.sides[1].conditions = with_ber(-1);
  EXPECT_FALSE(relay_->add_call(options_));
}

TEST_F(RtpRelayTest, AnEndedCallFreesItsPorts) {
  const RelayedCallState call = add_call();
  ASSERT_TRUE(relay_->remove_call(call.number));
  EXPECT_FALSE(relay_->remove_call(call.number));
  EXPECT_FALSE(relay_->call(call.number));
  EXPECT_TRUE(relay_->calls().empty());
  options_.sides[0].listen = port(call, End::a);
  EXPECT_TRUE(relay_->add_call(options_));
}

TEST_F(RtpRelayTest, LoopbackReturnsRtpAndForwardsRtcpAsUsual) {
  options_.sides[0].conditions.loopback = true;
  const RelayedCallState call = add_call();
  a_.send(stream_packet(1), port(call, End::a));
  const auto back = a_.hear();
  ASSERT_TRUE(back);
  EXPECT_EQ(back->octets, stream_packet(1));
  EXPECT_EQ(back->from, port(call, End::a));
  const Octets report = test::rtp_packet({.payload_type = 200, .octets = 16});
  a_.send(report, port(call, End::a));
  const auto at_b = b_.hear();
  ASSERT_TRUE(at_b);
  EXPECT_EQ(at_b->octets, report) << "and nothing arrived before it";
  b_.send(stream_packet(2), port(call, End::b));
  ASSERT_TRUE(a_.hear()) << "the other direction must not change";
  ASSERT_TRUE(relay_->change(call.number, End::a, {}));
  a_.send(stream_packet(3), port(call, End::a));
  EXPECT_TRUE(b_.hear());
}

TEST_F(RtpRelayTest, CallsAreSeparate) {
  const RelayedCallState first = add_call();
  Endpoint c, d;
  options_.sides[0].peer = c.address();
  options_.sides[1].peer = d.address();
  const RelayedCallState second = *relay_->add_call(options_);
  a_.send(stream_packet(1), port(first, End::a));
  c.send(stream_packet(2), port(second, End::a));
  EXPECT_EQ(b_.hear()->octets, stream_packet(1));
  EXPECT_EQ(d.hear()->octets, stream_packet(2));
  EXPECT_EQ(relay_->calls().size(), 2U);
  EXPECT_EQ(relay_->numbers(), (std::vector<std::uint64_t>{first.number, second.number}));
  EXPECT_TRUE(relay_->silent_ns(second.number));
  EXPECT_FALSE(relay_->silent_ns(second.number + 1));
}

}  // namespace
}  // namespace vqas
