// Every command given every kind of bad input: a clear message that names the file or option, a documented exit code,
// never a crash, never a score.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>

#include "support/exit_codes.h"
#include "support/float_wav.h"
#include "support/places.h"
#include "support/process.h"
#include "support/signals.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

using test::kBadInput;
using test::kIo;
using test::kNotMeasured;
using test::kUsage;

class Commands : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = fs::path(::testing::TempDir()) / ("vqas-commands-" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "empty.wav").flush();
    std::ofstream(folder_ / "text.wav") << "this is not a recording";
    test::write_float(in("stereo.wav"), test::noise(0.1, 4, 1).samples, 2);
    test::write_float(in("nan.wav"), {0.1F, std::nanf(""), 0.1F});
    test::write_float(in("silence.wav"), std::vector<float>(32000, 0.0F));
    test::write_float(in("noise.wav"), test::noise(0.1, 4, 2).samples);
    test::write_float(in("tone.wav"), test::sine(1020, 0.1, 4).samples);
    test::write_float(in("short.wav"), test::noise(0.1, 0.05, 3).samples);
    test::write_float(in("loud.wav"), std::vector<float>(32000, std::numeric_limits<float>::max()));
    fs::copy_file(fs::path(test::source_dir()) / "corpus/8k/M1.wav", folder_ / "cut.wav");
    fs::resize_file(folder_ / "cut.wav", fs::file_size(folder_ / "cut.wav") / 2);
  }
  static void TearDownTestSuite() { fs::remove_all(folder_); }

  static test::CommandRun vqas(const std::string& arguments) {
    return test::run_command(std::string(test::vqas_command()) + " " + arguments);
  }
  static std::string in(const std::string& name) { return (folder_ / name).string(); }
  static std::string speech() { return (fs::path(test::source_dir()) / "corpus/8k/M1.wav").string(); }

  static inline fs::path folder_;
};

TEST_F(Commands, WithoutACommandTheHelpIsShown) {
  const auto run = vqas("");
  EXPECT_EQ(run.exit_code, kUsage);
  EXPECT_THAT(run.output, HasSubstr("measure"));
}

// An option that is neither kept, nor accepted, nor refused would be ignored silently. Kept options are tested with the
// nodes (BadLink.PlanMembersNeededToContinueAreKept).
TEST_F(Commands, EachOptionOfARunIsAcceptedOrRefusedAtResume) {
  enum class At { anew, refused, other };
  const std::map<std::string, std::pair<At, std::string>> known{
      {"--within-s", {At::anew, "9"}},
      {"--link-patience", {At::anew, "9"}},
      {"--redial", {At::anew, "true"}},
      {"--redial-s", {At::anew, "9"}},
      {"--corpus", {At::anew, "corpus"}},
      {"--cap", {At::refused, "9"}},
      {"--seed", {At::refused, "9"}},
      {"--run-id", {At::refused, "9"}},
      {"--stimuli", {At::refused, "M4"}},
      {"--directions", {At::refused, "both"}},
      {"--mode", {At::refused, "wb"}},
      {"--guard-s", {At::refused, "0.1"}},
      {"--duplex", {At::refused, "one"}},
      {"--tag", {At::refused, "site=north"}},
      {"--mean", {At::refused, ""}},
      {"--each-stimulus", {At::refused, ""}},
      {"--minutes", {At::refused, "3"}},
      {"--above", {At::refused, "3"}},
      // They replace it, name the folder, choose the output, or say which nodes to trust.
      {"--resume", {At::other, ""}},
      {"--node-a", {At::other, ""}},
      {"--node-b", {At::other, ""}},
      {"--out", {At::other, ""}},
      {"--force", {At::other, ""}},
      {"--json", {At::other, ""}},
      {"--json-lines", {At::other, ""}},
      {"--metrics-file", {At::other, ""}},
      {"--unattended", {At::other, ""}},
      {"--help", {At::other, ""}},
      {"--peer-fingerprint", {At::other, ""}},
      {"--pairing", {At::other, ""}},
      {"--token-file-a", {At::other, ""}},
      {"--token-file-b", {At::other, ""}},
      {"--known-peers", {At::other, ""}}};
  const std::string help = vqas("measure --help").output;
  std::set<std::string> there;
  static const std::regex option("\n +(?:-[a-z], *)?(--[a-z-]+)");
  for (auto one = std::sregex_iterator(help.begin(), help.end(), option); one != std::sregex_iterator(); ++one)
    there.insert((*one)[1]);
  for (const std::string& one : there) EXPECT_TRUE(known.contains(one)) << one << " must be kept, accepted or refused";
  for (const auto& [name, what] : known) {
    SCOPED_TRACE(name);
    EXPECT_TRUE(there.contains(name));
    if (what.first == At::other) continue;
    const auto resumed = vqas("measure --resume " + in("no-such-run") + " " + name + " " + what.second);
    EXPECT_EQ(resumed.exit_code, kBadInput) << resumed.output;
    const std::string refused = name + " cannot be changed";
    EXPECT_THAT(resumed.output, what.first == At::refused ? ::testing::Matcher<std::string>(HasSubstr(refused))
                                                          : HasSubstr("no run was begun"));
  }
}

