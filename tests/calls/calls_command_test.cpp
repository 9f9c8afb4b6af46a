// The commands: what they refuse, and calls that are killed and continued.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "lines/free_ports.h"
#include "support/child.h"
#include "support/exit_codes.h"
#include "support/places.h"
#include "support/process.h"
#include "support/temporary_folder.h"
#include "vqas/signal/json_text.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

test::CommandRun run(const std::string& arguments) {
  return test::run_command(std::string(test::vqas_command()) + " " + arguments);
}

// Nothing listens there (RFC 863's port is a privileged one).
constexpr const char* kUnreachable = "\"sip:4711@127.0.0.1;dial=4712@127.0.0.1:9;ring_s=1\"";

TEST(CallsCommand, WhatCannotBeDoneIsRefusedByName) {
  const test::TemporaryFolder folder;
  const std::string out = " --out " + (folder.path() / "calls").string();
  const auto refused = [&](const std::string& arguments, const std::string& what) {
    const auto done = run(arguments);
    EXPECT_EQ(done.exit_code, test::kBadInput) << arguments << "\n" << done.output;
    EXPECT_THAT(done.output, HasSubstr(what)) << arguments;
  };
  refused("calls --line sip:4711@127.0.0.1 --total 1" + out, "needs dial=USER@HOST");
  refused(fmt::format("calls --line {}{}", kUnreachable, out), "the calls have no end");
  refused(fmt::format("calls --total 1 --line {}", kUnreachable), "--out is missing");
  refused(fmt::format("calls --for soon --line {}{}", kUnreachable, out), "--for soon is no duration");
  refused(fmt::format("calls --ramp 5 --line {}{}", kUnreachable, out), "two numbers of calls");
  refused("calls --resume " + folder.path().string(), "holds no calls");
  refused("calls --resume " + folder.path().string() + " --total 3", "--resume takes the plan from the folder");
  refused("calls " + (folder.path() / "none.toml").string() + out, "none.toml");
  refused("answer --line \"sip:4712@127.0.0.1;dial=4711@127.0.0.1\"", "leave dial= out");
  refused("calls --total 1 --line \"sip:4711@127.0.0.1;dial=4712@127.0.0.1:9;codec=pcmu;hd=yes\"" + out,
          "hd=yes needs a codec of HD voice");
  refused("answer --line sip:4712@127.0.0.1 --out x", "--out is for --as listen");
  refused(fmt::format("calls --mode both --total 1 --line {}{}", kUnreachable, out), "give it hd=yes");
  refused("answer --mode both --line \"sip:4712@127.0.0.1;codec=g722;hd=yes\"", "an end that listens");
  refused("listen --mode both --line sip:4712@127.0.0.1" + out, "needs a line at 16 kHz");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "calls"));
}

TEST(CallsCommand, WhatCannotBeginKeepsTheCallsThatForceWouldReplace) {
  const test::TemporaryFolder folder;
  const std::string kept = (folder.path() / "calls.jsonl").string();
  std::ofstream(kept) << "earlier calls";
  const std::string out = fmt::format(" --force --out {}", folder.path().string());
  for (const std::string& refused : {"answer --as listen --line \"sip:4712@127.0.0.1;codec=pcmu;hd=yes\"" + out,
                                     "answer --as listen --line \"sip:4712@127.0.0.1;dial=4711@127.0.0.1\"" + out,
                                     "answer --as listen --stimuli M99 --line sip:4712@127.0.0.1" + out,
                                     fmt::format("calls --total 1 --stimuli M99 --line {}{}", kUnreachable, out)}) {
    const auto done = run(refused);
    EXPECT_EQ(done.exit_code, test::kBadInput) << refused << "\n" << done.output;
    ASSERT_TRUE(std::filesystem::exists(kept)) << refused;
    EXPECT_EQ(std::filesystem::file_size(kept), 13U) << refused;
  }
}

