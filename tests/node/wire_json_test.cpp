#include "node/wire_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  one.measurement.marks_found = "both";
  one.measurement.recording = "x.flac";
  one.arrived_at_ns = 9'007'199'254'740'993;
  const auto back = received_measurement_from(Json::parse(to_json(one).dump()));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->measurement.mos_lqo, one.measurement.mos_lqo);
  EXPECT_EQ(back->measurement.auditory_distance, one.measurement.auditory_distance);
  EXPECT_EQ(back->measurement.clock_drift_ppm, one.measurement.clock_drift_ppm);
  EXPECT_EQ(back->arrived_at_ns, one.arrived_at_ns);
  EXPECT_FALSE(back->measurement.level_difference_db);
  EXPECT_EQ(back->measurement.sequence, 65535U);
}

TEST(MeasurementOnTheWire, AScoreComesWithTheOutcomeScoredAndOnlyThen) {
  ReceivedMeasurement one;
  one.measurement.outcome = Outcome::not_found;
  one.measurement.mos_lqo = 1.0;
  EXPECT_FALSE(received_measurement_from(to_json(one)));
  one.measurement.outcome = Outcome::scored;
  EXPECT_TRUE(received_measurement_from(to_json(one)));
  one.measurement.mos_lqo.reset();
  EXPECT_FALSE(received_measurement_from(to_json(one)));
}

TEST(MeasurementOnTheWire, DamageIsAnError) {
  const Json good = to_json(ReceivedMeasurement());
  ASSERT_TRUE(received_measurement_from(good));
  for (const auto& [key, value] : good.items()) {
    Json damaged = good;
    damaged.erase(key);
    EXPECT_FALSE(received_measurement_from(damaged)) << key;
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
}

TEST(RoundOnTheWire, WhatIsWrongIsNamed) {
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
  Json many = {{"number", 1}, {"send", Json::array()}, {"expect", Json::array()}};
  for (int n = 0; n < 1001; ++n) many["send"].push_back({{"stimulus", "M1"}, {"sequence", 1}});
  EXPECT_FALSE(round_request_from(many));
}

}  // namespace
}  // namespace vqas
