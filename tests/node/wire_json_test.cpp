#include "node/wire/wire_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/findings_json.h"
#include "support/sample_run.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

TEST(MeasurementOnTheWire, IsReadBackToTheLastBit) {
  ReceivedMeasurement one;
  one.stimulus = "M6";
  one.measurement.sequence = 65535;
  one.measurement.outcome = Outcome::scored;
  one.measurement.mos_lqo = 3.1415926535897931;
  one.measurement.auditory_distance = 1.0 / 3;
  one.measurement.clock_drift_ppm = -12.3456789;
  one.measurement.placement = KnownPlacement{4000 + 1.0 / 3, -12.3456789012345678, 0.1234567};
  one.measurement.placement->step = PlacesOfStep{3500 + 1.0 / 3, 4500 + 1.0 / 3};
  one.measurement.marks_found = MarksFound::both;
  one.measurement.recording = "x.flac";
  one.measurement.leading_confidence = 0.98765;
  one.measurement.delay_step_ms = -60.123456;
  one.measurement.note = "the delay changed";
  one.arrived_at_ns = 9'007'199'254'740'993;
  one.heard_until_ns = 9'007'199'254'740'995;
  const auto back = received_measurement_from(Json::parse(to_json(one).dump()));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->measurement.mos_lqo, one.measurement.mos_lqo);
  EXPECT_EQ(back->measurement.auditory_distance, one.measurement.auditory_distance);
  EXPECT_EQ(back->measurement.clock_drift_ppm, one.measurement.clock_drift_ppm);
  ASSERT_TRUE(back->measurement.placement);
  EXPECT_EQ(back->measurement.placement->start_samples, one.measurement.placement->start_samples);
  EXPECT_EQ(back->measurement.placement->clock_drift_ppm, one.measurement.placement->clock_drift_ppm);
  EXPECT_EQ(back->arrived_at_ns, one.arrived_at_ns);
  EXPECT_EQ(back->measurement.leading_confidence, 0.98765);
  EXPECT_FALSE(back->measurement.trailing_confidence);
  EXPECT_EQ(back->measurement.delay_step_ms, -60.123456);
  EXPECT_EQ(back->measurement.note, "the delay changed");
  EXPECT_EQ(back->measurement.placement->uncertainty_s, 0.1234567);
  ASSERT_TRUE(back->measurement.placement->step);
  EXPECT_EQ(back->measurement.placement->step->before_samples, 3500 + 1.0 / 3);
  EXPECT_EQ(back->measurement.placement->step->after_samples, 4500 + 1.0 / 3);
  EXPECT_EQ(back->heard_until_ns, one.heard_until_ns);
  EXPECT_FALSE(back->measurement.level_difference_db);
  EXPECT_EQ(back->measurement.sequence, 65535U);
}

TEST(MeasurementOnTheWire, ATrailingMarkAloneCarriesNoNumber) {
  ReceivedMeasurement one;
  one.stimulus = "M6";
  one.measurement.sequence = 1;
  one.measurement.marks_found = MarksFound::both;
  EXPECT_FALSE(received_measurement_from(to_json(one))->number_guessed);
  one.number_guessed = true;
  EXPECT_TRUE(received_measurement_from(to_json(one))->number_guessed);
  one.number_guessed = false;
  one.measurement.marks_found = MarksFound::trailing_only;
  EXPECT_TRUE(received_measurement_from(to_json(one))->number_guessed) << "as nodes of earlier releases report it";
}

ReceivedMeasurement good() {
  ReceivedMeasurement one;
  one.stimulus = "M6";
  one.measurement.sequence = 1;
  one.measurement.outcome = Outcome::scored;
  one.measurement.mos_lqo = 4;
  return one;
}

TEST(MeasurementOnTheWire, AnImpossibleMeasurementIsRefusedAndNamed) {
  ASSERT_TRUE(received_measurement_from(to_json(good())));
  const auto fault = [](const char* key, const Json& value) {
    Json json = to_json(good());
    json[key] = value;
    const auto read = received_measurement_from(json);
    EXPECT_FALSE(read) << key << " " << value;
    if (read) return std::string();
    EXPECT_EQ(read.error().code, ErrorCode::protocol);
    return read.error().message;
  };
  for (const Json& value : {Json(-1), Json(0), Json(1.7), Json(65536), Json("1"), Json(std::uint64_t{1} << 32)})
    EXPECT_THAT(fault("sequence", value), HasSubstr("sequence"));
  for (const Json& value : {Json(0.99), Json(4.5501), Json(-1e300), Json(900), Json("4"), Json(true)})
    EXPECT_THAT(fault("mos_lqo", value), HasSubstr("mos_lqo"));
  EXPECT_THAT(fault("auditory_distance", -0.1), HasSubstr("auditory_distance"));
  EXPECT_THAT(fault("clock_drift_ppm", 2e6), HasSubstr("clock_drift_ppm"));
  EXPECT_THAT(fault("level_difference_db", -2000), HasSubstr("level_difference_db"));
  EXPECT_THAT(fault("marks_found", "some"), HasSubstr("marks_found"));
  EXPECT_THAT(fault("outcome", "splendid"), HasSubstr("outcome"));
  EXPECT_THAT(fault("reason", std::string(5000, 'x')), HasSubstr("reason"));
  EXPECT_THAT(fault("reason", "two\nlines"), HasSubstr("reason"));
  EXPECT_THAT(fault("recording", "../../x.flac"), HasSubstr("recording"));
  for (const Json& value : {Json(-1), Json(0.5), Json(UINT64_MAX), Json("0")})
    EXPECT_THAT(fault("arrived_at_ns", value), HasSubstr("arrived_at_ns"));
}

