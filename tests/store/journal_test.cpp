#include "vqas/store/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <limits>

#include "support/journals.h"
#include "support/sample_run.h"
#include "support/temporary_folder.h"
#include "vqas/channel/profile_library.h"
#include "vqas/channel/profile_text.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

class Journal : public ::testing::Test {
 protected:
  /// Writes a whole run without the line of the end.
  RunJournal write(const RunResults& run) {
    auto journal = RunJournal::create(folder(), run);
    EXPECT_TRUE(journal);
    for (const DirectionRun& direction : run.directions) {
      for (const StimulusRun& stimulus : direction.stimuli) {
        for (const Measurement& one : stimulus.measurements)
          EXPECT_TRUE(journal->append(direction.from, stimulus.stimulus, one));
      }
    }
    return std::move(*journal);
  }
  const std::filesystem::path& folder() const { return folder_.path(); }
  std::filesystem::path file() const { return folder() / kJournalFile; }
  std::string text() const { return test::read_text(file()); }

 private:
  test::TemporaryFolder folder_;
};

void expect_equal(const Measurement& got, const Measurement& wanted) {
  EXPECT_EQ(got.sequence, wanted.sequence);
  EXPECT_EQ(got.outcome, wanted.outcome);
  EXPECT_EQ(got.reason, wanted.reason);
  EXPECT_EQ(got.mos_lqo.has_value(), wanted.mos_lqo.has_value());
  EXPECT_NEAR(got.mos_lqo.value_or(0), wanted.mos_lqo.value_or(0), 5e-5);
  EXPECT_NEAR(got.auditory_distance.value_or(0), wanted.auditory_distance.value_or(0), 5e-5);
  EXPECT_NEAR(got.delay_ms.value_or(0), wanted.delay_ms.value_or(0), 5.1e-4);
  EXPECT_EQ(got.delay_basis, wanted.delay_basis);
  EXPECT_EQ(got.clock_drift_ppm, wanted.clock_drift_ppm);
  EXPECT_EQ(got.level_difference_db, wanted.level_difference_db);
  ASSERT_EQ(got.findings.has_value(), wanted.findings.has_value());
  if (wanted.findings) {
    EXPECT_EQ(got.findings->band_high_hz, wanted.findings->band_high_hz);
    ASSERT_EQ(got.findings->impairments.size(), wanted.findings->impairments.size());
    for (std::size_t i = 0; i < wanted.findings->impairments.size(); ++i) {
      EXPECT_EQ(got.findings->impairments[i].impairment, wanted.findings->impairments[i].impairment);
      EXPECT_EQ(got.findings->impairments[i].strength, wanted.findings->impairments[i].strength);
    }
  }
  // Exactly: with the recording it gives the same score again.
  ASSERT_EQ(got.placement.has_value(), wanted.placement.has_value());
  if (wanted.placement) {
    EXPECT_EQ(got.placement->start_samples, wanted.placement->start_samples);
    EXPECT_EQ(got.placement->clock_drift_ppm, wanted.placement->clock_drift_ppm);
  }
  EXPECT_EQ(got.marks_found, wanted.marks_found);
  EXPECT_EQ(got.leading_confidence, wanted.leading_confidence);
  EXPECT_EQ(got.trailing_confidence, wanted.trailing_confidence);
  EXPECT_EQ(got.delay_step_ms, wanted.delay_step_ms);
  ASSERT_EQ(got.placement.has_value(), wanted.placement.has_value());
  if (wanted.placement) {
    EXPECT_EQ(got.placement->uncertainty_s, wanted.placement->uncertainty_s);
    ASSERT_EQ(got.placement->step.has_value(), wanted.placement->step.has_value());
    if (wanted.placement->step) {
      EXPECT_EQ(got.placement->step->before_samples, wanted.placement->step->before_samples);
      EXPECT_EQ(got.placement->step->after_samples, wanted.placement->step->after_samples);
    }
  }
  EXPECT_EQ(got.recording, wanted.recording);
}

