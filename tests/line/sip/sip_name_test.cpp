#include "line/sip/sip_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "line/sip/sip_account.h"
#include "signal/private_file.h"
#include "support/temporary_folder.h"
#include "vqas/line/open_line.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(SipName, AllParametersAreRead) {
  const auto line = parse_sip_line(
      "sip:4711@pbx.example;dial=%2A97@10.0.0.7:5070;proxy=10.0.0.1;listen=127.0.0.1;transport=tcp;account=/etc/a%3Bb;"
      "register=no;from=4713;codec=opus,g722,pcma;digits=wait 1.5,%201%23;digits_by=inband;buffer_ms=70;ring_s=20;"
      "redial_s=9");
  ASSERT_TRUE(line) << line.error().message;
  EXPECT_EQ(line->own, (SipParty{"4711", "pbx.example", 0}));
  EXPECT_EQ(line->dial, (SipParty{"*97", "10.0.0.7", 5070}));
  EXPECT_EQ(line->proxy, (SipParty{"", "10.0.0.1", 0}));
  EXPECT_EQ(line->listen, (SocketAddress{0x7F000001, 0}));
  EXPECT_EQ(line->transport, SipTransport::tcp);
  EXPECT_EQ(line->account, "/etc/a;b");
  EXPECT_EQ(line->registers, false);
  EXPECT_EQ(line->from, "4713");
  EXPECT_EQ(line->media.codecs, (std::vector{RtpEncoding::opus, RtpEncoding::g722, RtpEncoding::pcma}));
  EXPECT_EQ(line->digits, (std::vector<DigitStep>{{75, '\0'}, {0, '1'}, {0, '#'}}));
  EXPECT_TRUE(line->digits_in_band);
  EXPECT_EQ(line->buffer_ms, 80);
  EXPECT_EQ(line->ring_s, 20);
  EXPECT_EQ(line->redial_s, 9);
  EXPECT_EQ(sip_uri(*line->dial, line->transport), "sip:*97@10.0.0.7:5070;transport=tcp");
  EXPECT_EQ(sip_uri(line->own, SipTransport::udp), "sip:4711@pbx.example");
}

TEST(SipName, WhatIsNotGivenIsUsual) {
  const auto line = parse_sip_line("sip:4712@127.0.0.1");
  ASSERT_TRUE(line) << line.error().message;
  EXPECT_FALSE(line->dial || line->proxy || line->listen || line->registers);
  EXPECT_EQ(line->media.codecs, std::vector{RtpEncoding::pcmu});
  EXPECT_FALSE(line->media.srtp);
  EXPECT_TRUE(line->digits.empty());
  EXPECT_EQ(parse_sip_line("sip:4712@127.0.0.1;law=a")->media.codecs, std::vector{RtpEncoding::pcma});
  EXPECT_TRUE(parse_sip_line("sip:4712@127.0.0.1;transport=tls;srtp=yes")->media.srtp);
  EXPECT_EQ(line->buffer_ms, 60);
}

TEST(SipName, AWrongNameIsAnErrorThatNamesThePart) {
  const std::map<std::string, std::string> wrong{{"sip:", "sip:USER@HOST"},
                                                 {"sip:pbx.example", "sip:USER@HOST"},
                                                 {"sip:@pbx.example", "sip:USER@HOST"},
                                                 {"sip:a b@pbx.example", "sip:USER@HOST"},
                                                 {"sip:a@pbx.example:0", "sip:USER@HOST"},
                                                 {"sip:a@pbx.example:5060x", "sip:USER@HOST"},
                                                 {"sip:a@pbx%0D%0AVia.example", "sip:USER@HOST"},
                                                 {"sip:a@b;dial=pbx.example", "dial must be"},
                                                 {"sip:a@b;dial=c%3Cd%3E@pbx.example", "dial must be"},
                                                 {"sip:a@b;proxy=c@d", "proxy must be"},
                                                 {"sip:a@b;listen=127.0.0.1:70000", "listen"},
                                                 {"sip:a@b;transport=sctp", "transport must be one of"},
                                                 {"sip:a@b;transport=tcp;ca=x.pem", "ca is for transport=tls"},
                                                 {"sip:a@b;register=maybe", "register must be one of"},
                                                 {"sip:a@b;from=%22", "from must be"},
                                                 {"sip:a@b;ring_s=0", "ring_s must be"},
                                                 {"sip:a@b;law=g722", "law must be one of"},
                                                 {"sip:a@b;codec=g729", "codec must be a list of pcmu, pcma"},
                                                 {"sip:a@b;codec=pcmu,", "codec must be a list of"},
                                                 {"sip:a@b;codec=gsm,gsm", "codec names gsm twice"},
                                                 {"sip:a@b;codec=gsm;law=a", "give law or codec, not both"},
                                                 {"sip:a@b;srtp=yes", "srtp=yes needs transport=tls"},
                                                 {"sip:a@b;srtp=maybe", "srtp must be one of"},
                                                 {"sip:a@b;digits=12x", "digits must be"},
                                                 {"sip:a@b;digits=1,,2", "digits must be"},
                                                 {"sip:a@b;digits=wait 61", "digits must be"},
                                                 {"sip:a@b;digits=wait -1", "digits must be"},
                                                 {"sip:a@b;digits_by=inband", "digits_by needs digits"},
                                                 {"sip:a@b;digits=1;digits_by=sms", "digits_by must be one of"},
                                                 {"sip:a@b;colour=blue", "no parameter \"colour\""},
                                                 {"sip:a@b;dial=", "give \"dial\" a value"},
                                                 {"sip:a@b;law=a;law=mu", "given twice"}};
  for (const auto& [name, part] : wrong) {
    const Status checked = check_line_name(name, End::a);
    ASSERT_FALSE(checked) << name;
    EXPECT_EQ(checked.error().code, ErrorCode::bad_input) << name;
    EXPECT_THAT(checked.error().message, HasSubstr(part)) << name;
  }
}

