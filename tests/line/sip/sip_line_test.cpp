#include "line/sip/sip_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <map>
#include <thread>

#include "line/sip/opened_line.h"
#include "line/sip/scripted_peer.h"
#include "lines/free_ports.h"

namespace vqas {
namespace {

using test::Block;
using test::opened;
using test::ScriptedPeer;
using test::SipText;
using test::Talk;
using test::TalkingPeer;
using ::testing::HasSubstr;
using ::testing::Not;

const char* no_variable(const char*) {
  return nullptr;
}

TEST(SipLine, OneEndCallsTheOtherAndTheyHearEachOther) {
  const int port = test::free_ports(1);
  const auto called = opened("sip:4712@127.0.0.1:" + std::to_string(port));
  const auto calling = opened("sip:4711@127.0.0.1;dial=4712@127.0.0.1:" + std::to_string(port));
  Talk one, other;
  std::thread thread([&] { other.run(*called, 60); });
  one.run(*calling, 60);
  thread.join();
  for (const Talk& talk : {one, other}) {
    ASSERT_FALSE(talk.error) << talk.error->message;
    double power = 0;
    for (const float sample : talk.heard) power += static_cast<double>(sample) * sample;
    EXPECT_NEAR(power / kLineBlock, 0.045, 0.01) << "a tone of amplitude 0.3";
    EXPECT_GT(talk.noticed.packets, 40U);
    EXPECT_THAT(talk.warnings, HasSubstr("PCMU to 127.0.0.1:"));
  }
  EXPECT_THAT(one.warnings, HasSubstr("rang after"));
  EXPECT_THAT(other.warnings, HasSubstr("the call from 4711 is up"));
}

// Two lines that call each other; both exchange 60 blocks.
struct Pair {
  Talk one, other;
};
Pair call_of(const std::string& calling, const std::string& called) {
  const std::string port = std::to_string(test::free_ports(1));
  const auto answers = opened("sip:4712@127.0.0.1:" + port + called);
  const auto dials = opened("sip:4711@127.0.0.1;dial=4712@127.0.0.1:" + port + calling);
  Pair both;
  std::thread thread([&] { both.other.run(*answers, 60); });
  both.one.run(*dials, 60);
  thread.join();
  return both;
}

TEST(SipLine, ACallOfEachCodecIsHeardAndNamesIt) {
  const std::map<std::string, std::string> codecs{{"g722", "G722 to"},
                                                  {"l16", "L16/8000 to"},
                                                  {"l16wb", "L16/16000 to"},
                                                  {"opus,pcmu", "opus to"},
                                                  {"gsm", "GSM to"}};
  std::map<std::string, std::future<Pair>> calls;
  for (const auto& [codec, words] : codecs) {
    calls[codec] = std::async(std::launch::async, [name = codec] {
      return call_of(";codec=" + name, ";codec=pcma,g722,l16,l16wb,opus,gsm");
    });
  }
  for (auto& [codec, call] : calls) {
    const Pair both = call.get();
    for (const Talk& talk : {both.one, both.other}) {
      ASSERT_FALSE(talk.error) << talk.error->message;
      double power = 0;
      for (const float sample : talk.heard) power += static_cast<double>(sample) * sample;
      EXPECT_NEAR(power / kLineBlock, 0.045, 0.015) << codec << ": a tone of amplitude 0.3";
      EXPECT_THAT(talk.warnings, HasSubstr(codecs.at(codec)));
    }
  }
}

TEST(SipLine, DigitsAreDialledAfterTheAnswerAndToldAtTheOtherEnd) {
  auto in_band = std::async(std::launch::async, [] { return call_of(";digits=12;digits_by=inband", ""); });
  const Pair events = call_of(";digits=wait 0.1,4711%23", ""), tones = in_band.get();
  // What came while this end dialled was not recorded: 5 blocks of pause, and 5 digits of 10.
  constexpr std::uint32_t kDialled = 55 * kLineBlock;
  EXPECT_GE(events.one.noticed.lost_samples, kDialled);
  EXPECT_LT(events.one.noticed.lost_samples, 2 * kDialled) << "it counts once";
  EXPECT_LT(events.other.noticed.lost_samples, kDialled) << "the other end recorded all the time";
  EXPECT_THAT(events.one.warnings, HasSubstr("5 digits dialled as telephone events"));
  EXPECT_THAT(events.other.warnings, HasSubstr("the other end sent the digits 4711#"));
  EXPECT_THAT(tones.one.warnings, HasSubstr("2 digits dialled in band"));
  EXPECT_THAT(tones.other.warnings, Not(HasSubstr("digits")));
}

TEST(SipLine, AnEndThatIsClosedHangsUpAndTheOtherNamesIt) {
  const int port = test::free_ports(1);
  auto called = opened("sip:4712@127.0.0.1:" + std::to_string(port) + ";transport=tcp");
  auto calling = opened("sip:4711@127.0.0.1;dial=4712@127.0.0.1:" + std::to_string(port) + ";transport=tcp");
  Talk one, other;
  std::thread thread([&] { other.run(*called, 1000); });
  one.run(*calling, 5);
  calling.reset();
  thread.join();
  ASSERT_TRUE(other.error);
  EXPECT_EQ(other.error->code, ErrorCode::line_lost);
  EXPECT_THAT(other.error->message, HasSubstr("hung up (BYE)"));
  // The same port, at once: the line is opened again by the next round.
  called.reset();
  called = opened("sip:4712@127.0.0.1:" + std::to_string(port) + ";transport=tcp");
  EXPECT_TRUE(called);
}

TEST(SipLine, AnEndThatWaitsForItsCallCanBeInterrupted) {
  const int port = test::free_ports(1);
  const auto line = opened("sip:4712@127.0.0.1:" + std::to_string(port));
  Block heard;
  std::thread thread([&] { line->interrupt(); });
  const auto time = line->exchange(Block{}, heard, {});
  thread.join();
  ASSERT_FALSE(time);
  EXPECT_EQ(time.error().code, ErrorCode::cancelled);
}

TEST(SipLine, APortThatIsTakenIsAnErrorThatNamesIt) {
  const auto taken = UdpSocket::bind({0x7F000001, 0});
  ASSERT_TRUE(taken);
  const auto line =
      SipLine::open(*parse_sip_line("sip:4712@127.0.0.1:" + std::to_string(taken->address().port)), no_variable);
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().code, ErrorCode::io);
  EXPECT_THAT(line.error().message, HasSubstr(to_string(taken->address())));
}

Talk talk_with(const ScriptedPeer& peer, int blocks = 200, const std::string& more = {}) {
  const auto line = opened("sip:4711@127.0.0.1;dial=4712@" + peer.address() + more);
  Talk talk;
  talk.run(*line, blocks);
  return talk;
}

TEST(SipLine, EachRefusalHasItsNameAndNoRefusalIsACall) {
  const std::map<std::string, std::string> refusals{{"486 Busy Here", "busy (486 Busy Here)"},
                                                    {"603 Decline", "declined (603 Decline)"},
                                                    {"404 Not Found", "rejected (404 Not Found)"},
                                                    {"480 Temporarily Unavailable", "no answer (480"}};
  for (const auto& [status, words] : refusals) {
    const ScriptedPeer peer([&](ScriptedPeer& self, const SipText& got) {
      if (got.method() != "INVITE") return;
      self.reply(got, "180 Ringing");
      self.reply(got, status);
    });
    const Talk talk = talk_with(peer);
    ASSERT_TRUE(talk.error) << status;
    EXPECT_EQ(talk.error->code, ErrorCode::line_lost);
    EXPECT_THAT(talk.error->message, HasSubstr(words));
  }
}

TEST(SipLine, AnEndThatRingsForTooLongIsCancelled) {
  std::atomic<int> cancelled = 0;
  const ScriptedPeer peer([&](ScriptedPeer& self, const SipText& got) {
    if (got.method() == "INVITE") self.reply(got, "180 Ringing");
    if (got.method() != "CANCEL") return;
    ++cancelled;
    self.reply(got, "200 OK");
  });
  const Talk talk = talk_with(peer, 200, ";ring_s=1");
  ASSERT_TRUE(talk.error);
  EXPECT_THAT(talk.error->message, HasSubstr("no answer (it rang for 1 s)"));
  EXPECT_GE(cancelled, 1);
}

TEST(SipLine, AnEndThatDoesNotRespondIsUnreachable) {
  const ScriptedPeer peer([](ScriptedPeer&, const SipText&) {});
  const Talk talk = talk_with(peer, 200, ";ring_s=1");
  ASSERT_TRUE(talk.error);
  EXPECT_THAT(talk.error->message, HasSubstr("unreachable (no response for 1 s)"));
}

TEST(SipLine, AnAccountThatIsAskedForAndMissingIsNoLostLine) {
  std::atomic<int> invites = 0;
  const ScriptedPeer peer([&](ScriptedPeer& self, const SipText& got) {
    if (got.method() != "INVITE") return;
    ++invites;
    self.reply(got, "401 Unauthorized", {}, "WWW-Authenticate: Digest realm=\"x\", nonce=\"y\"\r\n");
  });
  const Talk talk = talk_with(peer);
  ASSERT_TRUE(talk.error);
  EXPECT_EQ(talk.error->code, ErrorCode::bad_input);
  EXPECT_THAT(talk.error->message, HasSubstr("wrong password (401"));
  EXPECT_EQ(invites, 1);
}

TEST(SipLine, AnAnswerThatCannotBeUsedIsRejectedAndHungUp) {
  for (const std::string& body : {std::string("nonsense"), std::string(), ScriptedPeer::description(20000, "9"),
                                  ScriptedPeer::description(0), ScriptedPeer::description(20000, "8")}) {
    std::atomic<int> byes = 0;
    const ScriptedPeer peer([&](ScriptedPeer& self, const SipText& got) {
      if (got.method() == "INVITE") self.reply(got, "200 OK", body);
      if (got.method() != "BYE") return;
      ++byes;
      self.reply(got, "200 OK");
    });
    const Talk talk = talk_with(peer);
    ASSERT_TRUE(talk.error) << body;
    EXPECT_THAT(talk.error->message, HasSubstr("session description")) << body;
    EXPECT_GE(byes, 1) << body;
  }
}

TEST(SipLine, AFarEndThatHangsUpAtOnceIsNamed) {
  const ScriptedPeer peer([](ScriptedPeer& self, const SipText& got) {
    static SipText invite;
    if (got.method() == "INVITE") {
      invite = got;
      self.reply(got, "200 OK", ScriptedPeer::description(20000));
    }
    if (got.method() == "ACK") self.request(invite, "BYE", 1);
  });
  const Talk talk = talk_with(peer);
  ASSERT_TRUE(talk.error);
  EXPECT_THAT(talk.error->message, HasSubstr("hung up (BYE), 0.0 s after the answer"));
}

TEST(SipLine, ARegistrarThatRefusesOrIsNotThereIsALostRegistrar) {
  const ScriptedPeer peer([](ScriptedPeer& self, const SipText& got) {
    if (got.method() == "REGISTER") self.reply(got, "403 Forbidden");
  });
  const std::string nowhere = "127.0.0.1:" + std::to_string(test::free_ports(1)) + ";transport=tcp";
  for (const auto& [registrar, words] :
       std::map<std::string, std::string>{{peer.address(), "(403 Forbidden)"}, {nowhere, "(Connection refused)"}}) {
    const auto line = opened("sip:4711@" + registrar + ";register=yes");
    Talk talk;
    talk.run(*line, 10);
    ASSERT_TRUE(talk.error);
    EXPECT_EQ(talk.error->code, ErrorCode::line_lost);
    EXPECT_THAT(talk.error->message, HasSubstr("registrar lost " + words));
  }
}

TEST(SipLine, ACallThatIsMovedCountsAsAnotherSourceAndOneOfAnotherCodecIsRefused) {
  TalkingPeer first, second;
  std::atomic<int> moved = 0, agreed = 0;
  std::mutex mutex;
  SipText invite;
  const ScriptedPeer peer([&](ScriptedPeer& self, const SipText& got) {
    const std::lock_guard lock(mutex);
    if (got.method() == "INVITE") {
      invite = got;
      self.reply(got, "183 Session Progress", ScriptedPeer::description(first.port()));
      self.reply(got, "200 OK");  // the answer came with the 183
    }
    if (got.first_line().starts_with("SIP/2.0 200") && got.value("CSeq") == "1 INVITE") {
      ++agreed;
      EXPECT_THAT(got.text, HasSubstr("m=audio "));
    }
  });
  const auto line = opened("sip:4711@127.0.0.1;dial=4712@" + peer.address());
  std::atomic<bool> done = false;
  std::thread audio([&] {
    while (!done) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      const std::lock_guard lock(mutex);
      if (!invite.text.empty()) (moved > 0 ? second : first).send(invite.audio());
    }
  });
  Talk talk;
  talk.run(*line, 20);
  EXPECT_EQ(talk.noticed.source_changes, 0U);
  {
    const std::lock_guard lock(mutex);
    ++moved;
    peer.request(invite, "INVITE", 1, ScriptedPeer::description(second.port()));
  }
  talk.run(*line, 60);
  peer.request(invite, "INVITE", 2, ScriptedPeer::description(second.port(), "8"));
  talk.run(*line, 20);
  done = true;
  audio.join();
  ASSERT_FALSE(talk.error) << talk.error->message;
  EXPECT_GE(agreed, 1);
  EXPECT_EQ(talk.noticed.source_changes, 1U);
  EXPECT_THAT(talk.warnings, HasSubstr("the call's audio was moved from"));
  EXPECT_THAT(talk.warnings, HasSubstr("a change of the call was refused (488)"));
}

