#include "line/rtp_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <thread>

#include "line/rtcp.h"
#include "line/rtp_line.h"
#include "vqas/line/open_line.h"

// spandsp's plc copies its history onto itself with memcpy(), downwards, which the C library of this platform allows
// and AddressSanitizer does not; nothing of ours is left out.
extern "C" const char* __asan_default_suppressions();   // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __asan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "interceptor_via_lib:libspandsp";
}

namespace vqas {
namespace {

using Block = std::array<float, kLineBlock>;
using Packet = std::vector<std::uint8_t>;
constexpr std::int64_t kBlock_ns = 20'000'000;
constexpr int kDelay = 3;

Block tone(int block) {
  Block samples;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double t = static_cast<double>(static_cast<std::size_t>(block) * kLineBlock + i) / 8000;
    samples[i] = static_cast<float>(0.3 * std::sin(2 * std::numbers::pi * 440 * t));
  }
  return samples;
}

Block through_codec(const Block& block) {
  std::array<std::uint8_t, kLineBlock> octets;
  Block decoded;
  g711_encode(block, octets, G711Law::mu);
  g711_decode(octets, decoded, G711Law::mu);
  return decoded;
}

double difference(const Block& a, const Block& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(static_cast<double>(a[i]) - b[i]));
  return most;
}

// A sender, what became of its packets, and a receiver that plays one block for each that was sent.
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

  RtpSender sender_{G711Law::mu, 0x1234, 0xFFFE, 0xFFFFFF00};  // both go round soon
  RtpReceiver receiver_{G711Law::mu, kDelay};
  LineStatistics sum_;
};

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

TEST_F(RtpStreamTest, ALostPacketIsConcealedAndMovesNothing) {
  for (int block = 0; block < 60; ++block) {
    const Packet packet = send(block);
    if (block != 20) come(packet, block);
    const Block heard = play();
    if (block == 20 + kDelay) {
      double power = 0;
      for (const float sample : heard) power += static_cast<double>(sample) * sample;
      EXPECT_GT(power / kLineBlock, 0.005) << "a tone goes on";
    } else if (block > 21 + kDelay) {
      EXPECT_LT(difference(heard, through_codec(tone(block - kDelay))), 1e-6) << block;
    }
  }
  EXPECT_EQ(sum_.packets_lost, 1U);
  EXPECT_EQ(sum_.concealed_samples, kLineBlock);
  EXPECT_EQ(sum_.buffer_steps, 0U);
}

TEST_F(RtpStreamTest, AnOutageIsCountedWholeHoweverLong) {
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
    // The next one begins a stream of its own.
    receiver_ = RtpReceiver{G711Law::mu, kDelay};
  }
}

