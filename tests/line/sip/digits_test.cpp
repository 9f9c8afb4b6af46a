#include "line/sip/digits.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "line/media/pcm16.h"
#include "line/rtp_stream.h"

// Each header after those it needs.
// clang-format off
#include <spandsp/telephony.h>
#include <spandsp/logging.h>
#include <spandsp/queue.h>
#include <spandsp/super_tone_rx.h>
#include <spandsp/dtmf.h>
// clang-format on

namespace vqas {
namespace {

constexpr std::uint8_t kType = 101;
using Block = std::array<float, kLineBlock>;
using Packet = std::vector<std::uint8_t>;

std::vector<DigitStep> steps(const std::string& text) {
  const auto read = parse_digits(text);
  EXPECT_TRUE(read) << text;
  return read.value_or(std::vector<DigitStep>());
}

TEST(Digits, APauseAndAllDigitsAreRead) {
  EXPECT_EQ(steps("wait 2, 1#"), (std::vector<DigitStep>{{100, '\0'}, {0, '1'}, {0, '#'}}));
  EXPECT_EQ(steps("0123456789*#ABCD").size(), 16U);
  EXPECT_EQ(steps("wait 0.03")[0].pause_blocks, 2) << "whole blocks";
}

TEST(Digits, AnythingElseIsRefused) {
  for (const char* text :
       {"", ",", "1,", "wait", "wait x", "wait 0", "wait 61", "wait 1e9", "wait nan", "12 34", "a", "-"})
    EXPECT_FALSE(parse_digits(text)) << text;
  EXPECT_FALSE(parse_digits(std::string(65, '1')));
  std::string pauses = "wait 1";
  for (int n = 0; n < 10; ++n) pauses += ",wait 1";
  EXPECT_FALSE(parse_digits(pauses));
}

// The packets of a walk, as a sender makes them.
std::vector<Packet> packets(const std::string& text, const RtpFormat& format = G711Law::mu) {
  DigitWalk walk(steps(text), true);
  RtpSender sender(format, 7, 65530, 0xFFFFFF00);
  std::vector<Packet> made;
  while (!walk.done()) {
    Block block{};
    const auto event = walk.next(block);
    const auto packet = event ? sender.packet(*event, kType) : sender.packet(block);
    made.emplace_back(packet.begin(), packet.end());
  }
  return made;
}

std::string heard(const std::vector<Packet>& all) {
  EventReceiver receiver(kType);
  std::string digits;
  for (const Packet& packet : all) {
    receiver.take(packet);
    digits += receiver.take_digits();
  }
  for (int n = 0; n < 60; ++n) digits += receiver.take_digits();
  return digits;
}

TEST(Digits, EventsArriveAsSent) {
  EXPECT_EQ(heard(packets("wait 0.1, 0123456789*#ABCD")), "0123456789*#ABCD");
  EXPECT_EQ(heard(packets("1122, wait 1, 33")), "112233") << "the same digit again is another event";
  EXPECT_EQ(heard(packets("47#", RtpFormat(RtpEncoding::opus))), "47#");
}

TEST(Digits, EventsSurviveLossCopiesAndPacketsOutOfOrder) {
  const auto all = packets("4711#");
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    std::vector<Packet> came;
    for (const Packet& packet : all) {
      if (random() % 4 != 0) came.push_back(packet);
      if (random() % 4 == 0) came.push_back(packet);
      if (came.size() > 1 && random() % 4 == 0) std::swap(came.back(), came[came.size() - 2]);
    }
    EXPECT_EQ(heard(came), "4711#") << seed;
  }
}

TEST(Digits, AnEventHasOneTimestampAGrowingDurationAndItsEndThreeTimes) {
  const auto all = packets("5");
  ASSERT_EQ(all.size(), 10U);
  int ends = 0;
  for (std::size_t n = 0; n < 7; ++n) {
    const Packet& one = all[n];
    ASSERT_EQ(one.size(), 16U);
    EXPECT_EQ(one[1], n == 0 ? 0x80 | kType : kType) << "the marker";
    EXPECT_TRUE(std::equal(one.begin() + 4, one.begin() + 8, all[0].begin() + 4));
    EXPECT_EQ(one[12], 5);
    EXPECT_EQ((one[14] << 8) | one[15], static_cast<int>(std::min<std::size_t>(n + 1, 5)) * 160);
    ends += one[13] >> 7;
  }
  EXPECT_EQ(ends, 3);
  EXPECT_EQ(all[7].size(), 172U) << "speech again";
}

TEST(Digits, ArbitraryOctetsAreNoEvent) {
  const Packet good = packets("5").front();
  std::mt19937 random(5);
  for (int n = 0; n < 5000; ++n) {
    EventReceiver receiver(kType);
    Packet octets = good;
    if (n % 2 == 0) octets.resize(random() % octets.size());
    for (int i = 0; i < 3 && !octets.empty(); ++i)
      octets[random() % octets.size()] = static_cast<std::uint8_t>(random());
    receiver.take(octets);
  }
  EventReceiver receiver(kType);
  Packet flash = good;
  flash[12] = 16;
  EXPECT_FALSE(receiver.take(flash)) << "an event that is no digit";
  EXPECT_FALSE(receiver.take(std::span(good).first(15)));
  EXPECT_FALSE(EventReceiver().take(good)) << "none was agreed on";
}

TEST(Digits, TonesInBandAreHeardBehindACodec) {
  for (const RtpEncoding encoding : {RtpEncoding::pcmu, RtpEncoding::g722, RtpEncoding::opus}) {
    DigitWalk walk(steps("wait 0.2, 0123456789*#ABCD"), false);
    EXPECT_EQ(walk.blocks(), 10 + 16 * 10);
    const auto codec = make_codec(RtpFormat(encoding));
    dtmf_rx_state_t* const detector = dtmf_rx_init(nullptr, nullptr, nullptr);
    while (!walk.done()) {
      Block block{};
      EXPECT_FALSE(walk.next(block));
      const auto payload = codec->encode(block);
      codec->decode(payload, block);
      const Pcm16Block linear = as_pcm16(block);
      dtmf_rx(detector, linear.data(), static_cast<int>(linear.size()));
    }
    std::array<char, 32> digits{};
    dtmf_rx_get(detector, digits.data(), static_cast<int>(digits.size()) - 1);
    dtmf_rx_free(detector);
    EXPECT_STREQ(digits.data(), "0123456789*#ABCD") << facts_of(encoding).words;
  }
}

}  // namespace
}  // namespace vqas