void expect_equal_measurements(const RunResults& got, const RunResults& wanted) {
  ASSERT_EQ(got.directions.size(), wanted.directions.size());
  for (std::size_t d = 0; d < got.directions.size(); ++d) {
    ASSERT_EQ(got.directions[d].stimuli.size(), wanted.directions[d].stimuli.size());
    for (std::size_t s = 0; s < got.directions[d].stimuli.size(); ++s) {
      const StimulusRun& one = got.directions[d].stimuli[s];
      const StimulusRun& other = wanted.directions[d].stimuli[s];
      ASSERT_EQ(one.measurements.size(), other.measurements.size());
      for (std::size_t i = 0; i < one.measurements.size(); ++i)
        expect_equal(one.measurements[i], other.measurements[i]);
      EXPECT_EQ(one.stopped_because, other.stopped_because);
      EXPECT_EQ(one.interval.n, other.interval.n);
      EXPECT_NEAR(one.interval.mean, other.interval.mean, 5e-5);
    }
  }
}

TEST_F(Journal, GuardIntervalAndProfileAreKept) {
  RunResults run = test::sample_run();
  run.guard_s = 0.2;
  const auto storm = find_profile("thunderstorm");
  ASSERT_TRUE(storm);
  run.profile = profile_toml(*storm);
  write(run);
  const auto read = test::read_journal(folder());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->guard_s, 0.2);
  EXPECT_EQ(read->profile, run.profile);
}

TEST_F(Journal, ReadingReturnsWhatWasWritten) {
  const RunResults run = test::sample_run();
  RunJournal journal = write(run);
  ASSERT_TRUE(journal.close(run));
  const auto read = test::read_journal(folder());
  ASSERT_TRUE(read) << read.error().message;
  expect_equal_measurements(*read, run);
  EXPECT_EQ(read->seed, run.seed);
  EXPECT_EQ(read->corpus_digest, run.corpus_digest);
  EXPECT_EQ(read->line, run.line);
  EXPECT_EQ(read->simulated.at("a-to-b").ber, 1e-5);
  EXPECT_EQ(read->simulated.at("b-to-a").receiver_clock_ppm, 20);
  EXPECT_EQ(read->started_utc, run.started_utc);
  EXPECT_EQ(read->finished_utc, run.finished_utc);
  EXPECT_EQ(read->wall_seconds, run.wall_seconds);
  EXPECT_EQ(read->line_seconds, run.line_seconds);
  EXPECT_EQ(read->ended_because, "");
}

TEST_F(Journal, NoNoiseAndNoFallbackAreKept) {
  RunResults run = test::sample_run();
  run.simulated["a-to-b"].circuit_noise_dbm0p = -std::numeric_limits<double>::infinity();
  run.simulated["a-to-b"].law = G711Law::a;
  run.sampling.fallback.reset();
  run.seed = UINT64_MAX;
  write(run);
  const auto read = test::read_journal(folder());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->simulated.at("a-to-b").circuit_noise_dbm0p, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(read->simulated.at("a-to-b").law, G711Law::a);
  EXPECT_FALSE(read->sampling.fallback);
  EXPECT_EQ(read->seed, UINT64_MAX);
}

TEST_F(Journal, WithoutAnEndTheStopReasonsAreRecomputed) {
  RunResults run = test::sample_run();
  write(run);
  const auto read = test::read_journal(folder());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(read->ended_because, HasSubstr("broken off"));
  expect_equal_measurements(*read, run);
  EXPECT_EQ(read->directions[0].stimuli[0].stopped_because, StopReason::goal);
}

TEST_F(Journal, WithoutAnEndTheStopOfTheMeanIsRecomputed) {
  const RunResults run = test::sample_run_of_the_mean(0.1);
  write(run);
  const auto read = test::read_journal(folder());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->sampling.goal_of, GoalOf::mean);
  for (std::size_t s = 0; s < 3; ++s) {
    EXPECT_EQ(read->directions[0].stimuli[s].stopped_because, StopReason::goal);
    EXPECT_DOUBLE_EQ(read->directions[0].stimuli[s].interval.half_width,
                     run.directions[0].stimuli[s].interval.half_width);
  }
}

