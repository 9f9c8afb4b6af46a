// Offers and answers: two ends by themselves, and descriptions as other ends send them.
#include "line/sip/call_media.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vqas {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Codecs = std::vector<RtpEncoding>;
constexpr auto kPcmu = RtpEncoding::pcmu, kPcma = RtpEncoding::pcma, kG722 = RtpEncoding::g722, kL16 = RtpEncoding::l16,
               kL16wb = RtpEncoding::l16wb, kOpus = RtpEncoding::opus, kGsm = RtpEncoding::gsm;
constexpr SocketAddress kA{0x7F000001, 20000}, kB{0x7F000001, 30000};

MediaTerms terms(const Codecs& codecs, bool srtp = false) {
  MediaTerms made;
  made.codecs = codecs;
  made.srtp = srtp;
  return made;
}

std::string text_of(const libre::Owned<mbuf>& body) {
  return {reinterpret_cast<const char*>(body->buf), body->end};
}

Result<AgreedMedia> take(CallMedia& end, const std::string& text, bool offer) {
  const libre::Owned<mbuf> body(mbuf_alloc(text.size()));
  mbuf_write_str(body.get(), text.c_str());
  body->pos = 0;
  return end.take(body.get(), offer);
}

struct Agreed {
  Result<AgreedMedia> caller = Error{}, called = Error{};
  std::string offer, answer;
};

Agreed agree(CallMedia& caller, CallMedia& called) {
  Agreed agreed;
  agreed.offer = text_of(caller.description(true));
  agreed.called = take(called, agreed.offer, true);
  if (!agreed.called) return agreed;
  agreed.answer = text_of(called.description(false));
  agreed.caller = take(caller, agreed.answer, false);
  return agreed;
}

// One that another program would send.
std::string described(const std::string& types, const std::string& attributes = {},
                      const std::string& protocol = "RTP/AVP") {
  return "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 30000 " + protocol + " " +
         types + "\r\n" + attributes;
}

TEST(CallMedia, TheAnswerTakesTheFirstOfTheOfferThatItAllows) {
  struct Row {
    Codecs offered, allowed;
    RtpEncoding agreed;
  };
  const std::vector<Row> table{
      {{kPcmu}, {kPcmu}, kPcmu},
      {{kG722, kPcmu}, {kPcmu, kG722}, kG722},
      {{kPcmu, kG722}, {kG722, kPcmu}, kPcmu},
      {{kOpus, kGsm, kPcma}, {kPcma, kGsm}, kGsm},
      {{kL16}, {kL16wb, kL16}, kL16},
      {{kL16, kL16wb}, {kL16wb}, kL16wb},
      {{kOpus}, {kPcmu, kPcma, kG722, kL16, kL16wb, kOpus, kGsm}, kOpus},
  };
  for (const Row& row : table) {
    CallMedia caller(kA, terms(row.offered)), called(kB, terms(row.allowed));
    const Agreed agreed = agree(caller, called);
    ASSERT_TRUE(agreed.called && agreed.caller) << agreed.offer << agreed.answer;
    for (const auto& one : {agreed.called, agreed.caller}) {
      EXPECT_EQ(one->format.encoding, row.agreed);
      EXPECT_EQ(one->format.sends_as, facts_of(row.agreed).payload_type);
      EXPECT_EQ(one->format.hears_as, facts_of(row.agreed).payload_type);
      EXPECT_TRUE(one->events_sent_as && one->events_heard_as) << agreed.answer;
      EXPECT_FALSE(one->srtp);
    }
    EXPECT_EQ(agreed.caller->remote, kB);
    EXPECT_EQ(agreed.called->remote, kA);
  }
}

TEST(CallMedia, AnAnswerNamesOneCodecAndItsEvents) {
  CallMedia caller(kA, terms({kOpus, kPcmu, kPcma})), called(kB, terms({kPcmu, kOpus}));
  const Agreed agreed = agree(caller, called);
  EXPECT_THAT(agreed.offer, HasSubstr("RTP/AVP 111 0 8 101 110\r\n"));
  EXPECT_THAT(agreed.offer, HasSubstr("a=rtpmap:111 opus/48000/2\r\n"));
  EXPECT_THAT(agreed.offer, HasSubstr("useinbandfec=1"));
  EXPECT_THAT(agreed.answer, HasSubstr("RTP/AVP 111 110\r\n"));
}

TEST(CallMedia, WithoutACommonCodecThereIsNoCall) {
  CallMedia caller(kA, terms({kOpus, kG722})), called(kB, terms({kPcmu, kGsm}));
  const Agreed agreed = agree(caller, called);
  ASSERT_FALSE(agreed.called);
  EXPECT_EQ(agreed.called.error().code, ErrorCode::protocol);
  EXPECT_THAT(agreed.called.error().message, HasSubstr("none of the line's codecs (G.711 mu-law or GSM 06.10)"));
}