TEST_F(Commands, ProfilesAreListedPrintedAndReadBack) {
  const auto list = vqas("channel profiles");
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_THAT(list.output, HasSubstr("thunderstorm"));
  const auto printed = vqas("channel profiles wander > " + in("mine.toml"));
  EXPECT_EQ(printed.exit_code, 0);
  const auto again = vqas("channel profiles " + in("mine.toml"));
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.output, HasSubstr("5e-09"));
  const auto carried = vqas("channel " + speech() + " " + in("wander.wav") + " --json --profile " + in("mine.toml"));
  EXPECT_EQ(carried.exit_code, 0) << carried.output;
  EXPECT_THAT(carried.output, HasSubstr("g821_seconds"));
}

TEST_F(Commands, ABadProfileIsRefusedWithFileAndLine) {
  std::ofstream(folder_ / "bad.toml") << "delay_s = 0.3\ngain_db = 90\n";
  const auto run = vqas("channel " + speech() + " " + in("never.wav") + " --profile " + in("bad.toml"));
  EXPECT_EQ(run.exit_code, kBadInput);
  EXPECT_THAT(run.output, HasSubstr("bad.toml:2: gain_db is 90"));
  EXPECT_FALSE(fs::exists(in("never.wav")));
  EXPECT_EQ(vqas("channel " + speech() + " " + in("never.wav") + " --profile storm").exit_code, kBadInput);
  EXPECT_EQ(vqas("quickstart " + in("never") + " --profile storm").exit_code, kBadInput);
  EXPECT_EQ(vqas("experiment storm --out " + in("never")).exit_code, kBadInput);
  EXPECT_EQ(vqas("channel").exit_code, kUsage);
}

TEST_F(Commands, APipeOrADeviceIsRefusedInPlaceOfAFile) {
  ASSERT_EQ(::mkfifo(in("pipe.toml").c_str(), 0600), 0);
  const std::string nodes = "measure --node-a wss://127.0.0.1:1 --node-b ws://127.0.0.1:2 --out " + in("never");
  for (const std::string& arguments :
       {"channel " + speech() + " " + in("never.wav") + " --profile " + in("pipe.toml"),
        "measure " + in("pipe.toml") + " --out " + in("never"), "plan check " + in("pipe.toml"),
        nodes + " --pairing " + in("pipe.toml"), nodes + " --pairing /dev/zero",
        "relay rtp --preload " + in("pipe.toml"), "relay rtp --a-to-b profile=" + in("pipe.toml"),
        "score --manifest " + in("pipe.toml") + " --out " + in("never.csv")}) {
    const auto run = test::run_command("timeout 60 " + std::string(test::vqas_command()) + " " + arguments);
    EXPECT_EQ(run.exit_code, kBadInput) << arguments << "\n" << run.output;
    EXPECT_THAT(run.output, HasSubstr("is a pipe or a device, not a file")) << arguments;
  }
}