TEST(SipLine, ACodecThatChangesInTheCallIsFollowedToldAndCountsAsAnotherSource) {
  const auto sockets = bind_rtp_sockets({0x7F000001, 0}).value();
  const std::uint16_t port = sockets.rtp.address().port;
  RtpSender before(RtpFormat(RtpEncoding::g722), 7, 1, 1), after(G711Law::a, 8, 1, 1);
  std::atomic<bool> changed = false, done = false;
  std::mutex mutex;
  SipText invite;
  const ScriptedPeer peer([&](ScriptedPeer& self, const SipText& got) {
    if (got.method() != "INVITE") return;
    const std::lock_guard lock(mutex);
    invite = got;
    self.reply(got, "200 OK", ScriptedPeer::description(port, "9"));
  });
  const auto line = opened("sip:4711@127.0.0.1;dial=4712@" + peer.address() + ";codec=g722,pcma");
  std::thread audio([&] {
    for (int block = 0; !done; ++block) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      const std::lock_guard lock(mutex);
      if (!invite.text.empty()) sockets.rtp.send((changed ? after : before).packet(test::tone(block)), invite.audio());
    }
  });
  Talk talk;
  talk.run(*line, 20);
  EXPECT_EQ(talk.noticed.source_changes, 0U);
  EXPECT_THAT(line->take_note(), HasSubstr("G722 to"));
  {
    const std::lock_guard lock(mutex);
    changed = true;
    peer.request(invite, "INVITE", 1, ScriptedPeer::description(port, "8"));
  }
  talk.noticed = {};
  talk.run(*line, 60);
  done = true;
  audio.join();
  ASSERT_FALSE(talk.error) << talk.error->message;
  EXPECT_EQ(talk.noticed.source_changes, 1U);
  EXPECT_GT(talk.noticed.packets, 30U);
  EXPECT_THAT(talk.warnings, HasSubstr("the call's codec changed from G722 to PCMA; what was under way is repeated"));
  EXPECT_THAT(line->take_note(), HasSubstr("the call's codec changed from G722 to PCMA"));
  PacketReader reader;
  std::uint8_t type = 0;
  for (auto packets = reader.read(sockets.rtp); !packets.empty(); packets = reader.read(sockets.rtp))
    type = packets.back().octets[1] & 0x7F;
  EXPECT_EQ(type, 8) << "what the line sends changed too";
}

