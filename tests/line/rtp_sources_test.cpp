// Which of the streams that arrive at one port is played.
#include "line/rtp_sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vqas {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Verdict = RtpSources::Verdict;

constexpr std::int64_t kPacket_ns = 20'000'000;
constexpr std::uint16_t kNegotiated = 20000, kElsewhere = 40000;
constexpr RtpSource kPeer{kNegotiated, 0x1234}, kRival{kElsewhere, 0x99};

// One stream that sends every 20 ms, and others.
class RtpSourcesTest : public ::testing::Test {
 protected:
  Verdict speak(const RtpSource& from, std::uint16_t sequence, double at_s) {
    return sources_.take(from, sequence, static_cast<std::int64_t>(at_s * 1e9));
  }
  // The peer's packet number n, at its time.
  Verdict peer(int n) { return sources_.take(kPeer, static_cast<std::uint16_t>(n), n * kPacket_ns); }
  double time_of(int n) const { return static_cast<double>(n * kPacket_ns) * 1e-9; }
  // `count` packets between the peer's packets n and n + 1.
  void flood(const RtpSource& from, int n, int count, std::uint16_t& sequence) {
    for (int k = 0; k < count; ++k)
      EXPECT_EQ(speak(from, sequence++, time_of(n) + 0.02 * k / count), Verdict::other) << n;
  }

  RtpSources sources_{kNegotiated};
};

TEST_F(RtpSourcesTest, AFloodFromAnotherPortIsNotPlayedHoweverDense) {
  for (const int packets : {1, 4, 20, 2000}) {
    RtpSources sources(kNegotiated);
    std::uint16_t sequence = 0;
    for (int n = 0; n < 200; ++n) {
      EXPECT_NE(sources.take(kPeer, static_cast<std::uint16_t>(n), n * kPacket_ns), Verdict::other) << packets;
      for (int k = 0; k < packets; ++k)
        ASSERT_EQ(sources.take(kRival, sequence++, n * kPacket_ns + kPacket_ns * k / packets), Verdict::other);
    }
    EXPECT_EQ(sources.heard(), kPeer);
    EXPECT_THAT(sources.take_warning(), HasSubstr("port 40000 (SSRC 00000099)"));
  }
}

TEST_F(RtpSourcesTest, ANewNumberAtTheSamePortIsNotPlayedWhileTheFirstIsActive) {
  std::uint16_t sequence = 500;
  for (int n = 0; n < 200; ++n) {
    EXPECT_NE(peer(n), Verdict::other);
    flood({kNegotiated, 0x77}, n, 10, sequence);
  }
  EXPECT_EQ(sources_.heard(), kPeer);
}

TEST_F(RtpSourcesTest, ASpoofedStreamWithOtherSequenceNumbersIsNotPlayed) {
  std::uint16_t sequence = 30000;
  for (int n = 0; n < 200; ++n) {
    EXPECT_NE(peer(n), Verdict::other);
    flood(kPeer, n, 10, sequence);
  }
  EXPECT_THAT(sources_.take_warning(), HasSubstr("another sender"));
}

TEST_F(RtpSourcesTest, ARestartedPeerIsPlayedAfterThreeSecondsOfSilence) {
  for (int n = 0; n < 50; ++n) peer(n);
  int begun = -1;
  for (int n = 50; n < 300 && begun < 0; ++n) {
    if (speak({kNegotiated, 0x77}, static_cast<std::uint16_t>(9000 + n), time_of(n)) == Verdict::begins) begun = n;
  }
  EXPECT_EQ(begun, 49 + 150);
  EXPECT_EQ(sources_.heard(), (RtpSource{kNegotiated, 0x77}));
  EXPECT_THAT(sources_.take_warning(), HasSubstr("the previous source has been silent for 3 s"));
}

