// vqas score on a pair of files: what it prints, explains and draws.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>

#include "support/exit_codes.h"
#include "support/float_wav.h"
#include "support/places.h"
#include "support/process.h"
#include "support/temporary_folder.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/resample.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using test::kBadInput;
using test::kNotMeasured;

class ScoreCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto speech = read_audio(kReference);
    ASSERT_TRUE(speech);
    speech_ = *speech;
    Signal cut = speech_;
    std::fill(cut.samples.begin(), cut.samples.begin() + static_cast<std::ptrdiff_t>(cut.size() / 4), 0.0F);
    write("cut.wav", cut);
  }
  std::string in(const std::string& name) const { return (temporary_.path() / name).string(); }
  void write(const std::string& name, const Signal& signal) const {
    ASSERT_TRUE(write_audio(in(name), signal, AudioFormat::wav16));
  }
  std::string text(const std::string& name) const { return test::read_text(in(name)); }
  test::CommandRun score(const std::string& degraded, const std::string& more = "") const {
    return test::run_command(
        fmt::format("{} score '{}' '{}' {}", test::vqas_command(), kReference.string(), in(degraded), more));
  }

  const fs::path kReference = fs::path(test::source_dir()) / "corpus/8k/M5.wav";
  Signal speech_;
  test::TemporaryFolder temporary_;
};

TEST_F(ScoreCommand, PrintsTheIndicesAndTheImpairmentBesideTheScore) {
  const auto run = score("cut.wav");
  EXPECT_EQ(run.exit_code, 0) << run.output;
  for (const char* line :
       {"MOS-LQON ", "Confidence ", "Band received ", "Missing speech ", "Level track ", "cut off"}) {
    EXPECT_THAT(run.output, HasSubstr(line));
  }
  write("same.wav", speech_);
  EXPECT_THAT(score("same.wav").output, HasSubstr("none found"));
}

TEST_F(ScoreCommand, IsNarrowbandUnlessAskedForTheOtherModelAndNamesItsScale) {
  const std::string wide = (fs::path(test::source_dir()) / "corpus/16k/M5.wav").string();
  const auto score_of = [](const std::string& reference, const std::string& degraded, const std::string& more) {
    return test::run_command(fmt::format("{} score '{}' '{}' {}", test::vqas_command(), reference, degraded, more));
  };
  EXPECT_THAT(score_of(wide, wide, "").output, StartsWith("MOS-LQON           4.55 "));
  EXPECT_THAT(score_of(wide, wide, "--mode wb").output, StartsWith("MOS-LQOW           4.64 "));
  EXPECT_THAT(score_of(wide, wide, "--mode auto").output, StartsWith("MOS-LQOW           4.64 "));
  EXPECT_THAT(score_of(kReference.string(), wide, "--mode auto").output, StartsWith("MOS-LQON "));
  const auto refused = score_of(kReference.string(), wide, "--mode wb --json");
  EXPECT_EQ(refused.exit_code, kBadInput);
  EXPECT_THAT(refused.output, HasSubstr("at least 16000 Hz"));
  const json result = json::parse(score_of(wide, wide, "--mode auto --json").output, nullptr, false);
  ASSERT_FALSE(result.is_discarded());
  EXPECT_EQ(result["score_mode"], "wb");
  EXPECT_EQ(result["score_version"], "vqas-wb-24");
  EXPECT_EQ(result["model_error"]["against"], "wideband P.862.2");
  EXPECT_EQ(result["most_confidence"], 0.89);
  EXPECT_EQ(json::parse(score("cut.wav", "--json").output, nullptr, false)["score_mode"], "nb");
  EXPECT_EQ(json::parse(score_of(wide, wide, "--json").output, nullptr, false)["score_version"], "vqas-nb-32");
}

TEST_F(ScoreCommand, WarnsThatARecordingOfATelephonesBandIsJudgedAsWideband) {
  const std::string wide = (fs::path(test::source_dir()) / "corpus/16k/M5.wav").string();
  const auto speech = read_audio(wide);
  ASSERT_TRUE(speech);
  write("narrow.wav", resample(resample(*speech, 8000).value(), 16000).value());
  const auto run =
      test::run_command(fmt::format("{} score '{}' '{}' --mode auto", test::vqas_command(), wide, in("narrow.wav")));
  EXPECT_THAT(run.output, AllOf(StartsWith("MOS-LQOW "), HasSubstr("Narrow band "), HasSubstr("--mode nb")));
  EXPECT_THAT(test::run_command(fmt::format("{0} score '{1}' '{1}' --mode auto", test::vqas_command(), wide)).output,
              Not(HasSubstr("Narrow band ")));
}

