#include "relay/sdp_rewrite.h"

#include <gtest/gtest.h>

#include "vqas/channel/random.h"

namespace vqas {
namespace {

const SocketAddress kRelay{0xC0000201, 30002};  // 192.0.2.1

const std::string kOffer =
    "v=0\r\no=- 1 1 IN IP4 198.51.100.7\r\ns=call\r\nc=IN IP4 198.51.100.7\r\nt=0 0\r\n"
    "m=audio 20000 RTP/AVP 0 8 101\r\na=rtpmap:101 telephone-event/8000\r\na=ptime:20\r\n";

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  text.replace(text.find(what), what.size(), with);
  return text;
}

TEST(RewriteSdp, AudioIsPointedAtTheRelayAndTheRestIsUnchanged) {
  const SdpRewrite rewritten = rewrite_sdp(kOffer, kRelay);
  EXPECT_EQ(rewritten.text, replaced(replaced(kOffer, "c=IN IP4 198.51.100.7", "c=IN IP4 192.0.2.1"), "m=audio 20000",
                                     "m=audio 30002"));
  EXPECT_TRUE(rewritten.audio);
  EXPECT_EQ(rewritten.rtp, (SocketAddress{0xC6336407, 20000}));
}

TEST(RewriteSdp, TheStreamsConnectionOverridesTheSessions) {
  const SdpRewrite rewritten = rewrite_sdp(kOffer + "c=IN IP4 203.0.113.9\r\n", kRelay);
  EXPECT_EQ(rewritten.rtp, (SocketAddress{0xCB007109, 20000}));
  EXPECT_EQ(rewritten.text.find("203.0.113.9"), std::string::npos);
}

TEST(RewriteSdp, StreamsThatWouldBypassTheRelayAreTurnedOff) {
  const SdpRewrite rewritten =
      rewrite_sdp(kOffer + "m=video 20002 RTP/AVP 99\r\na=rtpmap:99 H264/90000\r\nm=audio 20004 RTP/AVP 0\r\n", kRelay);
  EXPECT_NE(rewritten.text.find("m=video 0 RTP/AVP 99"), std::string::npos);
  EXPECT_NE(rewritten.text.find("m=audio 0 RTP/AVP 0"), std::string::npos);
  EXPECT_NE(rewritten.text.find("m=audio 30002 RTP/AVP 0 8 101"), std::string::npos);
  EXPECT_EQ(rewritten.rtp->port, 20000);
}

TEST(RewriteSdp, AttributesThatNameAddressesAreRemoved) {
  const SdpRewrite rewritten = rewrite_sdp(
      kOffer + "a=rtcp:20001\r\na=candidate:1 1 UDP 1 198.51.100.7 20000 typ host\r\na=ice-ufrag:x\r\na=sendrecv\r\n",
      kRelay);
  EXPECT_EQ(rewritten.text.find("candidate"), std::string::npos);
  EXPECT_EQ(rewritten.text.find("a=rtcp:"), std::string::npos);
  EXPECT_EQ(rewritten.text.find("a=ice"), std::string::npos);
  EXPECT_NE(rewritten.text.find("a=sendrecv\r\n"), std::string::npos);
}

TEST(RewriteSdp, AConnectionOfAnotherNetworkDoesNotBypassTheRelay) {
  for (const std::string there : {"c=IN IP6 2001:db8::7", "c=IN IP4", "c=IN IP4\t198.51.100.7", "c=TN RFC2543 1"}) {
    const SdpRewrite rewritten = rewrite_sdp(replaced(kOffer, "c=IN IP4 198.51.100.7", there), kRelay);
    EXPECT_TRUE(rewritten.foreign) << there;
    EXPECT_FALSE(rewritten.rtp) << there;
    EXPECT_EQ(rewritten.text.find(there + "\r\n"), std::string::npos) << there;
    EXPECT_NE(rewritten.text.find("c=IN IP4 192.0.2.1\r\n"), std::string::npos) << there;
  }
  EXPECT_FALSE(rewrite_sdp(kOffer, kRelay).foreign);
  const std::string both = replaced(kOffer, "c=IN IP4 198.51.100.7", "c=IN IP6 2001:db8::7");
  EXPECT_FALSE(rewrite_sdp(both + "c=IN IP4 198.51.100.7\r\n", kRelay).foreign)
      << "the stream's own connection overrides it";
  EXPECT_FALSE(rewrite_sdp(kOffer + "m=video 5 RTP/AVP 99\r\nc=IN IP6 2001:db8::7\r\n", kRelay).foreign);
}

TEST(RewriteSdp, EncryptedAudioIsTurnedOff) {
  EXPECT_FALSE(rewrite_sdp(replaced(kOffer, "RTP/AVP", "RTP/SAVP"), kRelay).audio);
}

TEST(RewriteSdp, AStreamOnHoldNamesNoPeerAndStaysOnHold) {
  const SdpRewrite old_kind = rewrite_sdp(replaced(kOffer, "c=IN IP4 198.51.100.7", "c=IN IP4 0.0.0.0"), kRelay);
  EXPECT_NE(old_kind.text.find("c=IN IP4 0.0.0.0"), std::string::npos);
  EXPECT_FALSE(old_kind.rtp);
  const SdpRewrite refused = rewrite_sdp(replaced(kOffer, "m=audio 20000", "m=audio 0"), kRelay);
  EXPECT_NE(refused.text.find("m=audio 0 "), std::string::npos);
  EXPECT_FALSE(refused.rtp);
  EXPECT_FALSE(refused.audio);
  EXPECT_TRUE(refused.audio_off);
  EXPECT_FALSE(old_kind.audio_off);
}

TEST(RewriteSdp, PlainLineEndsAreKept) {
  EXPECT_EQ(rewrite_sdp("v=0\nc=IN IP4 198.51.100.7\nm=audio 4 RTP/AVP 0\n", kRelay).text,
            "v=0\nc=IN IP4 192.0.2.1\nm=audio 30002 RTP/AVP 0\n");
  EXPECT_EQ(rewrite_sdp("m=audio 4 RTP/AVP 0", kRelay).text, "m=audio 30002 RTP/AVP 0");
}

// No crash, and text that is not a description is unchanged. Reproducible from the seed.
TEST(RewriteSdp, AnyTextIsSurvived) {
  Random random(3);
  const std::string parts[] = {"c=", "m=",      "IN", "IP4 ",        "audio",   " ", "\r\n",
                               "\n", "RTP/AVP", "1",  "99999999999", "a=rtcp:", "\r"};
  for (int i = 0; i < 50'000; ++i) {
    std::string text;
    for (std::uint64_t k = random.next() % 12; k > 0; --k) text += parts[random.next() % std::size(parts)];
    const SdpRewrite rewritten = rewrite_sdp(text, kRelay);
    ASSERT_TRUE(rewritten.audio || !rewritten.rtp);
  }
}

}  // namespace
}  // namespace vqas