TEST_F(RtpStreamTest, ASenderThatOnlyPausedLostNothingMoreThanWasCountedMeanwhile) {
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

TEST_F(RtpStreamTest, PacketsOutOfOrderAndTwiceArePutRight) {
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

TEST_F(RtpStreamTest, AWayThatBecomesLongerIsFollowed) {
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

// The blocks until a packet's octets are heard, where a machine stood still at the stream's beginning: the sender sends
// what was due before `sent_from` then, and the receiver takes what came before `heard_from` then.
class RtpStreamBeginTest : public RtpStreamTest {
 protected:
  void begin(int sent_from, int heard_from) {
    std::vector<std::pair<double, Packet>> coming;
    for (int block = 0; block < 80; ++block) coming.emplace_back(std::max(block, sent_from), send(block));
    std::ranges::stable_sort(coming, {}, &std::pair<double, Packet>::first);
    auto next = coming.begin();
    for (int block = 0; block < 80; ++block) {
      receiver_.play_next_at(block * kBlock_ns);
      // A machine that stands still takes what came meanwhile when it goes on, and then plays what it missed.
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
  // So many blocks in a row are different.
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

TEST_F(RtpStreamBeginTest, FirstPacketsThatWereSentLateDelayNothingThatFollows) {
  begin(5, 0);
}

TEST_F(RtpStreamBeginTest, NorDoThoseThatCameWhileTheReceiverStoodStill) {
  begin(0, 6);
}

TEST_F(RtpStreamBeginTest, ABeginningInTimeIsLeftAsItIs) {
  begin(0, 0);
  EXPECT_EQ(sum_.buffer_steps, 0U);
  EXPECT_EQ(sum_.packets_lost, 0U);
}

// A stream whose way changes, and what the receiver makes of it once nothing is under way.
class RtpStreamRestTest : public RtpStreamBeginTest {
 protected:
  // So many blocks more, which come `way` blocks after they were sent; the delay of the last block, in blocks.
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
  // The relay is replaced by one with another way: what was in it is gone.
  void change_the_way() { under_way_.clear(); }

 private:
  std::vector<std::pair<Packet, double>> under_way_;
  int block_ = 100;  // tone() counts from 0
};

TEST_F(RtpStreamRestTest, AWayThatBecameShorterIsAnchoredAnewOnceNothingIsUnderWay) {
  EXPECT_EQ(go_on(120, 8, false), 8 + kDelay);
  change_the_way();
  EXPECT_EQ(go_on(200, 0, false), 8 + kDelay) << "never while something is under way";
  EXPECT_EQ(sum_.buffer_resets, 0U);
  EXPECT_EQ(go_on(60, 0, true), kDelay);
  EXPECT_EQ(go_on(60, 0, false), kDelay) << "and it stays";
  EXPECT_EQ(sum_.buffer_resets, 1U);
}

TEST_F(RtpStreamRestTest, SoIsOneThatBecameLongerByLessThanTheBuffer) {
  EXPECT_EQ(go_on(120, 0, false), kDelay);
  change_the_way();
  EXPECT_EQ(go_on(120, 2, true), 2 + kDelay);
  EXPECT_EQ(sum_.buffer_resets, 1U);
}

TEST_F(RtpStreamRestTest, JitterAroundAWholePacketMovesNothing) {
  go_on(120, 0, true);
  for (int n = 0; n < 400; ++n) go_on(1, n % 7 == 0 ? 0.1 : 0, true);
  for (int n = 0; n < 10; ++n) go_on(60, n % 2 == 0 ? 0.15 : 0, true);
  EXPECT_EQ(sum_.buffer_resets, 0U);
  EXPECT_EQ(go_on(10, 0, true), kDelay);
}

TEST_F(RtpStreamTest, AStrangersPacketsSilenceNothing) {
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

TEST_F(RtpStreamTest, AnotherSourceIsHeardOnceTheFirstIsSilent) {
  RtpSender other(G711Law::mu, 0x99, 7, 70);
  constexpr int kChange = 40;
  for (int block = 0; block < 80; ++block) {
    if (block < kChange) {
      come(send(block), block);
    } else {
      const auto packet = other.packet(tone(block));
      come({packet.begin(), packet.end()}, block);
    }
    const Block heard = play();
    if (block >= kChange + 10) {
      EXPECT_LT(difference(heard, through_codec(tone(block - kDelay))), 0.03) << block;
    }
  }
  EXPECT_EQ(receiver_.ssrc(), 0x99U);
  // The four that made it known, and the three of the first that were still in the buffer less what was played of them.
  EXPECT_EQ(sum_.packets_discarded, 4U);
  EXPECT_EQ(sum_.silence_samples, kDelay * kLineBlock);
}

TEST_F(RtpStreamTest, TheKnownPortIsHeardThoughAStrangerSpokeFirst) {
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

TEST_F(RtpStreamTest, ACopyLongAfterIsNoLatePacket) {
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

TEST_F(RtpStreamTest, WhatAFastSendersPacketsLoseIsCounted) {
  // Three packets a block every tenth block: more comes than is played.
  int sent = 0;
  std::uint32_t played = 0;
  for (int block = 0; block < 400; ++block) {
    for (int n = 0; n < (block % 10 == 9 ? 2 : 1); ++n) come(send(sent++), block);
    play();
    played += block >= kDelay ? 1 : 0;
  }
  EXPECT_GE(sum_.buffer_steps, 2U);
  EXPECT_EQ(sum_.packets_lost, 0U);
  // What came was played, passed over, or waits in the buffer: at most its bound.
  const std::uint32_t rest = sum_.packets - played - sum_.packets_discarded;
  EXPECT_GE(sum_.packets_discarded, 26U);
  EXPECT_LE(rest, static_cast<std::uint32_t>(2 * kDelay + 11));
}

TEST_F(RtpStreamTest, JitterIsThatOfRfc3550) {
  for (int block = 0; block < 500; ++block) {
    come(send(block), block + (block % 2 == 0 ? 0 : 0.25));
    play();
  }
  EXPECT_NEAR(sum_.jitter_ms, 5, 0.01) << "every packet is 5 ms nearer to or farther from the one before";
}

TEST_F(RtpStreamTest, AnybodysOctetsAreNoSpeech) {
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

TEST(RtpLine, TwoEndsHearEachOther) {
  // Ports of this process.
  const auto find = [] {
    const auto sockets = bind_rtp_sockets({0x7F000001, 0});
    EXPECT_TRUE(sockets);
    return sockets->rtp.address().port;
  };
  const std::uint16_t port_a = find(), port_b = find();
  const auto name = [](int own, int other) {
    return "rtp:127.0.0.1:" + std::to_string(own) + "/127.0.0.1:" + std::to_string(other);
  };
  auto a = open_line(name(port_a, port_b), End::a);
  ASSERT_TRUE(a) << a.error().message;
  auto b = open_line(name(port_b, port_a), End::b);
  ASSERT_TRUE(b) << b.error().message;
  Block heard_a, heard_b;
  int first = -1;
  LineStatistics sum;
  for (int block = 0; block < 40; ++block) {
    ASSERT_TRUE((*a)->exchange(tone(block), heard_a, {}));
    const auto time = (*b)->exchange(tone(block), heard_b, {});
    ASSERT_TRUE(time);
    sum += time->noticed;
    if (first < 0 && heard_b[10] != 0) first = block;
  }
  ASSERT_GE(first, 0);
  EXPECT_GE(sum.packets, 35U);
  EXPECT_LT(difference(heard_b, through_codec(tone(39 - first))), 0.03);
}

// A relay between the far end and the line holds what comes through it for some blocks.
TEST(RtpLine, ARelaysDelayThatFellIsNoneOfTheNextSessions) {
  auto far = bind_rtp_sockets({0x7F000001, 0});
  ASSERT_TRUE(far);
  const std::uint16_t own = bind_rtp_sockets({0x7F000001, 0})->rtp.address().port;
  const auto options =
      parse_rtp_line("rtp:127.0.0.1:" + std::to_string(own) + "/127.0.0.1:" + std::to_string(far->rtp.address().port));
  ASSERT_TRUE(options);
  auto line = RtpLine::open(*options);
  ASSERT_TRUE(line) << line.error().message;
  RtpSender sender(G711Law::mu, 77, 1, 1);
  std::vector<std::vector<std::uint8_t>> relayed;
  LineStatistics sum;
  int block = 0;
  constexpr int kDifferent = 25;
  const auto numbered = [](int number) {
    Block samples;
    for (std::size_t i = 0; i < samples.size(); ++i)
      samples[i] = static_cast<float>(0.01 * std::pow(1.15, number % kDifferent)) * (i % 2 == 0 ? 1.0F : -1.0F);
    return samples;
  };
  // The delay that most of the last blocks had, in blocks: a machine that is busy elsewhere may send one late.
  const auto session = [&](int blocks, std::size_t held, bool busy) {
    std::array<int, kDifferent> delays{};
    for (int n = 0; n < blocks; ++n, ++block) {
      const auto packet = sender.packet(numbered(block));
      relayed.emplace_back(packet.begin(), packet.end());
      for (; relayed.size() > held; relayed.erase(relayed.begin())) far->rtp.send(relayed.front(), {0x7F000001, own});
      Block heard;
      const auto time = (*line)->exchange(numbered(0), heard, {1, busy});
      EXPECT_TRUE(time);
      if (time) sum += time->noticed;
      if (n + 20 < blocks) continue;
      for (int d = 0; d < std::min(block, kDifferent); ++d) {
        if (difference(heard, through_codec(numbered(block - d))) < 1e-6) ++delays.at(static_cast<std::size_t>(d));
      }
    }
    return std::ranges::max_element(delays) - delays.begin();
  };
  const auto long_way = session(80, 10, true);
  EXPECT_GE(long_way, 12);
  relayed.clear();
  EXPECT_EQ(session(70, 0, true), long_way) << "not within a session";
  session(70, 0, false);
  EXPECT_LE(session(30, 0, true), 5);
  EXPECT_GE(sum.buffer_resets, 1U);
}

class RtpHangUp : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto find = [] { return bind_rtp_sockets({0x7F000001, 0})->rtp.address().port; };
    const std::uint16_t own = find();
    far_.emplace(bind_rtp_sockets({0x7F000001, 0}).value());
    port_ = own;
    auto options = parse_rtp_line("rtp:127.0.0.1:" + std::to_string(own) +
                                  "/127.0.0.1:" + std::to_string(far_->rtp.address().port));
    ASSERT_TRUE(options);
    options->patience = std::chrono::hours(1);
    auto line = RtpLine::open(*options);
    ASSERT_TRUE(line) << line.error().message;
    line_ = std::move(line).value();
  }
  void speak(RtpSender& sender) const { far_->rtp.send(sender.packet(tone(0)), {0x7F000001, port_}); }
  void report(std::span<const std::uint8_t> packet) const {
    far_->rtcp.send(packet, {0x7F000001, static_cast<std::uint16_t>(port_ + 1)});
  }
  // Blocks until the line is lost, `most` at most; the sender, if any, goes on.
  std::optional<Error> lost_within(int most, RtpSender* sender = nullptr) {
    Block heard;
    for (int block = 0; block < most; ++block) {
      if (sender != nullptr) speak(*sender);
      if (const auto time = line_->exchange(tone(block), heard, {}); !time) return time.error();
    }
    return std::nullopt;
  }
  std::optional<RtpSockets> far_;
  std::uint16_t port_ = 0;
  std::unique_ptr<Line> line_;
};

TEST_F(RtpHangUp, ByRtcpByeIsALostLineAtOnce) {
  RtpSender sender(G711Law::mu, 77, 1, 1);
  ASSERT_FALSE(lost_within(5, &sender));
  report(rtcp_goodbye(77));
  const auto lost = lost_within(10);
  ASSERT_TRUE(lost) << "after the jitter buffer's 60 ms";
  EXPECT_EQ(lost->code, ErrorCode::line_lost);
  EXPECT_NE(lost->message.find("RTCP BYE"), std::string::npos) << lost->message;
}

TEST_F(RtpHangUp, OfSomebodyElseOrBeforeSpeakingAgainIsNone) {
  RtpSender sender(G711Law::mu, 77, 1, 1), again(G711Law::mu, 78, 1, 1);
  report(rtcp_goodbye(77));
  EXPECT_FALSE(lost_within(8)) << "nobody was heard yet";
  ASSERT_FALSE(lost_within(3, &sender));
  report(rtcp_goodbye(76));
  EXPECT_FALSE(lost_within(8, &sender)) << "a source that nobody hears";
  report(rtcp_goodbye(77));
  EXPECT_FALSE(lost_within(10, &again)) << "the other end speaks again, under another number";
}

TEST_F(RtpHangUp, IsToldToTheOtherEndByALineThatIsClosed) {
  RtpSender sender(G711Law::mu, 77, 1, 1);
  ASSERT_FALSE(lost_within(3, &sender));
  line_.reset();
  PacketReader reader;
  const auto speech = reader.read(far_->rtp);
  ASSERT_FALSE(speech.empty());
  const auto* const octets = speech.front().octets.data();
  const std::uint32_t ssrc = (std::uint32_t{octets[8]} << 24) | (std::uint32_t{octets[9]} << 16) |
                             (std::uint32_t{octets[10]} << 8) | std::uint32_t{octets[11]};
  const auto reports = reader.read(far_->rtcp);
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_TRUE(says_goodbye(reports.front().octets, ssrc));
  EXPECT_FALSE(says_goodbye(reports.front().octets, ssrc + 1));
}

// What is heard within some blocks.
class RtpStrangers : public RtpHangUp {
 protected:
  LineStatistics exchange(int blocks, const std::function<void()>& before_each) const {
    LineStatistics sum;
    Block heard;
    for (int block = 0; block < blocks; ++block) {
      before_each();
      const auto time = line_->exchange(tone(block), heard, {});
      EXPECT_TRUE(time);
      if (time) sum += time->noticed;
    }
    return sum;
  }
};

TEST_F(RtpStrangers, OfAnotherHostAreNotEvenCounted) {
  const auto stranger = bind_rtp_sockets({0x7F000002, 0});
  ASSERT_TRUE(stranger);
  RtpSender sender(G711Law::mu, 77, 1, 1);
  const auto sum = exchange(10, [&] { stranger->rtp.send(sender.packet(tone(0)), {0x7F000001, port_}); });
  EXPECT_EQ(sum.packets, 0U);
}

TEST_F(RtpStrangers, OfAnotherPortAreDiscardedWhileTheOtherEndSpeaks) {
  const auto stranger = bind_rtp_sockets({0x7F000001, 0});
  ASSERT_TRUE(stranger);
  // The very same source, but for the port.
  RtpSender sender(G711Law::mu, 77, 1, 1), copied(G711Law::mu, 77, 1, 1);
  speak(sender);
  exchange(3, [] {});
  const auto sum = exchange(20, [&] {
    speak(sender);
    stranger->rtp.send(copied.packet(tone(0)), {0x7F000001, port_});
  });
  EXPECT_GE(sum.packets_discarded, 15U);
  EXPECT_EQ(sum.packets_repeated, 0U);
}

TEST_F(RtpStrangers, AMachineThatStoodStillGoesOnFromThere) {
  Block heard;
  const auto before = line_->exchange(tone(0), heard, {});
  std::this_thread::sleep_for(std::chrono::milliseconds(1300));
  const auto stalled = line_->exchange(tone(1), heard, {});
  const auto after = line_->exchange(tone(2), heard, {});
  ASSERT_TRUE(before && stalled && after);
  EXPECT_GT(stalled->noticed.inserted_samples, 8000U);
  EXPECT_GT(after->time_ns - stalled->time_ns, 1'000'000'000) << "what was missed is not sent in a burst";
}

TEST(RtpLineName, ItsBufferHoldsWholePackets) {
  const auto port = bind_rtp_sockets({0x7F000001, 0})->rtp.address().port;
  const auto options = parse_rtp_line("rtp:127.0.0.1:" + std::to_string(port) + "/127.0.0.1:20002?buffer_ms=50");
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(options->buffer_ms, 60);
  const auto line = RtpLine::open(*options);
  ASSERT_TRUE(line) << line.error().message;
  EXPECT_NE((*line)->description().equipment.find("jitter buffer 60 ms"), std::string::npos);
}

TEST(Rtcp, AnybodysOctetsSayNothing) {
  const std::vector<std::uint8_t> good = rtcp_goodbye(77);
  std::mt19937 random(5);
  for (int n = 0; n < 20000; ++n) {
    std::vector<std::uint8_t> octets = good;
    if (n % 2 == 0) octets.resize(random() % octets.size());
    for (int i = 0; i < 3 && !octets.empty(); ++i)
      octets[random() % octets.size()] = static_cast<std::uint8_t>(random());
    says_goodbye(octets, 78);
  }
  EXPECT_FALSE(says_goodbye({}, 77));
  EXPECT_FALSE(says_goodbye(std::span(good).first(good.size() - 1), 77)) << "cut short";
}

TEST(RtpLineName, IsChecked) {
  for (const char* name :
       {"rtp:127.0.0.1:20000", "rtp:127.0.0.1:20001/127.0.0.1:20002", "rtp:127.0.0.1:20000/127.0.0.1:0",
        "rtp:127.0.0.1:20000/127.0.0.1:20002?law=x", "rtp:127.0.0.1:20000/127.0.0.1:20002?buffer_ms=5", "rtp:/"}) {
    const Status checked = check_line_name(name, End::a);
    ASSERT_FALSE(checked) << name;
    EXPECT_EQ(checked.error().code, ErrorCode::bad_input) << name;
  }
  EXPECT_TRUE(check_line_name("rtp:127.0.0.1:20000/127.0.0.1:20002?law=a&buffer_ms=100", End::a));
}

}  // namespace
}  // namespace vqas