TEST_F(ScoreCommand, DividesTheLossInJsonAndInWords) {
  const json result = json::parse(score("cut.wav", "--json").output, nullptr, false);
  ASSERT_FALSE(result.is_discarded());
  double sum = 0;
  for (const json& part : result["loss_parts"]) sum += part["mos"].get<double>();
  EXPECT_NEAR(sum, 4.55 - result["mos_lqo"].get<double>(), 0.006);
  EXPECT_EQ(result["loss_parts"][0]["impairment"], "cut");
  EXPECT_THAT(score("cut.wav").output, HasSubstr("\nLost               "));
}

TEST_F(ScoreCommand, SaysThatTheCauseOfAnEchoWasNotRecognisedBeforeWhatCostsLess) {
  Signal echo = speech_;
  for (std::size_t n = 800; n < echo.size(); ++n) echo.samples[n] += 0.25F * speech_.samples[n - 800];
  write("echo.wav", echo);
  const json result = json::parse(score("echo.wav", "--json").output, nullptr, false);
  ASSERT_FALSE(result.is_discarded());
  ASSERT_FALSE(result["impairments"].empty()) << "coding is named";
  ASSERT_TRUE(result["unrecognised_cost_mos"].is_number());
  ASSERT_GT(result["unrecognised_cost_mos"].get<double>(), result["impairments"][0]["cost_mos"].get<double>());
  const std::string text = score("echo.wav").output;
  EXPECT_THAT(
      text, HasSubstr(fmt::format("\nImpairment         no impairment that is named explains {:.1f} MOS of the loss\n",
                                  result["unrecognised_cost_mos"].get<double>())));
}

TEST_F(ScoreCommand, TellsAClockThatCostsNothingApart) {
  Signal fast = speech_;
  fast.rate_hz = 8001;  // 125 ppm
  Signal slow = resample(fast, 8000).value();
  slow.rate_hz = 8000;
  write("clock.wav", slow);
  EXPECT_THAT(score("clock.wav").output,
              AllOf(HasSubstr("\nImpairment         none found that costs anything\n"),
                    HasSubstr("\nAlso seen          the delay changes; look for jitter, clocks that differ "
                              "and the play-out buffer (costs nothing)\n")));
}

TEST_F(ScoreCommand, ExplainsItselfInJson) {
  const auto run = score("cut.wav", "--json");
  const json result = json::parse(run.output, nullptr, false);
  ASSERT_FALSE(result.is_discarded()) << run.output.substr(0, 500);
  EXPECT_GT(result["indices"]["missing_ms"]["front"], 200);
  EXPECT_EQ(result["indices"]["missing_ms"]["tail"], 0);
  EXPECT_GT(result["indices"]["band_loss"]["high_hz"], 3000);
  EXPECT_TRUE(result["indices"]["level_track"].contains("range_db"));
  EXPECT_EQ(result["impairments"][0]["impairment"], "cut");
  EXPECT_FALSE(result["delay_track"].empty());
  const json& why = result["explanation"];
  EXPECT_NEAR(why["shares"]["changed"].get<double>() + why["shares"]["raised"].get<double>() +
                  why["shares"]["inserted"].get<double>(),
              1, 1e-3);
  EXPECT_FALSE(why["matched"].empty());
  EXPECT_FALSE(why["missing"].empty());
  const json& map = why["distance"];
  EXPECT_EQ(map["band_hz"].size(), 24U);
  EXPECT_NEAR(static_cast<double>(map["frames"].size()) * map["frame_s"].get<double>(), speech_.seconds(), 0.05);
  for (const json& frame : map["frames"]) ASSERT_EQ(frame.size(), 24U);
}

TEST_F(ScoreCommand, DrawsAPictureAsSvgOrPng) {
  EXPECT_EQ(score("cut.wav", "--plot " + in("why.svg")).exit_code, 0);
  EXPECT_THAT(text("why.svg"), HasSubstr("<svg"));
  EXPECT_THAT(text("why.svg"), HasSubstr("</svg>"));
  EXPECT_EQ(score("cut.wav", "--plot " + in("why.png")).exit_code, 0);
  EXPECT_THAT(text("why.png"), StartsWith("\x89PNG"));
  EXPECT_GT(text("why.png").size(), 20000U) << "two spectrograms are not so small";
}