TEST(CallsCommand, CallsThatWereKilledAreContinuedAndEachIsThereOnce) {
  const test::TemporaryFolder folder;
  const std::string out = (folder.path() / "calls").string();
  const auto killed = test::run_command(fmt::format(
      "timeout -s KILL 2.5 {} calls --line {} --total 4 --per-s 50 --out {}", test::vqas_command(), kUnreachable, out));
  EXPECT_NE(killed.exit_code, 0);
  const auto resumed = run("calls --json --resume " + out);
  EXPECT_EQ(resumed.exit_code, test::kNotMeasured) << resumed.output;
  EXPECT_THAT(resumed.output, HasSubstr("\"unreachable\": 4"));
  std::ifstream journal(folder.path() / "calls" / "calls.jsonl");
  std::set<int> numbers;
  int sessions = 0;
  for (std::string line; std::getline(journal, line);) {
    const Json json = own_json(line);
    if (json.contains("call")) {
      EXPECT_TRUE(numbers.insert(json.at("call").get<int>()).second) << line;
    }
    if (json.contains("resumed_utc")) ++sessions;
  }
  EXPECT_EQ(numbers.size(), 4U);
  EXPECT_EQ(sessions, 1);
  std::ifstream trace(folder.path() / "calls" / "signalling" / "call-000004.txt");
  const std::string text{std::istreambuf_iterator<char>(trace), {}};
  EXPECT_THAT(text, HasSubstr(" sent to 127.0.0.1:9 by udp, "));
  EXPECT_THAT(text, HasSubstr("\n    INVITE sip:4712@127.0.0.1:9 SIP/2.0\n"));
}

TEST(CallsCommand, FiguresForPrometheusAreWrittenAndAWrongFolderIsKnownBeforeTheFirstCall) {
  const test::TemporaryFolder folder;
  const std::string figures = (folder.path() / "calls.prom").string();
  const std::string calls =
      fmt::format("calls --line {} --total 1 --out {}/calls --metrics-file ", kUnreachable, folder.path().string());
  EXPECT_NE(run(calls + folder.path().string() + "/none/calls.prom").exit_code, 0);
  const std::string kept = (folder.path() / "calls" / "calls.jsonl").string();
  EXPECT_FALSE(std::filesystem::exists(kept));
  std::filesystem::create_directory(folder.path() / "calls");
  std::ofstream(kept) << "earlier calls";
  EXPECT_NE(run(calls + folder.path().string() + "/none/calls.prom --force").exit_code, 0);
  EXPECT_EQ(std::filesystem::file_size(kept), 13U) << "the earlier calls are still there";
  const auto done = run(calls + figures + " --force");
  EXPECT_EQ(done.exit_code, test::kNotMeasured) << done.output;
  EXPECT_THAT(done.output, ::testing::ContainsRegex("verdict +not measured: every call failed .unreachable 1."));
  std::ifstream file(figures);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(text, HasSubstr(",end=\"unreachable\"} 1\n"));
}

TEST(SendCommand, TheSignallingOfItsLineIsKeptWhereAFolderIsGiven) {
  const test::TemporaryFolder folder;
  const auto done = run(fmt::format("send --line {} --signalling {}/made", kUnreachable, folder.path().string()));
  EXPECT_THAT(done.output, HasSubstr("unreachable"));
  std::ifstream file(folder.path() / "made" / "signalling-a.txt");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(text, HasSubstr("    INVITE sip:"));
  const auto again = run(fmt::format("send --line {} --signalling {}/made", kUnreachable, folder.path().string()));
  EXPECT_EQ(again.exit_code, test::kBadInput);
  EXPECT_THAT(again.output, HasSubstr("made/signalling-a.txt is of an earlier run; give another folder"));
  const auto other = run(fmt::format("send --line sim:127.0.0.1:1/a --signalling {}/x", folder.path().string()));
  EXPECT_THAT(other.output, HasSubstr("--signalling is for sip: lines"));
}

