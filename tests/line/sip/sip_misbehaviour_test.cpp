// What a line does about far ends and networks that misbehave, and about the rules of long calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <thread>

#include "line/sip/opened_line.h"
#include "line/sip/scripted_peer.h"
#include "lines/free_ports.h"

namespace vqas {
namespace {

using test::opened;
using test::ScriptedPeer;
using test::SipText;
using test::Talk;
using test::TalkingPeer;
using ::testing::HasSubstr;
using ::testing::Not;
using Clock = std::chrono::steady_clock;

// A caller of an end that answers, over UDP. It keeps what it receives.
class Caller {
 public:
  explicit Caller(int port)
      : to_{0x7F000001, static_cast<std::uint16_t>(port)}, peer_([this](ScriptedPeer& self, const SipText& got) {
          if (confirms_ && got.first_line() == "SIP/2.0 200 OK" && got.value("CSeq").ends_with("INVITE"))
            self.send(in_call("ACK", got), to_);
          const std::lock_guard lock(mutex_);
          got_.push_back(got);
        }) {}

  void confirm() { confirms_ = true; }
  void send(const std::string& text) const { peer_.send(text, to_); }
  void invite(const std::string& call, const std::string& headers = {}, const std::string& formats = "0") const {
    send("INVITE sip:4712@127.0.0.1 SIP/2.0\r\n" + common(call, "1 INVITE") + headers +
         ScriptedPeer::with_body(ScriptedPeer::description(20000, formats)));
  }
  /// A request within the call that this reply set up.
  std::string in_call(const std::string& method, const SipText& reply, int number = 1,
                      const std::string& headers = {}) const {
    return method + " sip:4712@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP " + peer_.address() + ";branch=z9hG4bK" + method +
           std::to_string(number) + "\r\nMax-Forwards: 70\r\n" + reply.lines("From") + reply.lines("To") +
           reply.lines("Call-ID") + "CSeq: " + std::to_string(number) + " " + method + "\r\nContact: <sip:x@" +
           peer_.address() + ">\r\n" + headers + ScriptedPeer::with_body("");
  }
  /// The first message of this call with this beginning, in answer to this method; waits for it.
  SipText wait_for(const std::string& call, const std::string& begins, const std::string& method = "INVITE") const {
    for (int n = 0; n < 500; ++n) {
      {
        const std::lock_guard lock(mutex_);
        for (const SipText& one : got_) {
          if (one.value("Call-ID") == call && one.value("CSeq").ends_with(method) && one.text.starts_with(begins))
            return one;
        }
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return {};
  }

 private:
  std::string common(const std::string& call, const std::string& sequence) const {
    return "Via: SIP/2.0/UDP " + peer_.address() + ";branch=z9hG4bK" + call +
           "\r\nMax-Forwards: 70\r\nFrom: <sip:4711@127.0.0.1>;tag=" + call +
           "\r\nTo: <sip:4712@127.0.0.1>\r\nCall-ID: " + call + "\r\nCSeq: " + sequence + "\r\nContact: <sip:x@" +
           peer_.address() + ">\r\n";
  }

  const SocketAddress to_;
  mutable std::mutex mutex_;
  std::vector<SipText> got_;
  std::atomic<bool> confirms_ = false;
  ScriptedPeer peer_;  // last: its thread uses the others
};

// An end that answers; its exchange() runs in a thread, as a node's does.
class Answering {
 public:
  explicit Answering(const std::string& more = {}, const test::Change& change = {})
      : port_(test::free_ports(1)), line_(opened("sip:4712@127.0.0.1:" + std::to_string(port_) + more, change)) {
    line_->tell_news([this](const LineNews& news) {
      const std::lock_guard lock(mutex_);
      warnings_ += news.warning;
      trace_ += news.trace;
    });
    thread_ = std::thread([this] {
      test::Block heard{};
      while (!done_) (void)line_->exchange(test::Block{}, heard, {.number = 1, .busy = true});
    });
  }
  ~Answering() {
    done_ = true;
    line_->interrupt();
    thread_.join();
  }
  Answering(const Answering&) = delete;
  Answering& operator=(const Answering&) = delete;

  int port() const { return port_; }
  /// Waits until the line has told this.
  bool tells(const std::string& words) { return comes(warnings_, words); }
  bool traces(const std::string& words) { return comes(trace_, words); }
  std::string told() {
    const std::lock_guard lock(mutex_);
    return warnings_ + trace_;
  }

 private:
  bool comes(const std::string& where, const std::string& words) {
    for (int n = 0; n < 500; ++n) {
      {
        const std::lock_guard lock(mutex_);
        if (where.find(words) != std::string::npos) return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  const int port_;
  std::mutex mutex_;
  std::string warnings_, trace_;
  std::unique_ptr<Line> line_;
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

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

// A far end with a session timer of two seconds, which sends audio.
class TimedPeer {
 public:
  /// `session`: headers of its 200. `updates`: it takes UPDATE.
  TimedPeer(std::string session, bool updates)
      : peer_([this, session = std::move(session), updates](ScriptedPeer& self, const SipText& got) {
          if (got.method() == "INVITE") {
            {
              const std::lock_guard lock(mutex_);
              invite_ = got;
            }
            ++invites_;
            self.reply(got, "200 OK", ScriptedPeer::description(talking_.port()),
                       session + (updates ? "Allow: INVITE,UPDATE\r\n" : "Allow: INVITE\r\n"));
          } else if (got.method() == "UPDATE") {
            EXPECT_THAT(got.text, HasSubstr("Session-Expires: 2;refresher=uac"));
            ++updates_;
            self.reply(got, "200 OK", {}, session);
          } else if (got.method() == "BYE") {
            ++byes_;
            self.reply(got, "200 OK");
          }
        }),
        audio_([this] {
          while (!done_) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            const std::lock_guard lock(mutex_);
            if (!invite_.text.empty()) talking_.send(invite_.audio());
          }
        }) {}
  ~TimedPeer() {
    done_ = true;
    audio_.join();
  }
  TimedPeer(const TimedPeer&) = delete;
  TimedPeer& operator=(const TimedPeer&) = delete;

  /// A call of so many blocks, and what became of it.
  Talk call(int blocks) {
    const auto line = opened("sip:4711@127.0.0.1;dial=4712@" + peer_.address(),
                             [](SipLineOptions& options) { options.least_session_s = 1; });
    Talk talk;
    talk.run(*line, blocks);
    return talk;
  }
  int invites() const { return invites_; }
  int updates() const { return updates_; }
  int byes() const { return byes_; }

 private:
  TalkingPeer talking_;
  std::mutex mutex_;
  SipText invite_;
  std::atomic<int> invites_ = 0, updates_ = 0, byes_ = 0;
  std::atomic<bool> done_ = false;
  ScriptedPeer peer_;
  std::thread audio_;
};

TEST(SipSessionTimer, TheEndThatDialsRefreshesByUpdateAndTheCallContinues) {
  TimedPeer peer("Require: timer\r\nSession-Expires: 2;refresher=uac\r\n", true);
  const Talk talk = peer.call(80);  // 1.6 s, behind a second to settle
  EXPECT_FALSE(talk.error) << talk.error->message;
  EXPECT_GE(peer.updates(), 1);
  EXPECT_EQ(peer.invites(), 1);
}

TEST(SipSessionTimer, AFarEndWithoutUpdateIsRefreshedByAReInvite) {
  TimedPeer peer("Require: timer\r\nSession-Expires: 2;refresher=uac\r\n", false);
  const Talk talk = peer.call(80);
  EXPECT_FALSE(talk.error) << talk.error->message;
  EXPECT_GE(peer.invites(), 2);
  EXPECT_EQ(talk.noticed.source_changes, 0U) << "nothing changed";
}

TEST(SipSessionTimer, ACallThatItsFarEndDoesNotRenewIsHungUpWithItsName) {
  TimedPeer peer("Require: timer\r\nSession-Expires: 2;refresher=uas\r\n", true);
  const Talk talk = peer.call(200);
  ASSERT_TRUE(talk.error);
  EXPECT_THAT(talk.error->message, HasSubstr("hung up (the other end did not renew the session within its 2 s)"));
  EXPECT_GE(peer.byes(), 1);
}

TEST(SipSessionTimer, AnEndThatAnswersAgreesToTheCallersTimerAndItsUpdates) {
  Answering end;
  Caller caller(end.port());
  caller.confirm();
  caller.invite("long", "Supported: timer\r\nSession-Expires: 90\r\n");
  const SipText answer = caller.wait_for("long", "SIP/2.0 200");
  EXPECT_THAT(answer.text, HasSubstr("Session-Expires: 90;refresher=uac"));
  EXPECT_THAT(answer.text, HasSubstr("Require: timer"));
  EXPECT_THAT(answer.lines("Allow"), HasSubstr("UPDATE"));
  caller.send(caller.in_call("UPDATE", answer, 2, "Supported: timer\r\nSession-Expires: 120;refresher=uas\r\n"));
  EXPECT_THAT(caller.wait_for("long", "SIP/2.0 200", "UPDATE").text, HasSubstr("Session-Expires: 120;refresher=uas"));
  caller.invite("short", "Supported: timer\r\nSession-Expires: 30\r\n");
  EXPECT_THAT(caller.wait_for("short", "SIP/2.0 486").text, HasSubstr("Busy")) << "the call is still up";
}

TEST(SipSessionTimer, ATimerThatIsTooShortIsRefusedWithTheLeastOne) {
  Answering end;
  const Caller caller(end.port());
  caller.invite("short", "Supported: timer\r\nSession-Expires: 30;refresher=uas\r\n");
  EXPECT_THAT(caller.wait_for("short", "SIP/2.0 422").text, HasSubstr("Min-SE: 90"));
  EXPECT_TRUE(end.tells("a call from 4711 was refused (422)")) << end.told();
}

TEST(SipSessionTimer, AnUpdateOfNoCallGets481) {
  Answering end;
  const Caller caller(end.port());
  caller.send(
      "UPDATE sip:4712@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:9;branch=z9hG4bKu\r\nFrom: <sip:x@y>;tag=1\r\n"
      "To: <sip:4712@127.0.0.1>;tag=2\r\nCall-ID: none\r\nCSeq: 1 UPDATE\r\nMax-Forwards: 70\r\n"
      "Content-Length: 0\r\n\r\n");
  EXPECT_TRUE(end.traces("    SIP/2.0 481 Call Does Not Exist")) << end.told();
}

}  // namespace
}  // namespace vqas