TEST_F(Commands, ATomlKeyOfVeryManyPartsIsRefusedWithItsLine) {
  std::string key;
  for (int i = 0; i < 50'000; ++i) key += "a.";
  std::ofstream(folder_ / "deep.toml") << "\n[" << key << "a]\n";
  for (const std::string& arguments : {"channel " + speech() + " " + in("never.wav") + " --profile " + in("deep.toml"),
                                       "plan check " + in("deep.toml")}) {
    const auto run = vqas(arguments);
    EXPECT_EQ(run.exit_code, kBadInput) << run.output;
    EXPECT_THAT(run.output, HasSubstr("deep.toml:2: a key has more than 16 parts"));
  }
}

TEST_F(Commands, RunningOutOfMemoryIsReportedWithTheRequestedSize) {
  // A journal is read whole, and the program may have little more memory than its own.
  fs::create_directories(folder_ / "run");
  std::ofstream(folder_ / "run" / "journal.jsonl").flush();
  fs::resize_file(folder_ / "run" / "journal.jsonl", 250'000'000);
  const auto run = test::run_command("ulimit -v 200000; " + std::string(test::vqas_command()) + " report " + in("run"));
  EXPECT_EQ(run.exit_code, kIo) << run.output;
  EXPECT_THAT(run.output, HasSubstr("out of memory: 250000001 bytes were requested; give this program more memory"));
}

// File names and foreign texts in messages must not send control sequences to an operator's terminal.
TEST_F(Commands, TextForPeopleHasNoTerminalControlSequences) {
  const std::string name = "a\x1b[2J\u009b31m\u202efdp.\xff\rb";
  const auto complaint = vqas("report " + in("'" + name + "'"));
  EXPECT_EQ(complaint.exit_code, kBadInput);
  EXPECT_THAT(complaint.output, HasSubstr("a [2J 31m fdp.? b"));
  // On a terminal, standard output is for people too; in a file it is data.
  std::ofstream(in("strange.toml")) << "name = \"a\u009bb\u202ec\"\n";
  const std::string print = std::string(test::vqas_command()) + " channel profiles " + in("strange.toml");
  const auto to_terminal = test::run_command("script -qec '" + print + "' /dev/null");
  EXPECT_THAT(to_terminal.output, HasSubstr("a b c"));
  EXPECT_THAT(test::run_command("(" + print + " | cat)").output, HasSubstr("a\u009bb\u202ec"));
}

// What goes to a terminal is filtered, and live lines move the cursor past that filter.
TEST_F(Commands, LiveLinesMoveTheCursor) {
  const auto run = test::run_command("script -qec '" + std::string(test::vqas_command()) + " quickstart " + in("live") +
                                     " --stimuli M1' /dev/null");
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("\x1b["));
  EXPECT_THAT(run.output, Not(HasSubstr(" [K")));
}

TEST_F(Commands, ScoreTakesNoSecondCommand) {
  const auto run = vqas("score " + speech() + " " + speech() + " score");
  EXPECT_EQ(run.exit_code, kUsage) << run.output;
  EXPECT_THAT(run.output, HasSubstr("not expected"));
}

TEST_F(Commands, AnEmptyTextAndNaNAreNotNumbers) {
  const auto run = vqas("channel " + speech() + " " + in("never.wav") + " --ber ''");
  EXPECT_EQ(run.exit_code, kUsage);
  EXPECT_THAT(run.output, HasSubstr("--ber: needs a number"));
  EXPECT_FALSE(fs::exists(in("never.wav")));
  for (const std::string value : {"nan", "NaN", "-nan"}) {
    const auto listen = vqas("listen --line sim:127.0.0.1:1/b --out " + in("never") + " --silence-s " + value);
    EXPECT_EQ(listen.exit_code, kUsage) << value;
    EXPECT_THAT(listen.output, HasSubstr("--silence-s: needs a finite number")) << value;
  }
  EXPECT_FALSE(fs::exists(in("never")));
}

TEST_F(Commands, AnExperimentReplacesAnEarlierOneOnlyWithForce) {
  fs::create_directories(in("experiments"));
  std::ofstream(in("experiments/wander.json")) << "{}";
  for (const char* name : {"wander", "all"}) {
    const auto run = vqas("experiment " + std::string(name) + " --out " + in("experiments"));
    EXPECT_EQ(run.exit_code, kBadInput);
    EXPECT_THAT(run.output, HasSubstr("--force"));
  }
}

