// `vqas send` and `vqas listen` as processes that share nothing but a simulated line: no control socket is opened.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/child.h"
#include "support/wait_until.h"
#include "tools/command_test.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;

class LineOnlyCommands : public test::CommandTest {
 protected:
  // Starts a simulator and gives its port.
  std::string simulate() {
    simulator_.emplace(std::vector<std::string>{test::vqas_command(), "sim", "--port", "0", "--ber", "1e-4"},
                       in("sim.txt"));
    json said;
    EXPECT_TRUE(test::wait_until([&] {
      said = json::parse(test::read_text(in("sim.txt")), nullptr, false);
      return said.is_object() && said.contains("port");
    })) << "the simulator does not say its port: "
        << test::read_text(in("sim.txt"));
    return said.is_object() ? std::to_string(said.value("port", 0)) : "0";
  }
  struct Both {
    test::CommandRun sent;
    int heard = -1;
    std::string heard_text;
  };
  // The listener in the background, the sender in the foreground; the output of both goes to files.
  Both run(const std::string& port, const std::string& send, const std::string& listen) const {
    const std::string line = " --line sim:127.0.0.1:" + port;
    const auto run =
        test::run_command("sh -c '" + std::string(test::vqas_command()) + " listen" + line + "/b " + listen + " > " +
                          in("heard.txt") + " 2>&1 & listener=$!; " + test::vqas_command() + " send" + line + "/a " +
                          send + "; sent=$?; wait $listener; echo $? > " + in("code.txt") + "; exit $sent'");
    return {run, std::atoi(test::read_text(in("code.txt")).c_str()), test::read_text(in("heard.txt"))};
  }

  std::optional<test::Child> simulator_;
};

TEST_F(LineOnlyCommands, ARoundIsSentReceivedJournalledAndResumed) {
  const std::string port = simulate();
  const Both first = run(port, "--rounds 1 --seed 5 --json", "--silent --json --out " + in("results"));
  ASSERT_EQ(first.sent.exit_code, 0) << first.sent.output;
  const json sent = json::parse(first.sent.output, nullptr, false);
  EXPECT_EQ(sent["sent"], 12);
  EXPECT_EQ(sent["answered"], 0);
  ASSERT_EQ(first.heard, 0) << first.heard_text;
  const json heard = json::parse(first.heard_text, nullptr, false);
  EXPECT_EQ(heard["over_the_line"]["ended"], "sender_finished");
  EXPECT_EQ(heard["over_the_line"]["stimuli_reached"], 0);
  EXPECT_EQ(heard["over_the_line"]["rounds_needed"], 4);
  for (const char* file : {"journal.jsonl", "results.json", "results.csv", "report.html"}) {
    EXPECT_TRUE(fs::exists(folder_.path() / "results" / file)) << file;
  }
  const json before =
      json::parse(test::read_text(folder_.path() / "results" / "results.json"), nullptr, false)["timing"];
  const Both second = run(port, "--rounds 1 --seed 6", "--silent --resume --out " + in("results"));
  ASSERT_EQ(second.heard, 0) << second.heard_text;
  EXPECT_THAT(second.heard_text, HasSubstr("wider than the scale")) << "what >3.55 means";
  EXPECT_THAT(second.heard_text, HasSubstr("a to b: mean MOS-LQON ")) << "the total";
  EXPECT_THAT(second.heard_text, HasSubstr("0 of 12 stimuli are measured well enough; the rest need at least"));
  const json results = json::parse(test::read_text(folder_.path() / "results" / "results.json"), nullptr, false);
  ASSERT_EQ(results["directions"].size(), 1U);
  // It distinguishes runs that begin in the same second.
  EXPECT_EQ(before["uuid"].get<std::string>().size(), 36U);
  EXPECT_EQ(results["timing"]["uuid"], before["uuid"]);
  EXPECT_GT(results["timing"]["line_seconds"].get<double>(), 1.5 * before["line_seconds"].get<double>());
  for (const json& stimulus : results["directions"][0]["stimuli"]) {
    EXPECT_EQ(stimulus["n"], 2) << stimulus["stimulus"];
    EXPECT_EQ(stimulus["stopped_because"], "sender_finished");
    for (const json& one : stimulus["measurements"]) {
      EXPECT_EQ(one["found_by"], "marks");
      EXPECT_TRUE(fs::exists(folder_.path() / "results" / one["recording"].get<std::string>()));
    }
  }
}

TEST_F(LineOnlyCommands, SenderAndListenerMayBeStartedBeforeTheSimulator) {
  const std::string port = simulate();
  simulator_.reset();
  const std::string command = test::vqas_command();
  const auto run = test::run_command(
      "sh -c '" + command + " listen --silent --line sim:127.0.0.1:" + port + "/b --out " + in("results") + " > " +
      in("heard.txt") + " 2>&1 & listener=$!; " + command + " send --rounds 1 --line sim:127.0.0.1:" + port + "/a > " +
      in("sent.txt") + " 2>&1 & sender=$!; " + command + " sim --port " + port + " > " + in("sim.txt") +
      " 2>&1 & simulator=$!; wait $sender; sent=$?; wait $listener; heard=$?; kill $simulator; exit $((sent + "
      "heard))'");
  EXPECT_EQ(run.exit_code, 0) << test::read_text(in("sent.txt")) << test::read_text(in("heard.txt"))
                              << test::read_text(in("sim.txt"));
}