TEST_F(ScoreCommand, DrawsAPairWithoutAScoreAndSaysSo) {
  Signal backwards = speech_;
  std::reverse(backwards.samples.begin(), backwards.samples.end());
  write("backwards.wav", backwards);
  const auto run = score("backwards.wav", "--plot " + in("why.png"));
  EXPECT_EQ(run.exit_code, kNotMeasured);
  EXPECT_THAT(run.output, HasSubstr("not_aligned"));
  EXPECT_THAT(text("why.png"), StartsWith("\x89PNG"));
  score("backwards.wav", "--plot " + in("why.svg"));
  const std::string picture = text("why.svg");
  const std::regex place(R"(<use [^>]* x="([0-9.]+)\")");
  int letters = 0;
  for (std::sregex_iterator at(picture.begin(), picture.end(), place), end; at != end; ++at, ++letters) {
    ASSERT_LT(std::stod((*at)[1]), 1195) << "the reason runs off the right edge of 1200";
  }
  EXPECT_GT(letters, 100);
}

TEST_F(ScoreCommand, RefusesAPictureThatItCannotDrawOrStore) {
  const auto named = score("cut.wav", "--plot " + in("why.gif"));
  EXPECT_EQ(named.exit_code, kBadInput);
  EXPECT_THAT(named.output, HasSubstr(".svg or .png"));
  const auto nowhere = score("cut.wav", "--plot " + in("no/such/folder/why.png"));
  EXPECT_NE(nowhere.exit_code, 0);
  EXPECT_THAT(nowhere.output, HasSubstr("why.png"));
}

TEST_F(ScoreCommand, ReportsAnUnusableFileInJsonAndThatNoPictureWasWritten) {
  std::ofstream(in("text.wav")) << "no recording";
  std::ofstream(in("old.png")) << "old";
  // In a shell of its own, so that stdout alone is read.
  const auto run =
      test::run_command(fmt::format("sh -c \"{} score '{}' '{}' --json --plot '{}' 2>'{}'\"", test::vqas_command(),
                                    kReference.string(), in("text.wav"), in("old.png"), in("errors")));
  EXPECT_EQ(run.exit_code, kBadInput);
  const json result = json::parse(run.output, nullptr, false);
  ASSERT_FALSE(result.is_discarded()) << run.output;
  EXPECT_EQ(result["outcome"], "bad_input");
  EXPECT_THAT(result["reason"].get<std::string>(), HasSubstr("text.wav"));
  EXPECT_TRUE(result["mos_lqo"].is_null());
  EXPECT_EQ(text("old.png"), "old");
  EXPECT_THAT(text("errors"), HasSubstr("old.png is from an earlier call"));
}

TEST_F(ScoreCommand, NamesAPictureOfAnEarlierCall) {
  std::ofstream(in("old.png")) << "old";
  write("silent.wav", Signal{std::vector<float>(16000, 0.0F), 8000});
  const auto run = test::run_command(fmt::format("{} score '{}' '{}' --plot '{}'", test::vqas_command(),
                                                 in("silent.wav"), in("cut.wav"), in("old.png")));
  EXPECT_EQ(run.exit_code, kNotMeasured) << run.output;
  EXPECT_THAT(run.output, HasSubstr("no picture was written"));
  EXPECT_THAT(run.output, HasSubstr("old.png is from an earlier call"));
}

TEST_F(ScoreCommand, RefusesASamplingRateThatCarriesNoSpeech) {
  for (const int rate_hz : {1, 10}) {
    std::vector<float> samples(static_cast<std::size_t>(rate_hz) * 200, 0.1F);
    const Signal slow{samples, rate_hz};
    write("slow.wav", slow);
    const auto run = test::run_command(
        fmt::format("timeout 20 {} score '{}' '{}'", test::vqas_command(), in("slow.wav"), in("cut.wav")));
    EXPECT_EQ(run.exit_code, kBadInput) << run.output;
    EXPECT_THAT(run.output, HasSubstr("sampling rate"));
  }
}

TEST_F(ScoreCommand, RefusesToSearchForAShortReferenceInAnHour) {
  Signal hour{std::vector<float>(static_cast<std::size_t>(700) * 8000), 8000};
  std::copy(speech_.samples.begin(), speech_.samples.end(), hour.samples.begin());
  write("hour.wav", hour);
  const auto run = score("hour.wav");
  EXPECT_EQ(run.exit_code, kBadInput);
  EXPECT_THAT(run.output, HasSubstr("lasts 700 s"));
  EXPECT_THAT(run.output, HasSubstr("cut out the part"));
}