// The recorded errors of a pipe, replayed on the sent octets, give the received octets exactly, however the pipe cut
// the stream.
TEST_F(Commands, RecordedErrorsOfAPipeReplayToTheSameOctets) {
  std::ofstream sent(folder_ / "sent.ul", std::ios::binary);
  for (int i = 0; i < 200000; ++i) sent.put(static_cast<char>(i * 7 % 251));
  sent.close();
  const auto first = test::run_command("(dd bs=77 status=none if=" + in("sent.ul") + " | " + test::vqas_command() +
                                       " channel - - --ber 1e-3 --seed 5 --record " + in("errors.g192") + " > " +
                                       in("received.ul") + ")");
  ASSERT_EQ(first.exit_code, 0) << first.output;
  std::ofstream(folder_ / "replay.toml") << "[[errors]]\nkind = \"pattern\"\nfile = \"errors.g192\"\n";
  const auto replayed =
      vqas("channel " + in("sent.ul") + " " + in("again.ul") + " --raw --profile " + in("replay.toml"));
  ASSERT_EQ(replayed.exit_code, 0) << replayed.output;
  EXPECT_EQ(test::run_command("cmp " + in("received.ul") + " " + in("again.ul")).exit_code, 0);
  EXPECT_NE(test::run_command("cmp " + in("received.ul") + " " + in("sent.ul")).exit_code, 0);
}

TEST_F(Commands, EveryCommandHasHelpWithAnExample) {
  for (const std::string command : {"score", "channel", "corpus", "node", "sim", "measure", "quickstart", "report",
                                    "relay", "experiment", "send", "listen", "answer", "calls"}) {
    const auto run = vqas(command + " --help");
    EXPECT_EQ(run.exit_code, 0) << command;
    EXPECT_THAT(run.output, HasSubstr("xample")) << command;
    EXPECT_THAT(run.output, HasSubstr("vqas " + command)) << command;
  }
}

TEST_F(Commands, UnknownOptionsAreRefused) {
  for (const std::string command : {"score", "channel", "corpus list", "node", "sim", "measure", "quickstart", "report",
                                    "relay", "send", "listen", "answer", "calls"}) {
    EXPECT_EQ(vqas(command + " --no-such-option").exit_code, kUsage) << command;
  }
}

TEST_F(Commands, TooFewOpenFilesAreAnErrorWithItsCureWithoutAnEndlessWait) {
  for (const std::string files : {"16", "20", "24", "32"}) {
    for (const std::string& command : {"quickstart " + in("few") + " --stimuli M1 --cap 5",
                                       "node --end a --line sim:127.0.0.1:1/a --data " + in("node")}) {
      const auto run = test::run_command("timeout 30 prlimit --nofile=" + files + ":" + files + " " +
                                         test::vqas_command() + " " + command);
      EXPECT_EQ(run.exit_code, kIo) << files << " " << command << "\n" << run.output;
      EXPECT_THAT(run.output, HasSubstr("only " + files + " files may be open at the same time"));
      EXPECT_THAT(run.output, HasSubstr("ulimit -n 1024"));
    }
  }
  // The program raises its limit as far as the system allows.
  const auto run = test::run_command("prlimit --nofile=16: " + std::string(test::vqas_command()) + " quickstart " +
                                     in("few") + " --stimuli M1 --cap 5");
  EXPECT_EQ(run.exit_code, 0) << run.output;
}

TEST_F(Commands, ScoreRefusesUnusableFilesOnEitherSide) {
  for (const std::string name : {"gone.wav", "empty.wav", "text.wav", "stereo.wav", "nan.wav", "cut.wav"}) {
    for (const std::string& pair : {in(name) + " " + speech(), speech() + " " + in(name)}) {
      const auto run = vqas("score " + pair);
      EXPECT_EQ(run.exit_code, kBadInput) << pair << "\n" << run.output;
      EXPECT_THAT(run.output, HasSubstr(name)) << pair;
    }
  }
}

TEST_F(Commands, ScoreGivesNoNumberForUnmeasurableRecordings) {
  for (const std::string name : {"silence.wav", "noise.wav", "tone.wav", "short.wav"}) {
    for (const std::string& pair : {in(name) + " " + speech(), speech() + " " + in(name)}) {
      const auto run = vqas("score --json " + pair);
      EXPECT_EQ(run.exit_code, kNotMeasured) << pair << "\n" << run.output;
      EXPECT_THAT(run.output, HasSubstr("\"mos_lqo\": null")) << pair;
      EXPECT_THAT(run.output, Not(HasSubstr("\"reason\": \"\""))) << pair;
    }
  }
}

TEST_F(Commands, ScoreSurvivesSamplesFarBeyondFullScale) {
  const auto run = vqas("score " + speech() + " " + in("loud.wav"));
  EXPECT_THAT(run.exit_code, AnyOf(kBadInput, kNotMeasured)) << run.output;
}

