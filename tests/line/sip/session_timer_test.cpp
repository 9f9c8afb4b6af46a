// Session timers (RFC 4028).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "line/sip/answering_end.h"

namespace vqas {
namespace {

using test::Answering;
using test::Caller;
using test::opened;
using test::ScriptedPeer;
using test::SipText;
using test::Talk;
using test::TalkingPeer;
using ::testing::HasSubstr;

// A far end with a session timer of some seconds, which sends audio.
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
            if (++invites_ > 1 && !refusal_.empty()) return refuse(self, got);
            self.reply(got, "200 OK", ScriptedPeer::description(talking_.port()),
                       session + (updates ? "Allow: INVITE,UPDATE\r\n" : "Allow: INVITE\r\n"));
          } else if (got.method() == "UPDATE") {
            EXPECT_THAT(got.text, HasSubstr(";refresher=uac\r\n"));
            ++updates_;
            if (challenge_ && challenge_(self, got)) return;
            if (!refusal_.empty()) return refuse(self, got);
            ++renewals_;
            ticks_ = 0;
            // As the request says who refreshes, so does the answer (RFC 4028, 9).
            self.reply(got, "200 OK", {}, "Require: timer\r\n" + got.lines("Session-Expires"));
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
            if (++ticks_ == hangs_up_after_) peer_.request(invite_, "BYE", 3);
          }
        }) {}
  ~TimedPeer() {
    done_ = true;
    audio_.join();
  }
  TimedPeer(const TimedPeer&) = delete;
  TimedPeer& operator=(const TimedPeer&) = delete;

  /// Answers an UPDATE; false: it gets 200. Before call().
  void challenge(std::function<bool(const ScriptedPeer&, const SipText&)> answer) { challenge_ = std::move(answer); }
  /// Refuses renewals so ("488 Not Acceptable Here"), and hangs up a little later. Before call().
  void refuse_renewals(std::string with) { refusal_ = std::move(with); }
  /// A call of so many blocks of 20 ms behind a second to settle, and what became of it. `between`: before so many of
  /// them, `after`.
  Talk call(int blocks, const std::function<void()>& between = {}, int after = 0) {
    const auto line = opened(
        "sip:4711@127.0.0.1;register=no;dial=4712@" + peer_.address(),
        [](SipLineOptions& options) { options.least_session_s = 1; }, "secret");
    Talk talk;
    talk.run(*line, blocks - after);
    if (between) between();
    talk.run(*line, after);
    return talk;
  }
  /// And hangs up, if this is not 0, when so many packets later no UPDATE has come, or none since the last one.
  void reinvite(int packets = 0) {
    const std::lock_guard lock(mutex_);
    ticks_ = 0;
    hangs_up_after_ = packets;
    peer_.request(invite_, "INVITE", 2, ScriptedPeer::description(talking_.port()));
  }
  int renewals() const { return renewals_; }
  int invites() const { return invites_; }
  int updates() const { return updates_; }
  int byes() const { return byes_; }

 private:
  static constexpr int kSoon = 20;  // packets

  void refuse(const ScriptedPeer& self, const SipText& got) {
    ticks_ = 0;
    hangs_up_after_ = kSoon;
    self.reply(got, refusal_);
  }

  TalkingPeer talking_;
  std::string refusal_;
  std::mutex mutex_;
  SipText invite_;
  std::atomic<int> invites_ = 0, updates_ = 0, renewals_ = 0, byes_ = 0, ticks_ = 0, hangs_up_after_ = 0;
  std::function<bool(const ScriptedPeer&, const SipText&)> challenge_;
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

TEST(SipSessionTimer, AByeAfterARefusedReInviteSaysThatTheRenewalWasNotAccepted) {
  TimedPeer peer("Require: timer\r\nSession-Expires: 2;refresher=uac\r\n", false);
  peer.refuse_renewals("488 Not Acceptable Here");
  const Talk talk = peer.call(200);
  ASSERT_TRUE(talk.error);
  EXPECT_THAT(talk.error->message, HasSubstr("hung up (BYE; it had not accepted the last renewal of the session)"));
}

TEST(SipSessionTimer, AByeAfterARefusedUpdateSaysThatTheRenewalWasNotAccepted) {
  TimedPeer peer("Require: timer\r\nSession-Expires: 2;refresher=uac\r\n", true);
  peer.refuse_renewals("500 Server Internal Error");
  const Talk talk = peer.call(200);
  ASSERT_TRUE(talk.error);
  EXPECT_EQ(peer.invites(), 1);
  EXPECT_THAT(talk.error->message, HasSubstr("hung up (BYE; it had not accepted the last renewal of the session)"));
}

