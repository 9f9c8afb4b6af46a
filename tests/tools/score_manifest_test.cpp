// vqas score --manifest: every row accounted for, whatever the manifest holds and whenever the batch is killed.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sndfile.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/exit_codes.h"
#include "support/places.h"
#include "support/process.h"
#include "support/temporary_folder.h"
#include "support/wait_until.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using test::kBadInput;
using test::kCancelled;
using test::kIo;
using test::kNotMeasured;
using test::kUsage;

class ScoreManifest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder() / "sub");
    for (const char* name : {"M1", "F2"}) {
      fs::copy_file(fs::path(test::source_dir()) / "corpus/8k" / (std::string(name) + ".wav"),
                    folder() / "sub" / (std::string(name) + ".wav"));
    }
    fs::copy_file(fs::path(test::source_dir()) / "corpus/16k/M1.wav", folder() / "sub" / "M1-16k.wav");
  }
  fs::path folder() const { return temporary_.path(); }
  std::string in(const std::string& name) const { return (folder() / name).string(); }
  void write(const std::string& name, const std::string& text) const { test::write_text(folder() / name, text); }
  std::string text(const std::string& name) const { return test::read_text(folder() / name); }
  std::vector<std::string> lines(const std::string& name) const {
    std::vector<std::string> result;
    std::istringstream all(text(name));
    for (std::string line; std::getline(all, line);) result.push_back(line);
    return result;
  }
  test::CommandRun score(const std::string& manifest, const std::string& out, const std::string& more = "") const {
    return test::run_command(
        fmt::format("{} score --manifest '{}' --out '{}' {}", test::vqas_command(), in(manifest), in(out), more));
  }
  /// Starts a batch and does not wait for it.
  pid_t start(const std::string& manifest, const std::string& out) const {
    const std::string from = in(manifest);
    const std::string to = in(out);
    const pid_t child = ::fork();
    if (child == 0) {
      const int nothing = ::open("/dev/null", O_RDWR);
      ::dup2(nothing, STDOUT_FILENO);
      ::dup2(nothing, STDERR_FILENO);
      ::execl(test::vqas_command(), test::vqas_command(), "score", "--manifest", from.c_str(), "--out", to.c_str(),
              "--jobs", "2", nullptr);
      ::_exit(127);
    }
    return child;
  }
  void wait_for_rows(const std::string& out, std::ptrdiff_t rows) const {
    EXPECT_TRUE(test::wait_until([&] { return std::ranges::count(text(out), '\n') > rows; }, std::chrono::seconds(60),
                                 std::chrono::milliseconds(1)));
  }
  std::string many_pairs(int pairs) const {
    std::string manifest = "k,reference,degraded\n";
    for (int k = 0; k < pairs; ++k)
      manifest += fmt::format("{0},sub/{1}.wav,sub/{1}.wav\n", k, k % 3 == 0 ? "F2" : "M1");
    return manifest;
  }

  test::TemporaryFolder temporary_;
};

TEST_F(ScoreManifest, AddsTheColumnsAndCarriesTheOthersThrough) {
  write("pairs.csv",
        "\xEF\xBB\xBFlabel,reference,degraded,\"a, \"\"note\"\"\"\r\n"
        "3.1,sub/M1.wav,sub/M1-16k.wav,\"two\r\nlines\"\r\n"
        "\r\n"
        " 2 ,sub/F2.wav,sub/F2.wav,\r\n");
  const auto run = score("pairs.csv", "scores.csv");
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_THAT(run.output, Not(HasSubstr("\x1b"))) << "no progress without a terminal";
  const std::string scores = text("scores.csv");
  EXPECT_THAT(scores, StartsWith("label,reference,degraded,\"a, \"\"note\"\"\",outcome,mos_lqo,auditory_distance,"
                                 "delay_ms,clock_drift_ppm,level_difference_db,confidence,impairment,error"));
  EXPECT_THAT(scores, HasSubstr("\n3.1,sub/M1.wav,sub/M1-16k.wav,\"two\r\nlines\",scored,4."));
  EXPECT_THAT(scores, HasSubstr("\n 2 ,sub/F2.wav,sub/F2.wav,,scored,4.5500,0.0000,"));
}

