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

TEST(SipTrace, WhatDoesNotFitIsLeftOutAndSaysSoOnce) {
  SipTrace trace;
  const std::string large(100'000, 'x');
  for (int n = 0; n < 5; ++n) trace.add(large);
  const std::string text = trace.take();
  EXPECT_THAT(text, ::testing::EndsWith("x(what followed was left out, because the trace was not fetched)\n"));
  EXPECT_EQ(text.size() / large.size(), 2U);
  trace.add("more");
  EXPECT_EQ(trace.take(), "more");
}

}  // namespace
}  // namespace vqas
