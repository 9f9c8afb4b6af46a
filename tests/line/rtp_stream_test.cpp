#include "line/rtp_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "line/rtp_blocks.h"

// spandsp's plc copies its history onto itself with memcpy(), downwards, which the C library of this platform allows
// but AddressSanitizer does not. Only that function is suppressed.
extern "C" const char* __asan_default_suppressions();   // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __asan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "interceptor_via_lib:libspandsp";
}

namespace vqas {
namespace {

using test::Block;
using test::difference;
using test::through_codec;
using test::tone;
using Packet = std::vector<std::uint8_t>;
constexpr std::int64_t kBlock_ns = 20'000'000;
constexpr int kDelay = 3;

// A sender, the fate of its packets, and a receiver that plays one block for each packet sent.
class RtpStreamTest : public ::testing::Test {
 protected:
  Packet send(int block) {
    const auto packet = sender_.packet(tone(block));
    return {packet.begin(), packet.end()};
  }
  void come(const Packet& packet, double at_blocks) {
    receiver_.take(packet, static_cast<std::int64_t>(at_blocks * static_cast<double>(kBlock_ns)));
  }
  Block play() {
    Block block;
    receiver_.play(block);
    sum_ += receiver_.notice();
    return block;
  }

  RtpSender sender_{G711Law::mu, 0x1234, 0xFFFE, 0xFFFFFF00};  // both wrap soon
  RtpReceiver receiver_{G711Law::mu, kDelay};
  LineStatistics sum_;
};

TEST_F(RtpStreamTest, APacketThatIsNoSpeechIsUsedOnlyIfItIsOfTheStreamThatIsPlayed) {
  for (int block = 0; block < 5; ++block) come(send(block), block);
  const EventBlock event{5, 1, true, false};
  const auto own = sender_.packet(event, 101);
  EXPECT_TRUE(receiver_.use_otherwise(own, 5 * kBlock_ns, 0));
  RtpSender stranger(G711Law::mu, 0x4321, 30000, 1);
  EXPECT_FALSE(receiver_.use_otherwise(stranger.packet(event, 101), 6 * kBlock_ns, 0)) << "another stream";
  EXPECT_FALSE(receiver_.use_otherwise(own, 6 * kBlock_ns, 7000)) << "another port";
  EXPECT_EQ(receiver_.notice().packets_of_others, 2U);
  EXPECT_EQ(receiver_.reception()->expected(), 6U);
}

TEST_F(RtpStreamTest, PlaysEverySampleAfterTheBuffersDelay) {
  for (int block = 0; block < 60; ++block) {
    come(send(block), block);
    const Block heard = play();
    if (block >= kDelay) {
      EXPECT_LT(difference(heard, through_codec(tone(block - kDelay))), 1e-6) << block;
    }
  }
  EXPECT_EQ(sum_.packets, 60U);
  EXPECT_EQ(sum_.packets_lost, 0U);
  EXPECT_EQ(sum_.concealed_samples, 0U);
  EXPECT_NEAR(sum_.jitter_ms, 0, 1e-6);
}

TEST_F(RtpStreamTest, ALostPacketIsConcealedAndShiftsNothing) {
  for (int block = 0; block < 60; ++block) {
    const Packet packet = send(block);
    if (block != 20) come(packet, block);
    const Block heard = play();
    if (block == 20 + kDelay) {
      double power = 0;
      for (const float sample : heard) power += static_cast<double>(sample) * sample;
      EXPECT_GT(power / kLineBlock, 0.005) << "a tone continues";
    } else if (block > 21 + kDelay) {
      EXPECT_LT(difference(heard, through_codec(tone(block - kDelay))), 1e-6) << block;
    }
  }
  EXPECT_EQ(sum_.packets_lost, 1U);
  EXPECT_EQ(sum_.concealed_samples, kLineBlock);
  EXPECT_EQ(sum_.buffer_steps, 0U);
}

// The concealer's history of 280 samples is a ring: seven packets of 160 samples later it begins at the same place.
TEST_F(RtpStreamTest, ALossIsConcealedWhereverTheHistoryBegins) {
  for (int lost = 14; lost < 21; ++lost) {
    receiver_ = RtpReceiver{G711Law::mu, kDelay};
    for (int block = 0; block <= lost + kDelay; ++block) {
      const Packet packet = send(block);
      if (block != lost) come(packet, block);
      const Block heard = play();
      if (block < lost + kDelay) continue;
      double power = 0;
      for (const float sample : heard) power += static_cast<double>(sample) * sample;
      EXPECT_GT(power / kLineBlock, 0.005) << lost;
    }
  }
}

TEST_F(RtpStreamTest, AnOutageIsCountedCompletelyHoweverLong) {
  for (const int outage : {50, 100, 150, 600}) {
    sum_ = {};
    for (int block = 0; block < 60 + outage; ++block) {
      const Packet packet = send(block);
      if (block < 20 || block >= 20 + outage) come(packet, block);
      play();
    }
    EXPECT_EQ(sum_.packets_lost, static_cast<std::uint32_t>(outage));
    EXPECT_EQ(sum_.concealed_samples + sum_.silence_samples, static_cast<std::uint32_t>(outage) * kLineBlock) << outage;
    EXPECT_EQ(sum_.concealed_samples, 50 * kLineBlock);
    // The next one starts a stream of its own.
    receiver_ = RtpReceiver{G711Law::mu, kDelay};
  }
}

TEST_F(RtpStreamTest, APauseOfTheSenderAddsNoLossesAfterIt) {
  for (int block = 0; block < 20; ++block) {
    come(send(block), block);
    play();
  }
  for (int block = 20; block < 220; ++block) play();
  const std::uint32_t meanwhile = sum_.packets_lost;
  RtpSender later{G711Law::mu, 0x1234, static_cast<std::uint16_t>(0xFFFE + 20),
                  0xFFFFFF00 + 220 * static_cast<std::uint32_t>(kLineBlock)};
  for (int block = 220; block < 260; ++block) {
    const auto packet = later.packet(tone(block));
    come({packet.begin(), packet.end()}, block);
    play();
  }
  EXPECT_EQ(sum_.packets_lost, meanwhile);
}

TEST_F(RtpStreamTest, PacketsOutOfOrderOrTwiceArePlayedInOrder) {
  Packet before;
  for (int block = 0; block < 60; ++block) {
    const Packet packet = send(block);
    if (block == 30) {
      before = packet;
    } else if (block == 31) {
      come(packet, block);
      come(before, block);
      come(packet, block);
    } else {
      come(packet, block);
    }
    const Block heard = play();
    if (block >= kDelay) {
      EXPECT_LT(difference(heard, through_codec(tone(block - kDelay))), 1e-6) << block;
    }
  }
  EXPECT_EQ(sum_.packets_lost, 0U);
  EXPECT_EQ(sum_.packets_repeated, 1U);
}

TEST_F(RtpStreamTest, PacketsArrivingAfterALaterOneArePlayedAtTheirTime) {
  std::vector<Packet> sent;
  for (int block = 0; block < 60; ++block) {
    sent.push_back(send(block));
    // The first of three never arrives, the others arrive one block before they are due.
    if (block < 30 || block > 32) come(sent.back(), block);
    if (block == 34) {
      come(sent[31], block);
      come(sent[32], block);
    }
    const Block heard = play();
    // The block after a concealed one is blended with it.
    if (block < kDelay || block == 30 + kDelay || block == 31 + kDelay) continue;
    EXPECT_LT(difference(heard, through_codec(tone(block - kDelay))), 1e-6) << block;
  }
  EXPECT_EQ(sum_.packets_lost, 1U);
  EXPECT_EQ(sum_.packets_late, 0U);
  EXPECT_EQ(sum_.packets_discarded, 0U);
}

TEST_F(RtpStreamTest, WithOnlyJitterEveryLostPacketIsALateOne) {
  for (const double jitter : {1.0, 3.0, 5.0, 10.0}) {
    receiver_ = RtpReceiver{G711Law::mu, kDelay};
    sum_ = {};
    std::mt19937 random(7);
    std::vector<std::pair<double, Packet>> under_way;
    constexpr int kSent = 2000;
    for (int block = 0; block < kSent + 40; ++block) {
      if (block < kSent) under_way.emplace_back(block + jitter * (random() % 1000) / 1000, send(block));
      receiver_.play_next_at(block * kBlock_ns);
      std::ranges::stable_sort(under_way, {}, &std::pair<double, Packet>::first);
      while (!under_way.empty() && under_way.front().first <= block) {
        come(under_way.front().second, under_way.front().first);
        under_way.erase(under_way.begin());
      }
      if (block < kSent) play();
    }
    sum_ += receiver_.notice();
    EXPECT_EQ(sum_.packets, static_cast<std::uint32_t>(kSent));
    // The last ones arrive after the end of playing.
    EXPECT_NEAR(sum_.packets_lost, sum_.packets_late, 12) << jitter;
    // Packets skipped by a step of the buffer's delay were not due.
    EXPECT_LE(sum_.packets_discarded, sum_.buffer_steps * static_cast<std::uint32_t>(kDelay)) << jitter;
    if (jitter > kDelay) {
      EXPECT_GT(sum_.packets_late, 20U);
    }
  }
}

TEST_F(RtpStreamTest, APacketAfterItsTimeIsLateAndLost) {
  Packet slow;
  for (int block = 0; block < 60; ++block) {
    const Packet packet = send(block);
    if (block == 25) {
      slow = packet;
    } else {
      come(packet, block);
    }
    if (block == 25 + kDelay + 2) come(slow, block);
    play();
  }
  EXPECT_EQ(sum_.packets_late, 1U);
  EXPECT_EQ(sum_.packets_lost, 1U);
}

TEST_F(RtpStreamTest, ALongerPathDelayIsFollowed) {
  std::vector<Packet> under_way;
  for (int block = 0; block < 100; ++block) {
    under_way.push_back(send(block));
    const int longer = block < 40 ? 0 : 8;  // 160 ms
    if (block - longer >= 0 && (block < 40 || block >= 48))
      come(under_way[static_cast<std::size_t>(block - longer)], block);
    const Block heard = play();
    if (block >= 90) {
      EXPECT_LT(difference(heard, through_codec(tone(block - kDelay - 8))), 0.03) << block;
    }
  }
  EXPECT_EQ(sum_.buffer_steps, 1U);
}

// The number of blocks until a packet is played, when a machine paused at the stream's start: the sender then sends the
// blocks due before `sent_from`, and the receiver takes the packets that arrived before `heard_from`.
class RtpStreamBeginTest : public RtpStreamTest {
 protected:
  void begin(int sent_from, int heard_from) {
    std::vector<std::pair<double, Packet>> coming;
    for (int block = 0; block < 80; ++block) coming.emplace_back(std::max(block, sent_from), send(block));
    std::ranges::stable_sort(coming, {}, &std::pair<double, Packet>::first);
    auto next = coming.begin();
    for (int block = 0; block < 80; ++block) {
      receiver_.play_next_at(block * kBlock_ns);
      // After a pause a machine takes the packets that arrived meanwhile, and then plays the missed blocks.
      for (; next != coming.end() && next->first <= std::max(block, heard_from); ++next)
        come(next->second, next->first);
      const Block heard = play();
      if (block < 60) continue;
      int delay = 0;
      for (int d = 1; d < kDifferent; ++d) {
        const auto apart = [&](int by) { return difference(heard, through_codec(tone(block - by))); };
        if (apart(d) < apart(delay)) delay = d;
      }
      EXPECT_EQ(delay, kDelay) << "block " << block;
    }
  }
  // Number of successive blocks that differ.
  static constexpr int kDifferent = 13;
  static Block tone(int block) {
    Block samples;
    for (std::size_t i = 0; i < samples.size(); ++i)
      samples[i] = static_cast<float>(0.05 + 0.03 * (block % kDifferent)) * (i % 2 == 0 ? 1.0F : -1.0F);
    return samples;
  }
  Packet send(int block) {
    const auto packet = sender_.packet(tone(block));
    return {packet.begin(), packet.end()};
  }
};

TEST_F(RtpStreamBeginTest, FirstPacketsSentLateDoNotDelayLaterOnes) {
  begin(5, 0);
}

TEST_F(RtpStreamBeginTest, FirstPacketsReceivedDuringAPauseDoNotDelayLaterOnes) {
  begin(0, 6);
}

TEST_F(RtpStreamBeginTest, AStartInTimeIsNotChanged) {
  begin(0, 0);
  EXPECT_EQ(sum_.buffer_steps, 0U);
  EXPECT_EQ(sum_.packets_lost, 0U);
}

// A receiver that pauses while packets arrive in time, then takes them with their arrival times and plays the missed
// blocks.
class RtpStreamStallTest : public RtpStreamBeginTest {
 protected:
  static constexpr int kStall = 70;
  // Checks that everything was played at its time except the blocks that the receiver skipped.
  void stand_still(int blocks, int passed_over = 0) {
    int coming = 0;
    for (int block = 0; block < kStall + 130; ++block) {
      if (block == kStall && passed_over > 0) {
        receiver_.pass_over(passed_over);
        block += passed_over;
      }
      receiver_.play_next_at(block * kBlock_ns);
      const int until = block < kStall ? block : std::max(block, kStall + blocks);
      for (; coming <= until; ++coming) come(send(coming), coming);
      const Block heard = play();
      if (block < kDelay) continue;
      EXPECT_LT(difference(heard, through_codec(tone(block - kDelay))), 1e-6)
          << "block " << block << " behind a stop of " << blocks;
    }
    EXPECT_EQ(sum_.packets_lost, 0U);
    EXPECT_EQ(sum_.packets_late, 0U);
    EXPECT_EQ(sum_.buffer_steps, 0U);
  }
};

TEST_F(RtpStreamStallTest, PacketsThatArrivedInTimeAreNotLost) {
  for (const int blocks : {5, 12, 15, 25, 49}) {
    receiver_ = RtpReceiver{G711Law::mu, kDelay};
    sender_ = RtpSender{G711Law::mu, 0x1234, 0xFFFE, 0xFFFFFF00};
    sum_ = {};
    stand_still(blocks);
    EXPECT_EQ(sum_.packets_discarded, 0U) << blocks;
  }
}

TEST_F(RtpStreamStallTest, SkippedBlocksDoNotShiftLaterOnes) {
  stand_still(100, 100);
  EXPECT_EQ(sum_.packets_discarded, 100U);
}

// What came in time by the kernel, and what did not, is decided by the arrival, whenever the packet is read.
class RtpStreamReadingTest : public RtpStreamTest {
 protected:
  // Packet kOdd came at this time, and is read after the block of `read_at` was played; all others come in time.
  void read_late(double came, int read_at) {
    Packet odd;
    for (int block = 0; block < 60; ++block) {
      receiver_.play_next_at(block * kBlock_ns);
      const Packet packet = send(block);
      if (block == kOdd) {
        odd = packet;
      } else {
        come(packet, block);
      }
      if (block == read_at + 1) come(odd, came);
      play();
    }
  }
  static constexpr int kOdd = 30, kDue = kOdd + kDelay;
};

TEST_F(RtpStreamReadingTest, APacketThatCameInTimeAndWasReadLateIsTheMachinesLoss) {
  read_late(kOdd, kDue);
  EXPECT_EQ(sum_.packets_late, 0U) << "the line delivered it in time";
  EXPECT_EQ(sum_.lost_samples, kLineBlock);
}

TEST_F(RtpStreamReadingTest, APacketThatCameAfterItsTimeIsLateHoweverLateTheMachinePlays) {
  // The machine is behind: it reads at block kDue what came 1.5 blocks after the block was due.
  read_late(kDue + 1.5, kDue - 1);
  EXPECT_EQ(sum_.packets_late, 1U);
  EXPECT_EQ(sum_.packets_lost, 1U);
  EXPECT_EQ(sum_.lost_samples, 0U);
}

TEST_F(RtpStreamReadingTest, AStreamThatBeginsWhileTheMachineIsBehindHasTheWholeBuffersDelay) {
  constexpr int kBegins = 20, kBehind = 8;
  for (int block = 0; block < 80; ++block) {
    receiver_.play_next_at(block * kBlock_ns);
    // At kBegins the machine reads what came during the kBehind blocks that it has to catch up.
    if (block == kBegins) {
      for (int n = 0; n <= kBehind - 4; ++n) come(send(n), kBegins + 4 + n);
    } else if (block > kBegins + kBehind) {
      come(send(block - kBegins - 4), block);
    }
    play();
  }
  EXPECT_EQ(sum_.packets_lost, 0U);
  EXPECT_EQ(sum_.packets_late, 0U);
  EXPECT_EQ(sum_.buffer_steps, 0U);
}

// A stream whose path delay changes, and the receiver's reaction when no transmission is in progress.
class RtpStreamRestTest : public RtpStreamBeginTest {
 protected:
  // Runs this many more blocks, which arrive `way` blocks after they were sent; returns the delay of the last block, in
  // blocks.
  int go_on(int blocks, double way, bool at_rest) {
    int delay = -1;
    for (const int end = block_ + blocks; block_ < end; ++block_) {
      receiver_.play_next_at(block_ * kBlock_ns);
      under_way_.emplace_back(send(block_), block_ + way);
      while (!under_way_.empty() && under_way_.front().second <= block_) {
        come(under_way_.front().first, under_way_.front().second);
        under_way_.erase(under_way_.begin());
      }
      if (at_rest) receiver_.rest();
      const Block heard = play();
      delay = -1;
      for (int d = 0; d < kDifferent; ++d) {
        if (difference(heard, through_codec(tone(block_ - d))) < 1e-6) delay = d;
      }
    }
    return delay;
  }
  // The relay is replaced by one with another delay: packets in it are lost.
  void change_the_way() { under_way_.clear(); }

