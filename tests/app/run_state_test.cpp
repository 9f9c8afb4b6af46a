#include "model/run_state.h"

#include <gtest/gtest.h>

#include "model/words.h"

namespace vqas::app {
namespace {

using namespace Qt::StringLiterals;

RunStatus measuring() {
  RunStatus status;
  status.phase = RunPhase::measuring;
  status.current = u"M6, A to B"_s;
  status.progress = {34, 240, 80.0};
  return status;
}

TEST(StateLine, NamesAnEarlierRunThatIsShown) {
  RunStatus status;
  status.kept = u"2026-01-31-120000"_s;
  status.phase = RunPhase::finished;
  status.measured = 20;
  status.scored = 19;
  EXPECT_EQ(state_line(status), u"Earlier run 2026-01-31-120000: 20 measurements, 19 scored"_s);
}

TEST(StateLine, TellsTheLineTimeBeforeTheStart) {
  RunStatus status;
  status.forecast = forecast_words({200, 1300, false});
  EXPECT_EQ(state_line(status), u"Ready: Start will use 4 to 22 min of line time"_s);
  EXPECT_EQ(forecast_words({600, 600, true}), u"about 10 min of line time, one direction at a time"_s);
}

TEST(StateLine, ShowsStimulusProgressAndRemainingTime) {
  EXPECT_EQ(state_line(measuring()), u"Measuring M6, A to B: 34 of about 240, 1 min 20 s left"_s);
}

TEST(StateLine, LeavesOutARemainingTimeThatIsNotKnown) {
  RunStatus status = measuring();
  status.progress.remaining_s = -1;
  EXPECT_EQ(state_line(status), u"Measuring M6, A to B: 34 of about 240"_s);
}

TEST(StateLine, NeverPromisesFewerMeasurementsThanWereMade) {
  RunStatus status = measuring();
  status.progress = {241, 240, -1};
  EXPECT_EQ(state_line(status), u"Measuring M6, A to B: 241 of about 241"_s);
}

TEST(StateLine, SaysWhichLineIsBeingPrepared) {
  RunStatus status;
  status.phase = RunPhase::preparing;
  EXPECT_EQ(state_line(status), u"Starting the simulated line"_s);
  status.simulated = false;
  EXPECT_EQ(state_line(status), u"Connecting to both nodes"_s);
}

TEST(StateLine, CountsWhatWasNotScored) {
  RunStatus status;
  status.phase = RunPhase::finished;
  status.measured = status.scored = 120;
  EXPECT_EQ(state_line(status), u"Finished: 120 measurements, all scored"_s);
  status.scored = 117;
  EXPECT_EQ(state_line(status), u"Finished: 120 measurements, 3 not scored"_s);
  status.measured = status.scored = 0;
  EXPECT_EQ(state_line(status), u"Finished: nothing was measured"_s);
}

TEST(StateLine, SaysWhatIsKeptOfARunThatEndedEarly) {
  RunStatus status;
  status.measured = 1;
  status.phase = RunPhase::cancelled;
  EXPECT_EQ(state_line(status), u"Stopped: 1 measurement kept"_s);
  status.phase = RunPhase::failed;
  EXPECT_EQ(state_line(status), u"Ended early: 1 measurement kept"_s);
  status.measured = 0;
  EXPECT_EQ(state_line(status), u"Ended early: nothing was measured"_s);
}

TEST(Progress, IsUnknownWhilePreparingAndThenAShareOfTheTotal) {
  EXPECT_EQ(progress_permille(measuring()), 141);
  RunStatus status;
  EXPECT_EQ(progress_permille(status), 0);
  status.phase = RunPhase::preparing;
  EXPECT_EQ(progress_permille(status), -1);
  status.phase = RunPhase::finished;
  EXPECT_EQ(progress_permille(status), 1000);
  status = measuring();
  status.progress = {300, 240, 0};
  EXPECT_EQ(progress_permille(status), 1000);
}

TEST(Words, SayDurationsAsAPersonDoes) {
  EXPECT_EQ(duration_words(0), u"1 s"_s);
  EXPECT_EQ(duration_words(59), u"59 s"_s);
  EXPECT_EQ(duration_words(59.2), u"1 min"_s);
  EXPECT_EQ(duration_words(80), u"1 min 20 s"_s);
  EXPECT_EQ(duration_words(3600), u"1 h"_s);
  EXPECT_EQ(duration_words(3601), u"1 h 1 min"_s);
  EXPECT_EQ(duration_words(7199), u"2 h"_s);
}

TEST(Words, GiveADashForAMissingValue) {
  EXPECT_EQ(mos_words(4.1249), u"4.12"_s);
  EXPECT_EQ(mos_words(std::nullopt), u"–"_s);
  EXPECT_EQ(mos_words(std::numeric_limits<double>::quiet_NaN()), u"–"_s);
  EXPECT_EQ(half_width_words(0.051, ScoreMode::narrowband), u"±0.05"_s);
  EXPECT_EQ(half_width_words(std::nullopt, ScoreMode::narrowband), QString());
  EXPECT_EQ(half_width_words(std::numeric_limits<double>::infinity(), ScoreMode::narrowband), QString());
  EXPECT_EQ(confidence_words(0.99), u"99 %"_s);
  EXPECT_EQ(confidence_words(0.995), u"99.5 %"_s);
}

TEST(Words, MakeASentenceOfAMessage) {
  EXPECT_EQ(sentence(u"the disk is full; free some space"_s), u"The disk is full; free some space."_s);
  EXPECT_EQ(sentence(u"Done."_s), u"Done."_s);
  EXPECT_EQ(sentence(u"Close it?"_s), u"Close it?"_s);
  EXPECT_EQ(sentence(u"vqas sim ended"_s), u"vqas sim ended."_s);
  EXPECT_EQ(sentence(u"ws://x:1 does not answer"_s), u"ws://x:1 does not answer."_s);
  EXPECT_EQ(sentence(u"--ber: too large"_s), u"--ber: too large."_s);
  EXPECT_EQ(sentence(u"one\ntwo\n\nthree\n"_s, 2), u"One\ntwo …"_s);
  EXPECT_EQ(sentence(u" "_s), QString());
}

TEST(Words, AreDifferentForEveryOutcome) {
  QStringList seen;
  for (const Outcome outcome : kAllOutcomes) {
    const QString words = outcome_words(outcome);
    EXPECT_FALSE(words.isEmpty());
    EXPECT_FALSE(words.contains(u'_')) << words.toStdString();
    EXPECT_FALSE(seen.contains(words)) << words.toStdString();
    seen.append(words);
  }
}

}  // namespace
}  // namespace vqas::app