TEST_F(Commands, ScoreOfARecordingWithItselfIsTheTopOfTheScale) {
  const auto run = vqas("score --json " + speech() + " " + speech());
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("\"mos_lqo\": 4.55"));
}

TEST_F(Commands, ChannelRefusesUnusableFilesAndLeavesNoOutput) {
  for (const std::string name : {"gone.wav", "empty.wav", "text.wav", "stereo.wav", "nan.wav", "cut.wav"}) {
    const auto run = vqas("channel " + in(name) + " " + in("out.wav"));
    EXPECT_EQ(run.exit_code, kBadInput) << name << "\n" << run.output;
    EXPECT_THAT(run.output, HasSubstr(name));
    EXPECT_FALSE(fs::exists(folder_ / "out.wav")) << name;
  }
}

TEST_F(Commands, ChannelRefusesOptionsOutOfRange) {
  for (const std::string option : {"--ber 0.6", "--ber -1", "--ber nan", "--law x", "--ber word", "--gain-db inf"}) {
    const auto run = vqas("channel " + speech() + " " + in("out.wav") + " " + option);
    EXPECT_THAT(run.exit_code, AnyOf(kUsage, kBadInput)) << option << "\n" << run.output;
    EXPECT_FALSE(fs::exists(folder_ / "out.wav")) << option;
  }
}

TEST_F(Commands, ChannelNeverOverwritesItsInput) {
  const auto before = fs::file_size(in("noise.wav"));
  EXPECT_NE(vqas("channel " + in("noise.wav") + " " + in("noise.wav")).exit_code, 0);
  EXPECT_EQ(fs::file_size(in("noise.wav")), before);
}

TEST_F(Commands, ChannelSaysWhereItCannotWrite) {
  const auto run = vqas("channel " + speech() + " " + in("no/such/out.wav"));
  EXPECT_EQ(run.exit_code, kIo) << run.output;
  EXPECT_THAT(run.output, HasSubstr("no/such/out.wav"));
}

TEST_F(Commands, CorpusRefusesAFolderWithoutACorpus) {
  EXPECT_EQ(vqas("corpus verify " + in("gone")).exit_code, kBadInput);
  EXPECT_EQ(vqas("corpus verify " + folder_.string()).exit_code, kBadInput);
}

TEST_F(Commands, CorpusVerifiesAsShipped) {
  const auto run = vqas("corpus verify " + (fs::path(test::source_dir()) / "corpus").string());
  EXPECT_EQ(run.exit_code, 0) << run.output;
}

TEST_F(Commands, NodeAndMeasureNameAnUnusableLineOrAddress) {
  const auto node = vqas("node --end a --line teleport:somewhere --data " + in("node"));
  EXPECT_THAT(node.exit_code, AnyOf(kUsage, kBadInput)) << node.output;
  EXPECT_THAT(node.output, HasSubstr("sim:"));
  const auto measure = vqas("measure --node-a ws://127.0.0.1:9 --node-b ws://127.0.0.1:9 --out " + in("unreached"));
  EXPECT_NE(measure.exit_code, 0);
  EXPECT_THAT(measure.output, HasSubstr("127.0.0.1:9"));
}

TEST_F(Commands, QuickstartRefusesOptionsOutOfRangeBeforeItMeasures) {
  for (const std::string option : {"--ber 0.7", "--cap 1", "--delay-s -1", "--stimuli M99", "--seed word",
                                   "--mean --each-stimulus", "--minutes 1 --cap 5", "--above 3 --mean", "--above 7"}) {
    const auto run = vqas("quickstart " + in("run") + " " + option);
    EXPECT_THAT(run.exit_code, AnyOf(kUsage, kBadInput)) << option << "\n" << run.output;
  }
}

TEST_F(Commands, AStartThatFailsLeavesNoFolderAndCostsNoEarlierRun) {
  const std::string nowhere = "measure --node-a ws://127.0.0.1:9 --node-b ws://127.0.0.1:9 --out ";
  EXPECT_NE(vqas(nowhere + in("made/for/this")).exit_code, 0);
  EXPECT_FALSE(fs::exists(folder_ / "made"));

  fs::create_directories(folder_ / "vacant" / "recordings");
  const auto vacant = vqas(nowhere + in("vacant"));
  EXPECT_NE(vacant.exit_code, kBadInput) << vacant.output;
  EXPECT_TRUE(fs::exists(folder_ / "vacant"));

  fs::create_directories(folder_ / "earlier" / "recordings");
  for (const char* name : {"results.json", "journal.jsonl", "recordings/a.flac"})
    std::ofstream(folder_ / "earlier" / name) << "kept";
  EXPECT_EQ(vqas(nowhere + in("earlier")).exit_code, kBadInput);
  EXPECT_NE(vqas(nowhere + in("earlier") + " --force").exit_code, 0);
  for (const char* name : {"results.json", "journal.jsonl", "recordings/a.flac"})
    EXPECT_TRUE(fs::exists(folder_ / "earlier" / name)) << name;
}