TEST_F(LineOnlyCommands, AtTheCapNoStimulusIsMeasuredWellEnough) {
  const std::string port = simulate();
  const Both both = run(port, "--rounds 5 --seed 5", "--silent --cap 5 --out " + in("results"));
  ASSERT_EQ(both.heard, 0) << both.heard_text;
  EXPECT_THAT(both.heard_text, HasSubstr("stopped before, at the cap of 5 measurements"));
  EXPECT_THAT(both.heard_text, HasSubstr("--cap 10"));
  EXPECT_THAT(both.heard_text, ::testing::Not(HasSubstr("12 of 12 stimuli are measured well enough")));
}

TEST_F(LineOnlyCommands, ASenderClaimsNoGoalThatItsListenerDidNotReach) {
  const std::string port = simulate();
  const Both both = run(port, "--seed 5", "--cap 5 --out " + in("results"));
  ASSERT_EQ(both.heard, 0) << both.heard_text;
  ASSERT_EQ(both.sent.exit_code, 0) << both.sent.output;
  EXPECT_THAT(both.sent.output, HasSubstr("the listener wants no more of 12 of 12 stimuli"));
  EXPECT_THAT(both.sent.output, ::testing::Not(HasSubstr("enough")));
}

TEST_F(LineOnlyCommands, ARecordingThatIsHeardTwiceGivesTheSameResults) {
  const std::string recording = in("sent.wav");
  ASSERT_EQ(vqas("send --rounds 1 --seed 5 --line file:?out=" + recording).exit_code, 0);
  const std::string listen = "listen --silent --json --line file:?in=" + recording + " --out " + in("results");
  const auto measured = [&] {
    // The end of a recording is the end of its line.
    (void)vqas(listen + (fs::exists(folder_.path() / "results") ? " --resume" : ""));
    json results = json::parse(test::read_text(folder_.path() / "results" / "results.json"), nullptr, false);
    return results.is_object() ? results["directions"] : json();
  };
  const json first = measured();
  ASSERT_FALSE(first.is_null());
  std::size_t scored = 0;
  for (const json& stimulus : first[0]["stimuli"]) scored += stimulus["n"].get<std::size_t>();
  EXPECT_EQ(scored, 12U);
  const auto line_seconds = [this] {
    return json::parse(test::read_text(folder_.path() / "results" / "results.json"), nullptr,
                       false)["timing"]["line_seconds"];
  };
  const json heard_s = line_seconds();
  const std::string journal = test::read_text(folder_.path() / "results" / "journal.jsonl");
  EXPECT_EQ(measured(), first);
  EXPECT_EQ(line_seconds(), heard_s);
  EXPECT_TRUE(test::read_text(folder_.path() / "results" / "journal.jsonl").starts_with(journal))
      << "no line is ever changed";
}

// Line time stands still on a simulated line without a sender.
TEST_F(LineOnlyCommands, AListenerWithoutASenderEndsAtItsTime) {
  const std::string line = "listen --line sim:127.0.0.1:" + simulate() + "/b --out ";
  const auto until = vqas(line + in("until") + " --until 1s");
  EXPECT_EQ(until.exit_code, 4) << until.output;
  EXPECT_THAT(test::read_text(folder_.path() / "until" / "results.json"),
              HasSubstr("\"ended_because\": \"its time was over\""));
  const auto silent = vqas(line + in("silent") + " --silence-s 10");
  EXPECT_EQ(silent.exit_code, 4) << silent.output;
  EXPECT_THAT(test::read_text(folder_.path() / "silent" / "results.json"),
              HasSubstr("\"ended_because\": \"no mark came for 10 s\""));
}

TEST_F(LineOnlyCommands, BadOptionsAreRefusedWithTheCure) {
  EXPECT_EQ(vqas("send --line teleport:x").exit_code, 3);
  EXPECT_EQ(vqas("listen --line teleport:x --out " + in("x")).exit_code, 3);
  EXPECT_THAT(vqas("send --line sim:127.0.0.1:1/a --until soon").output, HasSubstr("17:30"));
  EXPECT_EQ(vqas("send --line sim:127.0.0.1:1/a --rounds 0").exit_code, 2);
  EXPECT_THAT(vqas("listen --line file:?in=" + in("no.wav") + " --out " + in("x")).output,
              ::testing::Not(HasSubstr(".wav.\n")))
      << "a name that ends a message can be copied";
  const auto nobody = vqas("listen --line sim:127.0.0.1:1/b --out " + in("never"));
  EXPECT_EQ(nobody.exit_code, 5);
  EXPECT_FALSE(fs::exists(in("never")));
}

}  // namespace
}  // namespace vqas
