#include "vqas/relay/sip_relay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QElapsedTimer>

#include "relay/endpoint.h"
#include "relay/sip_message.h"
#include "support/temporary_folder.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using test::loopback;

// A SIP relay on loopback, with a phone that calls another one.
class SipRelayTest : public ::testing::Test {
 protected:
  SipRelayTest()
      : rtp_(std::move(RtpRelay::start()).value()),
        live_(*rtp_, CallOptions()),
        caller_(std::move(UdpSocket::bind(loopback())).value()),
        callee_(std::move(UdpSocket::bind(loopback())).value()) {}

  void listen() {
    SipRelay::Options options;
    options.sip.self = loopback();
    options.sip.phones["b"] = callee_.address();
    options.media_host = loopback().host;
    options.record = folder_.path();
    sip_ = std::move(SipRelay::listen(options, live_, [](const RelayedCallState&, const Status&) {})).value();
  }
  // Sends an INVITE and returns what the callee received.
  std::string invite(const std::string& call_id) {
    const std::string from = to_string(caller_.address());
    const std::string sdp =
        "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 4 RTP/AVP 0\r\n";
    const std::string text =
        "INVITE sip:b@" + to_string(sip_->address()) + " SIP/2.0\r\nVia: SIP/2.0/UDP " + from + ";branch=z9hG4bK" +
        call_id + "\r\nFrom: <sip:a@" + from + ">;tag=ta\r\nTo: <sip:b@127.0.0.1>\r\nCall-ID: " + call_id +
        "\r\nCSeq: 1 INVITE\r\nContact: <sip:a@" + from +
        ">\r\nContent-Type: application/sdp\r\nContent-Length: " + std::to_string(sdp.size()) + "\r\n\r\n" + sdp;
    EXPECT_TRUE(caller_.send({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, sip_->address()));
    std::array<std::byte, 65536> room{};
    SocketAddress source;
    QElapsedTimer waited;
    waited.start();
    while (waited.elapsed() < 60'000) {
      QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 100);
      const auto size = callee_.receive(room, source);
      if (size) return {reinterpret_cast<const char*>(room.data()), *size};
    }
    ADD_FAILURE() << "nothing arrived";
    return {};
  }

  test::TemporaryFolder folder_;
  std::unique_ptr<RtpRelay> rtp_;
  CallControl live_;
  UdpSocket caller_, callee_;
  std::unique_ptr<SipRelay> sip_;
};

TEST_F(SipRelayTest, EachCallAndDirectionHasItsOwnFileAndNoneIsOverwritten) {
  test::write_text(folder_.path() / "call-0000-a-to-b.bits", "of yesterday");
  test::write_text(folder_.path() / "call-0002-b-to-a.bits", "of the day before");
  listen();
  invite("one");
  invite("two");
  sip_.reset();
  EXPECT_EQ(test::read_text(folder_.path() / "call-0000-a-to-b.bits"), "of yesterday");
  EXPECT_EQ(test::read_text(folder_.path() / "call-0002-b-to-a.bits"), "of the day before");
  for (const std::string name :
       {"call-0001-a-to-b.bits", "call-0001-b-to-a.bits", "call-0003-a-to-b.bits", "call-0003-b-to-a.bits"}) {
    EXPECT_TRUE(fs::exists(folder_.path() / name)) << name;
  }
  EXPECT_FALSE(fs::exists(folder_.path() / "call-0002-a-to-b.bits"));
}

TEST_F(SipRelayTest, TheControlShowsSipCountersWhileSipRuns) {
  EXPECT_EQ(live_.sip_json(), "");
  listen();
  invite("one");
  EXPECT_THAT(live_.sip_json(), ::testing::HasSubstr(R"("calls":1,"calls_unanswered":1,"no_sip":0)"));
  EXPECT_EQ(live_.sip()->stray_responses, 0U);
  sip_.reset();
  EXPECT_EQ(live_.sip_json(), "");
}

TEST_F(SipRelayTest, AFloodDoesNotBlockTheEventLoop) {
  listen();
  const std::string no_sip = "no SIP at all";
  constexpr int kSent = 200;
  for (int i = 0; i < kSent; ++i)
    ASSERT_TRUE(caller_.send({reinterpret_cast<const std::uint8_t*>(no_sip.data()), no_sip.size()}, sip_->address()));
  QCoreApplication::processEvents();
  EXPECT_LT(sip_->counters().no_sip, kSent / 2U) << "one turn took all of it";
  QElapsedTimer waited;
  waited.start();
  while (sip_->counters().no_sip < kSent && waited.elapsed() < 60'000)
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 100);
  EXPECT_EQ(sip_->counters().no_sip, kSent);
}

std::string g_told;  // a message handler of Qt has no state

TEST_F(SipRelayTest, TextFromStrangersIsReportedAsPlainText) {
  listen();
  invite("one");
  const std::string method = "\x1b[31mX\xe2\x80\xae";
  const std::string text = method + " sip:b@" + to_string(sip_->address()) + " SIP/2.0\r\nVia: SIP/2.0/UDP " +
                           to_string(callee_.address()) + ";branch=z9hG4bKstray\r\nFrom: <sip:a@h>;tag=ta\r\n" +
                           "To: <sip:b@h>;tag=other\r\nCall-ID: one\r\nCSeq: 9 " + method +
                           "\r\nContent-Length: 0\r\n\r\n";
  g_told.clear();
  const auto before = qInstallMessageHandler(
      [](QtMsgType, const QMessageLogContext&, const QString& told) { g_told += told.toStdString(); });
  ASSERT_TRUE(callee_.send({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, sip_->address()));
  QElapsedTimer waited;
  waited.start();
  while (g_told.empty() && waited.elapsed() < 60'000)
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 100);
  qInstallMessageHandler(before);
  EXPECT_THAT(g_told, ::testing::HasSubstr("call 0:  [31mX  from 127.0.0.1"));
}

}  // namespace
}  // namespace vqas
