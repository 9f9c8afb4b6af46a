#include "relay/sip_message.h"

#include <gtest/gtest.h>

#include <string>

namespace vqas {
namespace {

std::string with_type(const std::string& type) {
  return "INVITE sip:b@192.0.2.1:5060 SIP/2.0\r\n"
         "Via: SIP/2.0/UDP 198.51.100.1:5070;branch=z9hG4bKcaller1;rport\r\n"
         "From: <sip:a@198.51.100.1>;tag=ta\r\nTo: <sip:b@192.0.2.1>\r\nCall-ID: one@198.51.100.1\r\n"
         "CSeq: 1 INVITE\r\nContact: <sip:a@198.51.100.1:5070>\r\nMax-Forwards: 70\r\n"
         "Content-Type: " +
         type + "\r\nContent-Length: 3\r\n\r\nx\r\n";
}

std::string with_part(const std::string& headers) {
  const std::string body = "--cut\r\n" + headers + "\r\nv=0\r\n--cut--\r\n";
  return "INVITE sip:b@192.0.2.1:5060 SIP/2.0\r\n"
         "Via: SIP/2.0/UDP 198.51.100.1:5070;branch=z9hG4bKcaller1;rport\r\n"
         "From: <sip:a@198.51.100.1>;tag=ta\r\nTo: <sip:b@192.0.2.1>\r\nCall-ID: one@198.51.100.1\r\n"
         "CSeq: 1 INVITE\r\nContact: <sip:a@198.51.100.1:5070>\r\nMax-Forwards: 70\r\n"
         "Content-Type: multipart/mixed;boundary=cut\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

TEST(SipMessage, APartOfABodyHasOneContentType) {
  EXPECT_TRUE(SipMessage::parse(with_part("Content-Type: application/sdp\r\n")));
}

TEST(SipMessage, APartOfABodyWithTwoContentTypesIsRefusedBecauseTheLibraryWouldLoseMemory) {
  EXPECT_FALSE(SipMessage::parse(with_part("Content-Type: application/sdp\r\nContent-Type: application/sdp\r\n")));
  EXPECT_FALSE(SipMessage::parse(with_part("c: text/plain\r\nX: y\r\n content-TYPE : application/sdp\r\n")));
}

TEST(SipMessage, AMessageThatTheLibraryWouldPrintUnreadablyIsRefused) {
  EXPECT_TRUE(SipMessage::parse(with_type("text/plain")));
  EXPECT_FALSE(SipMessage::parse(with_type("mvideo 4 RTP/AVP ch=z9hG4bKc;rpore/plain")));
}

}  // namespace
}  // namespace vqas
