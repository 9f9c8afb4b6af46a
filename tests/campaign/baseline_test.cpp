// The baseline: a run over the cabled ends, with which later runs are compared.
#include "vqas/campaign/baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/normal.h"
#include "support/places.h"
#include "support/process.h"
#include "support/sample_run.h"
#include "support/temporary_folder.h"
#include "vqas/report/report.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/level.h"

namespace vqas::cli {
namespace {

using Json = nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StrEq;

class BaselineTest : public ::testing::Test {
 protected:
  BaselineTest() {
    ::setenv("VQAS_BASELINE", (folder_.path() / "kept").c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    run_ = test::sample_run();
    run_.simulated.clear();
    run_.line = "audio:";
    run_.equipment = {{"a", "alsa USB Audio, 48000 Hz"}, {"b", "alsa USB Audio, 48000 Hz"}};
    run_.ended_because.clear();
    run_.corpus_digest = corpus_.digest();
    run_.finished_utc = "2026-10-01T12:00:00Z";
  }
  void store() const {
    std::filesystem::create_directories(folder_.path() / "run");
    ASSERT_TRUE(
        write_file_atomically(folder_.path() / "run/results.json", results_json(run_, current_provenance(run_.mode))));
  }
  void keep() const {
    store();
    const Status kept = keep_baseline(folder_.path() / "run", corpus_);
    ASSERT_TRUE(kept) << kept.error().message;
  }
  std::string refused() const {
    store();
    const Status kept = keep_baseline(folder_.path() / "run", corpus_);
    EXPECT_FALSE(kept);
    return kept ? "" : kept.error().message;
  }
  std::string sentence(const std::string& now = "2026-10-20T12:00:00Z") const {
    return baseline_sentence(run_, baseline_folder(), now);
  }
  void set_mode(ScoreMode mode) {
    run_.mode = mode;
    for (DirectionRun& direction : run_.directions) {
      for (StimulusRun& stimulus : direction.stimuli) {
        for (Measurement& one : stimulus.measurements) one.mode = mode;
      }
    }
  }
  void change_level(double db) {
    for (DirectionRun& direction : run_.directions) {
      for (StimulusRun& stimulus : direction.stimuli) {
        for (Measurement& one : stimulus.measurements) {
          if (one.level_difference_db) *one.level_difference_db += db;
        }
      }
    }
  }
  // The recording of each scored measurement: the stimulus 6 dB lower, with noise, and 0.5 s before and after.
  void record(double noise_dbov) {
    test::Normal noise(db_to_amplitude(noise_dbov), 7);
    std::filesystem::create_directories(folder_.path() / "run/recordings");
    for (DirectionRun& direction : run_.directions) {
      for (StimulusRun& stimulus : direction.stimuli) {
        const Signal sent = corpus_.recording(stimulus.stimulus).value();
        for (Measurement& one : stimulus.measurements) {
          if (!one.mos_lqo) continue;
          Signal heard;
          heard.samples.assign(4000, 0.0F);
          for (const float sample : sent.samples) heard.samples.push_back(sample / 2);
          heard.samples.resize(heard.samples.size() + 4000, 0.0F);
          for (float& sample : heard.samples) sample += static_cast<float>(noise());
          one.recording = std::string("recordings/") + name_of(direction.from) + "-" + stimulus.stimulus + "-" +
                          std::to_string(one.sequence) + ".flac";
          ASSERT_TRUE(write_audio(folder_.path() / "run" / one.recording, heard, AudioFormat::flac16));
        }
      }
    }
  }
  Json figures() const {
    std::ifstream file(baseline_folder() / "baseline.json");
    return Json::parse(file, nullptr, false);
  }
  Corpus corpus_ = Corpus::load(std::filesystem::path(test::source_dir()) / "corpus").value();
  test::TemporaryFolder folder_;
  RunResults run_;
};

TEST_F(BaselineTest, IsShownBesideALaterRunOfTheSameDevices) {
  keep();
  EXPECT_THAT(sentence(), AllOf(HasSubstr("baseline of 2026-10-01"), HasSubstr("a to b"), HasSubstr("b to a")));
  EXPECT_THAT(sentence(), Not(HasSubstr("measure a new one"))) << "nothing to warn of";
}

TEST_F(BaselineTest, HoldsMosByStimulusDelayNoiseResponseEquipmentAndDate) {
  record(-50);
  keep();
  const Json json = figures();
  EXPECT_EQ(json["measured_utc"], run_.finished_utc);
  EXPECT_EQ(json["equipment"]["a"], "alsa USB Audio, 48000 Hz");
  ASSERT_EQ(json["directions"].size(), 2U);
  const Json& forth = json["directions"][0];
  EXPECT_EQ(forth["from"], "a");
  EXPECT_NEAR(forth["mos_lqo"]["M1"].get<double>(), 4.1, 1e-9);
  EXPECT_NEAR(forth["mos_lqo"]["F5"].get<double>(), 3.5, 1e-9);
  EXPECT_NEAR(forth["delay_ms"].get<double>(), 250.0625, 1e-3);
  EXPECT_NEAR(forth["noise_dbov"].get<double>(), -50, 1);
  ASSERT_EQ(forth["response"].size(), 11U);
  for (const Json& band : forth["response"]) EXPECT_NEAR(band["gain_db"].get<double>(), -6, 1) << band;
  EXPECT_TRUE(json["directions"][1]["mos_lqo"]["F5"].is_null()) << "all of these failed";
  EXPECT_THAT(sentence(), AllOf(HasSubstr("noise -50 dBov"), HasSubstr("response 315 to 3150 Hz -6")));
}

TEST_F(BaselineTest, ADelayOfUnknownBasisIsNoFigure) {
  for (StimulusRun& stimulus : run_.directions.front().stimuli) {
    for (Measurement& one : stimulus.measurements) one.delay_basis = DelayBasis::unknown;
  }
  keep();
  const Json json = figures();
  EXPECT_TRUE(json["directions"][0]["delay_ms"].is_null());
  EXPECT_EQ(json["directions"][0]["delay_basis"], "unknown");
  EXPECT_NEAR(json["directions"][1]["delay_ms"].get<double>(), 250.0625, 1e-3);
}

// The command once printed them from a destroyed value, and ended by a signal.
TEST_F(BaselineTest, ItsFiguresArePrintedByTheCommand) {
  record(-50);
  store();
  const std::string command =
      std::string(test::vqas_command()) + " line baseline --corpus " + std::string(test::source_dir()) + "/corpus";
  const auto kept = test::run_command(command + " " + (folder_.path() / "run").string());
  EXPECT_EQ(kept.exit_code, 0) << kept.output;
  const auto shown = test::run_command(command);
  EXPECT_EQ(shown.exit_code, 0) << shown.output;
  for (const auto& said : {kept.output, shown.output}) {
    EXPECT_THAT(said, AllOf(HasSubstr("a to b"), HasSubstr("M1 4.10"), HasSubstr("F5 3.50"), HasSubstr("250.06 ms"),
                            HasSubstr("315 Hz"), HasSubstr("F5 none")));
  }
}

TEST_F(BaselineTest, OneOfAnotherCorpusIsRefused) {
  run_.corpus_digest = "0123";
  EXPECT_THAT(refused(), AllOf(HasSubstr("another corpus"), HasSubstr("--corpus")));
}

TEST_F(BaselineTest, AMissingOneIsReportedWithTheCure) {
  EXPECT_THAT(sentence(), AllOf(HasSubstr("no baseline"), HasSubstr("vqas line baseline")));
}

TEST_F(BaselineTest, OneOlderThanThirtyDaysIsReported) {
  keep();
  EXPECT_THAT(sentence("2026-10-31T11:00:00Z"), Not(HasSubstr("older")));
  EXPECT_THAT(sentence("2026-11-01T13:00:00Z"), HasSubstr("older than 30 days"));
}

TEST_F(BaselineTest, OneOfOtherDevicesIsReported) {
  keep();
  run_.equipment["b"] = "alsa Other, 44100 Hz";
  EXPECT_THAT(sentence(), HasSubstr("other devices"));
}

TEST_F(BaselineTest, OneAtAnotherLevelIsReported) {
  keep();
  change_level(2.5);
  EXPECT_THAT(sentence(), Not(HasSubstr("level")));
  change_level(2.5);
  EXPECT_THAT(sentence(), HasSubstr("its level was 5 dB lower"));
  change_level(-10);
  EXPECT_THAT(sentence(), HasSubstr("its level was 5 dB higher"));
}

TEST_F(BaselineTest, OneInWidebandNamesItsScale) {
  keep();
  EXPECT_FALSE(figures().contains("score_mode")) << "it is left out in narrowband";
  set_mode(ScoreMode::wideband);
  keep();
  EXPECT_EQ(figures()["score_mode"], "wb");
  EXPECT_THAT(sentence(), HasSubstr("baseline of 2026-10-01T12:00:00Z: MOS-LQOW a to b 3."));
}

TEST_F(BaselineTest, OneOfTheOtherScaleIsNamedWithoutItsMeans) {
  set_mode(ScoreMode::wideband);
  keep();
  set_mode(ScoreMode::narrowband);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("its scores are MOS-LQOW and cannot be compared with MOS-LQON"),
                                Not(HasSubstr("a to b 3."))));
}

TEST_F(BaselineTest, ASimulatedLineHasNone) {
  run_.equipment.clear();
  EXPECT_THAT(sentence(), StrEq(""));
  EXPECT_THAT(refused(), HasSubstr("not on a real line"));
}

TEST_F(BaselineTest, AnUnsuitableRunIsRefusedWithTheCure) {
  run_.ended_because = "the run was cancelled";
  EXPECT_THAT(refused(), AllOf(HasSubstr("not complete"), HasSubstr("cabled together")));
  run_.ended_because.clear();
  run_.directions.pop_back();
  EXPECT_THAT(refused(), HasSubstr("one direction only"));
}

TEST_F(BaselineTest, ADamagedOneIsReportedAndIsNotAnError) {
  keep();
  ASSERT_TRUE(write_file_atomically(folder_.path() / "kept/results.json", "{"));
  EXPECT_THAT(sentence(), HasSubstr("cannot be read"));
}

}  // namespace
}  // namespace vqas::cli