TEST(FindingsOnTheWire, AreReadBackAndWithinTheirRange) {
  EXPECT_EQ(findings_json(std::nullopt), Json());
  EXPECT_FALSE(*findings_from(Json()));
  auto findings = test::scored(1, 4).findings;
  findings->unrecognised_cost_mos = 0.7;
  const Json whole = findings_json(findings);
  const auto read = findings_from(whole);
  ASSERT_TRUE(read && *read);
  EXPECT_EQ((**read).impairments.at(0).impairment, Impairment::noise);
  EXPECT_EQ(findings_json(*read), whole);
  const auto with = [&whole](const char* key, const Json& value) {
    Json changed = whole;
    changed[key] = value;
    return changed;
  };
  for (const auto& [key, value] : whole.items()) {
    for (const Json& wrong :
         {Json(-1), Json("1"), Json(), Json(1e300), Json::array({Json{{"impairment", "luck"}, {"strength", 1}}})}) {
      const bool is_level = key == "noise_dbm0p" && wrong == Json(-1);  // which may be below 0
      EXPECT_EQ(static_cast<bool>(findings_from(with(key.c_str(), wrong))), is_level) << key << " " << wrong;
    }
  }
  EXPECT_FALSE(findings_from(with("impairments", Json::array({Json{{"impairment", "noise"}, {"strength", -1}}}))));
  EXPECT_FALSE(findings_from(with("impairments", Json(std::vector<Json>(9, whole["impairments"][0])))));
  EXPECT_FALSE(findings_from(Json::array()));
}

TEST(NoticeOnTheWire, NumbersAreWholeAndInTheirRange) {
  EXPECT_EQ(departure_from({{"sequence", 3U}, {"left_at_ns", 7U}})->left_at_ns, 7);
  EXPECT_FALSE(departure_from({{"sequence", -1}, {"left_at_ns", 7U}}));
  EXPECT_FALSE(departure_from({{"sequence", 1.7}, {"left_at_ns", 7U}}));
  EXPECT_FALSE(departure_from({{"sequence", 3U}, {"left_at_ns", INT64_MIN}}));
  EXPECT_FALSE(departure_from(Json::array({3, 7})));
  EXPECT_EQ(round_done_from({{"number", 2U}, {"line_time_ns", 5U}})->line_time_ns, 5);
  EXPECT_FALSE(round_done_from({{"number", -2}, {"line_time_ns", 5U}}));
  EXPECT_FALSE(round_done_from({{"number", 2U}, {"line_time_ns", -5}}));
  EXPECT_FALSE(round_done_from({{"number", 2U}, {"line_time_ns", INT64_MAX}}));
  EXPECT_TRUE(round_failed_from({{"code", "line_lost"}, {"message", "gone"}})->line_lost);
  EXPECT_EQ(round_failed_from({{"code", "io"}, {"message", "two\nlines"}})->message, "two lines");
  EXPECT_FALSE(round_failed_from({{"code", "io"}, {"message", 3}}));
}

TEST(MeasurementOnTheWire, OnlyTheOutcomeScoredHasAScore) {
  ReceivedMeasurement one = good();
  one.measurement.outcome = Outcome::not_found;
  one.measurement.mos_lqo = 1.0;
  EXPECT_FALSE(received_measurement_from(to_json(one)));
  one.measurement.outcome = Outcome::scored;
  EXPECT_TRUE(received_measurement_from(to_json(one)));
  one.measurement.mos_lqo.reset();
  EXPECT_FALSE(received_measurement_from(to_json(one)));
}

