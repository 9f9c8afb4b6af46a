// SIPp as the far end that misbehaves; its scenarios are in the folder sipp.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "line/sip/opened_line.h"
#include "lines/free_ports.h"
#include "support/child.h"
#include "support/places.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace vqas {
namespace {

using test::opened;
using test::Talk;
using ::testing::HasSubstr;

bool has_sipp() {
  return test::run_command("command -v sipp").exit_code == 0;
}

/// SIPp with a scenario, on a free port of 127.0.0.1.
class Sipp {
 public:
  /// `calls`: it ends after so many. `to`: the port that it calls; 0: it is called.
  Sipp(const std::string& scenario, int calls, int to = 0) : port_(test::free_ports(8)) {
    std::vector<std::string> command{"sipp", "-sf",
                                     std::string(test::source_dir()) + "/tests/line/sip/sipp/" + scenario + ".xml"};
    const auto add = [&](const std::string& option, const std::string& value) {
      command.push_back(option);
      if (!value.empty()) command.push_back(value);
    };
    add("-i", "127.0.0.1");
    add("-p", std::to_string(port_));
    add("-mp", std::to_string(port_ + 2));
    add("-key", "second_port");
    command.push_back(std::to_string(port_ + 6));
    add("-m", std::to_string(calls));
    add("-nostdin", "");
    add("-rtp_echo", "");
    add("-timeout", "20s");
    if (to != 0) {
      add("-s", "4712");
      command.push_back("127.0.0.1:" + std::to_string(to));
    }
    child_ = std::make_unique<test::Child>(command, folder_.path() / "sipp.log");
    EXPECT_TRUE(child_->started());
    if (to != 0) return;
    EXPECT_TRUE(test::wait_until([this] { return !test::is_free(SOCK_DGRAM, port_); })) << log();
  }
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  /// Its exit code: 0 where each call went by the scenario.
  int end() {
    (void)test::wait_until(
        [this] {
          siginfo_t info{};  // the child itself is left to end()
          return ::waitid(P_PID, static_cast<id_t>(child_->process()), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
                 info.si_pid != 0;
        },
        std::chrono::seconds(30));
    return child_->end();
  }
  std::string log() const { return test::read_text(folder_.path() / "sipp.log"); }

 private:
  test::TemporaryFolder folder_;
  const int port_;
  std::unique_ptr<test::Child> child_;
};

/// A way not to become a call, and the name of its end.
struct Misbehaviour {
  const char* scenario;
  const char* named;
  const char* options = "";
};

class SippRefusal : public ::testing::TestWithParam<Misbehaviour> {};

TEST_P(SippRefusal, IsNamedHasNoBlockToScoreAndIsDialledAgain) {
  if (!has_sipp()) GTEST_SKIP() << "not run: sipp is missing (package sip-tester)";
  Sipp peer(GetParam().scenario, 2);
  const std::string name = "sip:4711@127.0.0.1;dial=4712@" + peer.address() + GetParam().options;
  // As the controller does: a line that is lost is opened again, which dials.
  for (int call = 0; call < 2; ++call) {
    const auto line = opened(name);
    Talk talk;
    talk.run(*line, 500);
    ASSERT_TRUE(talk.error);
    EXPECT_EQ(talk.error->code, ErrorCode::line_lost) << "so the run waits and dials again";
    EXPECT_THAT(talk.error->message, HasSubstr(GetParam().named));
    EXPECT_EQ(talk.blocks, 0) << "nothing was passed that could be scored";
  }
  EXPECT_EQ(peer.end(), 0) << "the line kept to the protocol\n" << peer.log();
}

INSTANTIATE_TEST_SUITE_P(
    Each, SippRefusal,
    ::testing::Values(Misbehaviour{"busy", "busy (486 Busy Here)"}, Misbehaviour{"declined", "declined (603 Decline)"},
                      Misbehaviour{"rings_for_ever", "no answer (it rang for 1 s)", ";ring_s=1"},
                      Misbehaviour{"never_answers", "unreachable (no response for 1 s)", ";ring_s=1"},
                      Misbehaviour{"malformed", "unreachable (no response for 1 s)", ";ring_s=1"},
                      Misbehaviour{"video_only", "rejected (200 its session description"},
                      Misbehaviour{"other_codec",
                                   "rejected (200 its session description has none of the line's codecs"},
                      Misbehaviour{"broken_answer", "rejected (200 its session description cannot be read"},
                      Misbehaviour{"hangs_up_at_once", "hung up (BYE)"},
                      Misbehaviour{"no_audio", "no audio (the call is up, but no packet of PCMU came within 1 s)"}),
    [](const auto& one) { return std::string(one.param.scenario); });

/// A call to a scenario that echoes the audio.
Talk call(Sipp& peer, int blocks, std::string& note) {
  const auto line = opened("sip:4711@127.0.0.1;dial=4712@" + peer.address());
  Talk talk;
  talk.run(*line, blocks);
  note = line->take_note();
  return talk;
}

TEST(SippCall, LateRingingAndEarlyMediaBecomeCallsThatAreHeard) {
  if (!has_sipp()) GTEST_SKIP() << "not run: sipp is missing (package sip-tester)";
  Sipp late("rings_late", 1), early("early_media", 1);
  std::string note, early_note;
  auto other = std::async(std::launch::async, [&] { return call(early, 30, early_note); });
  for (const Talk& talk : {call(late, 30, note), other.get()}) {
    ASSERT_FALSE(talk.error) << talk.error->message;
    double power = 0;
    for (const float sample : talk.heard) power += static_cast<double>(sample) * sample;
    EXPECT_NEAR(power / kLineBlock, 0.045, 0.01) << "the echo of a tone of amplitude 0.3";
  }
  EXPECT_THAT(note, ::testing::ContainsRegex("rang after 1\\.[0-9]* s, answered after 1\\.")) << note;
  EXPECT_EQ(late.end(), 0) << late.log();
  EXPECT_EQ(early.end(), 0) << early.log();
}

TEST(SippCall, AReInviteThatMovesTheAudioSpoilsWhatWasUnderWayAndAHoldIsTold) {
  if (!has_sipp()) GTEST_SKIP() << "not run: sipp is missing (package sip-tester)";
  Sipp moves("moves", 1), holds("holds", 1);
  std::string ignored, also_ignored;
  auto other = std::async(std::launch::async, [&] { return call(holds, 60, also_ignored); });
  const Talk moved = call(moves, 60, ignored), held = other.get();
  EXPECT_EQ(moved.noticed.source_changes, 1U) << "an audio_fault of the measurement";
  EXPECT_THAT(moved.warnings, HasSubstr("the call's audio was moved from"));
  EXPECT_THAT(held.warnings, HasSubstr("the other end put the call on hold"));
  EXPECT_EQ(moves.end(), 0) << moves.log();
  EXPECT_EQ(holds.end(), 0) << holds.log();
}

TEST(SippCall, ACallerWithoutAnAckDoesNotBlockTheNextOne) {
  if (!has_sipp()) GTEST_SKIP() << "not run: sipp is missing (package sip-tester)";
  const int port = test::free_ports(2);
  const auto line =
      opened("sip:4712@127.0.0.1:" + std::to_string(port), [](SipLineOptions& options) { options.confirm_s = 0; });
  Sipp first("does_not_confirm", 1, port);
  EXPECT_EQ(first.end(), 0) << first.log();
  Sipp second("calls", 1, port);
  EXPECT_EQ(second.end(), 0) << second.log();
}

}  // namespace
}  // namespace vqas