TEST_F(Journal, MeasurementsBeforeATearAtAnyByteAreRead) {
  const RunResults run = test::sample_run();
  write(run);
  const std::string whole = text();
  const std::size_t header = whole.find('\n') + 1;
  std::size_t before = 0;
  for (std::size_t length = header; length <= whole.size(); ++length) {
    test::write_text(file(), whole.substr(0, length));
    const auto read = test::read_journal(folder());
    ASSERT_TRUE(read) << "cut at byte " << length << ": " << read.error().message;
    std::size_t measured = 0;
    for (const DirectionRun& direction : read->directions)
      for (const StimulusRun& stimulus : direction.stimuli) measured += stimulus.measurements.size();
    const std::string kept = whole.substr(0, length);
    const auto lines = static_cast<std::size_t>(std::ranges::count(kept, '\n')) - 1;
    // A line that only lacks its end counts too.
    EXPECT_GE(measured, lines);
    EXPECT_LE(measured, lines + 1);
    EXPECT_GE(measured, before);
    before = measured;
  }
  EXPECT_EQ(before, 21U);
}

TEST_F(Journal, MeasurementsBeforeAKillAreRead) {
  const RunResults run = test::sample_run();
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto journal = RunJournal::create(folder(), run);
    if (journal) {
      for (std::uint32_t i = 1; i <= 3; ++i) {
        if (!journal->append(End::a, "M1", test::scored(i, 4))) ::_exit(1);
      }
    }
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const auto read = test::read_journal(folder());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->directions[0].stimuli[0].measurements.size(), 3U);
  EXPECT_EQ(read->directions[0].stimuli[0].stopped_because, StopReason::cancelled);
}

TEST_F(Journal, ALostLineIsTheStopReasonOfOpenStimuli) {
  RunResults run = test::sample_run();
  auto journal = RunJournal::create(folder(), run);
  ASSERT_TRUE(journal);
  ASSERT_TRUE(journal->append(End::a, "F5", test::unscored(1, Outcome::line_lost, "the partner went away")));
  const auto read = test::read_journal(folder());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->directions[0].stimuli[1].stopped_because, StopReason::line_lost);
}

TEST_F(Journal, AnExistingJournalIsNeverOverwritten) {
  const RunResults run = test::sample_run();
  write(run);
  const std::string before = text();
  const auto again = RunJournal::create(folder(), run);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::bad_input);
  EXPECT_THAT(again.error().message, HasSubstr("never overwritten"));
  EXPECT_EQ(text(), before);
}

TEST_F(Journal, AMissingFolderIsCreated) {
  const auto deep = folder() / "one" / "two";
  ASSERT_TRUE(RunJournal::create(deep, test::sample_run()));
  EXPECT_TRUE(std::filesystem::exists(deep / kJournalFile));
}

TEST_F(Journal, AnUnwritableFolderIsNamed) {
  test::write_text(folder() / "file", "");
  const auto journal = RunJournal::create(folder() / "file" / "run", test::sample_run());
  ASSERT_FALSE(journal);
  EXPECT_EQ(journal.error().code, ErrorCode::io);
  EXPECT_THAT(journal.error().message, HasSubstr("file/run"));
}

TEST_F(Journal, UnplannedOrRepeatedMeasurementsAreRefused) {
  auto journal = RunJournal::create(folder(), test::sample_run());
  ASSERT_TRUE(journal);
  EXPECT_FALSE(journal->append(End::a, "M9", test::scored(1, 4)));
  EXPECT_TRUE(journal->append(End::a, "M1", test::scored(1, 4)));
  EXPECT_FALSE(journal->append(End::a, "F5", test::scored(1, 4)));
  EXPECT_TRUE(journal->append(End::b, "F5", test::scored(1, 4)));
  EXPECT_TRUE(test::read_journal(folder()));
}

