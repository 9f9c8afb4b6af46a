#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "relay/packets.h"
#include "relay/pattern_sink.h"
#include "relay/relay_path.h"
#include "vqas/channel/octet_channel.h"

namespace vqas {
namespace {

using test::kMs;
using test::Octets;

constexpr std::int64_t kPacketNs = 20 * kMs;
constexpr std::uint64_t kPacketsASecond = 50;

// Packet k of a stream; its octets identify the packet.
Octets packet(std::uint64_t k, std::uint8_t payload_type = kPayloadPcmu) {
  return test::rtp_packet({.sequence = static_cast<std::uint16_t>(k),
                           .timestamp = static_cast<std::uint32_t>(160 * k),
                           .payload_type = payload_type,
                           .fill = static_cast<std::uint8_t>(1 + k % 100)});
}
Octets sent_octets(std::uint64_t packets) {
  Octets octets;
  for (std::uint64_t k = 0; k < packets; ++k) octets.insert(octets.end(), 160, static_cast<std::uint8_t>(1 + k % 100));
  return octets;
}
// The payloads of packets first..last-1 as sent.
Octets carried(RelayPath& path, std::uint64_t first, std::uint64_t last, std::uint8_t payload_type = kPayloadPcmu) {
  Octets heard;
  for (std::uint64_t k = first; k < last; ++k) {
    Octets one = packet(k, payload_type);
    path.take(one, static_cast<std::int64_t>(k) * kPacketNs);
    const Octets payload = test::payload_of(one);
    heard.insert(heard.end(), payload.begin(), payload.end());
  }
  return heard;
}

TEST(LiveProfile, TheDigitalPartMatchesTheOfflineChannel) {
  Profile profile = plain_profile();
  profile.errors = {Bursts{1e-5, 5e-2, 3, 4, true}};
  profile.release = LinkRelease{1e-2, 2, 3, 1e-9};
  profile.interruptions = {{Fill::zeros, 1, 0.05, 2.5}};
  profile.slips = {{0.5, -40, 0}, {2, 8, 1}};
  constexpr std::uint64_t kPackets = 20 * kPacketsASecond;
  Octets expected = sent_octets(kPackets);
  OctetChannel offline(profile, 5, 3);
  offline.process(expected);
  RelayPath path({profile, 100}, 5, 3);
  EXPECT_EQ(carried(path, 0, kPackets), expected);
  const RelayCounters& counters = path.counters();
  EXPECT_EQ(counters.events.releases, offline.releases());
  EXPECT_GE(counters.events.releases, 1U);
  EXPECT_EQ(counters.events.interrupted_octets, offline.interrupted_octets());
  EXPECT_EQ(counters.events.slips, offline.slips());
  EXPECT_GT(counters.events.slips, 10U);
  EXPECT_EQ(counters.errors.errors(), offline.counters().errors());
}

TEST(LiveProfile, SilenceFollowsTheLawOfTheCall) {
  Profile profile = plain_profile();
  profile.interruptions = {{Fill::idle, 0, 1, 0}};
  RelayPath mu({profile, 0}, 5, 0);
  EXPECT_EQ(carried(mu, 0, 1), Octets(160, 0xFF));
  RelayPath a({profile, 0}, 5, 0);
  EXPECT_EQ(carried(a, 0, 1, kPayloadPcma), Octets(160, 0xD5));
}

TEST(LiveProfile, TheDelayStepsWhileTheCallRuns) {
  Profile profile = plain_profile();
  profile.slips = {{1, 160, 0}};  // 20 ms more from the first second on
  RelayPath path({profile, 0}, 5, 0);
  const Octets sent = sent_octets(100);
  const Octets heard = carried(path, 0, 100);
  EXPECT_TRUE(std::equal(heard.begin(), heard.begin() + 8000, sent.begin()));
  EXPECT_TRUE(std::equal(heard.begin() + 8160, heard.end(), sent.begin() + 8000));
  EXPECT_EQ(path.counters().events.slipped_octets, 160);
}

TEST(LiveProfile, ALostPacketDoesNotShiftHeldBackOctets) {
  Profile profile = plain_profile();
  profile.slips = {{100, -320, 0}};  // this much is held back until then
  profile.packets.emplace();
  profile.packets->loss = LossKind::pattern;
  profile.packets->loss_pattern =
      std::make_shared<std::vector<bool>>(std::vector<bool>{false, false, false, true, false, false});
  RelayPath path({profile, 0}, 5, 0);
  carried(path, 0, 4);
  EXPECT_EQ(path.counters().lost, 1U);
  EXPECT_EQ(carried(path, 4, 5), Octets(160, 3)) << "two packets later than it came";
}

TEST(LiveProfile, CountsContinueAcrossAChange) {
  Profile profile = plain_profile();
  profile.interruptions = {{Fill::ones, 0, 0.1, 0}};
  profile.slips = {{0.01, 8, 0}};
  RelayPath path({profile, 0}, 5, 0);
  carried(path, 0, 50);
  EXPECT_EQ(path.counters().events.interrupted_octets, 800U);
  path.change({profile, 10});
  carried(path, 50, 100);
  EXPECT_EQ(path.counters().events.interrupted_octets, 1600U) << "times count anew from a change";
  EXPECT_EQ(path.counters().events.slips, 2U);
}

// Sums what a pattern would hold.
class Sink : public PatternSink {
 public:
  void stream_begins(std::uint64_t, std::uint32_t, std::uint32_t) override {}
  void passed(std::uint64_t at_octet, std::span<const std::uint8_t> inverted) override {
    for (const std::uint8_t octet : inverted) wrong_bits += static_cast<std::uint64_t>(std::popcount(octet));
    octets += inverted.size();
    last = at_octet;
  }
  void lost(std::uint64_t, std::uint64_t) override {}
  std::uint64_t wrong_bits = 0, octets = 0, last = 0;
};

TEST(LiveProfile, OverwrittenErrorsAreNeitherCountedNorRecorded) {
  Profile profile = plain_profile();
  profile.errors = {RandomRate{1e-2}};
  profile.interruptions = {{Fill::zeros, 0.5, 0.5, 1}};
  Sink sink;
  RelayPath path({profile, 0}, 5, 0, &sink);
  const Octets sent = sent_octets(100);
  const Octets heard = carried(path, 0, 100);
  std::uint64_t differing = 0;
  for (std::size_t i = 0; i < sent.size(); ++i) {
    if (i % 8000 < 4000)
      differing += static_cast<std::uint64_t>(std::popcount(static_cast<std::uint8_t>(sent[i] ^ heard[i])));
  }
  const ErrorCounters& counted = path.counters().errors;
  EXPECT_GT(differing, 400U);
  EXPECT_EQ(counted.errors(), differing);
  EXPECT_EQ(counted.bits(), 64'000U) << "half of it was overwritten";
  EXPECT_EQ(counted.seconds().total, 2U) << "its time counts";
  EXPECT_EQ(sink.wrong_bits, differing);
  EXPECT_DOUBLE_EQ(counted.ber_interval().ratio, static_cast<double>(differing) / 64'000);
}

TEST(LiveProfile, ErrorsOfDroppedPacketsAreNeitherCountedNorRecorded) {
  for (const bool held_back : {false, true}) {
    Profile profile = plain_profile();
    profile.errors = {RandomRate{1e-2}};
    if (held_back) profile.slips = {{100, -320, 0}};
    profile.packets.emplace();
    profile.packets->loss = LossKind::pattern;
    profile.packets->loss_pattern = std::make_shared<std::vector<bool>>(std::vector<bool>{false, true});
    Sink sink;
    RelayPath path({profile, 100}, 5, 0, &sink);
    carried(path, 0, 200);
    EXPECT_EQ(path.counters().lost, 100U);
    EXPECT_GT(sink.wrong_bits, 500U);
    EXPECT_EQ(path.counters().errors.errors(), sink.wrong_bits) << held_back;
    EXPECT_EQ(path.counters().errors.bits(), 8 * sink.octets) << held_back;
  }
}

TEST(LiveProfile, HeldBackOctetsArePartOfTheDelay) {
  Profile profile = plain_profile();
  profile.slips = {{100, -320, 0}};  // 40 ms
  RelayPath path({profile, 100}, 5, 0);
  Octets one = packet(0);
  EXPECT_EQ(path.take(one, 7).due_ns, 7 + 60 * kMs) << "the other 40 ms are within the octets";
  Octets other = packet(1, 96);
  EXPECT_EQ(path.take(other, 7).due_ns, 7 + 100 * kMs) << "other payload is not held back in the octets";
  EXPECT_TRUE(validate(RelayConditions{profile, 40}));
  const Status refused = validate(RelayConditions{profile, 39});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("delay_ms"), std::string::npos);
}

TEST(LiveProfile, APacketThatArrivesTwiceUsesThePatternOnce) {
  Profile profile = plain_profile();
  auto pattern = std::make_shared<ErrorPattern>();
  pattern->bits = 100 * 1280;
  for (std::uint64_t k = 0; k < 100; ++k) pattern->places.push_back(1280 * k + k);
  profile.errors = {PatternReplay{"p.bits", false, pattern}};
  profile.slips = {{0.1, 8, 0}};
  const Octets once = [&] {
    RelayPath path({profile, 0}, 5, 0);
    return carried(path, 0, 100);
  }();
  RelayPath path({profile, 0}, 5, 0);
  Octets heard;
  for (std::uint64_t k = 0; k < 100; ++k) {
    Octets first = packet(k);
    path.take(first, static_cast<std::int64_t>(k) * kPacketNs);
    // Again immediately, and once more a little later.
    for (const std::uint64_t again : {k, k < 10 ? k : k - 10}) {
      Octets copy = packet(again);
      const PacketOrder order = path.take(copy, static_cast<std::int64_t>(k) * kPacketNs);
      EXPECT_EQ(order.copies, 1);
      if (again == k) {
        EXPECT_EQ(copy, first);
      }
    }
    const Octets payload = test::payload_of(first);
    heard.insert(heard.end(), payload.begin(), payload.end());
  }
  EXPECT_EQ(heard, once);
  EXPECT_EQ(path.counters().repeated, 200U);
  EXPECT_EQ(path.counters().errors.errors(), 100U);
  EXPECT_EQ(path.counters().errors.bits(), 128'000U);
}

// A minute of packets beside 512 kbit/s of video on a link of that rate.
struct Beside {
  std::uint64_t lost_in_queue = 0;
  std::uint64_t video_lost = 0;
  std::int64_t longest_ns = 0;
  std::vector<std::int64_t> due_ns;
};
Beside beside_video(Scheduling scheduling, std::uint64_t seed, double loss_ratio = 0) {
  Profile profile = plain_profile();
  profile.packets.emplace();
  profile.packets->bottleneck = Bottleneck{512, scheduling, 512, 0, 0, 64};
  if (loss_ratio > 0) profile.packets->loss = LossKind::random;
  profile.packets->loss_ratio = loss_ratio;
  RelayPath path({profile, 0}, seed, 0);
  Beside beside;
  for (std::uint64_t k = 0; k < 60 * kPacketsASecond; ++k) {
    Octets one = packet(k);
    const std::int64_t now = static_cast<std::int64_t>(k) * kPacketNs;
    const PacketOrder order = path.take(one, now);
    beside.due_ns.push_back(order.copies > 0 ? order.due_ns - now : -1);
    beside.longest_ns = std::max(beside.longest_ns, beside.due_ns.back());
  }
  beside.lost_in_queue = path.counters().lost_in_queue;
  beside.video_lost = path.counters().video_lost;
  return beside;
}

TEST(LiveProfile, ABottleneckLosesVoiceUnderFifoButNotWithReservation) {
  const Beside fifo = beside_video(Scheduling::fifo, 4);
  EXPECT_GT(fifo.lost_in_queue, 100U);
  EXPECT_GT(fifo.longest_ns, 500 * kMs);
  for (const Scheduling fair : {Scheduling::fair, Scheduling::reservation}) {
    const Beside protected_voice = beside_video(fair, 4);
    EXPECT_EQ(protected_voice.lost_in_queue, 0U);
    EXPECT_LT(protected_voice.longest_ns, 60 * kMs);
    EXPECT_GT(protected_voice.video_lost, 100U) << "the link has no room for both";
  }
}

TEST(LiveProfile, TheBottleneckDependsOnSeedAndPacketsAlone) {
  const Beside once = beside_video(Scheduling::fifo, 4);
  EXPECT_EQ(once.due_ns, beside_video(Scheduling::fifo, 4).due_ns);
  EXPECT_NE(once.due_ns, beside_video(Scheduling::fifo, 5).due_ns);
  const Beside with_loss = beside_video(Scheduling::fifo, 4, 0.2);
  EXPECT_LT(with_loss.lost_in_queue, once.lost_in_queue);
  for (std::size_t i = 0; i < once.due_ns.size(); ++i) {
    if (with_loss.due_ns[i] >= 0) {
      ASSERT_EQ(with_loss.due_ns[i], once.due_ns[i]) << "loss changed the queue";
    }
  }
}

TEST(LiveProfile, TinyPacketsDoNotStopTheBottlenecksClock) {
  Profile profile = plain_profile();
  profile.packets.emplace();
  profile.packets->bottleneck = Bottleneck{512, Scheduling::fifo, 0, 0, 0, 64};
  RelayPath path({profile, 0}, 4, 0);
  for (std::uint16_t k = 0; k < 1000; ++k) {
    Octets one = test::rtp_packet({.sequence = k, .timestamp = k, .octets = k % 2U});
    path.take(one, k);
  }
  EXPECT_EQ(path.counters().packets, 1000U);
}

}  // namespace
}  // namespace vqas
