#include "model/run_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include "app/fake_results.h"
#include "model/findings.h"
#include "model/measurements_model.h"

namespace vqas::app {
namespace {

using namespace Qt::StringLiterals;
using test::add_score;
using test::add_unscored;

constexpr auto kReport = QAbstractItemModelTester::FailureReportingMode::Warning;

QString shown(const QAbstractItemModel& model, int row, int column) {
  return model.index(row, column).data().toString();
}

TEST(RunModel, HasARowForEachStimulusAndDirection) {
  RunModel model;
  const QAbstractItemModelTester tester(&model, kReport);
  EXPECT_EQ(model.rowCount(), 0);
  model.update(test::empty_results({"M1", "F5"}), false);
  ASSERT_EQ(model.rowCount(), 4);
  EXPECT_EQ(model.directions(), 2);
  EXPECT_EQ(shown(model, 1, RunModel::kDirection), u"A to B"_s);
  EXPECT_EQ(shown(model, 1, RunModel::kStimulus), u"F5"_s);
  EXPECT_EQ(shown(model, 2, RunModel::kDirection), u"B to A"_s);
}

TEST(RunModel, AnUnmeasuredStimulusMakesAMeanConditionalOnlyAtTheEnd) {
  RunModel model;
  RunResults results = test::empty_results({"M1", "M5"});
  add_score(results, 0, 0, 3.9);
  model.update(results, false);
  EXPECT_FALSE(model.plot(0).conditional) << model.plot(0).condition.toStdString();
  EXPECT_EQ(model.plot(0).condition, QString());
  EXPECT_EQ(model.plot(0).included, 1U);
  model.update(results, true);
  EXPECT_TRUE(model.plot(0).conditional);
  add_unscored(results, 0, 1, Outcome::not_found, "no mark was found");
  model.update(results, false);
  EXPECT_TRUE(model.plot(0).conditional) << "it was measured, and has no score";
}

TEST(RunModel, ShowsNoNumberForWhatWasNotMeasured) {
  RunModel model;
  const QAbstractItemModelTester tester(&model, kReport);
  RunResults results = test::empty_results({"M1"});
  model.update(results, false);
  EXPECT_EQ(shown(model, 0, RunModel::kMean), u"–"_s);
  EXPECT_EQ(shown(model, 0, RunModel::kHalfWidth), u"–"_s);
  EXPECT_EQ(shown(model, 0, RunModel::kState), u"waiting"_s);
  add_unscored(results, 0, 0, Outcome::not_found, "no mark was found");
  model.update(results, false);
  EXPECT_EQ(shown(model, 0, RunModel::kMean), u"–"_s);
  EXPECT_EQ(shown(model, 0, RunModel::kNotScored), u"1"_s);
  EXPECT_EQ(shown(model, 0, RunModel::kState), u"no score yet"_s);
  EXPECT_FALSE(model.plot(0).mean);
  EXPECT_FALSE(model.plot(0).points[0].mean);
}

TEST(RunModel, ShowsFindingsAndTheirFiguresInTheToolTip) {
  RunModel model;
  RunResults results = test::empty_results({"M1", "F5"});
  for (int i = 0; i < 3; ++i) add_score(results, 0, 0, 3.0);
  std::vector<Measurement>& measured = results.directions[0].stimuli[0].measurements;
  measured[0].findings =
      MeasurementFindings{.impairments = {{Impairment::coding, 1.5}, {Impairment::band_loss, 0.4}}, .band_low_hz = 310};
  measured[1].findings = MeasurementFindings{.impairments = {{Impairment::coding, 1.2}}, .band_low_hz = 290};
  measured[2].findings = MeasurementFindings{.impairments = {}, .band_low_hz = 300};
  add_score(results, 0, 1, 4.0);
  results.directions[0].stimuli[1].measurements[0].findings = MeasurementFindings{};
  model.update(results, false);
  EXPECT_EQ(shown(model, 0, RunModel::kFindings), u"coding in 2 of 3, band loss in 1"_s);
  EXPECT_EQ(shown(model, 1, RunModel::kFindings), u"nothing"_s);
  EXPECT_EQ(shown(model, 2, RunModel::kFindings), u"–"_s) << "nothing was measured";
  EXPECT_TRUE(model.index(0, RunModel::kMean).data(Qt::ToolTipRole).toString().contains(u"Band from: 300 Hz"_s));
}

TEST(RunModel, ShowsAMeanAfterOneScoreAndAnIntervalAfterTwo) {
  RunModel model;
  const QAbstractItemModelTester tester(&model, kReport);
  RunResults results = test::empty_results({"M1"});
  add_score(results, 0, 0, 4.0);
  model.update(results, false);
  EXPECT_EQ(shown(model, 0, RunModel::kMean), u"4.00"_s);
  EXPECT_EQ(shown(model, 0, RunModel::kHalfWidth), u"–"_s);
  add_score(results, 0, 0, 4.1);
  model.update(results, false);
  EXPECT_EQ(shown(model, 0, RunModel::kMean), u"4.05"_s);
  EXPECT_EQ(shown(model, 0, RunModel::kHalfWidth), u"–"_s) << "before the first look";
  model.update(results, true);
  EXPECT_EQ(shown(model, 0, RunModel::kHalfWidth), u"±3.18 (99 %)"_s) << "63.66 * 0.0707 / sqrt(2)";
  model.update(results, false);
  EXPECT_EQ(shown(model, 0, RunModel::kScored), u"2"_s);
  EXPECT_EQ(shown(model, 0, RunModel::kState), u"measuring"_s);
}

TEST(RunModel, SaysWhenAStimulusIsWithinTheGoal) {
  RunModel model;
  RunResults results = test::empty_results({"M1"});
  for (int i = 0; i < 5; ++i) {
    model.update(results, false);
    EXPECT_NE(shown(model, 0, RunModel::kState), u"within the goal"_s) << "too early after " << i;
    add_score(results, 0, 0, 4.0 + 0.001 * i);
  }
  model.update(results, false);
  EXPECT_EQ(shown(model, 0, RunModel::kState), u"within the goal"_s);
  EXPECT_TRUE(model.plot(0).points[0].within_goal);
}

TEST(RunModel, GivesTheReasonForStoppingOnceTheRunIsOver) {
  RunModel model;
  RunResults results = test::empty_results({"M1", "M2", "M3"});
  add_score(results, 0, 0, 4.0);
  results.directions[0].stimuli[0].stopped_because = StopReason::goal;
  add_unscored(results, 0, 1, Outcome::not_found, "no mark");
  results.directions[0].stimuli[1].stopped_because = StopReason::failures;
  model.update(results, true);
  EXPECT_EQ(shown(model, 0, RunModel::kState), u"goal reached"_s);
  EXPECT_EQ(shown(model, 1, RunModel::kState), u"no score, abandoned after 10 measurements without a score"_s);
  EXPECT_EQ(shown(model, 2, RunModel::kState), u"not measured, stopped by the user"_s);
}

TEST(RunModel, WeighsEachStimulusEquallyInADirectionsMean) {
  RunModel model;
  RunResults results = test::empty_results({"M1", "M2", "M3"});
  add_score(results, 1, 0, 4.0);
  for (int i = 0; i < 3; ++i) add_score(results, 1, 1, 2.0);
  model.update(results, false);
  const DirectionPlot& plot = model.plot(1);
  ASSERT_TRUE(plot.mean);
  EXPECT_DOUBLE_EQ(*plot.mean, 3.0);
  EXPECT_EQ(plot.included, 2U);
  EXPECT_FALSE(plot.half_width) << "one score makes no interval";
  add_score(results, 1, 0, 4.0);
  model.update(results, false);
  EXPECT_FALSE(model.plot(1).half_width) << "before the first look";
  model.update(results, true);
  EXPECT_TRUE(model.plot(1).half_width);
}

TEST(RunModel, CountsMeasurementsAndScores) {
  RunModel model;
  RunResults results = test::empty_results({"M1"});
  add_score(results, 0, 0, 4.0);
  add_score(results, 1, 0, 4.0);
  add_unscored(results, 1, 0, Outcome::no_speech, "silence");
  model.update(results, false);
  EXPECT_EQ(model.measured(), 3U);
  EXPECT_EQ(model.scored(), 2U);
  model.clear();
  EXPECT_EQ(model.measured(), 0U);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(RunModel, KeepsItsRowsWhileARunGrows) {
  RunModel model;
  const QAbstractItemModelTester tester(&model, kReport);
  RunResults results = test::empty_results({"M1", "M2"});
  model.update(results, false);
  QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
  QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
  QSignalSpy told(&model, &RunModel::changed);
  add_score(results, 0, 1, 3.0);
  model.update(results, false);
  EXPECT_EQ(resets.count(), 0);
  EXPECT_EQ(changes.count(), 1);
  EXPECT_EQ(told.count(), 1);
  model.update(test::empty_results({"M1"}), false);
  EXPECT_EQ(resets.count(), 1);
}

TEST(RunModel, AnswersForeignIndexesAndHeadersWithNothing) {
  RunModel model;
  model.update(test::empty_results({"M1"}), false);
  EXPECT_FALSE(model.data({}).isValid());
  EXPECT_FALSE(model.headerData(RunModel::kColumns, Qt::Horizontal).isValid());
  EXPECT_FALSE(model.headerData(0, Qt::Vertical).isValid());
  EXPECT_EQ(model.headerData(RunModel::kMean, Qt::Horizontal).toString(), u"Mean MOS-LQON"_s);
}

TEST(OutcomeLog, ListsUnscoredMeasurementsInPlainWords) {
  MeasurementsModel all;
  UnscoredModel log(all);
  const QAbstractItemModelTester tester(&log, kReport);
  RunResults results = test::empty_results({"M1", "F5"});
  add_score(results, 0, 0, 4.0);
  all.update(results);
  EXPECT_EQ(log.rowCount(), 0);
  add_unscored(results, 0, 1, Outcome::not_found, "no mark within 10 s; check that the line is up");
  all.update(results);
  ASSERT_EQ(log.rowCount(), 1);
  EXPECT_EQ(shown(log, 0, MeasurementsModel::kNumber), u"2"_s);
  EXPECT_EQ(shown(log, 0, MeasurementsModel::kDirection), u"A to B"_s);
  EXPECT_EQ(shown(log, 0, MeasurementsModel::kStimulus), u"F5"_s);
  EXPECT_EQ(shown(log, 0, 3), u"Nothing of the sentence was found"_s);
  EXPECT_EQ(shown(log, 0, 4), u"no mark within 10 s; check that the line is up"_s);
}

TEST(OutcomeLog, AddsRowsAtTheEndAndMovesNone) {
  MeasurementsModel all;
  UnscoredModel log(all);
  const QAbstractItemModelTester tester(&log, kReport);
  RunResults results = test::empty_results({"M1", "F5"});
  add_unscored(results, 1, 1, Outcome::no_speech, "first");
  all.update(results);
  QSignalSpy inserted(&log, &QAbstractItemModel::rowsInserted);
  QSignalSpy resets(&log, &QAbstractItemModel::modelReset);
  add_unscored(results, 1, 1, Outcome::no_speech, "third");
  add_unscored(results, 0, 0, Outcome::not_found, "second");
  all.update(results);
  all.update(results);
  EXPECT_EQ(inserted.count(), 1);
  EXPECT_EQ(resets.count(), 0);
  ASSERT_EQ(log.rowCount(), 3);
  EXPECT_EQ(shown(log, 0, 4), u"first"_s);
  EXPECT_EQ(shown(log, 1, 4), u"second"_s);
  EXPECT_EQ(shown(log, 2, 4), u"third"_s);
}

TEST(OutcomeLog, ForgetsAnotherRun) {
  MeasurementsModel all;
  UnscoredModel log(all);
  const QAbstractItemModelTester tester(&log, kReport);
  RunResults results = test::empty_results({"M1"});
  add_unscored(results, 0, 0, Outcome::no_speech, "of the first run");
  all.update(results);
  RunResults other = test::empty_results({"M1"});
  add_unscored(other, 0, 0, Outcome::not_found, "of the second run");
  all.update(other);
  ASSERT_EQ(log.rowCount(), 1);
  EXPECT_EQ(shown(log, 0, 4), u"of the second run"_s);
  all.clear();
  EXPECT_EQ(log.rowCount(), 0);
}

// What a technician at the line reads as the next step.
TEST(Findings, AGoodLineWithoutAnImpairmentAsksForNothing) {
  RunResults results = test::empty_results({"M1"});
  for (int n = 0; n < 3; ++n) {
    test::add_score(results, 0, 0, 4.15);
    test::add_score(results, 1, 0, 3.1);
  }
  const auto found = findings_of(results);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].next, "");
  EXPECT_NE(found[1].next, "") << "something lowers it, which nothing names";
  for (Measurement& one : results.directions[0].stimuli[0].measurements)
    one.findings = MeasurementFindings{.impairments = {{Impairment::coding, 1.2}}};
  EXPECT_NE(findings_of(results)[0].next, "");
}

}  // namespace
}  // namespace vqas::app
