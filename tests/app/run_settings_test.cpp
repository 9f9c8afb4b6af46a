#include "model/run_settings.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <algorithm>

#include "model/plan_form.h"

namespace vqas::app {
namespace {

using namespace Qt::StringLiterals;

class Settings : public testing::Test {
 protected:
  FormReading read() const { return read_form(form_, home_.path(), QDateTime({2026, 1, 31}, {23, 59, 58})); }

  /// The only fault is that of `field`, and its message holds `part`.
  void expect_fault(Field field, const QString& part) const {
    const auto faults = read().faults;
    ASSERT_EQ(faults.size(), 1U) << part.toStdString();
    EXPECT_EQ(faults.front().field, field) << faults.front().message.toStdString();
    EXPECT_TRUE(faults.front().message.contains(part)) << faults.front().message.toStdString();
    EXPECT_FALSE(faults.front().message.endsWith(u'.'));
  }

  QTemporaryDir home_;
  SettingsForm form_;
};

TEST_F(Settings, AreUsableFromAFreshForm) {
  const FormReading reading = read();
  ASSERT_TRUE(reading.faults.empty()) << reading.faults.front().message.toStdString();
  EXPECT_EQ(reading.settings.line, LineKind::simulated);
  EXPECT_DOUBLE_EQ(reading.settings.conditions.ber, 1e-5);
  EXPECT_DOUBLE_EQ(reading.settings.conditions.delay_s, 0.25);
  EXPECT_EQ(reading.settings.seed, 1U);
  EXPECT_EQ(reading.settings.cap, 30U);
  EXPECT_TRUE(reading.settings.stimuli.isEmpty());
  EXPECT_TRUE(reading.settings.a_to_b && reading.settings.b_to_a);
  EXPECT_EQ(reading.settings.folder, home_.filePath(u"vqas-results/2026-01-31-235958"_s));
}

TEST_F(Settings, ReadABitErrorRatioWithPointOrComma) {
  for (const auto& [typed, value] :
       {std::pair{u"0"_s, 0.0}, {u"2,5e-4"_s, 2.5e-4}, {u" 0.001 "_s, 1e-3}, {u"1e-12"_s, 1e-12}, {u"0.5"_s, 0.5}}) {
    form_.ber = typed;
    ASSERT_TRUE(read().faults.empty()) << typed.toStdString();
    EXPECT_DOUBLE_EQ(read().settings.conditions.ber, value);
  }
}

TEST_F(Settings, RefuseAnInvalidBitErrorRatio) {
  for (const QString& typed : {u""_s, u"much"_s, u"-1e-5"_s, u"0.6"_s, u"1e-13"_s, u"nan"_s, u"inf"_s, u"1e-5x"_s}) {
    form_.ber = typed;
    expect_fault(Field::ber, u"1e-12 to 0.5"_s);
  }
}

TEST_F(Settings, RefuseADelayThatTheLineCannotHave) {
  for (const QString& typed : {u""_s, u"0"_s, u"49"_s, u"10001"_s, u"fast"_s}) {
    form_.delay_ms = typed;
    expect_fault(Field::delay_ms, u"50 to 10000"_s);
  }
  form_.delay_ms = u"50"_s;
  EXPECT_TRUE(read().faults.empty());
}

TEST_F(Settings, ReadSeedsOfTheWholeRange) {
  form_.seed = u"18446744073709551615"_s;
  EXPECT_EQ(read().settings.seed, 18446744073709551615ULL);
  for (const QString& typed : {u""_s, u"-1"_s, u"1.5"_s, u"18446744073709551616"_s}) {
    form_.seed = typed;
    expect_fault(Field::seed, u"whole number"_s);
  }
}

TEST_F(Settings, RefuseALimitOutOfRange) {
  for (const QString& typed : {u""_s, u"4"_s, u"-5"_s, u"1001"_s, u"5.5"_s}) {
    form_.cap = typed;
    expect_fault(Field::cap, u"from 5 to 1000"_s);
  }
  form_.cap = u"5"_s;
  EXPECT_TRUE(read().faults.empty());
}

TEST_F(Settings, AskForTheMeanOfTheLineUnlessTold) {
  EXPECT_EQ(read().settings.goal, GoalOf::mean);
  EXPECT_FALSE(read().settings.about.limit_mos);
}

TEST_F(Settings, ReadALineTime) {
  form_.goal = GoalOf::line_time;
  form_.cap = u"not looked at"_s;
  form_.minutes = u"2,5"_s;
  ASSERT_TRUE(read().faults.empty());
  EXPECT_DOUBLE_EQ(read().settings.minutes, 2.5);
  EXPECT_EQ(read().settings.cap, 1000U);
  for (const QString& typed : {u""_s, u"0.5"_s, u"nan"_s, u"1e9"_s}) {
    form_.minutes = typed;
    expect_fault(Field::minutes, u"from 1 to"_s);
  }
}

TEST_F(Settings, ReadALimit) {
  form_.goal = GoalOf::above;
  form_.limit = u"3,2"_s;
  ASSERT_TRUE(read().faults.empty());
  EXPECT_DOUBLE_EQ(read().settings.about.limit_mos.value_or(0), 3.2);
  for (const QString& typed : {u""_s, u"0.9"_s, u"5.1"_s, u"inf"_s}) {
    form_.limit = typed;
    expect_fault(Field::limit, u"from 1 to 5"_s);
  }
}

TEST_F(Settings, ReadWhatTheRunBelongsTo) {
  form_.site = u" north "_s;
  form_.notes = u"rain"_s;
  const RunAbout about = read().settings.about;
  EXPECT_EQ(about.tags, (std::map<std::string, std::string>{{"site", "north"}})) << "an empty circuit is no tag";
  EXPECT_EQ(about.notes, "rain");
  form_.circuit = QString(1025, u'x');
  expect_fault(Field::circuit, u"at most 1024"_s);
}

TEST_F(Settings, ReadStimuliHoweverTheyAreSeparated) {
  form_.stimuli = u" M1,F5;  M6 "_s;
  EXPECT_EQ(read().settings.stimuli, (QStringList{u"M1"_s, u"F5"_s, u"M6"_s}));
  form_.stimuli = u"M1, M1"_s;
  expect_fault(Field::stimuli, u"twice"_s);
  form_.stimuli = u"M1, ../F5"_s;
  expect_fault(Field::stimuli, u"\"../F5\""_s);
}

TEST_F(Settings, NeedADirection) {
  form_.a_to_b = false;
  EXPECT_TRUE(read().faults.empty());
  EXPECT_FALSE(read().settings.a_to_b);
  form_.b_to_a = false;
  expect_fault(Field::directions, u"choose"_s);
}

TEST_F(Settings, ReadNodesByAddress) {
  form_.line = LineKind::nodes;
  form_.node_a = u"127.0.0.1:7811"_s;
  form_.node_b = u" ws://[::1]:7812/ "_s;
  const FormReading reading = read();
  ASSERT_TRUE(reading.faults.empty()) << reading.faults.front().message.toStdString();
  EXPECT_EQ(reading.settings.node_a, u"ws://127.0.0.1:7811"_s);
  EXPECT_EQ(reading.settings.node_b, u"ws://[::1]:7812"_s);
}

TEST_F(Settings, ReadNodesOverTlsWithTheirFiles) {
  QFile file(home_.filePath(u"b.json"_s));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  form_.line = LineKind::nodes;
  form_.node_a = u"wss://192.0.2.7:7811"_s;
  form_.node_b = u"wss://192.0.2.8:7811/"_s;
  form_.access_b = u"~/b.json"_s;
  const FormReading reading = read();
  ASSERT_TRUE(reading.faults.empty()) << reading.faults.front().message.toStdString();
  EXPECT_EQ(reading.settings.node_a, u"wss://192.0.2.7:7811"_s);
  EXPECT_EQ(reading.settings.node_b, u"wss://192.0.2.8:7811"_s);
  EXPECT_EQ(reading.settings.access_a, QString());
  EXPECT_EQ(reading.settings.access_b, file.fileName());
  form_.access_a = u"a.json"_s;
  expect_fault(Field::access_a, home_.filePath(u"a.json"_s));
}

TEST_F(Settings, RefuseInvalidAddresses) {
  form_.line = LineKind::nodes;
  for (const QString& typed : {u""_s, u"localhost"_s, u"http://127.0.0.1:7811"_s, u"ws://127.0.0.1"_s, u"ws://:7811"_s,
                               u"ws://127.0.0.1:0"_s, u"ws://127.0.0.1:99999"_s, u"ws://me@127.0.0.1:7811"_s,
                               u"ws://127.0.0.1:7811/x"_s, u"ws://127.0.0.1:7811?x"_s}) {
    form_.node_a = typed;
    expect_fault(Field::node_a, u"ws://127.0.0.1:7811"_s);
  }
}

TEST_F(Settings, RefuseOneNodeForBothEnds) {
  form_.line = LineKind::nodes;
  form_.node_b = u"127.0.0.1:7811"_s;
  expect_fault(Field::node_b, u"address of node A"_s);
  form_.node_a = u"ws://bench-3:7811/"_s;
  form_.node_b = u"WS://Bench-3:7811"_s;
  expect_fault(Field::node_b, u"address of node A"_s);
}

TEST_F(Settings, CheckOnlyTheChosenLine) {
  form_.node_a = u"nonsense"_s;
  EXPECT_TRUE(read().faults.empty());
  form_.line = LineKind::nodes;
  form_.node_a = u"127.0.0.1:1"_s;
  form_.ber = u"nonsense"_s;
  EXPECT_TRUE(read().faults.empty());
}

TEST_F(Settings, TakeAFolderThatIsNewOrEmpty) {
  form_.folder = u"~/site 4"_s;
  EXPECT_EQ(read().settings.folder, home_.filePath(u"site 4"_s));
  form_.folder = u"site 4"_s;
  EXPECT_EQ(read().settings.folder, home_.filePath(u"site 4"_s));
  ASSERT_TRUE(QDir(home_.path()).mkdir(u"site 4"_s));
  EXPECT_TRUE(read().faults.empty());
  EXPECT_FALSE(QDir(home_.filePath(u"vqas-results"_s)).exists()) << "reading a form writes nothing";
}

TEST_F(Settings, RefuseAFolderThatIsNotEmpty) {
  QFile file(home_.filePath(u".hidden"_s));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  form_.folder = home_.path();
  expect_fault(Field::folder, u"not empty"_s);
  form_.folder = file.fileName();
  expect_fault(Field::folder, u"is a file"_s);
}

TEST_F(Settings, TakeScoresOfTheWideBandWhereTheLineCarriesIt) {
  EXPECT_EQ(read().settings.mode, ScoreMode::narrowband);
  form_.mode = u"wb"_s;
  expect_fault(Field::mode, u"telephone band alone"_s);
  form_.codec = u"l16"_s;
  expect_fault(Field::codec, u"no bit errors"_s);
  form_.ber = u"0"_s;
  EXPECT_TRUE(read().faults.empty());
  EXPECT_EQ(read().settings.mode, ScoreMode::wideband);
  EXPECT_EQ(read().settings.codec, LineCodec::l16);
  form_.mode = u"both"_s;
  EXPECT_TRUE(read().settings.narrowband_too);
  form_.profile = u"thunderstorm"_s;
  expect_fault(Field::codec, u"profile"_s);
  form_.line = LineKind::nodes;
  EXPECT_TRUE(read().faults.empty()) << "the nodes know what their line carries";
}

TEST_F(Settings, TakeRepeatsByMinutesOrByTimesOfDay) {
  EXPECT_FALSE(read().settings.repeats.any());
  form_.every_min = u"15"_s;
  expect_fault(Field::for_h, u"how many hours"_s);
  form_.for_h = u"2,5"_s;
  EXPECT_EQ(read().settings.repeats.every_s, 900);
  EXPECT_EQ(read().settings.repeats.for_s, 9000);
  form_.at = u"9:00"_s;
  expect_fault(Field::every, u"either"_s);
  form_.every_min.clear();
  expect_fault(Field::for_h, u"24 hours"_s);
  form_.for_h = u"48"_s;
  form_.at = u"17:30, 9:00"_s;
  EXPECT_EQ(read().settings.repeats.at_min, (std::vector{540, 1050}));
  form_.at = u"9:00, 9:00"_s;
  expect_fault(Field::at, u"different"_s);
  form_.at = u"25:00"_s;
  expect_fault(Field::at, u"17:30"_s);
}

TEST_F(Settings, TakeOnlyRepeatsThatMakeACampaign) {
  form_.at = u"9:00"_s;
  form_.for_h = u"24"_s;
  expect_fault(Field::for_h, u"one run only"_s);
  form_.for_h = u"48"_s;
  EXPECT_TRUE(read().faults.empty());
  form_.at.clear();
  form_.every_min = u"1"_s;
  form_.for_h = u"8784"_s;
  expect_fault(Field::for_h, u"35136"_s);
}

TEST_F(Settings, OtherTimesOfDayKeepTheZoneOfAnOpenedPlan) {
  RunSettings settings;
  settings.repeats.at_min = {540};
  CampaignPlan opened;
  opened.zone = "Asia/Tokyo";
  opened.at_min = {480};
  EXPECT_EQ(plan_with(settings, opened).zone, "Asia/Tokyo");
  opened.at_min.clear();
  EXPECT_EQ(plan_with(settings, opened).zone, local_zone());
}

TEST_F(Settings, ReportEveryFaultTogether) {
  form_.ber = u"x"_s;
  form_.seed = u"x"_s;
  form_.a_to_b = form_.b_to_a = false;
  EXPECT_EQ(read().faults.size(), 3U);
}

}  // namespace
}  // namespace vqas::app
