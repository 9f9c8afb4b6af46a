// What a line does about far ends and networks that misbehave.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "line/sip/answering_end.h"

namespace vqas {
namespace {

using test::Answering;
using test::Caller;
using test::opened;
using test::ScriptedPeer;
using test::SipText;
using test::Talk;
using ::testing::HasSubstr;
using ::testing::Not;
using Clock = std::chrono::steady_clock;

TEST(SipMisbehaviour, ACallThatIsNotConfirmedGivesWayToTheNextAndIsTold) {
  Answering end({}, [](SipLineOptions& line) { line.confirm_s = 0; });
  const Caller caller(end.port());
  caller.invite("first");
  ASSERT_THAT(caller.wait_for("first", "SIP/2.0 200").text, HasSubstr("m=audio"));
  caller.invite("second");
  EXPECT_THAT(caller.wait_for("second", "SIP/2.0 200").text, HasSubstr("m=audio"));
  EXPECT_TRUE(end.tells("the caller did not confirm the answer (ACK)")) << end.told();
}

TEST(SipMisbehaviour, ACallThatIsNotConfirmedYetIsNotTakenFromItsCaller) {
  Answering end;
  const Caller caller(end.port());
  caller.invite("first");
  ASSERT_THAT(caller.wait_for("first", "SIP/2.0 200").text, HasSubstr("m=audio"));
  caller.invite("second");
  EXPECT_THAT(caller.wait_for("second", "SIP/2.0 486").text, HasSubstr("Busy Here"));
}

TEST(SipMisbehaviour, ARefusedCallIsToldWithItsReasonWhileTheEndWaits) {
  Answering end;
  const Caller caller(end.port());
  caller.invite("one", {}, "8");
  EXPECT_THAT(caller.wait_for("one", "SIP/2.0 488").text, HasSubstr("Not Acceptable"));
  EXPECT_TRUE(end.tells("a call from 4711 was refused (488): its session description has none of the line's codecs"))
      << end.told();
  EXPECT_TRUE(end.traces("sent to"));
  EXPECT_TRUE(end.traces("    SIP/2.0 488 Not Acceptable Here")) << end.told();
  for (const char* call : {"two", "three", "four"}) {
    caller.invite(call, {}, "8");
    EXPECT_THAT(caller.wait_for(call, "SIP/2.0 488").text, HasSubstr("Not Acceptable"));
  }
  EXPECT_TRUE(end.tells("(4 until now)")) << end.told();
  EXPECT_THAT(end.told(), Not(HasSubstr("(3 until now)"))) << "1, 2, 4, 8, … are told";
}

TEST(SipMisbehaviour, DatagramsThatAreNoSipAreCountedToldAndNotPrinted) {
  ::testing::internal::CaptureStderr();
  {
    Answering end;
    const Caller caller(end.port());
    for (int n = 0; n < 5; ++n) caller.send("INVITE this is\r\nno SIP at all " + std::to_string(n) + "\r\n\r\n");
    EXPECT_TRUE(end.tells("is no SIP and was ignored (4 until now)")) << end.told();
    caller.invite("one");
    EXPECT_THAT(caller.wait_for("one", "SIP/2.0 200").text, HasSubstr("m=audio")) << "the end still answers";
    EXPECT_THAT(end.told(), Not(HasSubstr("(5 until now)"))) << "1, 2, 4, 8, … are told";
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << "libre prints them";
}

TEST(SipMisbehaviour, NothingThatListensEndsTheCallByTheSystemsWord) {
  const auto line =
      opened("sip:4711@127.0.0.1;dial=4712@127.0.0.1:" + std::to_string(test::free_ports(1)) + ";ring_s=30");
  const auto began = Clock::now();
  Talk talk;
  talk.run(*line, 10);
  ASSERT_TRUE(talk.error);
  EXPECT_EQ(talk.error->code, ErrorCode::line_lost);
  EXPECT_THAT(talk.error->message, HasSubstr("unreachable (Connection refused)"));
  EXPECT_LT(Clock::now() - began, std::chrono::seconds(20)) << "not by the end of ring_s";
}

TEST(SipMisbehaviour, ARegistrarThatDoesNotListenIsLostByTheSystemsWord) {
  const auto line = opened("sip:4711@127.0.0.1:" + std::to_string(test::free_ports(1)) + ";register=yes");
  Talk talk;
  talk.run(*line, 10);
  ASSERT_TRUE(talk.error);
  EXPECT_THAT(talk.error->message, HasSubstr("registrar lost (Connection refused)"));
}

TEST(SipMisbehaviour, ARegistrationIsRenewedBeforeItExpiresAndARegistrarThatGoesAwayIsLost) {
  std::atomic<int> registered = 0;
  auto registrar = std::make_unique<ScriptedPeer>([&](ScriptedPeer& self, const SipText& got) {
    if (got.method() != "REGISTER") return;
    ++registered;
    const std::string contact = got.value("Contact");
    self.reply(got, "200 OK", {}, "Contact: " + contact.substr(0, contact.find('>') + 1) + ";expires=1\r\n");
  });
  const auto line = opened("sip:4711@" + registrar->address() + ";register=yes");
  Talk talk;
  std::thread waiting([&] { talk.run(*line, 10); });
  for (int n = 0; n < 500 && registered < 2; ++n) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_GE(registered, 2) << "each within its second";
  registrar.reset();
  waiting.join();
  ASSERT_TRUE(talk.error);
  EXPECT_EQ(talk.error->code, ErrorCode::line_lost);
  EXPECT_THAT(talk.error->message, HasSubstr("registrar lost (Connection refused)"));
}

TEST(SipMisbehaviour, AProxyThatDoesNotListenIsUnreachable) {
  const auto line =
      opened("sip:4711@127.0.0.1;dial=4712@127.0.0.1;proxy=127.0.0.1:" + std::to_string(test::free_ports(1)));
  Talk talk;
  talk.run(*line, 10);
  ASSERT_TRUE(talk.error);
  EXPECT_THAT(talk.error->message, HasSubstr("unreachable (Connection refused)"));
}

TEST(SipMisbehaviour, AFloodOfRequestsLeavesACountInTheTraceAndDoesNotHideTheCall) {
  Answering end;
  Caller caller(end.port());
  for (int n = 0; n < 1000; ++n) {
    const std::string call = "stray" + std::to_string(n);
    caller.options(call);
    // The system drops datagrams of which too many wait.
    if (n % 50 == 49) {
      EXPECT_NE(caller.wait_for(call, "SIP/2.0 200", "OPTIONS").text, "");
    }
  }
  EXPECT_TRUE(end.traces("(left out until here: 512 messages)"));
  EXPECT_LT(end.told().size(), 200'000U);
  caller.confirm();
  caller.invite("one");
  EXPECT_THAT(caller.wait_for("one", "SIP/2.0 200").text, HasSubstr("m=audio"));
  EXPECT_TRUE(end.traces("    INVITE sip:4712@127.0.0.1"));
  EXPECT_TRUE(end.traces("    ACK sip:4712@127.0.0.1"));
}

TEST(SipMisbehaviour, AFloodOfCallsThatAreRefusedLeavesACountInTheTrace) {
  Answering end;
  const Caller caller(end.port());
  for (int n = 0; n < 200; ++n) {
    const std::string call = "refused" + std::to_string(n);
    caller.invite(call, {}, "8");
    EXPECT_NE(caller.wait_for(call, "SIP/2.0 488").text, "");
  }
  EXPECT_TRUE(end.traces("(left out until here: 16 messages)"));
  EXPECT_LT(end.told().size(), 150'000U);
}

TEST(SipMisbehaviour, WhileNothingRespondsTheOperatorIsTold) {
  const ScriptedPeer mute([](ScriptedPeer&, const SipText&) {});
  const auto line = opened("sip:4711@127.0.0.1;ring_s=2;dial=4712@" + mute.address(),
                           [](SipLineOptions& options) { options.silence_s = 1; });
  Talk talk;
  talk.run(*line, 10);
  ASSERT_TRUE(talk.error);
  EXPECT_THAT(talk.error->message, HasSubstr("unreachable"));
  EXPECT_THAT(talk.warnings + line->take_warning(), HasSubstr("no response yet from sip:4712@" + mute.address()));
}

TEST(SipMisbehaviour, NoCallIdOfAFarEndHidesAMessageFromTheTrace) {
  Answering end;
  const Caller caller(end.port());
  caller.options("vqas-own-socket");
  EXPECT_TRUE(end.traces("    Call-ID: vqas-own-socket")) << end.told();
}

TEST(SipMisbehaviour, ALongNameOfACallerIsCutAtAWholeCharacter) {
  Answering end;
  const Caller caller(end.port());
  std::string user = "a", cut = "a";
  for (int n = 0; n < 60; ++n) user += "é";
  for (int n = 0; n < 31; ++n) cut += "é";
  caller.invite("one", {}, "8", user);
  EXPECT_TRUE(end.tells("a call from " + cut + "… was refused (488)")) << end.told();
}

TEST(SipMisbehaviour, ARegistrarWithOneTimeNoncesGetsEachRenewalAnswered) {
  int asked = 0;
  std::atomic<int> registered = 0;
  ScriptedPeer registrar([&](ScriptedPeer& self, const SipText& got) {
    if (got.method() != "REGISTER") return;
    const std::string nonce = "nonce=\"" + std::to_string(asked) + "\"";
    if (got.lines("Authorization").find(nonce) == std::string::npos) {
      self.reply(got, "401 Unauthorized", {},
                 "WWW-Authenticate: Digest realm=\"r\", nonce=\"" + std::to_string(++asked) + "\", algorithm=MD5\r\n");
      return;
    }
    ++asked;
    ++registered;
    const std::string contact = got.value("Contact");
    self.reply(got, "200 OK", {}, "Contact: " + contact.substr(0, contact.find('>') + 1) + ";expires=1\r\n");
  });
  const auto line = opened("sip:4711@" + registrar.address() + ";register=yes", {}, "secret");
  for (int n = 0; n < 800 && registered < 4; ++n) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_GE(registered, 4) << "one each second";
}

}  // namespace
}  // namespace vqas
