#include "line/sip/sip_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vqas {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr SocketAddress kOther{0x7F000001, 5060};

SipTraced entry(const std::string& message) {
  return sip_trace_entry(1790000000.25, true, "udp", kOther, message);
}

TEST(SipTrace, AnEntryHasTimeDirectionTransportAndTheMessageIndented) {
  const SipTraced traced = entry(
      "INVITE sip:4712@127.0.0.1 SIP/2.0\r\nCall-ID:  abc@x\r\nContent-Type: application/sdp\r\nContent-Length: "
      "7\r\n\r\nv=0\r\na\n");
  EXPECT_EQ(traced.call_id, "abc@x");
  EXPECT_THAT(traced.text, StartsWith("2026-09-21T14:13:20.250Z sent to 127.0.0.1:5060 by udp, "));
  EXPECT_THAT(traced.text, HasSubstr("\n    INVITE sip:4712@127.0.0.1 SIP/2.0\n    Call-ID:  abc@x\n"));
  EXPECT_THAT(traced.text, HasSubstr("    Content-Length: 7\n\n    v=0\n    a\n"));
}

TEST(SipTrace, CredentialsAreBlankedInEachFormThatSipAllows) {
  const SipTraced traced = entry(
      "REGISTER sip:pbx SIP/2.0\r\nAuthorization: Digest response=\"geheim1\"\r\nPROXY-authorization : Digest a=1,\r\n"
      " response=\"geheim2\"\r\n\tmore=\"geheim3\"\r\nVia: x\r\nAuthentication-Info: rspauth=\"geheim4\"\r\n"
      "Contact: <sip:anna:geheim5@host:5060>, \"x\" <sips:ben:geheim6@host>\r\nRefer-To: sip:host:5060;x=1\r\n"
      "c: application/SDP ; charset=utf-8\r\n\r\n"
      "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:geheim7|2^20\r\na=key-mgmt:mikey geheim8\r\nk=clear:geheim9\r\n"
      "m=audio 4000 RTP/SAVP 0\r\n");
  EXPECT_THAT(traced.text, Not(HasSubstr("geheim")));
  EXPECT_THAT(traced.text, HasSubstr("    Authorization: (blanked)\n"));
  EXPECT_THAT(traced.text, HasSubstr("<sip:anna:(blanked)@host:5060>, \"x\" <sips:ben:(blanked)@host>"));
  EXPECT_THAT(traced.text, HasSubstr("    Via: x\n")) << "only what continues a secret is left out";
  EXPECT_THAT(traced.text, HasSubstr("Refer-To: sip:host:5060;x=1"));
  EXPECT_THAT(traced.text, HasSubstr("AES_CM_128_HMAC_SHA1_80 inline:(blanked)\n"));
  EXPECT_THAT(traced.text, HasSubstr("m=audio 4000 RTP/SAVP 0"));
}

TEST(SipTrace, PasswordsOfOtherSchemesAndHeadersInAddressesAreBlanked) {
  const SipTraced traced = entry(
      "REFER sip:x@pbx SIP/2.0\r\nProxy-Authentication-Info: nextnonce=\"geheim1\"\r\n"
      "Call-Info: <https://anna:geheim2@geheim3@host/picture>\r\n"
      "Refer-To: <sip:ben@host?Authorization=geheim4&Subject=hello&proxy-authorization=geheim5>\r\n"
      "To:sip:anna@host\r\nContent-Type: application/sdp\r\n\r\na=ice-pwd:geheim6\r\na=ice-ufrag:abcd\r\n");
  EXPECT_THAT(traced.text, Not(HasSubstr("geheim")));
  EXPECT_THAT(traced.text, HasSubstr("<https://anna:(blanked)@host/picture>"));
  EXPECT_THAT(traced.text, HasSubstr("?Authorization=(blanked)&Subject=hello&proxy-authorization=(blanked)>"));
  EXPECT_THAT(traced.text, HasSubstr("To:sip:anna@host\n"));
  EXPECT_THAT(traced.text, HasSubstr("a=ice-ufrag:abcd\n"));
}

