#include "relay/sip_proxy.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "relay/sip_phones.h"
#include "vqas/channel/random.h"

namespace vqas {
namespace {

using test::kCallee;
using test::kCaller;
using test::kSelf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using SipProxyTest = test::SipPhones;

TEST_F(SipProxyTest, AForwardedInvitationPutsTheRelayInThePathOfTheVoice) {
  const auto out = only(invite(), kCaller);
  EXPECT_EQ(out.to, kCallee);
  EXPECT_THAT(out.text, HasSubstr("INVITE sip:b@198.51.100.2:5080 SIP/2.0"));
  EXPECT_THAT(out.text, HasSubstr("m=audio 30002 RTP/AVP 0"));
  EXPECT_THAT(out.text, HasSubstr("c=IN IP4 192.0.2.1"));
  EXPECT_THAT(out.text, HasSubstr("Record-Route: <sip:192.0.2.1:5060;lr>"));
  EXPECT_THAT(out.text, HasSubstr("Max-Forwards: 69"));
  EXPECT_EQ(peers_.at(End::a), (SocketAddress{kCaller.host, 20000}));
  const auto parsed = SipMessage::parse(out.text);
  ASSERT_TRUE(parsed);
  const std::string body = out.text.substr(out.text.find("\r\n\r\n") + 4);
  EXPECT_EQ(parsed->sdp(), body);
  EXPECT_THAT(out.text, MatchesRegex(fmt::format("(.|\r|\n)*Content-Length: *{}\r\n(.|\r|\n)*", body.size())));
}

TEST_F(SipProxyTest, TheAnswerGoesBackAndPointsTheCallerAtTheRelay) {
  const auto forwarded = only(invite(), kCaller);
  const auto back = only(answer(forwarded.text, 200, sdp({kCallee.host, 20100})), kCallee);
  EXPECT_EQ(back.to, kCaller);
  EXPECT_THAT(back.text, HasSubstr("m=audio 30000 RTP/AVP 0"));
  EXPECT_THAT(back.text, Not(HasSubstr("z9hG4bK-vqas")));
  EXPECT_EQ(peers_.at(End::b), (SocketAddress{kCallee.host, 20100}));
}

TEST_F(SipProxyTest, ADescriptionWithAZeroOctetIsRefusedWithoutLeakingTheRelaysPorts) {
  const std::string hostile = sdp({kCaller.host, 20000}) + std::string("a=x\0", 4) + std::string(2000, 'A') + "\r\n";
  const std::string part = "Content-Type: application/sdp\r\n\r\n" + hostile;
  for (const std::string& text : {with_body(head("INVITE"), hostile), with_parts(head("INVITE"), {part})}) {
    const auto out = only(text, kCaller);
    EXPECT_EQ(out.to, kCaller);
    EXPECT_THAT(out.text, HasSubstr("SIP/2.0 488"));
    proxy_->expire(10);
    EXPECT_EQ(proxy_->counters().calls, 0U);
  }
  EXPECT_THAT(said_, HasSubstr("a zero octet"));
  // An answer is forwarded without its audio.
  const auto forwarded = only(invite(), kCaller);
  const auto back = only(answer(forwarded.text, 200, hostile), kCallee);
  EXPECT_THAT(back.text, HasSubstr("SIP/2.0 200"));
  EXPECT_THAT(back.text, Not(HasSubstr("m=audio")));
}

// Some phones end a line at a lone carriage return, and would find a stream there that bypasses the relay.
TEST_F(SipProxyTest, ADescriptionWithACarriageReturnWithinALineIsRefused) {
  const std::string hostile = sdp({kCaller.host, 20000}) + "a=x\rm=audio 20002 RTP/AVP 0\r\n";
  EXPECT_THAT(only(with_body(head("INVITE"), hostile), kCaller).text, HasSubstr("SIP/2.0 488"));
  EXPECT_THAT(said_, HasSubstr("a carriage return within a line"));
}

TEST_F(SipProxyTest, AHeaderWithAZeroOctetIsNotSip) {
  std::string text = invite();
  text.insert(text.find("Contact:"), std::string("X-Name: a\0b\r\n", 14));
  EXPECT_TRUE(proxy_->take(text, kCaller, 0).empty());
  EXPECT_EQ(proxy_->counters().no_sip, 1U);
}

TEST(SipMessageTest, ADescriptionIsInsertedOctetForOctet) {
  const std::string body = "v=0\r\n";
  auto message = SipMessage::parse(fmt::format(
      "INVITE sip:b@192.0.2.1 SIP/2.0\r\nVia: SIP/2.0/UDP 198.51.100.1;branch=z9hG4bK1\r\nFrom: <sip:a@h>;tag=t\r\n"
      "To: <sip:b@h>\r\nCall-ID: one\r\nCSeq: 1 INVITE\r\nContent-Type: application/sdp\r\nContent-Length: "
      "{}\r\n\r\n{}",
      body.size(), body));
  ASSERT_TRUE(message);
  const std::string put("v=0\r\na=x\0yz\r\n", 14);
  ASSERT_TRUE(message->set_sdp(put));
  EXPECT_EQ(message->sdp(), put);
  EXPECT_TRUE(message->text().ends_with(put));
}

TEST_F(SipProxyTest, EarlyMediaGoesThroughTheRelay) {
  const auto forwarded = only(invite(), kCaller);
  EXPECT_THAT(only(answer(forwarded.text, 180), kCallee).text, Not(HasSubstr("m=audio")));
  const auto early = only(answer(forwarded.text, 183, sdp({kCallee.host, 20110})), kCallee);
  EXPECT_THAT(early.text, HasSubstr("m=audio 30000 RTP/AVP 0"));
  EXPECT_EQ(peers_.at(End::b), (SocketAddress{kCallee.host, 20110}));
  only(answer(forwarded.text, 200, sdp({kCallee.host, 20100})), kCallee);
  EXPECT_EQ(peers_.at(End::b), (SocketAddress{kCallee.host, 20100}));
}

TEST_F(SipProxyTest, OfferInTheResponseAndAnswerInTheAckAreRewritten) {
  const auto forwarded = only(plain(head("INVITE")), kCaller);
  EXPECT_THAT(only(answer(forwarded.text, 200, sdp({kCallee.host, 20100})), kCallee).text,
              HasSubstr("m=audio 30000 RTP/AVP 0"));
  const auto acknowledged =
      only(with_body(head("ACK", "sip:b@198.51.100.2:5080"), sdp({kCaller.host, 20000})), kCaller);
  EXPECT_THAT(acknowledged.text, HasSubstr("m=audio 30002 RTP/AVP 0"));
  EXPECT_EQ(peers_.at(End::a), (SocketAddress{kCaller.host, 20000}));
}

TEST_F(SipProxyTest, ACallOnHoldKeepsItsPortsAndResumes) {
  establish();
  const auto again = [this](const std::string& cseq, const std::string& direction) {
    return only(with_body(in_dialogue("INVITE", cseq), sdp({kCaller.host, 20000}) + "a=" + direction + "\r\n"), kCaller,
                5);
  };
  const auto held = again("2", "sendonly");
  EXPECT_THAT(held.text, HasSubstr("m=audio 30002 RTP/AVP 0\r\na=sendonly\r\n"));
  only(answer(held.text, 200, sdp({kCallee.host, 20100}) + "a=recvonly\r\n"), kCallee);
  proxy_->expire(10'000);
  EXPECT_TRUE(closed_.empty());
  const auto resumed = again("3", "sendrecv");
  EXPECT_EQ(resumed.to, kCallee);
  only(answer(resumed.text, 486), kCallee);  // refusing a request within the call does not refuse the call
  proxy_->expire(20'000);
  EXPECT_TRUE(closed_.empty());
  EXPECT_EQ(opened_, 1U);
}

TEST_F(SipProxyTest, AudioTurnedOffWithinACallCanBeTurnedOnAgain) {
  const auto with_port = [this](const std::string& cseq, std::uint16_t port) {
    return only(with_body(in_dialogue("INVITE", cseq), sdp({kCaller.host, port})), kCaller, 5);
  };
  EXPECT_THAT(only(with_body(head("INVITE"), sdp({kCaller.host, 0})), kCaller).text, HasSubstr("488"))
      << "a call cannot begin without audio";
  establish();
  const auto off = with_port("2", 0);
  EXPECT_EQ(off.to, kCallee);
  EXPECT_THAT(off.text, HasSubstr("m=audio 0 RTP/AVP 0\r\n"));
  EXPECT_THAT(only(answer(off.text, 200, sdp({kCallee.host, 0})), kCallee).text, HasSubstr("m=audio 0 "));
  EXPECT_EQ(peers_.at(End::a).port, 20000) << "nothing is sent to port 0";
  proxy_->expire(10'000);
  EXPECT_TRUE(closed_.empty());
  EXPECT_THAT(with_port("3", 20002).text, HasSubstr("m=audio 30002 RTP/AVP 0"));
  EXPECT_EQ(peers_.at(End::a).port, 20002);
}

TEST_F(SipProxyTest, OtherCodecsAreForwardedUnchanged) {
  std::string offer = sdp({kCaller.host, 20000});
  offer.replace(offer.find("RTP/AVP 0"), 9, "RTP/AVP 9 18");
  EXPECT_THAT(only(with_body(head("INVITE"), offer), kCaller).text, HasSubstr("m=audio 30002 RTP/AVP 9 18"));
}

TEST_F(SipProxyTest, RepeatedInvitationsBelongToOneCallAndOneBranch) {
  const auto first = only(invite(), kCaller);
  const auto again = only(invite(), kCaller);
  EXPECT_EQ(first.text, again.text);
  EXPECT_EQ(opened_, 1U);
}

TEST_F(SipProxyTest, CancelAndAckOfARefusalKeepTheInvitationsBranch) {
  const auto branch = [](const std::string& text) { return SipMessage::parse(text)->top_via()->branch; };
  const std::string invited = branch(only(invite(), kCaller).text);
  EXPECT_EQ(branch(only(plain(head("CANCEL")), kCaller).text), invited);
  EXPECT_EQ(branch(only(plain(head("ACK")), kCaller).text), invited);
}

TEST_F(SipProxyTest, RequestsWithinACallFollowTheirRoute) {
  establish();
  const auto out = only(plain(in_dialogue("ACK", "1")), kCaller);
  EXPECT_EQ(out.to, kCallee);
  EXPECT_THAT(out.text, Not(HasSubstr("\r\nRoute:")));
}

TEST_F(SipProxyTest, AReInvitationByTheCalleeIsOnTheCalleesSide) {
  establish();
  const std::string text = fmt::format(
      "INVITE sip:a@198.51.100.1:5070 SIP/2.0\r\nVia: SIP/2.0/UDP 198.51.100.2:5080;branch=z9hG4bKcallee\r\n"
      "From: <sip:b@192.0.2.1>;tag=tb\r\nTo: <sip:a@198.51.100.1>;tag=ta\r\nCall-ID: one@198.51.100.1\r\n"
      "CSeq: 9 INVITE\r\nContact: <sip:b@198.51.100.2:5080>\r\nRoute: <sip:192.0.2.1:5060;lr>\r\nMax-Forwards: 70\r\n");
  const auto out = only(with_body(text, sdp({kCallee.host, 20200})), kCallee);
  EXPECT_EQ(out.to, kCaller);
  EXPECT_THAT(out.text, HasSubstr("m=audio 30000 "));
  EXPECT_EQ(peers_.at(End::b), (SocketAddress{kCallee.host, 20200}));
  EXPECT_EQ(opened_, 1U);
}

TEST_F(SipProxyTest, PortsAreClosedSoonAfterBye) {
  establish();
  proxy_->expire(10'000);
  EXPECT_TRUE(closed_.empty()) << "an answered call lasts";
  only(bye("guessed"), kCaller, 9'000);
  proxy_->expire(10'000);
  EXPECT_TRUE(closed_.empty()) << "only a sender with the call's tags may end it";
  only(bye(), kCaller, 10'000);
  proxy_->expire(10'001);
  EXPECT_TRUE(closed_.empty());
  proxy_->expire(10'004);
  EXPECT_EQ(closed_, (std::set<std::uint64_t>{0}));
  EXPECT_EQ(proxy_->counters().calls, 0U);
}

TEST_F(SipProxyTest, AnAnsweredCallWithoutByeEndsWhenItIsSilent) {
  establish();
  silent_s_ = 1e6;
  proxy_->expire(299);
  EXPECT_EQ(proxy_->counters().calls, 1U) << "a SIP message was recent";
  silent_s_ = 299;
  proxy_->expire(5000);
  EXPECT_EQ(proxy_->counters().calls, 1U) << "there are packets";
  only(with_body(in_dialogue("INVITE", "2"), sdp({kCaller.host, 20000})), kCaller, 5000);
  silent_s_ = 301;
  proxy_->expire(5299);
  EXPECT_EQ(proxy_->counters().calls, 1U) << "a SIP message was recent";
  proxy_->expire(5300);
  EXPECT_EQ(proxy_->counters().calls, 0U);
  EXPECT_EQ(closed_, (std::set<std::uint64_t>{0}));
  EXPECT_THAT(said_, HasSubstr("call 0: neither packets nor SIP for 300 s"));
}

TEST_F(SipProxyTest, WithoutFreePortsACallIsRefusedUntilPortsAreFree) {
  full_ = true;
  EXPECT_THAT(only(invite(), kCaller).text, HasSubstr("503"));
  EXPECT_EQ(proxy_->counters().calls, 0U);
  full_ = false;
  EXPECT_EQ(only(invite(), kCaller).to, kCallee);
}

TEST_F(SipProxyTest, ADescriptionInAMultipartBodyIsPointedAtTheRelay) {
  const std::string note = "Content-Type: text/plain\r\n\r\nm=audio stays 198.51.100.1 here\r\n";
  const auto out = only(with_parts(head("INVITE"), {note, sdp_part({kCaller.host, 20000})}), kCaller);
  EXPECT_EQ(out.to, kCallee);
  EXPECT_THAT(out.text, HasSubstr("m=audio 30002 RTP/AVP 0"));
  EXPECT_THAT(out.text, HasSubstr("c=IN IP4 192.0.2.1\r\n"));
  EXPECT_THAT(out.text, HasSubstr("m=audio stays 198.51.100.1 here"));
  EXPECT_THAT(out.text, Not(HasSubstr("m=audio 20000")));
  EXPECT_EQ(peers_.at(End::a), (SocketAddress{kCaller.host, 20000}));
  const auto again = SipMessage::parse(out.text);
  ASSERT_TRUE(again);
  EXPECT_THAT(again->sdp(), HasSubstr("30002")) << "the parts can be read again";
}

TEST_F(SipProxyTest, AnUnusableOfferIsRefusedAndReported) {
  const std::string packed = head("INVITE", "sip:b@192.0.2.1:5060", "1", "Content-Encoding: gzip\r\n");
  std::string other_network = sdp(kCaller);
  other_network.replace(other_network.find("c=IN IP4 198.51.100.1"), 21, "c=IN IP6 2001:db8::1");
  const std::string nested =
      "Content-Type: multipart/mixed;boundary=in\r\n\r\n--in\r\n" + sdp_part(kCaller) + "--in--\r\n";
  for (const std::string& text : std::vector<std::string>{
           with_body(packed, sdp(kCaller)), with_body(head("INVITE"), other_network),
           with_parts(head("INVITE"), {nested}), with_parts(head("INVITE"), {sdp_part(kCaller), sdp_part(kCaller)})}) {
    said_.clear();
    const auto out = only(text, kCaller);
    EXPECT_EQ(out.to, kCaller) << text;
    EXPECT_THAT(out.text, HasSubstr("488")) << text;
    EXPECT_THAT(said_, HasSubstr("refused")) << text;
  }
}

TEST_F(SipProxyTest, AnUnusableAnswerLosesItsAudioAndIsReported) {
  const auto forwarded = only(invite(), kCaller);
  std::string text = answer(forwarded.text, 200);
  text.replace(text.find("Content-Length: 0\r\n\r\n"), std::string::npos, "");
  const auto out = only(with_body(text + "Content-Encoding: gzip\r\n", sdp({kCallee.host, 20100})), kCallee);
  EXPECT_EQ(out.to, kCaller);
  EXPECT_THAT(out.text, Not(HasSubstr("20100")));
  EXPECT_THAT(said_, HasSubstr("the answer has no audio")) << out.text;
}

TEST_F(SipProxyTest, RefusedAndUnansweredCallsEnd) {
  const auto forwarded = only(invite(), kCaller);
  EXPECT_EQ(only(answer(forwarded.text, 486), kCallee).to, kCaller);
  proxy_->expire(5);
  EXPECT_EQ(closed_.size(), 1U);
  const auto rung = only(with_body(head("INVITE", test::kPhoneB, "2"), sdp({kCaller.host, 20000})), kCaller, 10);
  only(answer(rung.text, 180), kCallee, 11);
  proxy_->expire(200);
  EXPECT_EQ(closed_.size(), 1U) << "it rings";
  proxy_->expire(212);
  EXPECT_EQ(closed_.size(), 2U);
}

TEST_F(SipProxyTest, RegisteredPhonesAreFoundByName) {
  std::string text = head("REGISTER", "sip:192.0.2.1:5060", "7", "Expires: 60\r\n");
  text.replace(text.find("To: <sip:b"), 10, "To: <sip:c");
  const auto registered = only(plain(text), {0xC6336409, 6000});
  EXPECT_EQ(registered.to, (SocketAddress{0xC6336409, 6000}));
  EXPECT_THAT(registered.text, HasSubstr("SIP/2.0 200 OK"));
  const std::string call = with_body(head("INVITE", "sip:c@192.0.2.1:5060"), sdp({kCaller.host, 20000}));
  const auto out = only(call, kCaller, 30);
  EXPECT_EQ(out.to, (SocketAddress{0xC6336409, 6000}));
  EXPECT_THAT(out.text, HasSubstr("INVITE sip:a@198.51.100.1:5070"));
  const std::string later = with_body(head("INVITE", "sip:c@192.0.2.1:5060", "2"), sdp({kCaller.host, 20000}));
  EXPECT_THAT(only(later, kCaller, 100).text, HasSubstr("404")) << "the registration is over";
}

TEST_F(SipProxyTest, ARegistrationElsewhereIsForwarded) {
  const auto out = only(plain(head("REGISTER", "sip:198.51.100.2:5080")), kCaller);
  EXPECT_EQ(out.to, kCallee);
  EXPECT_THAT(out.text, HasSubstr("REGISTER sip:198.51.100.2:5080 SIP/2.0"));
}

TEST_F(SipProxyTest, RemovingAnOldContactKeepsTheNewOne) {
  const auto registering = [](const std::string& contact, const std::string& expires) {
    std::string text = head("REGISTER", "sip:192.0.2.1:5060", "7", "Expires: " + expires + "\r\n");
    text.replace(text.find("To: <sip:b"), 10, "To: <sip:c");
    const std::string old = "Contact: <sip:a@198.51.100.1:5070>";
    return plain(text.replace(text.find(old), old.size(), "Contact: <" + contact + ">"));
  };
  only(registering("sip:c@198.51.100.2:5080", "60"), kCallee);
  only(registering("sip:c@198.51.100.2:9999", "0"), kCallee);
  const std::string call = with_body(head("INVITE", "sip:c@192.0.2.1:5060"), sdp({kCaller.host, 20000}));
  EXPECT_EQ(only(call, kCaller, 30).to, kCallee);
}

TEST_F(SipProxyTest, RequestsThatCannotBeForwardedAreAnswered) {
  EXPECT_THAT(only(with_body(head("INVITE", "sip:nobody@192.0.2.1:5060"), sdp(kCaller)), kCaller).text,
              HasSubstr("404"));
  std::string tired = invite();
  tired.replace(tired.find("Max-Forwards: 70"), 16, "Max-Forwards: 0");
  EXPECT_THAT(only(tired, kCaller).text, HasSubstr("483"));
  std::string video = sdp(kCaller);
  video.replace(video.find("m=audio"), 7, "m=video");
  const auto refused = only(with_body(head("INVITE"), video), kCaller);
  EXPECT_EQ(refused.to, kCaller);
  EXPECT_THAT(refused.text, HasSubstr("488"));
  full_ = true;
  std::string other = invite();
  other.replace(other.find("Call-ID: one"), 12, "Call-ID: two");
  EXPECT_THAT(only(other, kCaller).text, HasSubstr("503"));
  EXPECT_THAT(only(plain(head("OPTIONS", "sip:192.0.2.1:5060")), kCaller).text, HasSubstr("200"));
}

TEST_F(SipProxyTest, ForeignResponsesAreDropped) {
  const auto forwarded = only(invite(), kCaller);
  std::string stray = answer(forwarded.text, 200);
  stray.replace(stray.find("192.0.2.1:5060;branch"), 14, "192.0.2.9:5060");
  EXPECT_TRUE(proxy_->take(stray, kCallee, 0).empty());
  EXPECT_EQ(proxy_->counters().stray_responses, 1U);
}

// The parser's time grows with the square of each of these numbers.
TEST_F(SipProxyTest, ADatagramWithTooManyHeadersOrParametersIsRejected) {
  const auto many = [](const std::string& one) {
    std::string all;
    while (all.size() < 50'000) all += one;
    return all;
  };
  const std::string parts = "Content-Type: multipart/mixed;boundary=b\r\n\r\n" + many("--b\r\n\r\nx\r\n");
  std::uint64_t refused = 0;
  for (const std::string& extra :
       {many("a:b\r\n"), many("a:b\n"), many("v:SIP/2.0/UDP h\r\n"),
        "v:SIP/2.0/UDP h" + many(",SIP/2.0/UDP h") + "\r\n", "v:SIP/2.0/UDP h" + many(";p") + "\r\n",
        "Contact: <sip:h?a=b" + many("&a=b") + ">\r\n", parts}) {
    EXPECT_TRUE(proxy_->take(plain(head("OPTIONS", "sip:b@192.0.2.1:5060", "1", extra)), kCaller, 0).empty());
    EXPECT_EQ(proxy_->counters().no_sip, ++refused) << extra.substr(0, 60);
  }
  const std::string long_but_few = "Subject: " + std::string(50'000, 'x') + "\r\n";
  EXPECT_EQ(only(plain(head("OPTIONS", "sip:b@192.0.2.1:5060", "1", long_but_few)), kCaller).to, kCallee);
}

// The open requests of a call that lost its place are answered, even when no ports are left.
TEST_F(SipProxyTest, ACallThatLostItsPlaceIsAnsweredEvenIfTheNewOneGetsNoPorts) {
  const auto from = [](std::uint32_t host, std::size_t number) {
    std::string text = invite();
    return text.replace(text.find("Call-ID: one"), 12, fmt::format("Call-ID: {}-{}", host, number));
  };
  for (std::size_t i = 0; i < SipProxy::kMostCalls; ++i) {
    const SocketAddress caller{kCaller.host + static_cast<std::uint32_t>(i % 2), kCaller.port};
    EXPECT_EQ(proxy_->take(from(caller.host, i), caller, 0).size(), 1U);
  }
  full_ = true;
  const SocketAddress late{kCaller.host + 7, kCaller.port};
  const auto out = proxy_->take(from(late.host, 0), late, 0);
  ASSERT_EQ(out.size(), 2U);
  EXPECT_THAT(out[0].text, HasSubstr("SIP/2.0 408"));
  EXPECT_THAT(out[1].text, HasSubstr("SIP/2.0 503"));
}

// Cut, garbled and random datagrams; reproducible from the seed.
TEST_F(SipProxyTest, HostileDatagramsAreSurvived) {
  Random random(11);
  const std::string whole = invite();
  for (int i = 0; i < 20'000; ++i) {
    std::string text = whole.substr(0, random.next() % (whole.size() + 1));
    for (std::uint64_t k = random.next() % 8; k > 0 && !text.empty(); --k) {
      text[random.next() % text.size()] = static_cast<char>(random.next());
    }
    proxy_->take(text, kCaller, 0);
  }
  EXPECT_GT(proxy_->counters().no_sip, 1000U);
  EXPECT_LE(proxy_->counters().calls, SipProxy::kMostCalls);
  EXPECT_TRUE(proxy_->take("\r\n\r\n", kCaller, 0).empty());
}

TEST_F(SipProxyTest, ExpiredRegistrationsMakeRoomForOthers) {
  const auto registered = [this](const std::string& user, double now_s) {
    return only(fmt::format("REGISTER sip:192.0.2.1:5060 SIP/2.0\r\nVia: SIP/2.0/UDP 198.51.100.2:5080;branch=z9\r\n"
                            "From: <sip:{0}@192.0.2.1>;tag=r\r\nTo: <sip:{0}@192.0.2.1>\r\nCall-ID: r@c\r\n"
                            "CSeq: 1 REGISTER\r\nContact: <sip:{0}@198.51.100.2:5080>;expires=60\r\n"
                            "Content-Length: 0\r\n\r\n",
                            user),
                kCallee, now_s)
        .text;
  };
  for (std::size_t i = 0; i < SipProxy::kMostRegistrations; ++i) {
    EXPECT_THAT(registered("phone" + std::to_string(i), 0), HasSubstr("200 OK"));
  }
  EXPECT_THAT(registered("another", 59), HasSubstr("503"));
  proxy_->expire(59);
  EXPECT_THAT(registered("another", 59), HasSubstr("503")) << "none has expired yet";
  proxy_->expire(61);
  EXPECT_THAT(registered("another", 61), HasSubstr("200 OK"));
}

}  // namespace
}  // namespace vqas