TEST(SipSessionTimer, AReInviteThatIsAnsweredBy481EndsTheCallWithItsReason) {
  TimedPeer peer("Require: timer\r\nSession-Expires: 2;refresher=uac\r\n", false);
  peer.refuse_renewals("481 Call/Transaction Does Not Exist");
  const Talk talk = peer.call(200);
  ASSERT_TRUE(talk.error);
  EXPECT_THAT(talk.error->message, HasSubstr("481"));
  EXPECT_THAT(talk.error->message, HasSubstr("hung up"));
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

constexpr const char* kFarEndRenews = "Require: timer\r\nSession-Expires: 4;refresher=uas\r\n";

std::string challenge_of(int nonce, const char* more) {
  return "WWW-Authenticate: Digest realm=\"r\", nonce=\"" + std::to_string(nonce) + "\", algorithm=MD5" + more + "\r\n";
}

TEST(SipSessionTimer, AFarEndWithOneTimeNoncesGetsEachRefreshAnswered) {
  TimedPeer peer("Require: timer\r\nSession-Expires: 2;refresher=uac\r\n", true);
  int nonce = 0;
  peer.challenge([&nonce](const ScriptedPeer& self, const SipText& got) {
    if (got.lines("Authorization").find("nonce=\"" + std::to_string(nonce) + "\"") != std::string::npos) {
      ++nonce;
      return false;
    }
    self.reply(got, "401 Unauthorized", {}, challenge_of(++nonce, ""));
    return true;
  });
  const Talk talk = peer.call(150);  // 3 s, behind a second to settle
  EXPECT_FALSE(talk.error) << talk.error->message;
  EXPECT_GE(peer.renewals(), 3) << "one each second";
}

TEST(SipSessionTimer, AFarEndThatChallengesEveryRefreshIsNotAskedWithoutEnd) {
  TimedPeer peer("Require: timer\r\nSession-Expires: 2;refresher=uac\r\n", true);
  int nonce = 0;
  peer.challenge([&nonce](const ScriptedPeer& self, const SipText& got) {
    self.reply(got, "401 Unauthorized", {}, challenge_of(++nonce, ", stale=true"));
    return true;
  });
  const Talk talk = peer.call(50);  // 1 s, behind a second to settle
  EXPECT_FALSE(talk.error) << talk.error->message;
  EXPECT_GE(peer.updates(), 3);
  EXPECT_LE(peer.updates(), 9) << "three for each refresh";
}

TEST(SipSessionTimer, AChallengeThatNamesNoneIsNotAnsweredWithoutEnd) {
  TimedPeer peer("Require: timer\r\nSession-Expires: 2;refresher=uac\r\n", true);
  peer.challenge([](const ScriptedPeer& self, const SipText& got) {
    self.reply(got, "401 Unauthorized");
    return true;
  });
  const Talk talk = peer.call(50);
  EXPECT_FALSE(talk.error) << talk.error->message;
  EXPECT_GE(peer.updates(), 1);
  EXPECT_LE(peer.updates(), 9) << "three for each refresh";
}

TEST(SipSessionTimer, AProxyAndAFarEndThatBothChallengeAreBothAnswered) {
  TimedPeer peer("Require: timer\r\nSession-Expires: 2;refresher=uac\r\n", true);
  peer.challenge([](const ScriptedPeer& self, const SipText& got) {
    const bool proxy = got.text.find("Proxy-Authorization: ") != std::string::npos;
    const bool far_end = !got.lines("Authorization").empty();
    if (proxy && far_end) return false;
    if (proxy) {
      self.reply(got, "401 Unauthorized", {}, challenge_of(1, ""));
    } else {
      self.reply(got, "407 Proxy Authentication Required", {},
                 "Proxy-Authenticate: Digest realm=\"p\", nonce=\"2\", algorithm=MD5\r\n");
    }
    return true;
  });
  const Talk talk = peer.call(50);
  EXPECT_FALSE(talk.error) << talk.error->message;
  EXPECT_GE(peer.renewals(), 1);
}

TEST(SipSessionTimer, AfterAReInviteOfTheFarEndTheSessionIsStillRenewed) {
  TimedPeer peer(kFarEndRenews, true);
  const Talk talk = peer.call(
      260, [&peer] { peer.reinvite(200); }, 250);
  EXPECT_FALSE(talk.error) << talk.error->message;
  EXPECT_GE(peer.updates(), 2) << "this end has taken the renewal over";
}

TEST(SipSessionTimer, AfterAReInviteOfAFarEndWithoutUpdateTheSessionHasNoTimer) {
  TimedPeer peer(kFarEndRenews, false);
  const Talk talk = peer.call(
      210, [&peer] { peer.reinvite(); }, 200);
  EXPECT_FALSE(talk.error) << talk.error->message;
  EXPECT_EQ(peer.updates(), 0);
  EXPECT_EQ(peer.byes(), 1) << "when the line was closed";
}

TEST(SipSessionTimer, AFarEndThatRefusesTheTakeoverKeepsItsCallWithoutATimer) {
  TimedPeer peer(kFarEndRenews, true);
  peer.challenge([](const ScriptedPeer& self, const SipText& got) {
    self.reply(got, "481 Call/Transaction Does Not Exist");
    return true;
  });
  const Talk talk = peer.call(
      210, [&peer] { peer.reinvite(); }, 200);
  EXPECT_FALSE(talk.error) << talk.error->message;
  EXPECT_EQ(peer.updates(), 1);
}

}  // namespace
}  // namespace vqas
