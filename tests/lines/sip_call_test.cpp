// Two nodes that call each other by SIP: directly, and through a registrar (kamailio) on loopback.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <tuple>

#include "lines/free_ports.h"
#include "lines/node_process.h"
#include "lines/spoken_node.h"
#include "support/process.h"
#include "vqas/node/signalling_files.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using test::Json;

constexpr const char* kSecret = "ganz-geheim-4711";

class SipCallTest : public ::testing::Test {
 protected:
  void SetUp() override {
    test::application();
    port_ = test::free_ports(4);
  }
  std::string own(const char* user) const { return fmt::format("{}@127.0.0.1:{}", user, port_); }
  fs::path folder() const { return folder_.path(); }

  void start(std::size_t end, const std::string& line, const std::string& mode = "nb") {
    nodes_.at(end).reset();
    processes_.at(end).reset();
    processes_.at(end) = std::make_unique<test::NodeProcess>(end == 0 ? "a" : "b", line, folder());
    const std::string address = processes_.at(end)->address();
    ASSERT_FALSE(address.empty()) << processes_.at(end)->output();
    nodes_.at(end) = std::make_unique<test::SpokenNode>(address);
    ASSERT_TRUE(nodes_.at(end)->open({"M4"}, fmt::format("test{}", ++sessions_), mode));
  }
  void start_registrar() {
    const auto made = test::run_command(
        fmt::format("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=registrar "
                    "-addext subjectAltName=IP:127.0.0.1 -keyout {0}/key.pem -out {0}/certificate.pem 2>&1",
                    folder().string()));
    ASSERT_EQ(made.exit_code, 0) << made.output;
    std::string registrar = test::read_text(std::string(test::source_dir()) + "/tools/sip/registrar.cfg");
    for (const auto& [word, value] : {std::pair<std::string, std::string>{"@PORT@", std::to_string(port_)},
                                      {"@TLS_PORT@", std::to_string(port_ + 1)},
                                      {"@PASSWORD@", kSecret},
                                      {"@FOLDER@", folder().string()}}) {
      for (std::size_t at = 0; (at = registrar.find(word, at)) != std::string::npos;)
        registrar.replace(at, word.size(), value);
    }
    std::ofstream(folder() / "kamailio.cfg") << registrar;
    fs::create_directories(folder() / "kamailio");
    // Ended by TERM with this test, however that ends, so that it ends its own processes too.
    const std::string command =
        fmt::format("exec setpriv --pdeathsig TERM -- kamailio -f {0}.cfg -DD -E -m 16 -M 4 -w {0} -P {0}/pid -Y {0}",
                    (folder() / "kamailio").string());
    registrar_ =
        std::make_unique<test::Child>(std::vector<std::string>{"sh", "-c", command}, folder() / "kamailio.log");
    ASSERT_TRUE(registrar_->started());
    ASSERT_TRUE(test::wait_until([&] { return !test::is_free(SOCK_STREAM, port_); }))
        << test::read_text(folder() / "kamailio.log") << "run tools/check-lines";
  }
  std::string account(const std::string& name, const std::string& password) const {
    const fs::path path = folder() / name;
    std::ofstream(path) << "password = " << password << "\n";
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
    return ";account=" + path.string();
  }
  // One sentence each way. A paused machine sends too late: then it is sent again.
  void expect_the_scores_of_the_codec(double mos = 4.10, double within = 0.03) {
    constexpr int kRounds = 5;
    std::array<bool, 2> passed{};
    for (int n = 0; n < kRounds && !(passed[0] && passed[1]); ++n) {
      round_ += 2;
      ASSERT_TRUE(test::exchange(nodes_, round_, {"M4"}, round_));
      ASSERT_TRUE(test::serve_until(
          [&] { return (nodes_[0]->done && nodes_[1]->done) || nodes_[0]->failed || nodes_[1]->failed; }, 60000));
      ASSERT_FALSE(nodes_[0]->failed) << nodes_[0]->failure.dump();
      ASSERT_FALSE(nodes_[1]->failed) << nodes_[1]->failure.dump();
      for (std::size_t to = 0; to < 2; ++to) {
        const Json& m = nodes_[to]->measured[round_];
        const auto& played = nodes_[1 - to]->played[round_]["line"];
        if (m["line"].value("packets_late", 0) > 0 || played.value("inserted_samples", 0) > 0 ||
            m["outcome"] == "audio_fault")
          continue;
        passed.at(to) = true;
        ASSERT_EQ(m.value("outcome", ""), "scored") << m.dump();
        EXPECT_NEAR(m["mos_lqo"].get<double>(), mos, within) << "of the codec alone, as on an rtp: line";
        EXPECT_EQ(m["line"].value("packets_lost", -1), 0);
        const double delay_ms = test::delay_ms(m, nodes_[1 - to]->sent[round_]);
        EXPECT_GE(delay_ms, 39) << "the jitter buffer of 60 ms, and the phase of the ends' blocks";
        EXPECT_LE(delay_ms, 101);
      }
    }
    EXPECT_TRUE(passed[0] && passed[1]) << "the machine paused in " << kRounds << " rounds";
  }
  // As the controller does: an empty round shows whether the line is there.
  void try_line() {
    constexpr int kTries = 5;
    for (int n = 0; n < kTries; ++n) {
      ++round_;
      for (const auto& node : nodes_) ASSERT_TRUE(node->run_round(round_, {}, {}, 1).contains("result"));
      ASSERT_TRUE(test::serve_until(
          [&] { return (nodes_[0]->done || nodes_[0]->failed) && (nodes_[1]->done || nodes_[0]->failed); }));
      if (nodes_[0]->done && nodes_[1]->done) return;
    }
    FAIL() << nodes_[0]->failure.dump();
  }
  // Files of both nodes and of the registrar, but not those that hold the password for their use.
  void expect_no_file_holds(const std::string& secret) const {
    for (const auto& entry : fs::recursive_directory_iterator(folder())) {
      const std::string name = entry.path().filename();
      if (!entry.is_regular_file() || name.starts_with("account") || name == "kamailio.cfg") continue;
      EXPECT_EQ(test::read_text(entry.path()).find(secret), std::string::npos) << entry.path();
    }
  }