TEST(CallMedia, ThePayloadTypesOfAnotherEndAreTaken) {
  CallMedia called(kB, terms({kOpus}));
  const auto agreed = take(called,
                           described("0 96 97 100",
                                     "a=rtpmap:96 opus/48000/2\r\na=fmtp:96 minptime=10\r\na=rtpmap:97 "
                                     "telephone-event/8000\r\na=rtpmap:100 telephone-event/48000\r\n"),
                           true);
  ASSERT_TRUE(agreed) << agreed.error().message;
  EXPECT_EQ(agreed->format.sends_as, 96);
  EXPECT_EQ(agreed->format.hears_as, 96);
  EXPECT_FALSE(agreed->format.repeats) << "the other end does not use it";
  EXPECT_EQ(agreed->events_sent_as, 100) << "of the same clock";
  EXPECT_THAT(text_of(called.description(false)), HasSubstr("RTP/AVP 96 100\r\n"));
}

TEST(CallMedia, AnAnswerMayNumberACodecOtherwise) {
  CallMedia caller(kA, terms({kL16wb}));
  (void)caller.description(true);
  const auto agreed = take(caller, described("120", "a=rtpmap:120 L16/16000\r\n"), false);
  ASSERT_TRUE(agreed) << agreed.error().message;
  EXPECT_EQ(agreed->format.sends_as, 120);
  EXPECT_EQ(agreed->format.hears_as, 97);
  EXPECT_FALSE(agreed->events_sent_as || agreed->events_heard_as);
}

TEST(CallMedia, ThePlaybackRateOfOpusIsTakenFromTheOtherEnd) {
  for (const auto& [parameters, rate_hz] :
       std::vector<std::pair<std::string, int>>{{"maxplaybackrate=8000", 8000},
                                                {"stereo=0;maxplaybackrate=16000", 16000},
                                                {"useinbandfec=1", 16000},
                                                {"maxplaybackrate=1", 8000},
                                                {"maxplaybackrate=12000", 12000},
                                                {"maxplaybackrate=x", 16000},
                                                {"maxplaybackrate=48000", 16000},
                                                {"maxplaybackrate=99999999999", 16000}}) {
    MediaTerms wide = terms({kOpus});
    wide.rate_hz = 16000;
    CallMedia end(kA, wide);
    const auto agreed =
        take(end, described("120", "a=rtpmap:120 opus/48000/2\r\na=fmtp:120 " + parameters + "\r\n"), true);
    ASSERT_TRUE(agreed) << agreed.error().message;
    EXPECT_EQ(agreed->format.far_plays_hz, rate_hz) << parameters;
  }
}

// As some phones refresh a session.
TEST(CallMedia, ALaterDescriptionWithoutAPlaybackRateChangesNothing) {
  const auto offered = [](const std::string& parameters) {
    return described("120", "a=rtpmap:120 opus/48000/2\r\na=fmtp:120 useinbandfec=1" + parameters + "\r\n");
  };
  CallMedia end(kA, terms({kOpus}));
  const auto before = take(end, offered(";maxplaybackrate=16000"), true), after = take(end, offered(""), true);
  ASSERT_TRUE(before && after);
  EXPECT_EQ(*before, *after);
  EXPECT_EQ(change_in_words(*before, *after), "");
}

TEST(CallMedia, EachChangeOfTheTermsIsNamed) {
  RtpTerms before;
  before.format = RtpFormat(kOpus);
  before.format.rate_hz = before.format.far_plays_hz = 16000;
  RtpTerms plays = before, numbers = before, keys = before;
  plays.format.far_plays_hz = 8000;
  numbers.events_sent_as = 101;
  keys.srtp.emplace();
  EXPECT_EQ(terms_change_in_words(before, plays),
            "the rate up to which the other end plays opus changed from 16000 to 8000 Hz");
  EXPECT_EQ(terms_change_in_words(before, numbers), "the payload types or parameters of the call's codec changed");
  EXPECT_EQ(terms_change_in_words(before, keys), "the call's keys of SRTP changed");
  EXPECT_EQ(terms_change_in_words(before, before), "");
}

TEST(CallMedia, ALaterOfferMayChangeTheCodec) {
  CallMedia caller(kA, terms({kG722, kPcmu})), called(kB, terms({kPcmu, kG722}));
  const Agreed before = agree(caller, called);
  ASSERT_TRUE(before.called);
  const auto after = take(called, described("0 101", "a=rtpmap:101 telephone-event/8000\r\n"), true);
  ASSERT_TRUE(after);
  EXPECT_EQ(after->format.encoding, kPcmu);
  EXPECT_THAT(change_in_words(*before.called, *after), HasSubstr("the call's codec changed from G722 to PCMU"));
  EXPECT_THAT(change_in_words(*before.called, *after), HasSubstr("what was under way is repeated"));
  EXPECT_EQ(change_in_words(*after, *after), "");
}

