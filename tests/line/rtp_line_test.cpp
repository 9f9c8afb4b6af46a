#include "line/rtp_line.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "line/rtcp.h"
#include "line/rtp_blocks.h"
#include "line/rtp_stream.h"
#include "vqas/line/open_line.h"

namespace vqas {
namespace {

using test::Block;
using test::difference;
using test::through_codec;
using test::tone;
constexpr std::int64_t kBlock_ns = 20'000'000;

TEST(RtpLine, TwoEndsReceiveEachOther) {
  // Ports used by this process.
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

// A relay between the far end and the line delays its packets by some blocks.
TEST(RtpLine, AfterARelaysDelayFallsTheNextSessionHasTheShorterDelay) {
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
  // The most frequent delay of the last blocks, in blocks: a busy machine may send one late.
  const auto session = [&](int blocks, std::size_t held, bool busy, bool hears = true) {
    std::array<int, kDifferent> delays{};
    for (int n = 0; n < blocks; ++n, ++block) {
      const auto packet = sender.packet(numbered(block));
      relayed.emplace_back(packet.begin(), packet.end());
      for (; relayed.size() > held; relayed.erase(relayed.begin())) far->rtp.send(relayed.front(), {0x7F000001, own});
      Block heard;
      const auto time = (*line)->exchange(numbered(0), heard, {.number = 1, .busy = busy, .hears = hears});
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
  // A node that is always busy marks the blocks that it does not use.
  const auto longer = session(80, 10, true);
  sum = {};
  session(70, 0, true, false);
  EXPECT_LE(session(30, 0, true), 5) << "of " << longer;
  EXPECT_GE(sum.buffer_resets, 1U);
}

class RtpHangUp : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto find = [] { return bind_rtp_sockets({0x7F000001, 0})->rtp.address().port; };
    const std::uint16_t own = find();
    far_.emplace(bind_rtp_sockets({0x7F000001, 0}).value());
    port_ = own;
    const auto options = parse_rtp_line("rtp:127.0.0.1:" + std::to_string(own) +
                                        "/127.0.0.1:" + std::to_string(far_->rtp.address().port));
    ASSERT_TRUE(options);
    options_ = *options;
    options_.patience = std::chrono::hours(1);
    open();
  }
  void open() {
    line_.reset();
    auto line = RtpLine::open(options_);
    ASSERT_TRUE(line) << line.error().message;
    line_ = std::move(line).value();
  }
  void speak(RtpSender& sender) const { far_->rtp.send(sender.packet(tone(0)), {0x7F000001, port_}); }
  void report(std::span<const std::uint8_t> packet) const {
    far_->rtcp.send(packet, {0x7F000001, static_cast<std::uint16_t>(port_ + 1)});
  }
  // Blocks until the line is lost, `most` at most; the sender, if any, continues.
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
  RtpLineOptions options_;
  std::unique_ptr<Line> line_;
};

TEST_F(RtpHangUp, RtcpByeIsALostLineWithoutDelay) {
  RtpSender sender(G711Law::mu, 77, 1, 1);
  ASSERT_FALSE(lost_within(5, &sender));
  report(rtcp_goodbye(77));
  const auto lost = lost_within(10);
  ASSERT_TRUE(lost) << "after the jitter buffer's 60 ms";
  EXPECT_EQ(lost->code, ErrorCode::line_lost);
  EXPECT_NE(lost->message.find("RTCP BYE"), std::string::npos) << lost->message;
}

TEST_F(RtpHangUp, ByeOfAnotherSourceOrFollowedByPacketsIsIgnored) {
  RtpSender sender(G711Law::mu, 77, 1, 1), again(G711Law::mu, 78, 1, 1);
  report(rtcp_goodbye(77));
  EXPECT_FALSE(lost_within(8)) << "no source was played yet";
  ASSERT_FALSE(lost_within(3, &sender));
  report(rtcp_goodbye(76));
  EXPECT_FALSE(lost_within(8, &sender)) << "a source that is not played";
  report(rtcp_goodbye(77));
  EXPECT_FALSE(lost_within(10, &again)) << "the other end sends again, with another number";
}

TEST_F(RtpHangUp, AClosedLineSendsByeToTheOtherEnd) {
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

// The blocks received while strangers send.
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

TEST_F(RtpStrangers, PacketsOfAnotherHostAreNotCounted) {
  const auto stranger = bind_rtp_sockets({0x7F000002, 0});
  ASSERT_TRUE(stranger);
  RtpSender sender(G711Law::mu, 77, 1, 1);
  const auto sum = exchange(10, [&] { stranger->rtp.send(sender.packet(tone(0)), {0x7F000001, port_}); });
  EXPECT_EQ(sum.packets, 0U);
}

TEST_F(RtpStrangers, PacketsOfAnotherPortAreDiscardedWhileTheOtherEndSends) {
  const auto stranger = bind_rtp_sockets({0x7F000001, 0});
  ASSERT_TRUE(stranger);
  // The same source except for the port.
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

// More than the other end's own packets: with 4 for each of them five in a row arrived and took over the stream.
TEST_F(RtpStrangers, AFloodFromAnotherPortIsNotPlayedAndIsReportedOnce) {
  const auto stranger = bind_rtp_sockets({0x7F000001, 0});
  ASSERT_TRUE(stranger);
  RtpSender sender(G711Law::mu, 77, 1, 1), flood(G711Law::mu, 99, 1, 1);
  std::vector<std::string> warnings;
  const auto sum = exchange(100, [&] {
    speak(sender);
    for (int n = 0; n < 12; ++n) stranger->rtp.send(flood.packet(tone(0)), {0x7F000001, port_});
    if (std::string warning = line_->take_warning(); !warning.empty()) warnings.push_back(std::move(warning));
  });
  EXPECT_EQ(sum.source_changes, 0U);
  EXPECT_GE(sum.packets_of_others, 1100U);
  EXPECT_EQ(sum.packets_lost, 0U);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find(std::to_string(stranger->rtp.address().port)), std::string::npos) << warnings[0];
}

TEST_F(RtpHangUp, AForgedByeWhileTheOtherEndSendsIsIgnored) {
  RtpSender sender(G711Law::mu, 77, 1, 1);
  ASSERT_FALSE(lost_within(5, &sender));
  report(rtcp_goodbye(77));
  EXPECT_FALSE(lost_within(20, &sender));
}

// A machine that pauses for some time between two blocks.
class RtpStall : public RtpHangUp {
 protected:
  void SetUp() override {
    RtpHangUp::SetUp();
    options_.now_ns = [this] { return monotonic_ns() + passed_.count(); };
    open();
  }
  /// The machine stands still: its clock has advanced when it continues.
  void stand_still(std::chrono::nanoseconds time) { passed_ += time; }
  BlockTime exchange() {
    Block heard;
    const auto time = line_->exchange(tone(0), heard, {});
    EXPECT_TRUE(time);
    return time ? *time : BlockTime();
  }
  // The packets sent since the previous call.
  std::size_t left() {
    std::size_t count = 0;
    for (auto packets = reader_.read(far_->rtp); !packets.empty(); packets = reader_.read(far_->rtp))
      count += packets.size();
    return count;
  }
  PacketReader reader_;
  std::chrono::nanoseconds passed_{0};
};

TEST_F(RtpStall, PauseOfMoreThanASecondIsSkipped) {
  const auto before = exchange();
  left();
  stand_still(std::chrono::milliseconds(1300));
  const auto stalled = exchange();
  const auto after = exchange();
  EXPECT_GT(stalled.noticed.inserted_samples, 8000U) << "of the sent samples";
  EXPECT_GT(stalled.noticed.lost_samples, 8000U) << "of the received samples";
  EXPECT_GT(after.time_ns - before.time_ns, 1'000'000'000) << "the missed blocks are not sent in a burst";
  EXPECT_EQ((after.time_ns - before.time_ns) % kBlock_ns, 0) << "by whole packets: the buffer's delay stays";
  EXPECT_EQ(left(), 2U);
}

TEST_F(RtpStall, SentTimestampsKeepTheirTimeAfterAPause) {
  const auto before = exchange();
  stand_still(std::chrono::milliseconds(1300));
  exchange();
  const auto after = exchange();
  const auto timestamp = [](std::span<const std::uint8_t> octets) {
    return (std::uint32_t{octets[4]} << 24) | (std::uint32_t{octets[5]} << 16) | (std::uint32_t{octets[6]} << 8) |
           std::uint32_t{octets[7]};
  };
  const auto packets = reader_.read(far_->rtp);
  ASSERT_EQ(packets.size(), 3U);
  EXPECT_EQ(timestamp(packets[2].octets) - timestamp(packets[0].octets),
            static_cast<std::uint32_t>((after.time_ns - before.time_ns) / kBlock_ns * std::int64_t{kLineBlock}));
}

TEST_F(RtpStall, PauseIsReportedOnceAndNotForEveryBlockThatCatchesUp) {
  const std::int64_t began_ns = options_.now_ns();
  exchange();
  stand_still(std::chrono::milliseconds(500));
  LineStatistics sum;
  for (int block = 0; block < 30; ++block) sum += exchange().noticed;
  EXPECT_GE(sum.inserted_samples, 0.4 * 8000);
  EXPECT_LE(sum.inserted_samples, static_cast<double>(options_.now_ns() - began_ns) * 1e-9 * 8000);
}

TEST_F(RtpStall, OwnPauseIsNotTakenForSilenceOfTheOtherEnd) {
  options_.patience = std::chrono::milliseconds(1500);
  open();
  RtpSender sender(G711Law::mu, 77, 1, 1);
  ASSERT_FALSE(lost_within(3, &sender));
  stand_still(std::chrono::milliseconds(1700));
  EXPECT_FALSE(lost_within(5));
}

TEST(RtpLineName, BufferIsRoundedToWholePackets) {
  const auto port = bind_rtp_sockets({0x7F000001, 0})->rtp.address().port;
  const auto options = parse_rtp_line("rtp:127.0.0.1:" + std::to_string(port) + "/127.0.0.1:20002?buffer_ms=50");
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(options->buffer_ms, 60);
  const auto line = RtpLine::open(*options);
  ASSERT_TRUE(line) << line.error().message;
  EXPECT_NE((*line)->description().equipment.find("jitter buffer 60 ms"), std::string::npos);
}

TEST(Rtcp, ArbitraryOctetsAreNotAGoodbye) {
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
        "rtp:127.0.0.1:20000/127.0.0.1:20002?law=x", "rtp:127.0.0.1:20000/127.0.0.1:20002?buffer_ms=5",
        "rtp:127.0.0.1:20000/127.0.0.1:20002?codec=g729", "rtp:127.0.0.1:20000/127.0.0.1:20002?codec=pcmu,gsm",
        "rtp:127.0.0.1:20000/127.0.0.1:20002?codec=gsm&law=a", "rtp:/"}) {
    const Status checked = check_line_name(name, End::a);
    ASSERT_FALSE(checked) << name;
    EXPECT_EQ(checked.error().code, ErrorCode::bad_input) << name;
  }
  EXPECT_TRUE(check_line_name("rtp:127.0.0.1:20000/127.0.0.1:20002?law=a&buffer_ms=100", End::a));
  EXPECT_EQ(parse_rtp_line("rtp:127.0.0.1:20000/127.0.0.1:20002?codec=g722")->format, RtpFormat(RtpEncoding::g722));
}

}  // namespace
}  // namespace vqas