TEST(SipTrace, ABodyThatIsNoSessionDescriptionIsBlanked) {
  for (const char* type : {"Content-Type: application/dtmf-relay\r\n", "",
                           "Content-Type: application/sdp\r\nContent-Type: text/plain\r\n"}) {
    const SipTraced traced =
        entry(std::string("INFO sip:x@pbx SIP/2.0\r\nCall-ID: 1\r\n") + type + "\r\nSignal=7\r\n\r\nSignal=8\r\n");
    EXPECT_THAT(traced.text, Not(HasSubstr("Signal"))) << type;
    EXPECT_THAT(traced.text, ::testing::EndsWith("\n\n    (blanked)\n")) << type;
  }
}

TEST(SipTrace, ALineOfManyAddressesTakesNoLongTime) {
  std::string many = "Contact: ";
  for (int n = 0; n < 100'000; ++n) many += "sip";
  for (int n = 0; n < 20'000; ++n) many += "<sip:a:b@c>";
  EXPECT_THAT(entry(many).text, HasSubstr("<sip:a:(blanked)@c><sip:a:(blanked)@c>"));
}

TEST(SipTrace, AMessageCannotPretendToBeAnEntryOrMoveACursor) {
  const SipTraced traced = entry("SIP/2.0 200 OK\n2026-11-23T00:00:00.000Z sent to me\r\x1B[2J\r\n");
  EXPECT_THAT(traced.text, HasSubstr("\n    2026-11-23T00:00:00.000Z sent to me\n"));
  EXPECT_THAT(traced.text, Not(HasSubstr("\x1B")));
}

constexpr std::int64_t kSecond = 1'000'000'000;

TEST(TraceBudget, WhatComesTooFastIsCountedAtPowersOfTwoAndBeforeTheNextEntry) {
  TraceBudget budget;
  const std::string entry(1024, 'x');
  for (int n = 0; n < 128; ++n) EXPECT_EQ(budget.admit(0, entry), entry);
  EXPECT_EQ(
      budget.admit(0, entry),
      "(left out from here: messages that came faster than a trace may grow)\n(left out until here: 1 message)\n");
  EXPECT_EQ(budget.admit(0, entry), "(left out until here: 2 messages)\n");
  EXPECT_EQ(budget.admit(0, entry), "");
  EXPECT_EQ(budget.admit(100 * kSecond, entry), "(left out until here: 4 messages)\n")
      << "room for single ones is not enough";
  EXPECT_EQ(budget.admit(130 * kSecond, entry), "(left out until here: 4 messages)\n" + entry);
  EXPECT_EQ(budget.admit(130 * kSecond, entry), entry);
}

TEST(TraceByCall, EachCallHasItsMessagesAndStrangersCannotHideThem) {
  std::vector<std::pair<std::uint32_t, std::string>> kept;
  TraceByCall trace([&kept](std::uint32_t call, const std::string& text) { kept.emplace_back(call, text); });
  trace.dialling(1);
  trace.add(0, {"one", "INVITE"});
  trace.dialling(0);
  for (int n = 0; n < 1000; ++n) trace.add(0, {"stray" + std::to_string(n), std::string(1024, 'x')});
  trace.add(0, {"one", "200"});
  trace.add(0, {"two", "INVITE of two", true});
  trace.name("two", 2);
  trace.add(0, {"two", "180"});
  ASSERT_GE(kept.size(), 4U);
  EXPECT_EQ(kept.front(), (std::pair<std::uint32_t, std::string>{1, "INVITE"}));
  const std::vector<std::pair<std::uint32_t, std::string>> last(kept.end() - 3, kept.end());
  EXPECT_THAT(last,
              ::testing::ElementsAre(std::pair(1U, std::string("200")), std::pair(2U, std::string("INVITE of two")),
                                     std::pair(2U, std::string("180"))));
  std::size_t octets = 0;
  for (const auto& [call, text] : kept) octets += text.size();
  EXPECT_LT(octets, 140'000U);
}

struct Sorted {
  std::vector<std::pair<std::uint32_t, std::string>> kept;
  TraceByCall trace{[this](std::uint32_t call, const std::string& text) { kept.emplace_back(call, text); }};

  // INVITE, 200, and ACK or BYE.
  void call(std::uint32_t number, bool confirmed) {
    const std::string id = "call " + std::to_string(number);
    trace.add(0, {id, std::string(1024, 'i'), true});
    trace.accept(id, number);
    trace.add(0, {id, std::string(1024, 'o')});
    trace.add(0, {id, std::string(1024, 'a')});
    if (confirmed) trace.confirm(id);
  }
  std::size_t octets() const {
    std::size_t sum = 0;
    for (const auto& [call, text] : kept) sum += text.size();
    return sum;
  }
};

TEST(TraceByCall, CallsThatAreNeverConfirmedShareOneBudget) {
  Sorted sorted;
  for (std::uint32_t number = 1; number <= 1000; ++number) sorted.call(number, false);
  EXPECT_LT(sorted.octets(), 140'000U);
}

TEST(TraceByCall, CallsThatAreConfirmedHaveTheirMessagesFromTheFirstOn) {
  Sorted sorted;
  for (std::uint32_t number = 1; number <= 200; ++number) sorted.call(number, true);
  EXPECT_EQ(sorted.octets(), 200U * 3 * 1024);
  EXPECT_EQ(sorted.kept.size(), 600U);
}

TEST(TraceByCall, AnUnconfirmedCallGivesItsCallIdToALaterOneAndAnyOtherKeepsIt) {
  Sorted sorted;
  const auto number_of = [&sorted](std::uint32_t number) {
    sorted.trace.accept("id", number);
    sorted.trace.add(0, {"id", "200"});
    return sorted.kept.back().first;
  };
  EXPECT_EQ(number_of(1), 1U);
  EXPECT_EQ(number_of(2), 2U);
  sorted.trace.confirm("id");
  EXPECT_EQ(number_of(3), 2U);
}

TEST(TraceByCall, ACallThatIsNotOverKeepsItsNameHoweverManyCallsCome) {
  Sorted sorted;
  sorted.call(1, true);
  for (std::uint32_t number = 2; number <= 3000; ++number) {
    sorted.call(number, true);
    sorted.trace.over(number);
  }
  sorted.trace.add(0, {"call 1", "BYE"});
  EXPECT_EQ(sorted.kept.back().first, 1U);
  sorted.trace.add(0, {"call 2999", "late"});
  EXPECT_EQ(sorted.kept.back().first, 2999U) << "its last messages come after its end";
  sorted.trace.add(0, {"call 2", "late"});
  EXPECT_EQ(sorted.kept.back().first, 0U) << "the names of calls that are over have a bound";
}

TEST(TraceByCall, ACallThatTookACallIdOverKeepsItWhenTheFirstOneIsForgotten) {
  Sorted sorted;
  sorted.trace.accept("id", 1);
  sorted.trace.accept("id", 2);
  sorted.trace.over(1);
  for (std::uint32_t number = 3; number <= 3000; ++number) {
    sorted.trace.accept("call " + std::to_string(number), number);
    sorted.trace.over(number);
  }
  sorted.trace.add(0, {"id", "BYE"});
  EXPECT_EQ(sorted.kept.back().first, 2U);
}

TEST(TraceByCall, ACallIdOfManyOctetsIsOfNoCall) {
  Sorted sorted;
  const std::string id(257, 'x');
  sorted.trace.accept(id, 1);
  sorted.trace.add(0, {id, "200"});
  EXPECT_EQ(sorted.kept.back().first, 0U);
}

TEST(TraceByCall, StrangersDoNotHideTheRegistration) {
  Sorted sorted;
  for (int n = 0; n < 1000; ++n) sorted.trace.add(0, {"stray", std::string(1024, 'x')});
  sorted.trace.add(0, {"own", "REGISTER", false, true});
  sorted.trace.add(0, {"own", "200"});
  EXPECT_EQ(sorted.kept.back(), (std::pair<std::uint32_t, std::string>{0, "200"}));
}

TEST(TraceQueue, WhatIsNotFetchedHasABoundInOctets) {
  TraceQueue queue;
  const std::string large(1024 * 1024, 'x');
  for (int n = 0; n < 12; ++n) queue.add(1, large);
  const auto waiting = queue.take();
  ASSERT_EQ(waiting.size(), 9U);
  EXPECT_EQ(waiting.back().call, 0U);
  EXPECT_EQ(waiting.back().text, "(left out from here: more messages came than were fetched in time)\n");
  queue.add(2, "later");
  EXPECT_EQ(queue.take().size(), 1U);
}

}  // namespace
}  // namespace vqas