  test::TemporaryFolder folder_;
  int port_ = 0, round_ = 0, sessions_ = 0;
  std::unique_ptr<test::Child> registrar_;
  std::array<std::unique_ptr<test::NodeProcess>, 2> processes_;
  std::vector<std::unique_ptr<test::SpokenNode>> nodes_ = std::vector<std::unique_ptr<test::SpokenNode>>(2);
};

TEST_F(SipCallTest, ADirectCallHasTheScoresOfAnRtpLineAndIsMadeAgainAfterItsEnd) {
  const std::string calling = "sip:4711@127.0.0.1;dial=" + own("4712");
  ASSERT_NO_FATAL_FAILURE(start(1, "sip:" + own("4712")));
  ASSERT_NO_FATAL_FAILURE(start(0, calling));
  expect_the_scores_of_the_codec();
  EXPECT_NE(nodes_[0]->measured[2].value("note", "").find("rang after"), std::string::npos);
  EXPECT_NE(nodes_[1]->measured[2].value("note", "").find("the call from 4711 is up"), std::string::npos);
  for (const auto& node : nodes_) {
    EXPECT_NE(node->trace.find("    INVITE sip:4712@"), std::string::npos) << node->trace;
    EXPECT_NE(node->trace.find("    ACK sip:"), std::string::npos) << node->trace;
  }
  ASSERT_TRUE(nodes_[1]->run_round(round_ + 2, {}, {"M4"}, round_ + 2).contains("result"));
  processes_[0]->child().end();
  ASSERT_TRUE(test::serve_until([&] { return nodes_[1]->failed; }));
  EXPECT_EQ(nodes_[1]->failure["code"], "line_lost");
  EXPECT_NE(nodes_[1]->failure["message"].get<std::string>().find("hung up"), std::string::npos)
      << nodes_[1]->failure.dump();
  round_ += 2;
  ASSERT_NO_FATAL_FAILURE(start(0, calling + ";redial_s=1"));
  try_line();
  expect_the_scores_of_the_codec();
}