TEST_F(Journal, ReasonsWithAnyContentStayOnOneLine) {
  auto journal = RunJournal::create(folder(), test::sample_run());
  ASSERT_TRUE(journal);
  Measurement odd = test::unscored(1, Outcome::bad_input, "a \"quoted\" path\\with {odd} <signs> \xC3\xA9");
  ASSERT_TRUE(journal->append(End::a, "M1", odd));
  Measurement broken = test::unscored(2, Outcome::bad_input, "not UTF-8: \xFF\xFE");
  ASSERT_TRUE(journal->append(End::a, "M1", broken));
  const auto read = test::read_journal(folder());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->directions[0].stimuli[0].measurements[0].reason, odd.reason);
  EXPECT_THAT(read->directions[0].stimuli[0].measurements[1].reason, HasSubstr("not UTF-8"));
}

TEST_F(Journal, AFullDiskLeavesTheJournalUnchanged) {
  // A limit on the file's size imitates a full disk.
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    auto journal = RunJournal::create(folder(), test::sample_run());
    if (!journal || !journal->append(End::a, "M1", test::scored(1, 4))) ::_exit(1);
    const auto size = static_cast<rlim_t>(std::filesystem::file_size(file()));
    const rlimit limit{size + 100, size + 100};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(2);
    const Status refused = journal->append(End::a, "M1", test::scored(2, 4));
    if (refused || refused.error().code != ErrorCode::io) ::_exit(3);
    ::_exit(std::filesystem::file_size(file()) == size ? 0 : 4);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  const auto read = test::read_journal(folder());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->directions[0].stimuli[0].measurements.size(), 1U);
}

TEST_F(Journal, CanBeResumedAfterAKillAndAfterAnEnd) {
  const RunResults run = test::sample_run();
  {
    auto journal = RunJournal::create(folder(), run);
    ASSERT_TRUE(journal);
    ASSERT_TRUE(journal->append(End::a, "M1", test::scored(1, 4)));
    Measurement lost;
    lost.sequence = 2;
    lost.outcome = Outcome::line_lost;
    ASSERT_TRUE(journal->append(End::a, "M1", lost));
    RunResults ended = run;
    ended.ended_because = "node b went away";
    ASSERT_TRUE(journal->close(ended));
  }
  std::ofstream(file(), std::ios::app) << R"({"from":"a","to":"b","stim)";
  const auto so_far = test::read_journal(folder());
  ASSERT_TRUE(so_far);
  EXPECT_EQ(so_far->directions[0].stimuli[0].measurements.size(), 2U);
  auto journal = RunJournal::resume(folder(), *so_far);
  ASSERT_TRUE(journal) << journal.error().message;
  EXPECT_FALSE(journal->append(End::a, "M1", test::scored(1, 3))) << "a measurement is never replaced";
  EXPECT_TRUE(journal->append(End::a, "M1", test::scored(2, 3))) << "its receiver had it";
  EXPECT_TRUE(journal->append(End::a, "M1", test::scored(3, 3)));
  const auto read = test::read_journal(folder());
  ASSERT_TRUE(read);
  const auto& measurements = read->directions[0].stimuli[0].measurements;
  ASSERT_EQ(measurements.size(), 3U);
  for (const Measurement& one : measurements) EXPECT_EQ(one.outcome, Outcome::scored) << one.sequence;
  EXPECT_THAT(read->ended_because, HasSubstr("broken off"));
  EXPECT_THAT(read->ended_because, ::testing::Not(HasSubstr("damaged"))) << "a torn line was cut off";
  RunResults whole = *read;
  whole.ended_because.clear();
  ASSERT_TRUE(journal->close(whole));
  EXPECT_EQ(test::read_journal(folder())->ended_because, "");
}

