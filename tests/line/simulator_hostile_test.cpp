// The simulator and peers that violate its protocol: it reports the reason, closes, and continues to serve its ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "line/simulator_harness.h"
#include "line/socket.h"
#include "line/wire.h"

namespace vqas {
namespace {

using test::exchange_silence;
using test::in_time;
using test::RunningSimulator;
using ::testing::HasSubstr;

constexpr int kWaitMs = 20000;

// The simulator's answer to these bytes, and whether it then closes.
std::string refusal(std::uint16_t port, const std::string& bytes) {
  const auto socket = connect_to("127.0.0.1", port);
  EXPECT_TRUE(socket);
  EXPECT_TRUE(send_all(socket->number(), std::as_bytes(std::span(bytes))));
  wire::Header header;
  if (!receive_all(socket->number(), std::as_writable_bytes(std::span(&header, 1)), kWaitMs)) return "closed";
  EXPECT_EQ(header.kind, wire::Kind::refused);
  std::string text(header.payload, '\0');
  EXPECT_TRUE(receive_all(socket->number(), std::as_writable_bytes(std::span(text)), kWaitMs));
  char more = 0;
  EXPECT_FALSE(receive_all(socket->number(), std::as_writable_bytes(std::span(&more, 1)), kWaitMs));
  return text;
}

std::string bytes_of(const wire::Header& header) {
  return {reinterpret_cast<const char*>(&header), sizeof header};
}

wire::Header hello() {
  wire::Header header;
  header.index = wire::kVersion;
  return header;
}

TEST(HostileEnd, GetsTheReasonAndDoesNotDisturbOthers) {
  const RunningSimulator simulator;
  const auto a = simulator.open(End::a), b = simulator.open(End::b);
  EXPECT_THAT(refusal(simulator.port(), std::string("GET / HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n")),
              HasSubstr("vqas node"));
  wire::Header header = hello();
  header.index = 999;
  EXPECT_THAT(refusal(simulator.port(), bytes_of(header)), HasSubstr("version 999"));
  header = hello();
  header.round = 7;
  EXPECT_THAT(refusal(simulator.port(), bytes_of(header)), HasSubstr("end"));
  header = hello();
  header.kind = wire::Kind::withdraw;
  EXPECT_THAT(refusal(simulator.port(), bytes_of(header)), HasSubstr("hello"));
  header = hello();
  header.payload = 0xFFFFFFFF;
  EXPECT_THAT(refusal(simulator.port(), bytes_of(header)), HasSubstr("length"));
  header = hello();
  header.kind = static_cast<wire::Kind>(77);
  refusal(simulator.port(), bytes_of(header));
  auto at_a = std::async(std::launch::async, [&] { return exchange_silence(*a, Round{1, true}); });
  EXPECT_TRUE(exchange_silence(*b, Round{1, false}));
  EXPECT_TRUE(in_time(at_a));
}

TEST(HostileEnd, ASilentConnectionDelaysNoOther) {
  const RunningSimulator simulator;
  std::vector<Descriptor> silent;
  for (int n = 0; n < 10; ++n) {
    auto socket = connect_to("127.0.0.1", simulator.port());
    ASSERT_TRUE(socket);
    silent.push_back(std::move(socket).value());
  }
  const auto a = simulator.open(End::a), b = simulator.open(End::b);
  auto at_a = std::async(std::launch::async, [&] { return exchange_silence(*a, Round{1, true}); });
  EXPECT_TRUE(exchange_silence(*b, Round{1, false}));
  EXPECT_TRUE(in_time(at_a));
}

TEST(HostileEnd, ATableFullOfSilentConnectionsIsFreedInTime) {
  const RunningSimulator simulator(symmetric_line(LineConditions(), 0, 0, 1), std::chrono::milliseconds(300));
  std::vector<Descriptor> silent;
  for (int n = 0; n < 16; ++n) {
    auto socket = connect_to("127.0.0.1", simulator.port());
    ASSERT_TRUE(socket);
    silent.push_back(std::move(socket).value());
  }
  // A part of a header is not a hello either.
  ASSERT_TRUE(send_all(silent.back().number(), std::as_bytes(std::span("VQSL", 4))));
  for (const Descriptor& one : silent) {
    wire::Header header;
    ASSERT_TRUE(receive_all(one.number(), std::as_writable_bytes(std::span(&header, 1)), kWaitMs));
    EXPECT_EQ(header.kind, wire::Kind::refused);
  }
  const auto a = simulator.open(End::a), b = simulator.open(End::b);
  ASSERT_TRUE(a && b);
  auto at_a = std::async(std::launch::async, [&] { return exchange_silence(*a, Round{1, true}); });
  EXPECT_TRUE(exchange_silence(*b, Round{1, false}));
  EXPECT_TRUE(in_time(at_a));
}

TEST(HostileEnd, SamplesThatAreNotFiniteBecomeSilence) {
  const RunningSimulator simulator;
  const auto a = simulator.open(End::a), b = simulator.open(End::b);
  auto sender = std::async(std::launch::async, [&] {
    std::array<float, kLineBlock> bad;
    bad.fill(std::numeric_limits<float>::quiet_NaN());
    bad[3] = std::numeric_limits<float>::infinity();
    std::array<float, kLineBlock> heard{};
    for (int block = 0; block < 50; ++block) {
      if (!a->exchange(bad, heard, Round{1, true})) return false;
    }
    return true;
  });
  for (int block = 0; block < 50; ++block) {
    std::array<float, kLineBlock> heard{};
    const std::array<float, kLineBlock> sent{};
    ASSERT_TRUE(b->exchange(sent, heard, Round{1, true}));
    // Replaced by silence: idle noise is far below this limit, decoded NaN is not.
    for (const float sample : heard) ASSERT_LT(std::fabs(sample), 0.05F);
  }
  EXPECT_TRUE(in_time(sender));
}

TEST(HostileEnd, ABlockOutOfTurnEndsTheLine) {
  const RunningSimulator simulator;
  const auto b = simulator.open(End::b);
  const auto socket = connect_to("127.0.0.1", simulator.port());
  ASSERT_TRUE(socket);
  ASSERT_TRUE(send_all(socket->number(), wire::bytes_of(hello())));
  wire::Header header;
  header.kind = wire::Kind::exchange;
  header.index = 5;
  ASSERT_TRUE(send_all(socket->number(), wire::block_frame(header, std::vector<float>(kLineBlock))));
  EXPECT_EQ(exchange_silence(*b, Round{1, true}).error().code, ErrorCode::line_lost);
}

}  // namespace
}  // namespace vqas