TEST_F(ScoreManifest, AutoGivesEachPairTheModelOfItsRatesAndABatchKeepsItsMode) {
  write("pairs.csv",
        "reference,degraded\nsub/M1.wav,sub/M1.wav\nsub/M1-16k.wav,sub/M1-16k.wav\nsub/M1-16k.wav,sub/M1.wav\n");
  const auto run = score("pairs.csv", "scores.csv", "--no-impairments --mode auto");
  EXPECT_THAT(run.output, HasSubstr("1 scores are MOS-LQOW (wideband), 2 MOS-LQON"));
  EXPECT_THAT(run.output, HasSubstr("never average or compare the two"));
  const auto rows = lines("scores.csv");
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_THAT(rows[1], HasSubstr(",vqas-nb-"));
  EXPECT_THAT(rows[2], HasSubstr(",scored,4.6439,0.0000,"));
  EXPECT_THAT(rows[2], HasSubstr(",vqas-wb-"));
  EXPECT_THAT(rows[3], HasSubstr(",vqas-nb-"));
  // The same command finds its rows; another mode made none of them.
  EXPECT_THAT(score("pairs.csv", "scores.csv", "--no-impairments --mode auto").output,
              HasSubstr("3 were there already"));
  const auto told = score("pairs.csv", "scores.csv", "--no-impairments --mode auto --json").output;
  EXPECT_EQ(nlohmann::json::parse(told)["scored_by_mode"], (nlohmann::json{{"nb", 2}, {"wb", 1}}));
  EXPECT_EQ(score("pairs.csv", "scores.csv", "--no-impairments").exit_code, kBadInput);
  const auto narrow = score("pairs.csv", "narrow.csv", "--no-impairments");
  EXPECT_THAT(narrow.output, Not(HasSubstr("MOS-LQOW")));
  EXPECT_THAT(lines("narrow.csv")[2], HasSubstr(",scored,4.5500,0.0000,"));
}

TEST_F(ScoreManifest, ABadPairNeverStopsTheBatch) {
  write("empty.wav", "");
  write("text.wav", "no recording");
  write("pairs.csv", std::string("reference,degraded\n"
                                 "sub/M1.wav,gone.wav\n"
                                 "empty.wav,sub/M1.wav\n"
                                 "sub/M1.wav,text.wav\n"
                                 "sub/M1.wav,sub\n"
                                 ",sub/M1.wav\n"
                                 "sub/M1.wav\n"
                                 "sub/M1.wav,sub/M1.wav,sub/M1.wav\n"
                                 "sub/M1.wav,sub/M1.wav") +
                         '\0' +
                         ".txt\n"
                         "sub/M1.wav,sub/F2.wav\n"
                         "sub/M1.wav,sub/M1.wav");
  const auto run = score("pairs.csv", "scores.csv");
  EXPECT_EQ(run.exit_code, kNotMeasured);
  EXPECT_THAT(run.output, HasSubstr("10 of 10 pairs are in"));
  EXPECT_THAT(run.output, HasSubstr("1 with a score"));
  const auto rows = lines("scores.csv");
  ASSERT_EQ(rows.size(), 11U);
  for (std::size_t k = 1; k <= 8; ++k) EXPECT_THAT(rows[k], HasSubstr(",bad_input,,")) << k;
  EXPECT_THAT(rows[1], HasSubstr("gone.wav"));
  EXPECT_THAT(rows[6], HasSubstr("1 fields, but the manifest's header has 2"));
  EXPECT_THAT(rows[9], HasSubstr(",not_aligned,,"));
  EXPECT_THAT(rows[10], HasSubstr(",scored,4.5500,"));
}