TEST_F(ScoreCommand, ALongRecordingListsDifferencesAndTheVerdictLast) {
  Signal all{{}, speech_.rate_hz};
  while (all.seconds() < 260) all.samples.insert(all.samples.end(), speech_.samples.begin(), speech_.samples.end());
  write("long.wav", all);
  const auto at = [&](double seconds) {
    return all.samples.begin() + static_cast<std::ptrdiff_t>(seconds * all.rate_hz);
  };
  std::fill(at(60), at(75), 0.0F);
  all.samples.insert(at(150), static_cast<std::size_t>(all.rate_hz / 10), 0.0F);
  write("changed.wav", all);
  const auto run =
      test::run_command(fmt::format("{} score '{}' '{}'", test::vqas_command(), in("long.wav"), in("changed.wav")));
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("the delay steps by +100.0 ms, from 0.0 to 100.0 ms"));
  EXPECT_THAT(run.output, ::testing::ContainsRegex(" 58\\.[0-9] s to +76\\.[0-9] s  1\\.")) << "what was muted";
  EXPECT_THAT(run.output, ::testing::ContainsRegex("0 ms in front, 1[2-4][0-9]{3} ms in 1 gap, 0 ms at the end"));
  EXPECT_EQ(run.output.find("4.55  "), std::string::npos) << "a segment like the others";
  EXPECT_LT(std::count(run.output.begin(), run.output.end(), '\n'), 24) << run.output;
  EXPECT_GT(run.output.find("MOS-LQON"), run.output.find("the delay steps")) << run.output;
}

TEST_F(ScoreCommand, TheCureForAStereoFileWorksForShortAndLongRecordings) {
  for (const double seconds : {1.0, 125.0}) {
    Signal all{{}, speech_.rate_hz};
    do {
      all.samples.insert(all.samples.end(), speech_.samples.begin(), speech_.samples.end());
    } while (all.seconds() < seconds);
    std::vector<float> both;
    for (const float sample : all.samples) both.insert(both.end(), {sample, 0.0F});
    write("mono.wav", all);
    test::write_float(in("stereo.wav"), both, 2);
    const auto score_of = [&](const std::string& more) {
      return test::run_command(
          fmt::format("{} score '{}' '{}' {}", test::vqas_command(), in("mono.wav"), in("stereo.wav"), more));
    };
    const auto refused = score_of("");
    EXPECT_EQ(refused.exit_code, kBadInput);
    EXPECT_THAT(refused.output, AllOf(HasSubstr("stereo.wav: has 2 channels"),
                                      HasSubstr("--reference-channel and --degraded-channel choose for one recording")))
        << seconds;
    EXPECT_THAT(score_of("--channel 2").output, HasSubstr("mono.wav: has no channel 2; it has 1; --reference-channel"));
    EXPECT_THAT(score_of("--degraded-channel 1").output, HasSubstr("MOS-LQON           4.55")) << seconds;
  }
}

TEST_F(ScoreCommand, AFaultThatIsNoChannelHasNoCureForChannels) {
  EXPECT_THAT(score("my channel.wav").output,
              AllOf(HasSubstr("there is no such file"), Not(HasSubstr("--degraded-channel"))));
}

TEST_F(ScoreCommand, ScoresALongRecordingInSegments) {
  Signal all{{}, speech_.rate_hz};
  while (all.seconds() < 125) all.samples.insert(all.samples.end(), speech_.samples.begin(), speech_.samples.end());
  write("long.wav", all);
  std::fill(all.samples.end() - static_cast<std::ptrdiff_t>(40 * all.rate_hz), all.samples.end(), 0.0F);
  write("half.wav", all);
  const auto run = test::run_command(fmt::format("{} score '{}' '{}' --json --plot '{}'", test::vqas_command(),
                                                 in("long.wav"), in("half.wav"), in("why.png")));
  EXPECT_EQ(run.exit_code, 0) << run.output;
  const json result = json::parse(run.output, nullptr, false);
  ASSERT_FALSE(result.is_discarded()) << run.output.substr(0, 500);
  EXPECT_GE(result["segments"].size(), 6U);
  EXPECT_EQ(result["segments"].front()["mos_lqo"], 4.55);
  EXPECT_LT(result["segments"].back()["mos_lqo"], 1.5);
  EXPECT_GT(result["indices"]["missing_ms"]["tail"], 10000);
  EXPECT_THAT(text("why.png"), StartsWith("\x89PNG"));
}

}  // namespace
}  // namespace vqas