TEST_F(SipCallTest, ARegisteredCallByTlsWithDigestIsMeasuredAndThePasswordIsWrittenNowhere) {
  ASSERT_NO_FATAL_FAILURE(start_registrar());
  const std::string with = account("account", kSecret);
  ASSERT_NO_FATAL_FAILURE(start(1, "sip:" + own("4712") + with));
  ASSERT_TRUE(test::serve_until([&] { return !test::is_free(SOCK_STREAM, port_); }));
  const std::string server = fmt::format("@127.0.0.1:{}", port_ + 1);
  start(0, fmt::format("sip:4711{0};dial=4712{0};transport=tls;ca={1}/certificate.pem{2}", server, folder().string(),
                       with));
  expect_the_scores_of_the_codec();
  EXPECT_NE(processes_[0]->output().find("answered after"), std::string::npos) << processes_[0]->output();
  EXPECT_NE(nodes_[0]->trace.find("    Proxy-Authorization: (blanked)\n"), std::string::npos) << nodes_[0]->trace;
  EXPECT_EQ(nodes_[0]->trace.find("response="), std::string::npos) << nodes_[0]->trace;
  processes_[0]->child().end();
  processes_[1]->child().end();
  expect_no_file_holds(kSecret);
}

TEST_F(SipCallTest, ACallByTlsWithSrtpAndG722HasTheScoreOfItsCodecAndItsDigitsArrive) {
  ASSERT_NO_FATAL_FAILURE(start_registrar());
  const std::string server = fmt::format("@127.0.0.1:{}", port_ + 1);
  const std::string with =
      fmt::format(";transport=tls;srtp=yes;ca={}/certificate.pem{}", folder().string(), account("account", kSecret));
  ASSERT_NO_FATAL_FAILURE(start(1, "sip:4712" + server + ";codec=g722,pcmu;digits=wait 0.8" + with));
  start(0, fmt::format("sip:4711{0};dial=4712{0};codec=opus,g722;digits=wait 0.2, 47#{1}", server, with));
  // What came before the sentence is in the codec's state, so its score varies more than that of G.711.
  expect_the_scores_of_the_codec(4.2, 0.07);
  for (const auto& node : nodes_) {
    const std::string note = node->measured[2].value("note", "");
    EXPECT_NE(note.find("G722 to 127.0.0.1:"), std::string::npos) << note;
    EXPECT_NE(note.find("by SRTP"), std::string::npos) << note;
  }
  EXPECT_NE(nodes_[0]->measured[2].value("note", "").find("3 digits dialled as telephone events"), std::string::npos);
  EXPECT_NE(processes_[1]->output().find("the other end sent the digits 47#"), std::string::npos)
      << processes_[1]->output();
  processes_[0]->child().end();
  processes_[1]->child().end();
  expect_no_file_holds("inline:");
}

TEST_F(SipCallTest, ACallOfHdVoiceHasTheWidebandScoreOfItsCodec) {
  ASSERT_NO_FATAL_FAILURE(start(1, "sip:" + own("4712") + ";codec=g722,pcmu;hd=yes", "wb"));
  ASSERT_NO_FATAL_FAILURE(start(0, "sip:4711@127.0.0.1;dial=" + own("4712") + ";codec=g722;hd=yes", "wb"));
  expect_the_scores_of_the_codec(4.12, 0.07);
  for (const auto& node : nodes_) {
    EXPECT_EQ(node->measured[round_].value("score_mode", ""), "wb");
    EXPECT_EQ(node->measured[2].value("note", "").find("narrow"), std::string::npos) << node->measured[2].dump();
  }
}

TEST_F(SipCallTest, ACallOfHdVoiceThatAgreesOnPcmuIsToldToBeNarrowband) {
  ASSERT_NO_FATAL_FAILURE(start(1, "sip:" + own("4712") + ";codec=g722,pcmu;hd=yes", "wb"));
  ASSERT_NO_FATAL_FAILURE(start(0, "sip:4711@127.0.0.1;dial=" + own("4712") + ";codec=opus,pcmu;hd=yes", "wb"));
  expect_the_scores_of_the_codec(3.19, 0.07);
  for (const auto& node : nodes_) {
    const std::string note = node->measured[2].value("note", "");
    EXPECT_NE(note.find("PCMU carries the narrow band, so this is no call of HD voice"), std::string::npos) << note;
    EXPECT_NE(node->measured[round_].value("note", "").find("the path is narrowband"), std::string::npos);
  }
}