TEST(SipLine, ACallWithoutAnAudioPathIsToldAsSuch) {
  const ScriptedPeer peer([](ScriptedPeer& self, const SipText& got) {
    if (got.method() == "INVITE") self.reply(got, "200 OK", ScriptedPeer::description(20000));
    if (got.method() == "BYE") self.reply(got, "200 OK");
  });
  const Talk talk = talk_with(peer, 1000);
  ASSERT_TRUE(talk.error);
  EXPECT_EQ(talk.error->code, ErrorCode::line_lost);
  EXPECT_THAT(talk.error->message, HasSubstr("no audio (the call is up, but no packet of PCMU came within 1 s"));
}

// An end that answers, called by a script.
TEST(SipLine, AnEndThatAnswersRefusesWhatIsNotItsCall) {
  const int port = test::free_ports(1);
  const auto line = opened("sip:4712@127.0.0.1:" + std::to_string(port) + ";from=4711");
  std::mutex mutex;
  std::vector<std::string> replies;
  const ScriptedPeer peer([&](ScriptedPeer&, const SipText& got) {
    const std::lock_guard lock(mutex);
    if (got.value("CSeq").ends_with("INVITE") || got.value("CSeq").ends_with("OPTIONS"))
      replies.push_back(got.first_line());
  });
  int number = 0;
  const auto ask = [&](const std::string& method, const std::string& to, const std::string& from,
                       const std::string& body) {
    const std::string tag = std::to_string(++number);
    peer.send(method + " sip:" + to + "@127.0.0.1:" + std::to_string(port) + " SIP/2.0\r\nVia: SIP/2.0/UDP " +
                  peer.address() + ";branch=z9hG4bKx" + tag + "\r\nMax-Forwards: 70\r\nFrom: <sip:" + from +
                  "@127.0.0.1>;tag=" + tag + "\r\nTo: <sip:" + to + "@127.0.0.1>\r\nCall-ID: call" + tag +
                  "\r\nCSeq: 1 " + method + "\r\nContact: <sip:x@" + peer.address() + ">\r\n" +
                  ScriptedPeer::with_body(body),
              {0x7F000001, static_cast<std::uint16_t>(port)});
    const std::size_t expected = static_cast<std::size_t>(number);
    for (int n = 0; n < 500; ++n) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      const std::lock_guard lock(mutex);
      if (replies.size() >= expected) return replies.back();
    }
    return std::string("nothing");
  };
  EXPECT_THAT(ask("OPTIONS", "4712", "4711", ""), HasSubstr("200 OK"));
  EXPECT_THAT(ask("INVITE", "4799", "4711", ScriptedPeer::description(20000)), HasSubstr("404 "));
  EXPECT_THAT(ask("INVITE", "4712", "4713", ScriptedPeer::description(20000)), HasSubstr("603 "));
  EXPECT_THAT(ask("INVITE", "4712", "4711", ScriptedPeer::description(20000, "8")), HasSubstr("488 "));
  EXPECT_THAT(ask("INVITE", "4712", "4711", "nonsense"), HasSubstr("488 "));
}

}  // namespace
}  // namespace vqas