TEST_F(ScoreManifest, WithoutImpairmentsTheScoresAreTheSameAndTheColumnsAreFewer) {
  write("pairs.csv", "reference,degraded\nsub/M1.wav,sub/M1.wav\nsub/M1.wav,sub/F2.wav\nsub/F2.wav,sub/F2.wav\n");
  score("pairs.csv", "all.csv");
  const auto run = score("pairs.csv", "few.csv", "--no-impairments");
  EXPECT_THAT(run.output, HasSubstr("3 of 3 pairs are in"));
  const auto all = lines("all.csv");
  const auto few = lines("few.csv");
  ASSERT_EQ(few.size(), 4U);
  EXPECT_EQ(few.front(),
            "reference,degraded,outcome,mos_lqo,auditory_distance,delay_ms,clock_drift_ppm,level_difference_db,"
            "confidence,error,score_version,made_from");
  for (std::size_t k = 1; k < few.size(); ++k) {
    const std::size_t same =
        few[k].find(",not_aligned,") != std::string::npos ? few[k].find(",not_aligned,") : few[k].rfind(",,");
    EXPECT_EQ(few[k].substr(0, same), all[k].substr(0, same)) << k;
  }
  // A batch begun without them continues without them, and not with them.
  EXPECT_EQ(score("pairs.csv", "few.csv").exit_code, kBadInput);
  const std::string before = text("few.csv");
  EXPECT_THAT(score("pairs.csv", "few.csv", "--no-impairments").output, HasSubstr("3 were there already"));
  EXPECT_EQ(text("few.csv"), before);
}

TEST_F(ScoreManifest, ADamagedManifestIsReportedBeforeAnythingIsScored) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "is empty"},
      {"\n\n", "blank lines"},
      {"reference,degraded\n", "names no pair"},
      {"reference;degraded\na;b\n", "separate its columns by commas"},
      {"reference,other\na,b\n", "no column degraded"},
      {"reference,degraded,reference\na,b,c\n", "twice"},
      {"reference,degraded,mos_lqo\na,b,3\n", "mos_lqo, which is a column of the scores"},
      {"reference,degraded\nsub/M1.wav,sub/M1.wav\n\"sub/M1.wav,sub/M1.wav\n", "row 3"},
      {"reference,degraded\nsub/M\"1.wav,b\n", "row 2"},
      {"reference,degraded\n\"" + std::string(3 << 20, 'x') + "\",b\n", "longer than 1 MiB"},
      {"\xFF\xFEr\0e\0", "UTF-16"},
  };
  for (const auto& [manifest, expected] : cases) {
    write("pairs.csv", manifest);
    const auto run = score("pairs.csv", "scores.csv");
    EXPECT_EQ(run.exit_code, kBadInput) << expected;
    EXPECT_THAT(run.output, HasSubstr(expected));
    EXPECT_THAT(run.output, HasSubstr("pairs.csv"));
    EXPECT_FALSE(fs::exists(in("scores.csv"))) << expected;
  }
  EXPECT_EQ(score("none.csv", "scores.csv").exit_code, kBadInput);
  EXPECT_EQ(score("sub", "scores.csv").exit_code, kBadInput);
}

TEST_F(ScoreManifest, ADashIsNotAFile) {
  write("pairs.csv", "reference,degraded\nsub/M1.wav,sub/M1.wav\n");
  const std::string command = fmt::format("cd '{}' && {} score ", folder().string(), test::vqas_command());
  const auto out = test::run_command(command + "--manifest pairs.csv --out -");
  EXPECT_EQ(out.exit_code, kBadInput);
  EXPECT_THAT(out.output, HasSubstr("standard output; name a file"));
  EXPECT_FALSE(fs::exists(in("-")));
  fs::copy_file(in("pairs.csv"), in("-"));
  const auto manifest = test::run_command(command + "--manifest - --out scores.csv");
  EXPECT_EQ(manifest.exit_code, kBadInput);
  EXPECT_THAT(manifest.output, HasSubstr("standard input; name a file"));
}