TEST_F(RtpSourcesTest, AShortOutageOfThePeerChangesNoSource) {
  std::uint16_t sequence = 0;
  for (int n = 0; n < 300; ++n) {
    if (n < 100 || n >= 240) {
      EXPECT_NE(peer(n), Verdict::other) << n;
    }
    flood(kRival, n, 4, sequence);
  }
  EXPECT_EQ(sources_.heard(), kPeer);
}

TEST_F(RtpSourcesTest, OnePacketIsNotAStreamEvenAfterSilence) {
  for (int n = 0; n < 50; ++n) peer(n);
  EXPECT_EQ(speak(kRival, 7, 10), Verdict::other);
  EXPECT_EQ(speak({kElsewhere, 0x55}, 7, 10.01), Verdict::other);
  EXPECT_EQ(speak(kPeer, 50, 10.02), Verdict::heard) << "it only paused";
}

TEST_F(RtpSourcesTest, TheNegotiatedPortIsPlayedEvenAfterAFloodOfManySources) {
  for (int k = 0; k < 50; ++k) speak({static_cast<std::uint16_t>(kElsewhere + k), 1U + static_cast<unsigned>(k)}, 7, 0);
  int begun = -1;
  for (int n = 1; n < 50 && begun < 0; ++n) {
    for (int k = 0; k < 20; ++k)
      speak({static_cast<std::uint16_t>(kElsewhere + k), 100U * static_cast<unsigned>(n + k)}, 7, time_of(n));
    if (peer(n) == Verdict::begins) begun = n;
  }
  EXPECT_EQ(begun, 2) << "with its second packet";
  EXPECT_THAT(sources_.take_warning(), HasSubstr("the port that the line's name gives"));
}

TEST_F(RtpSourcesTest, AfterAGoodbyeTheNextSourceIsPlayedWithoutDelay) {
  for (int n = 0; n < 50; ++n) peer(n);
  sources_.said_goodbye(50 * kPacket_ns);
  EXPECT_TRUE(sources_.has_left());
  EXPECT_EQ(speak({kNegotiated, 0x77}, 1, time_of(51)), Verdict::other);
  EXPECT_EQ(speak({kNegotiated, 0x77}, 2, time_of(52)), Verdict::begins);
  EXPECT_FALSE(sources_.has_left());
}

TEST_F(RtpSourcesTest, AGoodbyeOfASourceThatContinuesIsIgnored) {
  for (int n = 0; n < 50; ++n) peer(n);
  sources_.said_goodbye(50 * kPacket_ns);
  for (int n = 51; n < 53; ++n) peer(n);
  EXPECT_FALSE(sources_.has_left());
  EXPECT_EQ(speak(kRival, 1, time_of(53)), Verdict::other);
  EXPECT_EQ(speak(kRival, 2, time_of(53) + 0.001), Verdict::other);
}

TEST_F(RtpSourcesTest, NumbersThatAdvancedDuringSilenceAreTheSameStream) {
  for (int n = 0; n < 50; ++n) peer(n);
  EXPECT_EQ(peer(50 + 600), Verdict::heard) << "12 s later";
  EXPECT_EQ(peer(50 + 600 + 140), Verdict::heard);
  EXPECT_THAT(sources_.take_warning(), IsEmpty());
}

TEST_F(RtpSourcesTest, AContestIsReportedOnceAndNotForEveryPacket) {
  std::uint16_t sequence = 0;
  int told = 0;
  for (int n = 0; n < 2000; ++n) {
    peer(n);
    flood(kRival, n, 4, sequence);
    told += sources_.take_warning().empty() ? 0 : 1;
  }
  EXPECT_EQ(told, 1);
}

TEST_F(RtpSourcesTest, AStrayPacketIsNotAContest) {
  for (int n = 0; n < 200; ++n) {
    peer(n);
    if (n % 50 == 0) speak(kRival, static_cast<std::uint16_t>(n), time_of(n) + 0.001);
  }
  EXPECT_THAT(sources_.take_warning(), IsEmpty());
}

}  // namespace
}  // namespace vqas
