#include "relay/relay_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "channel/binomial_bounds.h"
#include "relay/packets.h"
#include "support/random_errors.h"

namespace vqas {
namespace {

using test::kMs;
using test::Octets;
using test::stream_packet;

constexpr std::int64_t kPacketNs = 20 * kMs;

RelayConditions with_ber(double ber) {
  RelayConditions conditions;
  conditions.profile.errors = {RandomRate{ber}};
  return conditions;
}
RelayConditions with_packets(const std::function<void(PacketConditions&)>& set, double delay_ms = 0) {
  RelayConditions conditions;
  conditions.delay_ms = delay_ms;
  set(conditions.profile.packets.emplace());
  return conditions;
}
RelayConditions with_loss(double ratio) {
  return with_packets([ratio](PacketConditions& packets) {
    packets.loss = LossKind::random;
    packets.loss_ratio = ratio;
  });
}
RelayConditions with_delay(double ms) {
  RelayConditions conditions;
  conditions.delay_ms = ms;
  return conditions;
}

struct Came {
  std::int64_t due_ns;
  std::uint64_t packet;
};
// The result of `count` packets, one every 20 ms, in the order of their times.
std::vector<Came> carried(RelayPath& path, std::uint64_t count) {
  std::vector<Came> came;
  for (std::uint64_t k = 0; k < count; ++k) {
    Octets packet = stream_packet(k);
    const PacketOrder order = path.take(packet, static_cast<std::int64_t>(k) * kPacketNs);
    for (int copy = 0; copy < order.copies; ++copy) came.push_back({order.due_ns, k});
  }
  std::stable_sort(came.begin(), came.end(), [](const Came& x, const Came& y) { return x.due_ns < y.due_ns; });
  return came;
}

TEST(RelayPath, WithoutConditionsPacketsPassImmediatelyAndUnchanged) {
  RelayPath path({}, 1, 0);
  for (std::uint64_t k = 0; k < 100; ++k) {
    const Octets sent = stream_packet(k);
    Octets packet = sent;
    const PacketOrder order = path.take(packet, static_cast<std::int64_t>(k));
    EXPECT_EQ(order.copies, 1);
    EXPECT_EQ(order.due_ns, static_cast<std::int64_t>(k));
    EXPECT_EQ(packet, sent);
  }
  EXPECT_EQ(path.counters().packets, 100U);
  EXPECT_EQ(path.counters().octets, 16000U);
  EXPECT_EQ(path.counters().errors.bits(), 128000U);
  EXPECT_EQ(path.counters().errors.errors(), 0U);
}

TEST(RelayPath, PayloadErrorsMatchRandomErrorsOnTheSameOctets) {
  Octets expected(500 * 160);
  test::random_errors(1e-2, 77, 5).process(expected);
  RelayPath path(with_ber(1e-2), 77, 5);
  Octets heard;
  for (std::uint64_t k = 0; k < 500; ++k) {
    const Octets sent = stream_packet(k);
    Octets packet = sent;
    path.take(packet, 0);
    EXPECT_TRUE(std::equal(packet.begin(), packet.begin() + 12, sent.begin())) << "a header was changed";
    const Octets payload = test::payload_of(packet);
    heard.insert(heard.end(), payload.begin(), payload.end());
  }
  EXPECT_EQ(heard, expected);
}

TEST(RelayPath, EachStreamHasItsOwnErrors) {
  const auto heard = [](std::uint64_t seed, std::uint64_t stream) {
    RelayPath path(with_ber(1e-2), seed, stream);
    Octets packet = stream_packet(0);
    path.take(packet, 0);
    return packet;
  };
  EXPECT_EQ(heard(1, 0), heard(1, 0));
  EXPECT_NE(heard(1, 0), heard(1, 1));
  EXPECT_NE(heard(1, 0), heard(2, 0));
}

TEST(RelayPath, ErrorsAreCountedInsideExactBinomialBounds) {
  for (const double ber : {1e-4, 1e-2, 0.5}) {
    RelayPath path(with_ber(ber), 3, 0);
    carried(path, 2000);
    const ErrorCounters& errors = path.counters().errors;
    EXPECT_EQ(errors.bits(), 2000U * 1280);
    EXPECT_TRUE(test::is_binomial(errors.errors(), errors.bits(), ber));
  }
}

TEST(RelayPath, OtherPayloadIsCountedAndUnchanged) {
  RelayPath path(with_ber(0.5), 3, 0);
  const Octets sent = stream_packet(0, 101);
  Octets packet = sent;
  EXPECT_EQ(path.take(packet, 0).copies, 1);
  EXPECT_EQ(packet, sent);
  EXPECT_EQ(path.counters().other_packets, 1U);
  EXPECT_EQ(path.counters().errors.bits(), 0U);
}

TEST(RelayPath, ControlPacketsAreDelayedAndNeverChangedOrLost) {
  RelayConditions conditions = with_loss(0.9);
  conditions.delay_ms = 30;
  conditions.profile.errors = {RandomRate{0.5}};
  RelayPath path(conditions, 3, 0);
  const Octets sent = test::rtp_packet({.payload_type = 200, .octets = 16});
  Octets packet = sent;
  for (const PacketOrder& order : {path.take(packet, 5), path.take_rtcp(packet, 5)}) {
    EXPECT_EQ(order.copies, 1);
    EXPECT_EQ(order.due_ns, 5 + 30 * kMs);
  }
  EXPECT_EQ(packet, sent);
  EXPECT_EQ(path.counters().rtcp_packets, 2U);
}

TEST(RelayPath, HostilePacketsAreCountedAndDropped) {
  RelayPath path({}, 1, 0);
  Octets none;
  Octets version = stream_packet(0);
  version[0] = 0;
  Octets cut = stream_packet(0);
  cut[0] = 0x8F;
  cut.resize(30);
  Octets huge(RelayPath::kLongestPacket + 1, 0x80);
  for (Octets* packet : {&none, &version, &cut, &huge}) EXPECT_EQ(path.take(*packet, 0).copies, 0);
  EXPECT_EQ(path.counters().malformed, 3U);
  EXPECT_EQ(path.counters().oversized, 1U);
  EXPECT_EQ(path.counters().packets, 0U);
  EXPECT_EQ(path.take_rtcp(none, 0).copies, 0);
  EXPECT_EQ(path.take_rtcp(huge, 0).copies, 0);
}

TEST(RelayPath, LossIsIndependentAndCounted) {
  RelayPath path(with_loss(0.1), 4, 0);
  const auto came = carried(path, 20'000);
  EXPECT_EQ(came.size() + path.counters().lost, 20'000U);
  EXPECT_TRUE(test::is_binomial(path.counters().lost, 20'000, 0.1));
  std::uint64_t after_loss = 0;
  std::set<std::uint64_t> there;
  for (const Came& one : came) there.insert(one.packet);
  for (std::uint64_t k = 1; k < 20'000; ++k) after_loss += !there.contains(k) && !there.contains(k - 1) ? 1 : 0;
  EXPECT_TRUE(test::is_binomial(after_loss, path.counters().lost, 0.1));
}

TEST(RelayPath, LossInRunsKeepsShareAndMeanRun) {
  RelayPath path(with_packets([](PacketConditions& packets) {
                   packets.loss = LossKind::gilbert;
                   packets.loss_ratio = 0.1;
                   packets.mean_loss_packets = 4;
                 }),
                 5, 0);
  constexpr std::uint64_t kCount = 100'000;
  std::uint64_t runs = 0;
  bool lost_before = false;
  for (std::uint64_t k = 0; k < kCount; ++k) {
    Octets packet = stream_packet(k);
    const bool lost = path.take(packet, 0).copies == 0;
    runs += lost && !lost_before ? 1 : 0;
    lost_before = lost;
  }
  const auto lost = static_cast<double>(path.counters().lost);
  // Runs end after each packet with probability 1/4; the share scatters as if only every seventh packet counted.
  EXPECT_TRUE(test::is_binomial(runs, path.counters().lost, 0.25));
  EXPECT_NEAR(lost / kCount, 0.1, 0.01);
}

TEST(RelayPath, DelayIsExact) {
  RelayPath path(with_delay(123.25), 1, 0);
  for (const Came& one : carried(path, 50)) {
    EXPECT_EQ(one.due_ns - static_cast<std::int64_t>(one.packet) * kPacketNs, 123'250'000);
  }
}

TEST(RelayPath, JitterIsExponential) {
  const auto conditions = with_packets([](PacketConditions& packets) { packets.jitter_ms = 50; }, 10);
  RelayPath path(conditions, 6, 0);
  double sum = 0;
  std::uint64_t beyond = 0;  // the median
  for (const Came& one : carried(path, 20'000)) {
    const auto delay = static_cast<double>(one.due_ns - static_cast<std::int64_t>(one.packet) * kPacketNs);
    EXPECT_GE(delay, 10e6);
    sum += delay - 10e6;
    beyond += delay - 10e6 > 50e6 * std::log(2.0) ? 1 : 0;
  }
  EXPECT_NEAR(sum / 20'000, 50e6, 5 * 50e6 / std::sqrt(20'000));  // five standard errors
  EXPECT_TRUE(test::is_binomial(beyond, 20'000, 0.5));
}

TEST(RelayPath, JitterKeepsTheOrderIfConfigured) {
  for (const bool kept : {true, false}) {
    const auto conditions = with_packets([kept](PacketConditions& packets) {
      packets.jitter_ms = 50;
      packets.keeps_order = kept;
    });
    RelayPath path(conditions, 6, 0);
    std::uint64_t overtaken = 0;
    std::uint64_t newest = 0;
    for (const Came& one : carried(path, 5000)) {
      overtaken += one.packet < newest ? 1 : 0;
      newest = std::max(newest, one.packet);
    }
    EXPECT_EQ(overtaken == 0, kept);
  }
}

TEST(RelayPath, LossFollowsAPattern) {
  const auto conditions = with_packets([](PacketConditions& packets) {
    packets.loss = LossKind::pattern;
    packets.loss_file = "pattern";
    packets.loss_pattern = std::make_shared<const std::vector<bool>>(std::vector<bool>{false, true, false});
  });
  RelayPath path(conditions, 6, 0);
  for (const Came& one : carried(path, 30)) EXPECT_NE(one.packet % 3, 1U);
  EXPECT_EQ(path.counters().lost, 10U);
}

TEST(RelayPath, ReorderedPacketsArriveAfterLaterOnes) {
  RelayPath path(with_packets([](PacketConditions& packets) {
                   packets.reorder_ratio = 0.1;
                   packets.reorder_ms = 50;
                 }),
                 7, 0);
  const auto came = carried(path, 5000);
  ASSERT_EQ(came.size(), 5000U);
  std::vector<bool> held(5002);
  for (const Came& one : came) {
    const std::int64_t delay = one.due_ns - static_cast<std::int64_t>(one.packet) * kPacketNs;
    EXPECT_TRUE(delay == 0 || delay == 50 * kMs);
    held[one.packet] = delay != 0;
  }
  // The two packets after a held one pass it, unless they are held as well.
  std::uint64_t expected = 0;
  for (std::size_t k = 0; k < 4998; ++k) expected += held[k] && !(held[k + 1] && held[k + 2]) ? 1 : 0;
  std::uint64_t overtaken = 0;
  std::uint64_t newest = 0;
  for (const Came& one : came) {
    overtaken += one.packet < newest ? 1 : 0;
    newest = std::max(newest, one.packet);
  }
  EXPECT_NEAR(static_cast<double>(overtaken), static_cast<double>(expected), 2) << "except for the last two packets";
  EXPECT_GT(overtaken, 400U);
  EXPECT_TRUE(test::is_binomial(path.counters().reordered, 5000, 0.1));
}

TEST(RelayPath, DuplicatesAreTheSamePacketTwice) {
  RelayPath path(with_packets([](PacketConditions& packets) { packets.duplicate_ratio = 0.2; }), 8, 0);
  const auto came = carried(path, 5000);
  EXPECT_EQ(came.size(), 5000 + path.counters().duplicated);
  EXPECT_TRUE(test::is_binomial(path.counters().duplicated, 5000, 0.2));
}

TEST(RelayPath, ConditionsChangeAtTheNextPacketAndCountersContinue) {
  RelayPath path(with_ber(0), 9, 0);
  carried(path, 100);
  EXPECT_EQ(path.counters().errors.errors(), 0U);
  path.change(with_ber(0.5));
  carried(path, 100);
  EXPECT_EQ(path.counters().errors.bits(), 200U * 1280);
  EXPECT_TRUE(test::is_binomial(path.counters().errors.errors(), 100 * 1280, 0.5));
  path.change(with_delay(5));
  Octets packet = stream_packet(0);
  EXPECT_EQ(path.take(packet, 7).due_ns, 7 + 5 * kMs);
}

TEST(RelayPath, BypassTurnsConditionsOffAndStillCounts) {
  RelayConditions conditions = with_loss(0.5);
  conditions.delay_ms = 30;
  conditions.profile.errors = {RandomRate{0.1}};
  conditions.bypass = true;
  RelayPath path(conditions, 9, 0);
  const auto passed = carried(path, 100);
  ASSERT_EQ(passed.size(), 100U);
  EXPECT_EQ(passed[1].due_ns, kPacketNs);
  EXPECT_EQ(path.counters().errors.bits(), 100U * 1280);
  EXPECT_EQ(path.counters().errors.errors(), 0U);
  conditions.bypass = false;
  path.change(conditions);
  const auto done = carried(path, 100);
  EXPECT_LT(done.size(), 100U);
  EXPECT_EQ(done[0].due_ns % kPacketNs, (30 * kMs) % kPacketNs);
  EXPECT_GT(path.counters().errors.errors(), 0U);
  conditions.bypass = true;
  path.change(conditions);
  EXPECT_EQ(path.conditions(), conditions) << "they apply again when bypass ends";
  EXPECT_EQ(carried(path, 100).size(), 100U);
}

TEST(RelayPath, SingleErrorsHitTheNextPayload) {
  RelayPath path({}, 9, 0);
  path.inject(1);
  Octets packet = stream_packet(0);
  path.take(packet, 0);
  EXPECT_EQ(test::payload_of(packet)[0], 0x80);
  EXPECT_EQ(path.counters().errors.errors(), 1U);
}

TEST(RelayPath, SequenceNumbersThatNeverArriveAreMissing) {
  RelayPath path({}, 1, 0);
  for (const std::uint64_t k : {65'530, 65'531, 65'533, 65'537, 65'536}) {
    Octets packet = stream_packet(k);
    path.take(packet, 0);
  }
  EXPECT_EQ(path.counters().missing, 3U);  // 65532, 65534, 65535
}

TEST(RelayPath, PartsOfAProfileThatDoNotApplyAreNamed) {
  EXPECT_TRUE(left_out(plain_profile(), Relayed::packets).empty());
  Profile profile = plain_profile();
  profile.band = Band::g712;
  profile.line.gain_db = -3;
  profile.slips.push_back({});  // applies
  EXPECT_EQ(left_out(profile, Relayed::packets), (std::vector<std::string>{"band", "gain"}));
  profile.line.law = G711Law::a;
  EXPECT_EQ(left_out(profile, Relayed::packets), (std::vector<std::string>{"law", "band", "gain"}))
      << "each packet has its own";
  profile.line.delay_s = 0.3;
  EXPECT_EQ(relay_conditions(profile).delay_ms, 300);
}

TEST(RelayPath, ConditionsOutOfRangeAreRefusedByName) {
  const auto message = [](const RelayConditions& conditions) {
    const Status status = validate(conditions);
    return status ? std::string() : status.error().message;
  };
  EXPECT_EQ(message({}), "");
  EXPECT_NE(message(with_ber(0.6)).find("ber"), std::string::npos);
  EXPECT_NE(message(with_loss(-0.1)).find("loss"), std::string::npos);
  EXPECT_NE(message(with_delay(std::nan(""))).find("delay_ms"), std::string::npos);
  EXPECT_NE(message(with_delay(1e9)).find("delay_ms"), std::string::npos);
}

}  // namespace
}  // namespace vqas
