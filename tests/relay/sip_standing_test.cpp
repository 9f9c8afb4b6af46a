// Which messages have an effect: only those of a known transaction or dialogue, from its addresses.
#include <gmock/gmock.h>

#include "relay/sip_phones.h"

namespace vqas {
namespace {

using test::kCallee;
using test::kCaller;
using test::kPhoneB;
using test::kSelf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr SocketAddress kStranger{0xCB007109, 5060};  // 203.0.113.9

class SipStandingTest : public test::SipPhones {
 protected:
  static std::string replaced(std::string text, const std::string& what, const std::string& with) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return at == std::string::npos ? text : text.replace(at, what.size(), with);
  }
  // An INVITE of another call, from a phone at `host`.
  static std::string invite_of(const std::string& call_id, const SocketAddress& from) {
    std::string text = replaced(invite(), "one@198.51.100.1", call_id);
    text = replaced(text, "Via: SIP/2.0/UDP 198.51.100.1:5070", "Via: SIP/2.0/UDP " + to_string(from));
    return text;
  }
  bool is_open() {
    proxy_->expire(1000);
    return closed_.empty();
  }
  std::uint64_t stray_requests() const { return proxy_->counters().stray_requests; }
  std::uint64_t stray_responses() const { return proxy_->counters().stray_responses; }
};

TEST_F(SipStandingTest, AByeWithTheRightTagsFromAThirdAddressChangesNothing) {
  establish();
  EXPECT_EQ(refused_with(bye(), kStranger), 481);
  EXPECT_EQ(refused_with(plain(of_callee("BYE", "5")), kStranger), 481);
  EXPECT_EQ(refused_with(plain(of_callee("BYE", "5")), kCaller), 481) << "as the callee, but from the caller's address";
  EXPECT_TRUE(is_open());
  EXPECT_EQ(stray_requests(), 3U);
  EXPECT_THAT(said_, HasSubstr("call 0: BYE from 203.0.113.9:5060 was refused"));
  EXPECT_EQ(only(bye(), kCaller).to, kCallee);
  EXPECT_FALSE(is_open());
}

TEST_F(SipStandingTest, ANewDescriptionFromAThirdAddressDoesNotMoveAudio) {
  establish();
  const SocketAddress thief{kStranger.host, 40000};
  for (const std::string method : {"INVITE", "UPDATE", "PRACK"}) {
    EXPECT_EQ(refused_with(with_body(in_dialogue(method, "7"), sdp(thief)), kStranger), 481) << method;
    EXPECT_EQ(refused_with(with_body(of_callee(method, "7"), sdp(thief)), kStranger), 481) << method;
  }
  EXPECT_TRUE(proxy_->take(with_body(in_dialogue("ACK", "7"), sdp(thief)), kStranger, 0).empty());
  EXPECT_EQ(refused_with(with_body(head("INVITE"), sdp(thief)), kStranger), 481) << "as the caller";
  EXPECT_EQ(peers_.at(End::a), (SocketAddress{kCaller.host, 20000}));
  EXPECT_EQ(peers_.at(End::b), (SocketAddress{kCallee.host, 20100}));
  EXPECT_EQ(opened_, 1U);
}

TEST_F(SipStandingTest, AnUnansweredCallAcceptsOnlyItsCaller) {
  only(invite(), kCaller);
  const SocketAddress thief{kStranger.host, 40000};
  EXPECT_EQ(refused_with(with_body(head("INVITE", kPhoneB, "2"), sdp(thief)), kStranger), 481);
  EXPECT_EQ(refused_with(plain(head("CANCEL")), kStranger), 481);
  EXPECT_EQ(peers_.at(End::a), (SocketAddress{kCaller.host, 20000}));
  EXPECT_EQ(only(plain(head("CANCEL")), kCaller).to, kCallee);
}

TEST_F(SipStandingTest, BothSidesMaySendRequestsWithinACall) {
  establish();
  for (const std::string method : {"UPDATE", "PRACK", "INFO", "INVITE"}) {
    EXPECT_EQ(only(plain(in_dialogue(method, "8")), kCaller).to, kCallee) << method;
    EXPECT_EQ(only(plain(of_callee(method, "8")), kCallee).to, kCaller) << method;
  }
  EXPECT_EQ(stray_requests(), 0U);
}

TEST_F(SipStandingTest, APhoneWhosePortChangedBehindItsNatIsAccepted) {
  establish();
  EXPECT_EQ(only(bye(), {kCaller.host, 61000}).to, kCallee);
  EXPECT_FALSE(is_open());
}

TEST_F(SipStandingTest, APhoneIsAcceptedFromTheAddressOfItsContact) {
  // Set up by a proxy of the callee that does not stay in the call.
  const auto forwarded = only(invite(), kCaller);
  const std::string answered = answer(forwarded.text, 200, sdp({kCallee.host, 20100}));
  only(replaced(answered, "Contact: <sip:b@198.51.100.2:5080>", "Contact: <sip:b@198.51.100.77:5080>"), kCallee);
  EXPECT_EQ(only(plain(of_callee("BYE", "5")), {0xC633644D, 5080}).to, kCaller);
  EXPECT_FALSE(is_open());
}

TEST_F(SipStandingTest, TwoPhonesAtOneAddressAreDistinguishedByTheirTags) {
  const SocketAddress neighbour{kCaller.host, 5071};
  SipMedia media;
  media.open = [] {
    RelayedCallState state;
    state.directions[0].listen = {kSelf.host, 30000};
    state.directions[1].listen = {kSelf.host, 30002};
    return Result<RelayedCallState>(state);
  };
  media.set_peer = [this](std::uint64_t, End side, const SocketAddress& peer) { peers_[side] = peer; };
  media.close = [this](std::uint64_t call) { closed_.insert(call); };
  media.silent_s = [](std::uint64_t) { return 0.0; };
  media.say = [](const std::string&) {};
  proxy_ = std::make_unique<SipProxy>(SipOptions{kSelf, {{"b", neighbour}}, 300}, media);
  const auto forwarded = only(invite(), kCaller);
  EXPECT_EQ(forwarded.to, neighbour);
  only(answer(forwarded.text, 200, sdp({kCaller.host, 20100})), neighbour);
  only(with_body(of_callee("INVITE", "4"), sdp({kCaller.host, 20200})), neighbour);
  EXPECT_EQ(peers_.at(End::a), (SocketAddress{kCaller.host, 20000}));
  EXPECT_EQ(peers_.at(End::b), (SocketAddress{kCaller.host, 20200}));
}

TEST_F(SipStandingTest, TheLoopbackAddressAndTheRelaysOwnCountAsOne) {
  const auto forwarded = only(invite(), {0x7F000001, 5070});
  only(answer(forwarded.text, 200, sdp({kCallee.host, 20100})), kCallee);
  EXPECT_EQ(refused_with(bye(), {0x7F000009, 5070}), 481) << "127.0.0.9 is another host";
  EXPECT_EQ(only(bye(), {kSelf.host, 5070}).to, kCallee);
}

TEST_F(SipStandingTest, AResponseFromAHostThatWasNotAskedIsDropped) {
  const auto forwarded = only(invite(), kCaller);
  EXPECT_TRUE(proxy_->take(answer(forwarded.text, 200, sdp({kStranger.host, 40000})), kStranger, 0).empty());
  EXPECT_FALSE(peers_.contains(End::b));
  EXPECT_EQ(stray_responses(), 1U);
  EXPECT_EQ(only(answer(forwarded.text, 200, sdp({kCallee.host, 20100})), kCallee).to, kCaller);
}

TEST_F(SipStandingTest, AResponseWithoutARequestIsDropped) {
  establish();
  const std::string stray =
      "SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK-vqas-0\r\n"
      "Via: SIP/2.0/UDP 203.0.113.77:9;branch=z9hG4bKvictim\r\nFrom: <sip:a@198.51.100.1>;tag=ta\r\n"
      "To: <sip:b@192.0.2.1>;tag=tb\r\nCall-ID: one@198.51.100.1\r\nCSeq: 1 INVITE\r\nContent-Length: 0\r\n\r\n";
  for (const SocketAddress& from : {kStranger, kCaller, kCallee}) EXPECT_TRUE(proxy_->take(stray, from, 0).empty());
  EXPECT_EQ(stray_responses(), 3U);
}

TEST_F(SipStandingTest, AResponseReturnsToTheRequestsSourceWhateverItsViasSay) {
  const auto forwarded = only(invite(), kCaller);
  const std::string bent = replaced(answer(forwarded.text, 180), "198.51.100.1:5070;branch", "203.0.113.77:9;branch");
  const std::string received = replaced(bent, "received=198.51.100.1", "received=203.0.113.77");
  EXPECT_EQ(only(received, kCallee).to, kCaller);
}

TEST_F(SipStandingTest, RepetitionsAreForwardedLikeTheFirstAndHaveOneEffect) {
  establish();
  const auto first = only(bye(), kCaller, 0);
  const auto again = only(bye(), kCaller, 3.6);
  EXPECT_EQ(first.text, again.text);
  proxy_->expire(4);
  EXPECT_EQ(only(bye(), kCaller, 16).text, first.text) << "the callee may have missed it while the ports were closed";
  EXPECT_EQ(only(answer(first.text, 200), kCallee, 16).to, kCaller);
  proxy_->expire(33);
  EXPECT_EQ(refused_with(bye(), kCaller, 33), 481);
}

TEST_F(SipStandingTest, ARequestWithinACallThatDoesNotExistIsRefused) {
  for (const std::string method : {"BYE", "INVITE", "UPDATE", "PRACK", "INFO", "CANCEL"}) {
    EXPECT_EQ(refused_with(plain(in_dialogue(method, "3")), kCaller), 481) << method;
  }
  EXPECT_TRUE(proxy_->take(plain(in_dialogue("ACK", "3")), kCaller, 0).empty());
  EXPECT_EQ(stray_requests(), 7U);
  EXPECT_EQ(opened_, 0U);
  EXPECT_EQ(only(plain(in_dialogue("MESSAGE", "3")), kCaller).to, kCallee) << "it needs no call";
}

TEST_F(SipStandingTest, AByeFromAnotherPhoneThatRangDoesNotEndTheCall) {
  const auto forwarded = only(invite(), kCaller);
  only(replaced(answer(forwarded.text, 180), "tag=tb", "tag=other"), kCallee);
  only(answer(forwarded.text, 200, sdp({kCallee.host, 20100})), kCallee);
  EXPECT_EQ(only(plain(in_dialogue("BYE", "3", "other")), kCaller).to, kCallee);
  EXPECT_TRUE(is_open());
}

TEST_F(SipStandingTest, RefusingTheFirstTryDoesNotEndTheSecondWithAPassword) {
  const auto first = only(invite(), kCaller);
  only(answer(first.text, 407), kCallee);
  only(plain(replaced(head("ACK"), "To: <sip:b@192.0.2.1>", "To: <sip:b@192.0.2.1>;tag=tb")), kCaller);
  only(with_body(head("INVITE", kPhoneB, "2"), sdp({kCaller.host, 20000})), kCaller, 1);
  only(answer(first.text, 407), kCallee, 2);
  proxy_->expire(10);
  EXPECT_TRUE(closed_.empty());
  EXPECT_EQ(opened_, 1U);
  EXPECT_EQ(stray_requests(), 0U);
}

TEST_F(SipStandingTest, ACallReturnedByTheRegistrarHasOneEffect) {
  const SocketAddress registrar{0xC63364FE, 5060};  // 198.51.100.254
  const auto first = only(with_body(head("INVITE", "sip:b@198.51.100.254"), sdp({kCaller.host, 20000})), kCaller);
  ASSERT_EQ(first.to, registrar);
  std::string back = replaced(first.text, "sip:b@198.51.100.254", "sip:b@198.51.100.2:5080");
  back = replaced(back, "Via:", "Via: SIP/2.0/UDP 198.51.100.254:5060;branch=z9hG4bKregistrar\r\nVia:");
  const auto second = only(back, registrar);
  EXPECT_EQ(second.to, kCallee);
  EXPECT_THAT(second.text, HasSubstr("m=audio 30002 "));
  EXPECT_EQ(peers_.at(End::a), (SocketAddress{kCaller.host, 20000}));
  EXPECT_EQ(opened_, 1U);
  const auto inner = only(answer(second.text, 200, sdp({kCallee.host, 20100})), kCallee);
  EXPECT_EQ(inner.to, registrar);
  auto passed = SipMessage::parse(inner.text);
  passed->remove_top_via();
  const auto outer = only(passed->text(), registrar);
  EXPECT_EQ(outer.to, kCaller);
  EXPECT_THAT(outer.text, HasSubstr("m=audio 30000 "));
  EXPECT_EQ(peers_.at(End::b), (SocketAddress{kCallee.host, 20100}));
}

TEST_F(SipStandingTest, AddressesOfNoSingleMachineAreRefusedWithAReason) {
  for (const char* host : {"255.255.255.255", "224.0.0.1", "239.1.2.3", "0.0.0.0", "0.1.2.3", "240.0.0.1"}) {
    said_.clear();
    std::string text = sdp({kCaller.host, 20000});
    text = replaced(text, "c=IN IP4 198.51.100.1", std::string("c=IN IP4 ") + host);
    EXPECT_EQ(refused_with(with_body(head("INVITE"), text), kCaller), 488) << host;
    EXPECT_THAT(said_, HasSubstr(std::string("wants audio at ") + host));
    EXPECT_FALSE(peers_.contains(End::a)) << host;
    proxy_->expire(1);
  }
  EXPECT_EQ(proxy_->counters().refused_descriptions, 6U);
  // In an answer: the call stays up, and nothing is sent there.
  const auto forwarded = only(invite(), kCaller);
  const std::string everybody = replaced(sdp({kCallee.host, 9}), "c=IN IP4 198.51.100.2", "c=IN IP4 255.255.255.255");
  EXPECT_EQ(only(answer(forwarded.text, 200, everybody), kCallee).to, kCaller);
  EXPECT_FALSE(peers_.contains(End::b));
  EXPECT_THAT(said_, HasSubstr("the answer has no audio"));
  // An established call may be put on hold the older way.
  const std::string hold = replaced(sdp({kCaller.host, 20000}), "c=IN IP4 198.51.100.1", "c=IN IP4 0.0.0.0");
  EXPECT_EQ(only(with_body(in_dialogue("INVITE", "2"), hold), kCaller).to, kCallee);
}

TEST_F(SipStandingTest, TenThousandUnansweredInvitationsOfOneAddressLeaveRoomForOthers) {
  for (int i = 0; i < 10'000; ++i) {
    proxy_->take(invite_of("flood" + std::to_string(i), kStranger), kStranger, 0.001 * i);
  }
  EXPECT_EQ(proxy_->counters().calls, 400U);
  EXPECT_EQ(proxy_->counters().refused_for_room, 9600U);
  EXPECT_EQ(only(invite(), kCaller, 11).to, kCallee);
  proxy_->expire(42.5);
  EXPECT_EQ(proxy_->counters().calls, 1U) << "without any response an INVITE ends after 32 s";
  EXPECT_EQ(proxy_->counters().unanswered, 400U);
}

TEST_F(SipStandingTest, WhenAllPlacesAreTakenTheFloodLosesPlaces) {
  const SocketAddress other{kStranger.host + 1, 5060};
  for (int i = 0; i < 5000; ++i) {
    proxy_->take(invite_of("flood" + std::to_string(i), kStranger), kStranger, 0);
    proxy_->take(invite_of("other" + std::to_string(i), other), other, 0);
  }
  EXPECT_EQ(proxy_->counters().calls, SipProxy::kMostCalls);
  const auto out = proxy_->take(invite(), kCaller, 1);
  ASSERT_EQ(out.size(), 2U);
  EXPECT_THAT(out[0].text, HasSubstr("SIP/2.0 408"));
  EXPECT_EQ(out[1].to, kCallee);
  EXPECT_EQ(proxy_->counters().calls, SipProxy::kMostCalls);
  EXPECT_EQ(proxy_->counters().gave_way, 1U);
}

TEST_F(SipStandingTest, AnsweredCallsKeepTheirPlaces) {
  const SocketAddress other{kStranger.host + 1, 5060};
  for (std::size_t i = 0; i < SipProxy::kMostCalls; ++i) {
    const SocketAddress& from = i < 400 ? kStranger : other;
    const auto forwarded = only(invite_of("call" + std::to_string(i), from), from);
    only(answer(forwarded.text, 200, sdp({kCallee.host, 20100})), kCallee);
  }
  EXPECT_EQ(refused_with(invite(), kCaller), 503);
  EXPECT_EQ(proxy_->counters().calls, SipProxy::kMostCalls);
}

TEST_F(SipStandingTest, AnInvitationThatOnlyRingsIsCancelledAfterTimerC) {
  const auto forwarded = only(invite(), kCaller);
  only(answer(forwarded.text, 180), kCallee, 100);
  EXPECT_TRUE(proxy_->expire(299).empty());
  const auto out = proxy_->expire(300);
  ASSERT_EQ(out.size(), 2U);
  EXPECT_EQ(out[0].to, kCallee);
  const auto cancel = SipMessage::parse(out[0].text);
  ASSERT_TRUE(cancel) << out[0].text;
  const auto sent = SipMessage::parse(forwarded.text);
  EXPECT_EQ(cancel->method(), "CANCEL");
  EXPECT_EQ(cancel->top_via()->branch, sent->top_via()->branch);
  EXPECT_EQ(cancel->vias().size(), 1U);
  EXPECT_EQ(cancel->request_uri(), sent->request_uri());
  EXPECT_EQ(cancel->cseq_number(), sent->cseq_number());
  EXPECT_EQ(out[1].to, kCaller);
  EXPECT_THAT(out[1].text, HasSubstr("SIP/2.0 408 Request Timeout"));
  EXPECT_THAT(out[1].text, Not(HasSubstr("z9hG4bK-vqas")));
  EXPECT_EQ(closed_.size(), 1U);
  EXPECT_TRUE(proxy_->take(answer(forwarded.text, 200, sdp({kCallee.host, 20100})), kCallee, 301).empty())
      << "no audio bypasses the relay";
}

TEST_F(SipStandingTest, AMulticastAddressIsNotUsedAsAPhone) {
  EXPECT_EQ(refused_with(with_body(head("INVITE", "sip:b@224.0.0.1:5060"), sdp({kCaller.host, 20000})), kCaller), 404);
  EXPECT_EQ(refused_with(plain(head("MESSAGE", "sip:b@255.255.255.255:5060")), kCaller), 404);
}

}  // namespace
}  // namespace vqas