TEST_F(ScoreManifest, BlanksAroundAPathAreNamed) {
  write("pairs.csv", "reference,degraded\nsub/M1.wav, sub/M1.wav\n");
  EXPECT_EQ(score("pairs.csv", "scores.csv").exit_code, kNotMeasured);
  EXPECT_THAT(text("scores.csv"), HasSubstr("the field degraded has blanks around the path"));
  fs::create_directories(folder() / " sub");
  fs::copy_file(in("sub/M1.wav"), in(" sub/M1.wav"));
  EXPECT_EQ(score("pairs.csv", "again.csv").exit_code, 0) << "a blank may belong to a name";
  write("pairs.csv", "reference, degraded\nsub/M1.wav,sub/M1.wav\n");
  EXPECT_THAT(score("pairs.csv", "none.csv").output, HasSubstr("blanks around its column degraded"));
}

TEST_F(ScoreManifest, SaysWhenABatchWasBegunWithOtherColumns) {
  write("pairs.csv", "reference,degraded\nsub/M1.wav,sub/M1.wav\n");
  score("pairs.csv", "short.csv", "--no-impairments");
  score("pairs.csv", "long.csv");
  const auto with = score("pairs.csv", "short.csv");
  EXPECT_EQ(with.exit_code, kBadInput);
  EXPECT_THAT(with.output, HasSubstr("was begun with --no-impairments: give it again"));
  EXPECT_THAT(score("pairs.csv", "long.csv", "--no-impairments").output,
              HasSubstr("begun without --no-impairments: leave it out"));
}

TEST_F(ScoreManifest, TheBytesAreTheSameForAnyNumberOfJobs) {
  std::string manifest = many_pairs(23) + "x,gone.wav,sub/M1.wav\ny,sub/M1.wav,sub/F2.wav\n";
  write("pairs.csv", manifest);
  for (const int jobs : {1, 2, 7, 100}) score("pairs.csv", fmt::format("{}.csv", jobs), fmt::format("--jobs {}", jobs));
  EXPECT_EQ(lines("1.csv").size(), 26U);
  for (const int jobs : {2, 7, 100}) EXPECT_EQ(text("1.csv"), text(fmt::format("{}.csv", jobs))) << jobs;
}

TEST_F(ScoreManifest, ContinuesAfterAKillWithoutALostOrRepeatedRow) {
  write("pairs.csv", many_pairs(600));
  ASSERT_EQ(score("pairs.csv", "whole.csv").exit_code, 0);
  for (const int rows : {5, 100}) {
    const pid_t child = start("pairs.csv", "killed.csv");
    wait_for_rows("killed.csv", rows);
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it ended before it was killed";
    ASSERT_THAT(text("whole.csv"), StartsWith(text("killed.csv")));
    ASSERT_GT(lines("killed.csv").size(), static_cast<std::size_t>(rows));
  }
  const auto run = score("pairs.csv", "killed.csv", "--json");
  EXPECT_EQ(run.exit_code, 0);
  const auto summary = nlohmann::json::parse(run.output);
  EXPECT_GE(summary["found"], 100);
  EXPECT_EQ(summary["written"], 600);
  EXPECT_EQ(summary["scored"], 600);
  EXPECT_EQ(text("killed.csv"), text("whole.csv"));
  EXPECT_EQ(score("pairs.csv", "killed.csv").exit_code, 0);
  EXPECT_EQ(text("killed.csv"), text("whole.csv")) << "a finished batch has nothing to do";
}

TEST_F(ScoreManifest, ContinuesAfterARowWithAnEmptyPathWhenItsFolderHasChanged) {
  write("pairs.csv", "reference,degraded\nsub/M1.wav,\nsub/M1.wav,sub/M1.wav\n");
  score("pairs.csv", "scores.csv");
  const std::string before = text("scores.csv");
  write("another.txt", "a file beside the manifest");
  const auto again = score("pairs.csv", "scores.csv");
  EXPECT_THAT(again.output, HasSubstr("2 were there already"));
  EXPECT_EQ(text("scores.csv"), before);
}

TEST_F(ScoreManifest, ContinuesFromAnyByteAtWhichTheFileWasCutOff) {
  write("pairs.csv", "reference,degraded,\"no\nte\"\nsub/M1.wav,sub/M1.wav,\"a\nb\"\nsub/F2.wav,gone.wav,c\n");
  score("pairs.csv", "whole.csv");
  const std::string whole = text("whole.csv");
  for (std::size_t length = 0; length <= whole.size(); length += 7) {
    write("cut.csv", whole.substr(0, length));
    EXPECT_EQ(score("pairs.csv", "cut.csv", "--jobs 1").exit_code, kNotMeasured) << length;
    EXPECT_EQ(text("cut.csv"), whole) << length;
  }
}

