#include "model/heard_note.h"

#include <gtest/gtest.h>

#include "app/fake_results.h"

namespace vqas::app {
namespace {

using namespace Qt::StringLiterals;

const QDateTime kNow({2026, 1, 31}, {12, 0, 0}, Qt::UTC);

TEST(HeardMeasurements, HaveAScoreAndComeLatestFirst) {
  RunResults results = test::empty_results({"M1", "M6"});
  test::add_score(results, 0, 1, 4.0);
  test::add_unscored(results, 0, 0, Outcome::not_found, "no mark");
  test::add_score(results, 0, 0, 3.256);
  test::add_score(results, 1, 1, 1.5);
  const auto heard = heard_measurements(results);
  ASSERT_EQ(heard.size(), 3U);
  EXPECT_EQ(heard[0].words, u"No. 3, A to B: M1, 3.26"_s);
  EXPECT_EQ(heard[1].words, u"No. 1, A to B: M6, 4.00"_s);
  EXPECT_EQ(heard[2].words, u"No. 1, B to A: M6, 1.50"_s);
  EXPECT_EQ(heard[2].from, End::b);
}

TEST(ReadNote, NamesTheMeasurementAndTheTime) {
  const NoteReading reading = read_note(HeardMeasurement{End::b, 17, {}}, u"  a hum,\n not speech "_s, kNow);
  ASSERT_TRUE(reading.note) << reading.fault.toStdString();
  EXPECT_EQ(reading.note->from, End::b);
  EXPECT_EQ(reading.note->sequence, 17U);
  EXPECT_EQ(reading.note->text, "a hum, not speech");
  EXPECT_TRUE(reading.note->sounds_different);
  EXPECT_EQ(reading.note->written_utc, "2026-01-31T12:00:00Z");
  EXPECT_TRUE(reading.fault.isEmpty());
}

TEST(ReadNote, SaysWhatIsMissing) {
  EXPECT_FALSE(read_note(HeardMeasurement{}, u" \n "_s, kNow).note);
  EXPECT_FALSE(read_note(HeardMeasurement{}, u" \n "_s, kNow).fault.isEmpty());
  EXPECT_FALSE(read_note(std::nullopt, u"a hum"_s, kNow).note);
  EXPECT_FALSE(read_note(HeardMeasurement{}, QString(1001, u'x'), kNow).note);
  EXPECT_TRUE(read_note(HeardMeasurement{}, QString(1000, u'\u00e9'), kNow).note);
}

}  // namespace
}  // namespace vqas::app