TEST(CallMedia, DescriptionsThatCannotBeUsedAreRefusedWithTheReason) {
  const std::vector<std::pair<std::string, std::string>> table{
      {"nonsense", "cannot be read"},
      {described("9"), "none of the line's codecs"},
      {described("0", "c=IN IP4 224.0.0.1\r\n"), "no usable address"},
      {described("200", "a=rtpmap:200 PCMU/8000\r\n"), "none of the line's codecs"},
      {described("0", "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:x\r\n", "RTP/SAVP"),
       "by RTP/SAVP, and the line has srtp=no"},
      {"v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n", "no audio by RTP"}};
  for (const auto& [text, why] : table) {
    CallMedia called(kB, terms({kPcmu}));
    const auto agreed = take(called, text, true);
    ASSERT_FALSE(agreed) << text;
    EXPECT_THAT(agreed.error().message, HasSubstr(why)) << text;
  }
}

TEST(CallMedia, KeysOfSrtpAreExchangedCrosswise) {
  CallMedia caller(kA, terms({kPcmu}, true)), called(kB, terms({kPcmu}, true));
  const Agreed agreed = agree(caller, called);
  ASSERT_TRUE(agreed.called && agreed.caller) << agreed.offer << agreed.answer;
  ASSERT_TRUE(agreed.called->srtp && agreed.caller->srtp);
  EXPECT_EQ(agreed.called->srtp->ours, agreed.caller->srtp->theirs);
  EXPECT_EQ(agreed.called->srtp->theirs, agreed.caller->srtp->ours);
  EXPECT_NE(agreed.called->srtp->ours.octets, agreed.called->srtp->theirs.octets);
  EXPECT_EQ(agreed.called->srtp->ours.suite, SrtpSuite::aes_cm_128_hmac_sha1_80);
  EXPECT_THAT(agreed.offer, HasSubstr("RTP/SAVP"));
  EXPECT_THAT(agreed.offer, HasSubstr("a=crypto:2 AES_CM_128_HMAC_SHA1_32 inline:"));
  // A later offer and answer keep this end's key, so that its counters can stay.
  const Agreed again = agree(caller, called);
  ASSERT_TRUE(again.called);
  EXPECT_EQ(again.called->srtp, agreed.called->srtp);
}

TEST(CallMedia, TheShorterTagIsTakenWhereItIsOfferedFirst) {
  const std::string key(40, 'A');
  CallMedia called(kB, terms({kPcmu}, true));
  const auto agreed = take(called,
                           described("0",
                                     "a=crypto:1 AES_256_CM_HMAC_SHA1_80 inline:" + key +
                                         "\r\na=crypto:7 AES_CM_128_HMAC_SHA1_32 inline:" + key + "|2^31\r\n",
                                     "RTP/SAVP"),
                           true);
  ASSERT_TRUE(agreed) << agreed.error().message;
  EXPECT_EQ(agreed->srtp->ours.suite, SrtpSuite::aes_cm_128_hmac_sha1_32);
  const std::string answer = text_of(called.description(false));
  EXPECT_THAT(answer, HasSubstr("a=crypto:7 AES_CM_128_HMAC_SHA1_32 inline:"));
  EXPECT_THAT(answer, Not(HasSubstr("SHA1_80")));
}

TEST(CallMedia, SrtpWithoutAUsableKeyOrPlainRtpIsRefused) {
  const std::string key(40, 'A'), suite = "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:";
  for (const std::string& attributes :
       {std::string(), suite + key.substr(1) + "\r\n", suite + key + "|2^20|1:4\r\n",
        suite + key + " UNENCRYPTED_SRTP\r\n", suite + key + "|2^20;inline:" + key + "\r\n",
        std::string("a=crypto:x AES_CM_128_HMAC_SHA1_80 inline:") + key + "\r\n",
        std::string("a=crypto:1 F8_128_HMAC_SHA1_80 inline:") + key + "\r\n"}) {
    CallMedia called(kB, terms({kPcmu}, true));
    const auto agreed = take(called, described("0", attributes, "RTP/SAVP"), true);
    ASSERT_FALSE(agreed) << attributes;
    EXPECT_THAT(agreed.error().message, HasSubstr("no key of SRTP"));
    EXPECT_THAT(agreed.error().message, Not(HasSubstr(key.substr(1))));
  }
  CallMedia called(kB, terms({kPcmu}, true));
  const auto plain = take(called, described("0"), true);
  ASSERT_FALSE(plain);
  EXPECT_THAT(plain.error().message, HasSubstr("by RTP/AVP, and the line has srtp=yes"));
  CallMedia caller(kA, terms({kPcmu}, true));
  (void)caller.description(true);
  EXPECT_FALSE(
      take(caller, described("0", "a=crypto:2 AES_CM_128_HMAC_SHA1_80 inline:" + key + "\r\n", "RTP/SAVP"), false))
      << "the tag of the other suite";
}

}  // namespace
}  // namespace vqas
