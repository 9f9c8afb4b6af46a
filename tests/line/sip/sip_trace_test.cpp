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
  const SipTraced traced =
      entry("INVITE sip:4712@127.0.0.1 SIP/2.0\r\nCall-ID:  abc@x\r\nContent-Length: 7\r\n\r\nv=0\r\na\n");
  EXPECT_EQ(traced.call_id, "abc@x");
  EXPECT_THAT(traced.text, StartsWith("2026-09-21T14:13:20.250Z sent to 127.0.0.1:5060 by udp, "));
  EXPECT_THAT(traced.text, HasSubstr("\n    INVITE sip:4712@127.0.0.1 SIP/2.0\n    Call-ID:  abc@x\n"));
  EXPECT_THAT(traced.text, HasSubstr("    Content-Length: 7\n\n    v=0\n    a\n"));
}

TEST(SipTrace, CredentialsAreBlankedInEachFormThatSipAllows) {
  const SipTraced traced = entry(
      "REGISTER sip:pbx SIP/2.0\r\nAuthorization: Digest response=\"geheim1\"\r\nPROXY-authorization : Digest a=1,\r\n"
      " response=\"geheim2\"\r\n\tmore=\"geheim3\"\r\nVia: x\r\nAuthentication-Info: rspauth=\"geheim4\"\r\n"
      "Contact: <sip:anna:geheim5@host:5060>, \"x\" <sips:ben:geheim6@host>\r\nRefer-To: sip:host:5060;x=1\r\n\r\n"
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