TEST_F(SipCallTest, RtpLinesOfHdVoiceHaveTheWidebandScoresOfTheirCodecs) {
  // What came before the sentence is in the state of Opus.
  for (const auto& [codec, mos, within] : {std::tuple{"l16wb", 4.64, 0.03}, std::tuple{"opus", 4.05, 0.15}}) {
    const std::string line = fmt::format("rtp:127.0.0.1:{{}}/127.0.0.1:{{}}?codec={}&hd=yes", codec);
    ASSERT_NO_FATAL_FAILURE(start(1, fmt::format(fmt::runtime(line), port_ + 2, port_), "wb"));
    ASSERT_NO_FATAL_FAILURE(start(0, fmt::format(fmt::runtime(line), port_, port_ + 2), "wb"));
    expect_the_scores_of_the_codec(mos, within);
    EXPECT_EQ(nodes_[0]->measured[round_].value("score_mode", ""), "wb") << codec;
  }
}

TEST_F(SipCallTest, ACertificateOfAnUnknownAuthorityIsRefusedAndNamed) {
  ASSERT_NO_FATAL_FAILURE(start_registrar());
  start(0, fmt::format("sip:4711@127.0.0.1:{};transport=tls{}", port_ + 1, account("account", kSecret)));
  ASSERT_TRUE(nodes_[0]->run_round(1, {"M4"}, {}, 1).contains("result"));
  ASSERT_TRUE(test::serve_until([&] { return nodes_[0]->failed; }));
  EXPECT_EQ(nodes_[0]->failure["code"], "line_lost");
  const std::string message = nodes_[0]->failure["message"];
  EXPECT_NE(message.find("registrar lost (the certificate of 127.0.0.1 is refused: self"), std::string::npos)
      << message;
}

TEST_F(SipCallTest, APinnedCertificateOfNoAuthorityIsTakenAndAnotherOneIsRefusedWithItsDigest) {
  ASSERT_NO_FATAL_FAILURE(start_registrar());
  const auto failure_with = [&](const std::string& pin) {
    start(0, fmt::format("sip:4711@127.0.0.1:{0};dial=4712@127.0.0.1:{0};transport=tls{1};pin={2}", port_ + 1,
                         account("account", kSecret), pin));
    EXPECT_TRUE(nodes_[0]->run_round(1, {"M4"}, {}, 1).contains("result"));
    EXPECT_TRUE(test::serve_until([&] { return nodes_[0]->failed; }));
    return nodes_[0]->failure.value("message", std::string());
  };
  const std::string refused = failure_with(std::string(64, '0')), told = "it has the SHA-256 ";
  const std::size_t at = refused.find(told);
  ASSERT_NE(at, std::string::npos) << refused;
  const std::string called = failure_with(refused.substr(at + told.size(), 64));
  EXPECT_NE(called.find("the call was not made: rejected"), std::string::npos)
      << "it has registered, and 4712 has not: " << called;
}

TEST_F(SipCallTest, AWrongPasswordEndsTheRoundWithItsNameAndIsNotTriedAgain) {
  ASSERT_NO_FATAL_FAILURE(start_registrar());
  start(0, "sip:" + own("4711") + ";dial=" + own("4712") + account("account", "falsch-geraten"));
  ASSERT_TRUE(nodes_[0]->run_round(1, {"M4"}, {}, 1).contains("result"));
  ASSERT_TRUE(test::serve_until([&] { return nodes_[0]->failed; }));
  EXPECT_EQ(nodes_[0]->failure["code"], "io") << "so the run ends instead of trying until the account is locked";
  EXPECT_NE(nodes_[0]->failure["message"].get<std::string>().find("wrong password (401"), std::string::npos);
  EXPECT_TRUE(nodes_[0]->measured.empty());
  processes_[0]->child().end();
  expect_no_file_holds("falsch-geraten");
}

TEST(SignallingFiles, EachEndHasItsFileAndNoNodeFillsTheDisk) {
  const test::TemporaryFolder folder;
  SignallingFiles files(folder.path());
  ASSERT_TRUE(files.add(End::b, "one\n"));
  ASSERT_TRUE(files.add(End::b, "two\x1B[2J\n"));
  EXPECT_EQ(test::read_text(folder.path() / "signalling-b.txt"), "one\ntwo [2J\n");
  EXPECT_FALSE(fs::exists(folder.path() / "signalling-a.txt"));
  const std::string large(1024 * 1024, 'x');
  for (int n = 0; n < 30; ++n) ASSERT_TRUE(files.add(End::a, large));
  EXPECT_LT(fs::file_size(folder.path() / "signalling-a.txt"), 20U * large.size());
  EXPECT_TRUE(
      test::read_text(folder.path() / "signalling-a.txt").ends_with("(left out from here: this file holds 16 MB)\n"));
}

}  // namespace
}  // namespace vqas