 private:
  std::vector<std::pair<Packet, double>> under_way_;
  int block_ = 100;  // tone() counts from 0
};

TEST_F(RtpStreamRestTest, AfterAShorterPathTheBufferIsResetBetweenTransmissions) {
  EXPECT_EQ(go_on(120, 8, false), 8 + kDelay);
  change_the_way();
  EXPECT_EQ(go_on(200, 0, false), 8 + kDelay) << "never during a transmission";
  EXPECT_EQ(sum_.buffer_resets, 0U);
  EXPECT_EQ(go_on(60, 0, true), kDelay);
  EXPECT_EQ(go_on(60, 0, false), kDelay) << "and it stays";
  EXPECT_EQ(sum_.buffer_resets, 1U);
}

TEST_F(RtpStreamRestTest, AfterAPathLongerByLessThanTheBufferItIsResetToo) {
  EXPECT_EQ(go_on(120, 0, false), kDelay);
  change_the_way();
  EXPECT_EQ(go_on(120, 2, true), 2 + kDelay);
  EXPECT_EQ(sum_.buffer_resets, 1U);
}

TEST_F(RtpStreamRestTest, JitterAroundAWholePacketCausesNoReset) {
  go_on(120, 0, true);
  for (int n = 0; n < 400; ++n) go_on(1, n % 7 == 0 ? 0.1 : 0, true);
  for (int n = 0; n < 10; ++n) go_on(60, n % 2 == 0 ? 0.15 : 0, true);
  EXPECT_EQ(sum_.buffer_resets, 0U);
  EXPECT_EQ(go_on(10, 0, true), kDelay);
}

TEST_F(RtpStreamTest, PacketsOfAStrangerDoNotAffectTheStream) {
  RtpSender stranger(G711Law::mu, 0x99, 7, 70);
  int strange = 0;
  for (int block = 0; block < 100; ++block) {
    come(send(block), block);
    if (block % 4 == 3) {
      const auto packet = stranger.packet(tone(0));
      come({packet.begin(), packet.end()}, block);
      ++strange;
    }
    const Block heard = play();
    if (block >= kDelay) {
      EXPECT_LT(difference(heard, through_codec(tone(block - kDelay))), 1e-6) << block;
    }
  }
  EXPECT_EQ(receiver_.ssrc(), 0x1234U);
  EXPECT_EQ(sum_.packets_discarded, static_cast<std::uint32_t>(strange));
  EXPECT_EQ(sum_.packets_lost, 0U);
  EXPECT_EQ(sum_.silence_samples, 0U);
}

TEST_F(RtpStreamTest, AnotherSourceIsPlayedOnceTheFirstIsSilent) {
  RtpSender other(G711Law::mu, 0x99, 7, 70);
  constexpr int kChange = 40, kSilent = 150;  // 3 s
  for (int block = 0; block < kChange + kSilent + 60; ++block) {
    if (block < kChange) {
      come(send(block), block);
    } else {
      const auto packet = other.packet(tone(block));
      come({packet.begin(), packet.end()}, block);
    }
    const Block heard = play();
    if (block >= kChange + kSilent + 10) {
      EXPECT_LT(difference(heard, through_codec(tone(block - kDelay))), 0.03) << block;
    }
  }
  EXPECT_EQ(receiver_.ssrc(), 0x99U);
  EXPECT_EQ(sum_.source_changes, 1U);
  EXPECT_EQ(sum_.packets_of_others, static_cast<std::uint32_t>(kSilent - 1)) << "until then";
  EXPECT_EQ(sum_.packets_discarded, sum_.packets_of_others);
}

TEST_F(RtpStreamTest, TheKnownPortIsPlayedThoughAStrangerSentFirst) {
  constexpr std::uint16_t kKnown = 20000;
  RtpReceiver receiver(G711Law::mu, kDelay, kKnown);
  RtpSender stranger(G711Law::mu, 0x99, 7, 70);
  for (int block = 0; block < 20; ++block) {
    receiver.take(stranger.packet(tone(0)), block * kBlock_ns, 4000);
    if (block > 2) receiver.take(sender_.packet(tone(block)), block * kBlock_ns, kKnown);
    Block heard;
    receiver.play(heard);
  }
  EXPECT_EQ(receiver.ssrc(), 0x1234U);
}

TEST_F(RtpStreamTest, OfTwoPacketsWithOneNumberTheFirstIsPlayedAndBothAreReported) {
  for (int block = 0; block < 60; ++block) {
    const Packet packet = send(block);
    come(packet, block);
    Packet forged = packet;
    if (block % 3 == 1) forged[5] ^= 1;  // another timestamp
    if (block % 3 == 2) forged.back() ^= 0x40;
    come(forged, block);
    const Block heard = play();
    if (block >= kDelay) {
      EXPECT_LT(difference(heard, through_codec(tone(block - kDelay))), 1e-6) << block;
    }
  }
  EXPECT_EQ(sum_.packets_repeated, 20U) << "the same octets are a copy made by the network";
  EXPECT_EQ(sum_.packets_contradicting, 40U);
  EXPECT_NE(receiver_.take_warning().find("different content"), std::string::npos);
}

TEST_F(RtpStreamTest, AMuchLaterCopyIsNotALatePacket) {
  std::vector<Packet> sent;
  for (int block = 0; block < 200; ++block) {
    sent.push_back(send(block));
    come(sent.back(), block);
    if (block >= 6) come(sent[static_cast<std::size_t>(block - 6)], block);
    const Block heard = play();
    if (block >= kDelay) {
      EXPECT_LT(difference(heard, through_codec(tone(block - kDelay))), 1e-6) << block;
    }
  }
  EXPECT_EQ(sum_.packets_repeated, 194U);
  EXPECT_EQ(sum_.packets_late, 0U);
  EXPECT_EQ(sum_.packets_lost, 0U);
  EXPECT_NEAR(sum_.jitter_ms, 0, 1e-6);
}

TEST_F(RtpStreamTest, DiscardedPacketsOfAFastSenderAreCounted) {
  // Three packets per block every tenth block: more arrive than are played.
  int sent = 0;
  std::uint32_t played = 0;
  for (int block = 0; block < 400; ++block) {
    for (int n = 0; n < (block % 10 == 9 ? 2 : 1); ++n) come(send(sent++), block);
    play();
    played += block >= kDelay ? 1 : 0;
  }
  EXPECT_GE(sum_.buffer_steps, 2U);
  EXPECT_EQ(sum_.packets_lost, 0U);
  // Received packets were played, skipped, or wait in the buffer, which is bounded.
  const std::uint32_t rest = sum_.packets - played - sum_.packets_discarded;
  EXPECT_GE(sum_.packets_discarded, 26U);
  EXPECT_LE(rest, static_cast<std::uint32_t>(2 * kDelay + 11));
}

TEST_F(RtpStreamTest, JitterIsThatOfRfc3550) {
  for (int block = 0; block < 500; ++block) {
    come(send(block), block + (block % 2 == 0 ? 0 : 0.25));
    play();
  }
  EXPECT_NEAR(sum_.jitter_ms, 5, 0.01) << "every packet is 5 ms nearer to or farther from the previous one";
}

TEST_F(RtpStreamTest, ArbitraryOctetsAreNotSpeech) {
  std::mt19937 random(5);
  for (int n = 0; n < 20000; ++n) {
    Packet octets(random() % 200);
    for (auto& one : octets) one = static_cast<std::uint8_t>(random());
    receiver_.take(octets, n);
  }
  Packet other = send(0);
  other[1] = 8;  // A-law
  EXPECT_FALSE(receiver_.take(other, 0));
  other = send(1);
  other.resize(100);
  EXPECT_FALSE(receiver_.take(other, 0));
  play();
}

}  // namespace
}  // namespace vqas
