#include "vqas/channel/packet_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "channel/binomial_bounds.h"
#include "channel/bottleneck.h"
#include "channel/concealer.h"
#include "vqas/channel/g711.h"
#include "vqas/channel/profile.h"
#include "vqas/channel/profile_text.h"

namespace vqas {
namespace {

std::vector<std::uint8_t> coded_tone(std::size_t count, double hz = 200) {
  std::vector<float> tone(count);
  for (std::size_t i = 0; i < count; ++i) {
    tone[i] = 0.3F * static_cast<float>(std::sin(2 * std::numbers::pi * hz * static_cast<double>(i) / 8000));
  }
  std::vector<std::uint8_t> octets(count);
  g711_encode(tone, octets, G711Law::mu);
  return octets;
}

std::vector<float> decoded(const std::vector<std::uint8_t>& octets) {
  std::vector<float> samples(octets.size());
  g711_decode(octets, samples, G711Law::mu);
  return samples;
}

std::vector<float> through(PacketPath& path, const std::vector<std::uint8_t>& octets, std::size_t block = 160) {
  std::vector<float> samples(octets.size());
  for (std::size_t i = 0; i < octets.size(); i += block) {
    const std::size_t count = std::min(block, octets.size() - i);
    path.process(std::span(octets).subspan(i, count), std::span(samples).subspan(i, count));
  }
  return samples;
}

PacketConditions calm() {
  PacketConditions conditions;
  conditions.buffer_ms = 40;
  return conditions;
}

PacketConditions rough() {
  PacketConditions conditions;
  conditions.loss = LossKind::gilbert;
  conditions.loss_ratio = 0.1;
  conditions.jitter_ms = 15;
  conditions.reorder_ratio = 0.05;
  conditions.duplicate_ratio = 0.05;
  conditions.bottleneck = Bottleneck{512, Scheduling::fifo, 256, 0, 1, 64};
  return conditions;
}

TEST(PacketPath, WithoutLossIsG711DelayedByAPacketAndABuffer) {
  for (const double buffer_ms : {0.0, 3.3, 20.0, 65.0}) {
    PacketConditions conditions = calm();
    conditions.buffer_ms = buffer_ms;
    PacketPath path(conditions, G711Law::mu, 1);
    const auto octets = coded_tone(4000, 333);
    const auto expected = decoded(octets);
    const auto heard = through(path, octets);
    const auto behind = static_cast<std::ptrdiff_t>(path.latency());
    EXPECT_EQ(behind, 160 + std::ceil(buffer_ms * 8));
    EXPECT_TRUE(std::equal(heard.begin() + behind, heard.end(), expected.begin())) << buffer_ms;
    EXPECT_EQ(path.counters().concealed, 0U);
  }
}

TEST(PacketPath, DoesNotDependOnBlockSizes) {
  const auto octets = coded_tone(40000);
  PacketPath path(rough(), G711Law::mu, 4);
  const auto whole = through(path, octets, octets.size());
  for (const std::size_t block : {1UL, 33UL, 160UL}) {
    PacketPath again(rough(), G711Law::mu, 4);
    EXPECT_EQ(through(again, octets, block), whole) << block;
  }
  PacketPath other(rough(), G711Law::mu, 5);
  EXPECT_NE(through(other, octets), whole);
}

TEST(PacketPath, LosesPacketsAtRandomInTheRequestedRatio) {
  PacketConditions conditions = calm();
  conditions.packet_ms = 5;
  conditions.loss = LossKind::random;
  conditions.loss_ratio = 0.07;
  PacketPath path(conditions, G711Law::mu, 77);
  through(path, std::vector<std::uint8_t>(4'000'000, 0xFF));
  EXPECT_TRUE(test::is_binomial(path.counters().lost, path.counters().sent, 0.07));
}

TEST(PacketPath, LosesPacketsInBurstsOfTheRequestedMeanLength) {
  PacketConditions conditions = calm();
  conditions.packet_ms = 5;
  conditions.loss = LossKind::gilbert;
  conditions.loss_ratio = 0.1;
  conditions.mean_loss_packets = 4;
  conditions.concealment = Concealment::silence;
  conditions.buffer_ms = 0;
  PacketPath path(conditions, G711Law::mu, 78);
  const std::vector<std::uint8_t> loud(8'000'000, 0x80);
  const auto heard = through(path, loud);
  std::size_t bursts = 0;
  std::size_t lost = 0;
  bool before = false;
  for (std::size_t i = 80; i < heard.size(); i += 40) {
    const bool is_lost = heard[i] == 0;
    lost += is_lost ? 1 : 0;
    bursts += is_lost && !before ? 1 : 0;
    before = is_lost;
  }
  const double packets = 2e5;
  EXPECT_NEAR(static_cast<double>(lost) / packets, 0.1, 0.1 * 5 / std::sqrt(packets * 0.1 / 8));
  // Geometric lengths with mean 4 have a standard deviation of 3.5; five standard errors over about 5000 bursts.
  EXPECT_NEAR(static_cast<double>(lost) / static_cast<double>(bursts), 4, 5 * 3.5 / std::sqrt(5000));
}

TEST(PacketPath, LosesPacketsLaterThanTheBuffer) {
  PacketConditions conditions = calm();
  conditions.packet_ms = 5;
  conditions.jitter_ms = 20;
  PacketPath path(conditions, G711Law::mu, 79);
  through(path, std::vector<std::uint8_t>(4'000'000, 0xFF));
  EXPECT_TRUE(test::is_binomial(path.counters().late, path.counters().sent, std::exp(-40.0 / 20)));
  EXPECT_NEAR(path.counters().delay_sum_ms / static_cast<double>(path.counters().sent), 20, 5 * 20 / std::sqrt(1e5));
}

TEST(PacketPath, ReordersPacketsAndCountsThoseOvertaken) {
  PacketConditions conditions = calm();
  conditions.reorder_ratio = 0.2;
  conditions.reorder_ms = 30;
  PacketPath path(conditions, G711Law::mu, 80);
  const auto octets = coded_tone(160'000, 333);
  const auto expected = decoded(octets);
  const auto heard = through(path, octets);
  EXPECT_TRUE(std::equal(heard.begin() + static_cast<std::ptrdiff_t>(path.latency()), heard.end(), expected.begin()));
  // Delayed by more than one packet interval: overtaken by the next unless that one is delayed too.
  EXPECT_NEAR(static_cast<double>(path.counters().overtaken), 1000 * 0.2 * 0.8, 60);

  conditions.keeps_order = true;
  PacketPath ordered(conditions, G711Law::mu, 80);
  through(ordered, octets);
  EXPECT_EQ(ordered.counters().overtaken, 0U);
}

TEST(PacketPath, PlaysADuplicatePacketOnce) {
  PacketConditions conditions = calm();
  conditions.duplicate_ratio = 0.5;
  PacketPath path(conditions, G711Law::mu, 81);
  const auto octets = coded_tone(16000, 333);
  const auto expected = decoded(octets);
  const auto heard = through(path, octets);
  EXPECT_TRUE(std::equal(heard.begin() + static_cast<std::ptrdiff_t>(path.latency()), heard.end(), expected.begin()));
  EXPECT_GT(path.counters().duplicates, 20U);
}

TEST(PacketPath, LosesExactlyThePacketsOfThePattern) {
  PacketConditions conditions = calm();
  conditions.loss = LossKind::pattern;
  conditions.loss_pattern = std::make_shared<const std::vector<bool>>(std::vector<bool>{false, true, false, false});
  conditions.concealment = Concealment::silence;
  conditions.buffer_ms = 0;
  PacketPath path(conditions, G711Law::mu, 1);
  const auto heard = through(path, std::vector<std::uint8_t>(160 * 9, 0x80));
  for (std::size_t packet = 0; packet < 8; ++packet) {
    EXPECT_EQ(heard[160 * (packet + 1)] == 0, packet % 4 == 1) << packet;
  }
}

double conceal_error(Concealment method) {
  Concealer concealer(method);
  auto tone = decoded(coded_tone(960, 160));
  const auto expected = tone;
  concealer.hear(std::span(tone).subspan(0, 480));
  concealer.conceal(std::span(tone).subspan(480, 80));
  double error = 0;
  double power = 0;
  for (std::size_t i = 480; i < 560; ++i) {
    error += std::pow(tone[i] - expected[i], 2);
    power += std::pow(expected[i], 2);
  }
  return 10 * std::log10(error / power);
}

TEST(Concealer, ContinuesAPeriodicSoundByItsPitch) {
  EXPECT_LT(conceal_error(Concealment::pitch), -20);
  EXPECT_NEAR(conceal_error(Concealment::silence), 0, 1e-6);
}

TEST(Concealer, FadesToSilenceWithin60MsAndReturnsSmoothly) {
  for (const Concealment method : {Concealment::pitch, Concealment::repeat}) {
    Concealer concealer(method);
    auto tone = decoded(coded_tone(480, 160));
    concealer.hear(tone);
    std::vector<float> gap(480);
    concealer.conceal(gap);
    EXPECT_GT(*std::max_element(gap.begin(), gap.begin() + 80), 0.2F);
    concealer.conceal(gap);
    EXPECT_EQ(*std::max_element(gap.begin(), gap.end()), 0.0F);
    std::vector<float> back(160, 0.5F);
    concealer.hear(back);
    EXPECT_LT(back[0], 0.05F);
    EXPECT_EQ(back[159], 0.5F);
  }
}

struct Shares {
  double voice_lost, voice_delay_ms, video_lost;
};

Shares shares(const Bottleneck& conditions) {
  BottleneckLink link(conditions, 0.02, Random(5));
  double lost = 0;
  double delay = 0;
  constexpr int kPackets = 3000;
  for (int i = 0; i < kPackets; ++i) {
    const auto fate = link.next_voice();
    lost += fate.lost ? 1 : 0;
    delay += fate.delay_s;
  }
  const auto& video = link.video();
  return {lost / kPackets, 1000 * delay / kPackets,
          static_cast<double>(video.lost) / std::max<double>(1, static_cast<double>(video.lost + video.sent))};
}

TEST(Bottleneck, DoesNotAffectVoiceWithoutOtherTraffic) {
  for (const auto scheduling : {Scheduling::fifo, Scheduling::fair, Scheduling::reservation}) {
    const Shares alone = shares({512, scheduling, 0, 0, 0, 64});
    EXPECT_EQ(alone.voice_lost, 0);
    EXPECT_NEAR(alone.voice_delay_ms, 0, 1e-9);
  }
}

TEST(Bottleneck, CarriesNoMoreThanItsRate) {
  BottleneckLink link({512, Scheduling::fifo, 1000, 0, 0, 64}, 0.02, Random(5));
  for (int i = 0; i < 3000; ++i) link.next_voice();
  const double sent_bits =
      8 * (200.0 * static_cast<double>(link.voice().sent) + 1040.0 * static_cast<double>(link.video().sent));
  EXPECT_LT(sent_bits / 60, 1.02 * 512000);
  EXPECT_GT(sent_bits / 60, 0.9 * 512000);
}

// Figures 2 to 4 of the article: FIFO ruins the voice; fair queueing protects the voice but not the video; only a
// reservation protects both against unwanted video.
TEST(Bottleneck, FairQueueingAndReservationProtectTheVoiceAndFifoDoesNot) {
  const Shares fifo = shares({512, Scheduling::fifo, 384, 256, 0, 64});
  const Shares fair = shares({512, Scheduling::fair, 256, 256, 0, 64});
  const Shares reserved = shares({512, Scheduling::reservation, 256, 256, 0, 64});
  EXPECT_GT(fifo.voice_lost, 0.1);
  EXPECT_GT(fifo.voice_delay_ms, 200);
  EXPECT_EQ(fair.voice_lost, 0);
  EXPECT_LT(fair.voice_delay_ms, 40);
  EXPECT_GT(fair.video_lost, 0.1);
  EXPECT_EQ(reserved.voice_lost, 0);
  EXPECT_LT(reserved.voice_delay_ms, 40);
  EXPECT_LT(reserved.video_lost, 0.01);
}

TEST(Bottleneck, FileTransfersFillTheRestAndBackOff) {
  BottleneckLink link({512, Scheduling::fifo, 0, 0, 2, 64}, 0.02, Random(5));
  for (int i = 0; i < 6000; ++i) link.next_voice();
  const double file_bits = 8 * 1500.0 * static_cast<double>(link.files(0).sent + link.files(1).sent);
  EXPECT_GT(file_bits / 120, 0.6 * (512000 - 80000));
  EXPECT_LE(file_bits / 120, 512000 - 79000);
  EXPECT_LT(static_cast<double>(link.files(0).lost), 0.2 * static_cast<double>(link.files(0).sent));
}

}  // namespace
}  // namespace vqas
