#include "relay/relayed_call.h"

#include <gtest/gtest.h>

#include "relay/endpoint.h"

namespace vqas {
namespace {

using test::loopback;
using test::Octets;
using test::stream_packet;

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr SocketAddress kOld{0x7F000001, 20000};
constexpr SocketAddress kNew{0x7F000001, 20010};

// Packets and times come from the test; only the ports are real.
class RelayedCallTest : public ::testing::Test {
 protected:
  RelayedCallTest() {
    for (CallSide& side : options_.sides) side.listen = loopback();
  }
  void open() {
    auto opened = RelayedCall::open(0, options_, 0);
    ASSERT_TRUE(opened) << opened.error().message;
    call_ = std::move(opened).value();
  }
  void take(Octets octets, const SocketAddress& from, std::int64_t now_ns, bool rtcp = false, End side = End::a) {
    PacketReader::Packet packet{octets, from, now_ns};
    call_->take({&packet, 1}, side, rtcp, queue_);
  }
  void take_rtcp(const SocketAddress& from, std::int64_t now_ns) {
    take(test::rtp_packet({.payload_type = 200, .octets = 16}), {from.host, static_cast<std::uint16_t>(from.port + 1)},
         now_ns, true);
  }
  RelayCounters counters(End from = End::a) { return call_->path(from).counters(); }

  CallOptions options_;
  std::unique_ptr<RelayedCall> call_;
  DelayQueue queue_;
};

TEST_F(RelayedCallTest, RtpMayMoveToAnotherPortAfterSilenceThoughRtcpContinued) {
  open();
  take(stream_packet(0), kOld, 0);
  for (std::int64_t s = 0; s < 9; ++s) take_rtcp(kOld, s * kSecondNs);
  for (std::uint64_t k = 1; k <= 400; ++k) take(stream_packet(k), kNew, 9 * kSecondNs);
  EXPECT_EQ(counters().strangers, 0U);
  EXPECT_EQ(counters().packets, 401U);
  EXPECT_EQ(call_->state(0).directions[0].peer, kNew);
}

TEST_F(RelayedCallTest, RtcpMayMoveToAnotherPortAfterSilenceThoughRtpContinued) {
  open();
  take_rtcp(kOld, 0);
  for (std::uint64_t k = 0; k < 450; ++k) {
    take(stream_packet(k), kOld, static_cast<std::int64_t>(k) * 20 * test::kMs);
  }
  take_rtcp(kNew, 9 * kSecondNs);
  EXPECT_EQ(counters().strangers, 0U);
  EXPECT_EQ(counters().rtcp_packets, 2U);
}

TEST_F(RelayedCallTest, AnotherPortIsAStrangerWhileTheEndpointSends) {
  open();
  take(stream_packet(0), kOld, 0);
  take(stream_packet(1), kOld, 4 * kSecondNs);
  take(stream_packet(2), kNew, 8 * kSecondNs);
  EXPECT_EQ(counters().strangers, 1U);
  EXPECT_EQ(counters().packets, 2U);
}

TEST_F(RelayedCallTest, AFloodFillsOnlyTheRoomOfItsOwnCall) {
  options_.sides[0].conditions.delay_ms = 10'000;
  open();
  constexpr std::uint64_t kFlood = 20'000;
  for (std::uint64_t k = 0; k < kFlood; ++k) {
    take(test::rtp_packet({.sequence = static_cast<std::uint16_t>(k), .octets = 2000}), kOld, 0);
  }
  const std::uint64_t room = RelayedCall::kMostWaiting / DelayQueue::cost_of(2012);
  EXPECT_EQ(queue_.size(), room);
  EXPECT_EQ(counters().no_room, kFlood - room);
  // Another call still has room, and this one has room again when packets have left.
  const std::unique_ptr<RelayedCall> flooded = std::move(call_);
  open();
  take(stream_packet(0), kOld, 0);
  EXPECT_EQ(counters().no_room, 0U);
  EXPECT_EQ(queue_.size(), room + 1);
  flooded->send(queue_.front(), 0);
  queue_.pop();
  EXPECT_TRUE(flooded->has_room_for(2012));
}

TEST(DelayQueueTest, ThereIsABoundForAllCallsTogether) {
  DelayQueue queue;
  const Octets packet(160);
  std::size_t pushed = 0;
  while (queue.has_room_for(packet.size())) {
    queue.push(0, {}, packet);
    ++pushed;
  }
  EXPECT_EQ(pushed, DelayQueue::kMostOctets / DelayQueue::cost_of(160));
  EXPECT_EQ(DelayQueue::cost_of(160), DelayQueue::cost_of(20)) << "memory kept for longer packets counts";
  queue.pop();
  EXPECT_TRUE(queue.has_room_for(packet.size()));
  EXPECT_FALSE(queue.has_room_for(2048));
}

}  // namespace
}  // namespace vqas