TEST_F(ScoreManifest, NeverChangesAFileThatIsNotItsOwn) {
  write("pairs.csv", many_pairs(3));
  score("pairs.csv", "scores.csv");
  const std::string scores = text("scores.csv");
  std::string other_version = scores;
  for (std::size_t at = 0; (at = other_version.find("vqas-nb-", at)) != std::string::npos; at += 8)
    other_version.replace(at, 8, "vqas-xx-");
  for (const std::string& content :
       {std::string("something else"), many_pairs(3), scores + scores, scores + "3,garbage\n", other_version,
        scores.substr(0, scores.size() / 2) + "\"" + scores.substr(scores.size() / 2)}) {
    write("other.csv", content);
    const auto run = score("pairs.csv", "other.csv");
    EXPECT_EQ(run.exit_code, kBadInput) << run.output << content;
    EXPECT_THAT(run.output, HasSubstr("nothing was changed"));
    EXPECT_EQ(text("other.csv"), content);
  }
  EXPECT_EQ(score("pairs.csv", "pairs.csv").exit_code, kBadInput);
  EXPECT_EQ(text("pairs.csv"), many_pairs(3));
  EXPECT_EQ(score("pairs.csv", "no/such/folder.csv").exit_code, kIo);
}

TEST_F(ScoreManifest, RowsOfOtherChannelsOrFilesAreNotContinued) {
  Signal stereo = *read_audio(in("sub/M1.wav"));
  SF_INFO info{};
  info.samplerate = stereo.rate_hz;
  info.channels = 2;
  info.format = SF_FORMAT_WAV | SF_FORMAT_FLOAT;
  std::vector<float> frames;
  for (const float sample : stereo.samples) frames.insert(frames.end(), {sample, std::clamp(sample, -0.01F, 0.01F)});
  SNDFILE* file = sf_open(in("both.wav").c_str(), SFM_WRITE, &info);
  ASSERT_EQ(sf_writef_float(file, frames.data(), static_cast<sf_count_t>(stereo.size())),
            static_cast<sf_count_t>(stereo.size()));
  sf_close(file);
  write("pairs.csv", "reference,degraded\nsub/M1.wav,both.wav\nsub/M1.wav,both.wav\nsub/M1.wav,gone.wav\n");
  ASSERT_EQ(score("pairs.csv", "whole.csv", "--degraded-channel 1").exit_code, kNotMeasured);
  const std::string whole = text("whole.csv");
  const auto rows = lines("whole.csv");
  const std::string begun = rows[0] + "\n" + rows[1] + "\n";

  write("scores.csv", begun);
  const auto other_channel = score("pairs.csv", "scores.csv", "--degraded-channel 2");
  EXPECT_EQ(other_channel.exit_code, kBadInput);
  EXPECT_THAT(other_channel.output, HasSubstr("row 2 was made with other channels, or its recordings have changed"));
  EXPECT_EQ(text("scores.csv"), begun);
  EXPECT_EQ(score("pairs.csv", "scores.csv", "--degraded-channel 1").exit_code, kNotMeasured);
  EXPECT_EQ(text("scores.csv"), whole);

  // One is replaced by one of the same size, and one was missing at first.
  fs::last_write_time(in("sub/M1.wav"), fs::last_write_time(in("sub/M1.wav")) + std::chrono::milliseconds(5));
  EXPECT_EQ(score("pairs.csv", "scores.csv", "--degraded-channel 1").exit_code, kBadInput);
  fs::last_write_time(in("sub/M1.wav"), fs::last_write_time(in("sub/M1.wav")) - std::chrono::milliseconds(5));
  fs::copy_file(in("sub/M1.wav"), in("gone.wav"));
  const auto came = score("pairs.csv", "scores.csv", "--degraded-channel 1");
  EXPECT_EQ(came.exit_code, kBadInput);
  EXPECT_THAT(came.output, HasSubstr("row 4"));
  EXPECT_EQ(text("scores.csv"), whole);
}