// A corpus of one short sentence: in real time a transmission lasts as long as its speech.
void copy_one_sentence(const std::filesystem::path& to) {
  std::filesystem::copy(std::filesystem::path(test::source_dir()) / "corpus", to,
                        std::filesystem::copy_options::recursive);
  Json manifest = Json::parse(test::read_text(to / "manifest.json"));
  Json kept = Json::array();
  for (const Json& one : manifest["stimuli"]) {
    if (one["id"] == "F4") kept.push_back(one);
  }
  manifest["stimuli"] = kept;
  test::write_text(to / "manifest.json", manifest.dump());
}

TEST(SendAndListen, ASentenceOverACallBetweenThemIsScoredAndBothKeepItsSignalling) {
  const test::TemporaryFolder folder;
  const std::filesystem::path at = folder.path();
  const std::string corpus = (at / "corpus").string();
  copy_one_sentence(corpus);
  const auto text_of = [&at](const char* file) { return test::read_text(at / file); };
  const int port = test::free_ports(1);
  test::Child listener(
      {test::vqas_command(), "listen", "--line", fmt::format("sip:4712@127.0.0.1:{};codec=g722;hd=yes", port), "--mode",
       "both", "--silent", "--corpus", corpus, "--out", (at / "heard").string()},
      at / "heard.txt");
  const auto sent = run(
      fmt::format("send --line \"sip:4711@127.0.0.1;dial=4712@127.0.0.1:{};codec=g722;hd=yes\" --rounds 1 --corpus {} "
                  "--signalling {}",
                  port, corpus, (at / "sent").string()));
  EXPECT_EQ(sent.exit_code, 0) << sent.output;
  EXPECT_TRUE(test::wait_until([&] { return text_of("heard.txt").find("Report: ") != std::string::npos; },
                               std::chrono::seconds(20)))
      << text_of("heard.txt");
  EXPECT_THAT(text_of("heard.txt"), HasSubstr("a to b: mean MOS-LQOW "));
  // A machine that is too busy to send in time says so, and sends the sentence again.
  const bool was_busy = sent.output.find("too busy") != std::string::npos;
  if (!was_busy) {
    EXPECT_THAT(sent.output, HasSubstr("1 transmissions in 1 rounds"));
    EXPECT_THAT(text_of("heard.txt"), HasSubstr("1 of 1 measurements scored"));
  }
  const Json results = Json::parse(text_of("heard/results.json"), nullptr, false);
  ASSERT_FALSE(results.is_discarded());
  int scored = 0;
  for (const Json& one : results["directions"][0]["stimuli"][0]["measurements"]) {
    if (was_busy && one["outcome"] == "audio_fault") continue;
    ASSERT_EQ(one["outcome"], "scored");
    ++scored;
    EXPECT_GT(one["mos_lqo"], 3.5);
    EXPECT_GT(one["narrowband_mos_lqo"], 3.5);
  }
  EXPECT_EQ(scored, 1);
  for (const char* trace : {"sent/signalling-a.txt", "heard/signalling-b.txt"}) {
    for (const char* message : {"    INVITE sip:", "    SIP/2.0 200 OK", "    ACK sip:"})
      EXPECT_THAT(text_of(trace), HasSubstr(message)) << trace;
  }
  // The listener hangs up by closing its line, when its trace has ended.
  EXPECT_THAT(text_of("sent/signalling-a.txt"), HasSubstr("    BYE sip:"));
}

TEST(ListenCommand, TheSignallingOfItsLineIsInTheRunsFolder) {
  const test::TemporaryFolder folder;
  const auto done = run(fmt::format("listen --line {} --out {}/run", kUnreachable, folder.path().string()));
  EXPECT_THAT(done.output, HasSubstr("unreachable"));
  std::ifstream file(folder.path() / "run" / "signalling-b.txt");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(text, HasSubstr("    INVITE sip:"));
}

}  // namespace
}  // namespace vqas