TEST_F(Commands, SeedsAreWholeNumbersOf64Bits) {
  const std::string node = "node --end a --line sim:127.0.0.1:9/a --data " + in("n");
  const std::string measure = "measure --node-a ws://127.0.0.1:9 --node-b ws://127.0.0.1:9 --out " + in("seed");
  for (const std::string& command :
       {"quickstart " + in("seed"), measure, std::string("sim"), "channel " + speech() + " " + in("out.wav"), node}) {
    for (const std::string seed :
         {"-3", "99999999999999999999999", "18446744073709551616", "1.5", "x", "0x10", "\"\""}) {
      const auto run = vqas(command + " --seed " + seed);
      EXPECT_EQ(run.exit_code, kUsage) << command << " " << seed << "\n" << run.output;
      EXPECT_THAT(run.output, HasSubstr("--seed")) << command;
    }
  }
  EXPECT_FALSE(fs::exists(folder_ / "seed"));
  EXPECT_FALSE(fs::exists(folder_ / "out.wav"));
  EXPECT_EQ(vqas("channel " + speech() + " " + in("most.wav") + " --seed 18446744073709551615").exit_code, 0);
}

TEST_F(Commands, AnUnknownWordIsNamed) {
  const auto expect = [](const std::string& arguments, const std::string& text) {
    const auto run = vqas(arguments);
    EXPECT_EQ(run.exit_code, kUsage) << arguments << "\n" << run.output;
    EXPECT_THAT(run.output, HasSubstr(text)) << arguments;
  };
  expect("nonsense", "\"nonsense\" is not a command of vqas");
  expect("--nonsense", "\"--nonsense\" is not an option of vqas");
  expect("corpus nonsense", "\"nonsense\" is not a command of vqas corpus");
  expect("score --nonsense", "\"--nonsense\" is not an option of vqas score");
  expect("score a b c", "not expected: c");
  expect("score " + speech(), "DEG");
  expect("score " + speech() + " " + speech() + " --degraded-channel 0",
         "0 is out of range; give a whole number of 1 to 64");
  expect("quickstart " + in("q") + " --cap x", "x is not a whole number");
}

TEST_F(Commands, FaultsAreReportedWithACure) {
  const auto expect = [](const std::string& arguments, const std::string& text) {
    const auto run = vqas(arguments);
    EXPECT_EQ(run.exit_code, kBadInput) << arguments << "\n" << run.output;
    EXPECT_THAT(run.output, HasSubstr(text)) << arguments;
    EXPECT_THAT(run.output, Not(HasSubstr("json.exception"))) << arguments;
  };
  expect("sim --conditions '{bad'", "not valid JSON; give it");
  expect("sim --conditions '{}'", "not complete");
  expect("score '' " + speech(), "the name of a recording is empty");
  expect("score " + in("empty.wav") + " " + speech(), "is empty; record or copy it again");
  expect("score " + in("nan.wav") + " " + speech(), "export the recording again");
  expect("quickstart " + in("q") + " --stimuli M1,M1", "M1 is named twice");
  expect("quickstart " + in("q") + " --delay-s 0", "needs 0.05 to 10 s");
  expect("quickstart " + in("q") + " --delay-s 11", "needs 0.05 to 10 s");
  expect("quickstart '' --stimuli M1", "the name of the folder for the results is empty");
  const auto refused = vqas("quickstart /proc/foo");
  EXPECT_EQ(refused.exit_code, kIo) << refused.output;
  EXPECT_THAT(refused.output, HasSubstr("name a folder that you may write to"));
}

TEST_F(Commands, CorpusBuildRefusesAFolderThatHoldsSomethingElse) {
  fs::create_directories(folder_ / "album");
  std::ofstream(folder_ / "album" / "holiday.txt") << "keep me";
  const auto run = vqas("corpus build " + in("album"));
  EXPECT_EQ(run.exit_code, kBadInput) << run.output;
  EXPECT_THAT(run.output, HasSubstr("--force"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "album"), {}), 1);
}