TEST_F(ScoreManifest, APipeInPlaceOfARecordingDoesNotStopTheBatch) {
  ASSERT_EQ(::mkfifo(in("pipe.wav").c_str(), 0600), 0);
  write("pairs.csv", "reference,degraded\nsub/M1.wav,pipe.wav\npipe.wav,sub/M1.wav\nsub/M1.wav,sub/M1.wav\n");
  const auto run = score("pairs.csv", "scores.csv");
  EXPECT_EQ(run.exit_code, kNotMeasured);
  EXPECT_THAT(run.output, HasSubstr("3 of 3 pairs are in"));
  EXPECT_THAT(lines("scores.csv")[1], HasSubstr("pipe.wav: is a pipe or a device, not a file"));
  EXPECT_THAT(lines("scores.csv")[3], HasSubstr(",scored,4.5500,"));
}

TEST_F(ScoreManifest, ASecondSignalDoesNotWaitForThePairInProgress) {
  // Half an hour of sound, which takes a second or more to score.
  Signal speech = *read_audio(in("sub/M1.wav"));
  const std::vector<float> once = speech.samples;
  while (speech.seconds() < 1800) speech.samples.insert(speech.samples.end(), once.begin(), once.end());
  ASSERT_TRUE(write_audio(in("long.wav"), speech, AudioFormat::wav16));
  write("pairs.csv", "reference,degraded\nlong.wav,long.wav\n");
  const pid_t child = start("pairs.csv", "scores.csv");
  wait_for_rows("scores.csv", 0);
  int status = 0;
  pid_t ended = 0;
  while (ended == 0) {
    ::kill(child, SIGTERM);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ended = ::waitpid(child, &status, WNOHANG);
  }
  ASSERT_EQ(ended, child);
  EXPECT_TRUE(WIFSIGNALED(status)) << "it continued to the end of the pair";
  EXPECT_EQ(lines("scores.csv").size(), 1U);
}

TEST_F(ScoreManifest, AnInterruptKeepsFinishedRowsAndSaysSo) {
  write("pairs.csv", many_pairs(3000));
  const pid_t child = start("pairs.csv", "scores.csv");
  wait_for_rows("scores.csv", 3);
  ::kill(child, SIGINT);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), kCancelled);
  const std::string kept = text("scores.csv");
  EXPECT_EQ(kept.back(), '\n');
  EXPECT_LT(std::count(kept.begin(), kept.end(), '\n'), 3001);
}

TEST_F(ScoreManifest, MemoryDoesNotGrowWithThePairs) {
  const auto peak_kib = [&](int pairs) {
    std::string manifest = "note,reference,degraded\n";
    for (int k = 0; k < pairs; ++k) manifest += fmt::format("{},gone.wav,gone.wav\n", std::string(100, 'n'));
    write("pairs.csv", manifest);
    fs::remove(in("scores.csv"));
    const pid_t child = start("pairs.csv", "scores.csv");
    int status = 0;
    struct rusage usage {};
    EXPECT_EQ(::wait4(child, &status, 0, &usage), child);
    EXPECT_EQ(lines("scores.csv").size(), static_cast<std::size_t>(pairs) + 1);
    return usage.ru_maxrss;
  };
  // Kept in memory, the rows of the large manifest alone would take more than 10 MiB.
  const long small = peak_kib(100);
  EXPECT_LT(peak_kib(40000), small + 4096);
}

TEST_F(ScoreManifest, OptionsThatDoNotFitTogetherAreRefused) {
  const std::string command = std::string(test::vqas_command()) + " score ";
  for (const char* arguments : {"", "a.wav", "--manifest a.csv", "--out b.csv", "--jobs 2 a.wav b.wav",
                                "--manifest a.csv --out b.csv a.wav b.wav", "--manifest a.csv --out b.csv --jobs 0"}) {
    EXPECT_EQ(test::run_command(command + arguments).exit_code, kUsage) << arguments;
  }
}

}  // namespace
}  // namespace vqas