TEST(SipName, APinIsTheDigestOfACertificateAsProgramsPrintIt) {
  const std::string digits = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
  std::string colons;
  for (std::size_t i = 0; i < digits.size(); i += 2) colons += (i == 0 ? "" : ":") + digits.substr(i, 2);
  for (const std::string& pin : {digits, "sha256:" + digits, colons}) {
    const auto line = parse_sip_line("sip:4711@pbx;transport=tls;pin=" + pin);
    ASSERT_TRUE(line) << line.error().message;
    EXPECT_EQ(line->pin, digits);
  }
  for (const std::string& rest : {"transport=tls;pin=" + digits.substr(1), "transport=tls;pin=" + digits + ";ca=x.pem",
                                  "pin=" + digits, std::string("transport=tls;pin=xyz")}) {
    EXPECT_FALSE(parse_sip_line("sip:4711@pbx;" + rest)) << rest;
  }
}

TEST(SipName, APasswordInTheNameIsRefusedAndNotRepeated) {
  for (const std::string name :
       {"sip:4711:geheim@pbx.example", "sip:4711@pbx.example;password=geheim", "sip:4711@b;dial=c:geheim@d",
        "sip:4711@b;law=x;secret=geheim", "sip:4711:geheim@pbx.example:5060;dial=4712@pbx.example"}) {
    const Status checked = check_line_name(name, End::a);
    ASSERT_FALSE(checked) << name;
    EXPECT_THAT(checked.error().message, HasSubstr("account=FILE"));
    EXPECT_THAT(checked.error().message, Not(HasSubstr("geheim")));
  }
}

class SipAccountOfALine : public ::testing::Test {
 protected:
  Result<std::optional<SipAccount>> read(const std::string& content) {
    const auto path = folder_.path() / "account";
    EXPECT_TRUE(write_private_file(path, content));
    return sip_account(*parse_sip_line("sip:4711@b;account=" + path.string()), environment());
  }
  ReadVariable environment() const {
    return [this](const char* name) {
      const auto found = variables_.find(name);
      return found == variables_.end() ? nullptr : found->second.c_str();
    };
  }
  test::TemporaryFolder folder_;
  std::map<std::string, std::string> variables_;
};

TEST_F(SipAccountOfALine, ComesFromTheFile) {
  const auto account = read("# of the laboratory\nuser = anna\npassword =  a = b # c \n");
  ASSERT_TRUE(account) << account.error().message;
  ASSERT_TRUE(*account);
  EXPECT_EQ((*account)->user, "anna");
  EXPECT_EQ((*account)->password, "a = b # c");
}

TEST_F(SipAccountOfALine, ComesFromTheEnvironmentWithTheLinesOwnUser) {
  variables_["VQAS_SIP_PASSWORD"] = "geheim";
  const auto account = sip_account(*parse_sip_line("sip:4711@b"), environment());
  ASSERT_TRUE(account && *account);
  EXPECT_EQ((*account)->user, "4711");
  EXPECT_EQ((*account)->password, "geheim");
  variables_.clear();
  const auto none = sip_account(*parse_sip_line("sip:4711@b"), environment());
  ASSERT_TRUE(none);
  EXPECT_FALSE(*none);
}

TEST_F(SipAccountOfALine, AFileThatOthersCanReadIsRefused) {
  ASSERT_TRUE(read("password = geheim\n"));
  std::filesystem::permissions(folder_.path() / "account", std::filesystem::perms::group_read,
                               std::filesystem::perm_options::add);
  const auto account =
      sip_account(*parse_sip_line("sip:4711@b;account=" + (folder_.path() / "account").string()), environment());
  ASSERT_FALSE(account);
  EXPECT_THAT(account.error().message, HasSubstr("chmod 600"));
}

TEST_F(SipAccountOfALine, AWrongFileIsAnErrorThatRepeatsNoLine) {
  for (const std::string content :
       {"geheim", "user = anna\n", "password = geheim\npassword = geheim\n", "user = \"x\npassword = geheim\n",
        "password = geheim\x01\n", "passwort = geheim\n"}) {
    const auto account = read(content);
    ASSERT_FALSE(account) << content;
    EXPECT_EQ(account.error().code, ErrorCode::bad_input);
    EXPECT_THAT(account.error().message, Not(HasSubstr("geheim")));
  }
}

}  // namespace
}  // namespace vqas