TEST_F(Commands, ScoreHasTheNamesOfResultsJson) {
  const auto run = vqas("score --json " + speech() + " " + speech());
  EXPECT_THAT(run.output, HasSubstr("\"reason\": null"));
  EXPECT_THAT(run.output, HasSubstr("\"against\": "));
  EXPECT_THAT(run.output, HasSubstr("\"sigmas\": 1"));
  EXPECT_THAT(run.output, Not(HasSubstr("\"label\"")));
  const std::size_t length = run.output.find("\"length_s\": ");
  ASSERT_NE(length, std::string::npos);
  const std::string number = run.output.substr(length + 12, run.output.find_first_of(",\n}", length) - length - 12);
  EXPECT_LE(number.size(), std::string(" 12.345").size()) << number;
}

TEST_F(Commands, ServicesStoppedByTheirUserSucceed) {
  const std::string sim = std::string("timeout --preserve-status -s INT 1 ") + test::vqas_command() + " sim";
  EXPECT_EQ(test::run_command(sim).exit_code, 0);
}

TEST_F(Commands, QuickstartScriptShowsTheHelpOfTheCommand) {
  const auto script = test::run_command(std::string(test::source_dir()) + "/tools/quickstart --help");
  EXPECT_EQ(script.exit_code, 0);
  const std::size_t own = script.output.find('\n') + 1;  // one line on the script's own option
  EXPECT_THAT(script.output.substr(0, own), HasSubstr("--gui"));
  EXPECT_EQ(script.output.substr(own), vqas("quickstart --help").output);
}

TEST_F(Commands, QuickstartNeverOverwritesAnotherFolder) {
  fs::create_directories(folder_ / "photos");
  std::ofstream(folder_ / "photos" / "holiday.txt") << "keep me";
  const auto run = vqas("quickstart " + in("photos") + " --stimuli M1 --cap 5");
  EXPECT_EQ(run.exit_code, kBadInput) << run.output;
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "photos"), {}), 1);
}

TEST_F(Commands, ReportRefusesAFolderWithoutARun) {
  EXPECT_EQ(vqas("report " + in("gone")).exit_code, kBadInput);
  EXPECT_EQ(vqas("report " + folder_.string()).exit_code, kBadInput);
  fs::create_directories(folder_ / "damaged");
  std::ofstream(folder_ / "damaged" / "results.json") << "{\"schema\": [[[[";
  EXPECT_EQ(vqas("report " + in("damaged")).exit_code, kBadInput);
}

TEST_F(Commands, ReportThatStandardOutputCannotBeWritten) {
  const auto full = [](const std::string& arguments) {
    return test::run_command("{ " + std::string(test::vqas_command()) + " " + arguments + " 2>&3 > /dev/full; } 3>&1");
  };
  for (const std::string& arguments :
       {"score " + speech() + " " + speech(), std::string("plan new"), std::string("channel profiles"),
        std::string("--help"), std::string("--version")}) {
    const auto run = full(arguments);
    EXPECT_EQ(run.exit_code, kIo) << arguments;
    EXPECT_THAT(run.output, HasSubstr("cannot write standard output: No space left on device")) << arguments;
  }
  EXPECT_EQ(full("score " + speech() + " " + in("missing.wav")).exit_code, kBadInput);
  // A token that was not printed is removed.
  const std::string of_node = " --data " + in("node");
  EXPECT_EQ(full("node token add anna" + of_node).exit_code, kIo);
  EXPECT_EQ(vqas("node token list" + of_node).output, "");
  EXPECT_EQ(vqas("node token add anna" + of_node).exit_code, 0);
}

TEST_F(Commands, HelpOfAnUnknownCommandIsRefused) {
  const auto run = vqas("compare --help");
  EXPECT_EQ(run.exit_code, kUsage);
  EXPECT_THAT(run.output, HasSubstr("\"compare\" is not a command of vqas"));
  EXPECT_EQ(vqas("results copmare --help").exit_code, kUsage);
  EXPECT_EQ(vqas("results compare --help").exit_code, 0);
  EXPECT_EQ(vqas("--help").exit_code, 0);
  EXPECT_EQ(vqas("score --help").exit_code, 0);
}

}  // namespace
}  // namespace vqas
