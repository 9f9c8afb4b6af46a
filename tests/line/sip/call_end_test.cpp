#include "line/sip/call_end.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace vqas {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(CallEnd, EachFinalResponseHasItsName) {
  const auto name = [](int code, bool rang) {
    return std::string(name_of(end_of_invite({0, code, "x"}, rang, true).kind));
  };
  EXPECT_EQ(name(486, true), "busy");
  EXPECT_EQ(name(600, false), "busy");
  EXPECT_EQ(name(603, true), "declined");
  EXPECT_EQ(name(480, true), "no answer");
  EXPECT_EQ(name(408, true), "no answer");
  EXPECT_EQ(name(480, false), "rejected");
  EXPECT_EQ(name(404, false), "rejected");
  EXPECT_EQ(name(488, false), "rejected");
  EXPECT_EQ(name(503, false), "rejected");
  EXPECT_EQ(name(401, false), "wrong password");
  EXPECT_EQ(name(407, false), "wrong password");
}

TEST(CallEnd, NoResponseIsUnreachableWithTheSystemsReason) {
  const CallEnd end = end_of_invite({ETIMEDOUT, 0, {}}, false, false);
  EXPECT_EQ(end.kind, CallEndKind::unreachable);
  EXPECT_THAT(in_words(end), HasSubstr("timed out"));
}

TEST(CallEnd, AnAccountThatIsAskedForAndMissingSaysSo) {
  EXPECT_THAT(in_words(end_of_invite({0, 407, "Proxy Authentication Required"}, false, false)),
              HasSubstr("the proxy asks for an account, and this line was given none"));
  EXPECT_THAT(in_words(end_of_registration({0, 401, "Unauthorized"}, true)),
              HasSubstr("the registrar or the other end refused the account"));
}

TEST(CallEnd, ADigestThatIsNotMd5IsNoWrongPassword) {
  EXPECT_EQ(end_of_invite({ENOSYS, 407, "x"}, false, true).kind, CallEndKind::rejected);
  EXPECT_EQ(end_of_registration({ENOSYS, 401, "x"}, true).kind, CallEndKind::registrar_lost);
}

TEST(CallEnd, ARefusedRegistrationIsARegistrarLostWithItsCode) {
  EXPECT_EQ(in_words(end_of_registration({0, 403, "Forbidden"}, true)), "registrar lost (403 Forbidden)");
  EXPECT_THAT(in_words(end_of_registration({ETIMEDOUT, 0, {}}, true)),
              HasSubstr("registrar lost (Connection timed out"));
}

TEST(CallEnd, OnlyAWrongPasswordIsNoLostLine) {
  EXPECT_EQ(error_of({CallEndKind::busy, 486, "Busy Here"}, "sip:a@b").code, ErrorCode::line_lost);
  EXPECT_EQ(error_of({CallEndKind::wrong_password, 401, ""}, "sip:a@b").code, ErrorCode::bad_input);
}

TEST(CallEnd, ItsMessageSaysWhetherTheCallWasMadeAndWhatToDo) {
  EXPECT_EQ(error_of({CallEndKind::busy, 486, "Busy Here"}, "sip:a@b").message,
            "sip:a@b: the call was not made: busy (486 Busy Here); the other end has another call: end it there, or "
            "wait");
  EXPECT_THAT(error_of({CallEndKind::hung_up, 0, ""}, "sip:a@b", 12.34).message,
              HasSubstr("sip:a@b: hung up, 12.3 s after the answer; look at"));
  for (const auto kind : {CallEndKind::no_audio, CallEndKind::registrar_lost})
    EXPECT_THAT(error_of({kind, 0, "x"}, "sip:a@b").message, Not(HasSubstr("not made")));
  for (const int code : {403, 404, 488, 500, 302})
    EXPECT_FALSE(next_step({CallEndKind::rejected, code, ""}).empty()) << code;
  EXPECT_NE(next_step({CallEndKind::rejected, 404, ""}), next_step({CallEndKind::rejected, 488, ""}));
}

TEST(CallEnd, AReasonFromTheNetworkIsMadePlainAndShort) {
  const CallEnd end = end_of_invite({0, 500, "\x1B[2J" + std::string(500, 'x')}, false, false);
  EXPECT_THAT(end.reason, Not(HasSubstr("\x1B")));
  EXPECT_LE(end.reason.size(), 120U);
}

}  // namespace
}  // namespace vqas