TEST(MeasurementOnTheWire, DamageIsAnError) {
  const Json whole = to_json(good());
  ASSERT_TRUE(received_measurement_from(whole));
  for (const auto& [key, value] : whole.items()) {
    Json damaged = whole;
    damaged.erase(key);
    // A journal of an earlier release has no findings.
    EXPECT_EQ(static_cast<bool>(received_measurement_from(damaged)), key == "findings") << key;
    damaged[key] = Json::array({1});
    EXPECT_FALSE(received_measurement_from(damaged)) << key;
  }
  for (const Json& other : {Json(), Json(3), Json::array()}) EXPECT_FALSE(received_measurement_from(other));
}

TEST(RoundOnTheWire, IsReadBack) {
  RoundRequest request;
  request.number = 3;
  request.send = {{"M1", 4}, {"F5", 5}};
  request.expect = {{"M6", 9, 12.5}};
  const auto back = round_request_from(to_json(request));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->number, 3U);
  ASSERT_EQ(back->send.size(), 2U);
  EXPECT_EQ(back->send[1].stimulus, "F5");
  EXPECT_EQ(back->send[1].sequence, 5U);
  EXPECT_EQ(back->expect[0].within_s, 12.5);
  EXPECT_FALSE(back->in_turn);
  request.in_turn = true;
  EXPECT_TRUE(round_request_from(to_json(request))->in_turn);
}

TEST(RoundOnTheWire, InvalidMembersAreNamed) {
  const auto fault = [](const char* text) {
    const auto request = round_request_from(Json::parse(text));
    EXPECT_FALSE(request) << text;
    return request ? std::string() : request.error().message;
  };
  EXPECT_THAT(fault(R"({})"), HasSubstr("number"));
  EXPECT_THAT(fault(R"({"number":-1,"send":[],"expect":[]})"), HasSubstr("number"));
  EXPECT_THAT(fault(R"({"number":1.5,"send":[],"expect":[]})"), HasSubstr("number"));
  EXPECT_THAT(fault(R"({"number":1,"expect":[]})"), HasSubstr("send"));
  EXPECT_THAT(fault(R"({"number":1,"send":{},"expect":[]})"), HasSubstr("send"));
  EXPECT_THAT(fault(R"({"number":1,"send":[3],"expect":[]})"), HasSubstr("send"));
  EXPECT_THAT(fault(R"({"number":1,"send":[{"stimulus":"M1"}],"expect":[]})"), HasSubstr("sequence"));
  EXPECT_THAT(fault(R"({"number":1,"send":[{"stimulus":"M1","sequence":0}],"expect":[]})"), HasSubstr("sequence"));
  EXPECT_THAT(fault(R"({"number":1,"send":[{"stimulus":"M1","sequence":65536}],"expect":[]})"), HasSubstr("sequence"));
  EXPECT_THAT(fault(R"({"number":1,"send":[],"expect":[{"stimulus":1,"sequence":1,"within_s":1}]})"),
              HasSubstr("stimulus"));
  EXPECT_THAT(fault(R"({"number":1,"send":[],"expect":[{"stimulus":"M1","sequence":1,"within_s":0}]})"),
              HasSubstr("within_s"));
  EXPECT_THAT(fault(R"({"number":1,"send":[],"expect":[{"stimulus":"M1","sequence":1,"within_s":1e9}]})"),
              HasSubstr("within_s"));
  EXPECT_THAT(fault(R"({"number":1,"send":[],"expect":[],"in_turn":1})"), HasSubstr("in_turn"));
  Json many = {{"number", 1}, {"send", Json::array()}, {"expect", Json::array()}};
  for (int n = 0; n < 1001; ++n) many["send"].push_back({{"stimulus", "M1"}, {"sequence", 1}});
  EXPECT_FALSE(round_request_from(many));
}

TEST(SilenceOnTheWire, IsReadBackAndRefusedIfImpossible) {
  IdleInput noise;
  noise.kind = IdleInput::Kind::noise;
  noise.level_dbov = -48.2;
  const Json told = to_json(SilenceNotice{7, 5.0, 16.5, noise});
  const auto back = silence_from(Json::parse(told.dump()));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->sequence, 7U);
  EXPECT_EQ(back->waited_s, 5.0);
  EXPECT_EQ(back->left_s, 16.5);
  EXPECT_EQ(back->heard.level_dbov, -48.2);
  for (const char* member : {"sequence", "waited_s", "left_s", "heard"}) {
    Json bad = told;
    bad[member] = "x";
    EXPECT_FALSE(silence_from(bad)) << member;
    bad.erase(member);
    EXPECT_FALSE(silence_from(bad)) << member;
  }
  EXPECT_FALSE(warning_from(Json{{"message", 1}}));
  EXPECT_EQ(warning_from(Json{{"message", "a\nb"}}).value(), "a b");
}

}  // namespace
}  // namespace vqas