TEST_F(Journal, DamageAfterAResumptionIsReported) {
  const RunResults run = test::sample_run();
  {
    auto journal = RunJournal::create(folder(), run);
    ASSERT_TRUE(journal);
    ASSERT_TRUE(journal->append(End::a, "M1", test::scored(1, 4)));
    ASSERT_TRUE(journal->append(End::a, "M1", test::scored(2, 3)));
  }
  {
    auto journal = RunJournal::resume(folder(), *test::read_journal(folder()), {3});
    ASSERT_TRUE(journal) << journal.error().message;
    ASSERT_TRUE(journal->append(End::a, "M1", test::scored(3, 4)));
    RunResults whole = *test::read_journal(folder());
    whole.ended_because.clear();
    ASSERT_TRUE(journal->close(whole));
  }
  const std::string sound = test::without_digests(test::read_text(file()));
  const std::size_t second = sound.find('\n', sound.find('\n') + 1) + 1;
  std::string unreadable = sound, impossible = sound, of_before = sound;
  unreadable.replace(second, 20, 20, '?');
  const std::size_t score = impossible.find("\"mos_lqo\":3", second);
  ASSERT_NE(score, std::string::npos);
  impossible.replace(score + 10, 1, "9");
  // As written by releases that omitted the number.
  of_before = unreadable;
  const std::size_t number = of_before.find("\"damaged\":0");
  ASSERT_NE(number, std::string::npos);
  of_before.replace(number, 11, "\"unknown\":0");
  for (const std::string& text : {unreadable, impossible, of_before}) {
    std::ofstream(file()) << text;
    const auto told = read_stored_run(folder());
    ASSERT_TRUE(told) << told.error().message;
    EXPECT_EQ(told->damaged, 1U);
    EXPECT_EQ(told->replaced, 0U);
    EXPECT_THAT(told->results.ended_because, HasSubstr("one line of its journal was damaged"));
  }
  // Resuming once more replaces the damaged lines; later damage is reported again.
  std::ofstream(file()) << sound;
  const RunResults of_sound = *test::read_journal(folder());
  std::ofstream(file()) << unreadable;
  auto journal = RunJournal::resume(folder(), of_sound, {4});
  ASSERT_TRUE(journal) << journal.error().message;
  RunResults whole = *test::read_journal(folder());
  EXPECT_EQ(whole.directions[0].stimuli[0].measurements.size(), 3U);
  whole.ended_because.clear();
  ASSERT_TRUE(journal->close(whole));
  const auto mended = read_stored_run(folder());
  EXPECT_EQ(mended->results.ended_because, "");
  EXPECT_EQ(mended->replaced, 1U);
}

TEST_F(Journal, CanBeResumedWhenTheLastLineIsDamagedOrLacksItsEnd) {
  const RunResults run = test::sample_run();
  auto begun = RunJournal::create(folder(), run);
  ASSERT_TRUE(begun);
  ASSERT_TRUE(begun->append(End::a, "M1", test::scored(1, 4)));
  ASSERT_TRUE(begun->append(End::a, "M1", test::scored(2, 3)));
  const std::string sound = test::read_text(file());
  const auto go_on = [&] {
    RunResults so_far = *test::read_journal(folder());
    auto journal = RunJournal::resume(folder(), so_far, {3});
    EXPECT_TRUE(journal) << journal.error().message;
    so_far.ended_because.clear();
    EXPECT_TRUE(journal->close(so_far));
    return *read_stored_run(folder());
  };
  std::ofstream(file()) << sound.substr(0, sound.size() - 1);
  StoredRun whole = go_on();
  EXPECT_EQ(whole.results.directions[0].stimuli[0].measurements.size(), 2U) << "a line without its end was read";
  EXPECT_EQ(whole.results.ended_because, "");
  std::ofstream(file()) << sound.substr(0, sound.size() - 20) + "\n";
  EXPECT_EQ(read_stored_run(folder())->damaged, 1U) << "a torn line has no end";
  whole = go_on();
  EXPECT_EQ(whole.results.ended_because, "");
  EXPECT_EQ(whole.replaced, 1U);
}

}  // namespace
}  // namespace vqas
