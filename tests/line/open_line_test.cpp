#include "vqas/line/open_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "line/simulator_harness.h"
#include "line/socket.h"
#include "vqas/channel/profile_library.h"
#include "vqas/line/simulator.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

TEST(LineName, AnUnknownSchemeIsAnErrorThatListsTheKnownOnes) {
  for (const std::string name : {"teleport:somewhere", "sim", "", "SIM:127.0.0.1:1/a"}) {
    const auto line = open_line(name, End::a);
    ASSERT_FALSE(line) << name;
    EXPECT_EQ(line.error().code, ErrorCode::unsupported) << name;
    EXPECT_THAT(line.error().message, HasSubstr("sim:HOST:PORT/END")) << name;
  }
}

TEST(LineName, AnInvalidAddressIsAnErrorThatShowsTheForm) {
  for (const std::string name :
       {"sim:", "sim:127.0.0.1", "sim:127.0.0.1:7810", "sim:127.0.0.1:7810/c", "sim::7810/a", "sim:127.0.0.1:0/a",
        "sim:127.0.0.1:99999/a", "sim:127.0.0.1:78x/a", "sim:/a:1", "sim:127.0.0.1:/a", "sim:127.0.0.1:7810/"}) {
    const Status checked = check_line_name(name, End::a);
    ASSERT_FALSE(checked) << name;
    EXPECT_EQ(checked.error().code, ErrorCode::bad_input) << name;
    EXPECT_THAT(checked.error().message, HasSubstr("sim:HOST:PORT/END")) << name;
  }
}

TEST(LineName, ALineOfTheOtherEndIsRefused) {
  EXPECT_TRUE(check_line_name("sim:127.0.0.1:7810/a", End::a));
  const Status other = check_line_name("sim:127.0.0.1:7810/b", End::a);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("end b"));
}

TEST(LineName, AnAddressWithoutAnAnswerIsALostLineAndNamed) {
  std::uint16_t port = 0;
  {
    const auto listener = listen_on_loopback(0);
    ASSERT_TRUE(listener);
    port = *local_port(*listener);
  }
  const std::string name = "sim:127.0.0.1:" + std::to_string(port) + "/a";
  const auto line = open_line(name, End::a);
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().code, ErrorCode::line_lost);
  EXPECT_THAT(line.error().message, HasSubstr(name));
}

TEST(SimulatedConditions, AreParsedAsTheyWereWritten) {
  LineConditions conditions;
  conditions.law = G711Law::a;
  conditions.ber = 3.7e-7;
  conditions.delay_s = 0.123456789;
  conditions.gain_db = -7.25;
  conditions.band_limit = false;
  conditions.circuit_noise_dbm0p = -std::numeric_limits<double>::infinity();
  const SimulatedLine line = symmetric_line(conditions, 12.5, -99, 77);
  const auto back = parse_simulated_conditions(simulated_conditions_json(line));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->seed, 77U);
  EXPECT_EQ(back->a_to_b.law, G711Law::a);
  EXPECT_EQ(back->a_to_b.ber, conditions.ber);
  EXPECT_EQ(back->b_to_a.delay_s, conditions.delay_s);
  EXPECT_EQ(back->b_to_a.gain_db, conditions.gain_db);
  EXPECT_FALSE(back->a_to_b.band_limit);
  EXPECT_EQ(back->a_to_b.circuit_noise_dbm0p, conditions.circuit_noise_dbm0p);
  EXPECT_EQ(back->a_to_b.sender_clock_ppm, 12.5);
  EXPECT_EQ(back->b_to_a.sender_clock_ppm, -99);
}

TEST(SimulatedConditions, CarryTheProfileOfTheLine) {
  Profile storm = find_profile("thunderstorm").value();
  const SimulatedLine line = profiled_line(storm, 20, -30, 7);
  ASSERT_TRUE(validate(line)) << validate(line).error().message;
  const auto back = parse_simulated_conditions(simulated_conditions_json(line));
  ASSERT_TRUE(back) << back.error().message;
  ASSERT_TRUE(back->profile);
  EXPECT_EQ(*back->profile, storm);
  EXPECT_EQ(back->a_to_b, line.a_to_b);
  EXPECT_EQ(direction_profile(*back, back->b_to_a).errors, storm.errors);
  EXPECT_EQ(direction_profile(*back, back->b_to_a).line.sender_clock_ppm, -30);
}

TEST(SimulatedConditions, AProfileWithTooShortADelayIsRefused) {
  Profile profile = find_profile("local-isdn").value();
  profile.packets.emplace();
  const Status checked = validate(profiled_line(profile, 0, 0, 1));
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("delay_s"));
}

TEST(SimulatedConditions, AProfileTooLongForAMessageIsRefused) {
  Profile profile = find_profile("local-isdn").value();
  profile.errors = {VaryingRate{std::vector<BerStep>(5000, BerStep{1, 1e-6, 1e-5}), true}};
  ASSERT_TRUE(validate(profile));
  const Status checked = validate(profiled_line(profile, 0, 0, 1));
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("fewer steps"));
}

TEST(SimulatedConditions, DamagedTextIsAnErrorNotACrash) {
  for (const std::string& text :
       std::vector<std::string>{"", "{", "[]", "{\"seed\": 1}", "null", "{\"seed\":1,\"a-to-b\":{},\"b-to-a\":{}}",
                                "{\"seed\": " + std::string(500'000, '[') + std::string(500'000, ']') + "}"}) {
    const auto parsed = parse_simulated_conditions(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::protocol);
  }
}

TEST(SimulatedConditions, ADelayTooShortForTwoProcessesIsRefused) {
  LineConditions conditions;
  conditions.delay_s = 0.049;
  const Status checked = validate(symmetric_line(conditions, 0, 0, 1));
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("0.05"));
  conditions.delay_s = kSimulatorShortestDelay_s;
  EXPECT_TRUE(validate(symmetric_line(conditions, 0, 0, 1)));
}

TEST(WaitForSimulator, ASimulatorThatStartsLaterIsFound) {
  std::uint16_t port = 0;
  { port = test::RunningSimulator().port(); }
  const std::string name = "sim:127.0.0.1:" + std::to_string(port) + "/a";
  std::optional<test::RunningSimulator> simulator;
  int told = 0;
  wait_for_simulator(name, End::a, test::kDeadline, [&] {
    ++told;
    simulator.emplace(symmetric_line(LineConditions(), 0, 0, 1), test::kDeadline, port);
  });
  EXPECT_EQ(told, 1);
  EXPECT_TRUE(open_line(name, End::a));
  wait_for_simulator(name, End::a, test::kDeadline, [&] { ++told; });
  EXPECT_EQ(told, 1) << "it is there";
}

TEST(WaitForSimulator, EndsAfterItsPatienceAndDoesNothingForOtherLines) {
  std::uint16_t port = 0;
  { port = test::RunningSimulator().port(); }
  int told = 0;
  wait_for_simulator("sim:127.0.0.1:" + std::to_string(port) + "/a", End::a, std::chrono::milliseconds(120),
                     [&] { ++told; });
  EXPECT_EQ(told, 1);
  for (const char* other : {"rtp:127.0.0.1:20000/127.0.0.1:20002", "file:?in=x", "sim:", "sim:127.0.0.1:1/c"})
    wait_for_simulator(other, End::a, test::kDeadline, [&] { ++told; });
  EXPECT_EQ(told, 1);
}

TEST(OpenLine, AnEndStillTakenByAPreviousRunIsTriedAgain) {
  const test::RunningSimulator simulator;
  const std::string name = simulator.name(End::a);
  auto before = open_line(name, End::a);
  auto other = open_line(simulator.name(End::b), End::b);
  ASSERT_TRUE(before && other);
  EXPECT_FALSE(open_line(name, End::a, std::chrono::milliseconds(120)));
  const auto leave = [&] {
    *before = nullptr;
    *other = nullptr;
  };
  EXPECT_TRUE(open_line(name, End::a, test::kDeadline, leave));
}

TEST(SimulatedConditions, TwoClocksForOneEndAreRefused) {
  SimulatedLine line = symmetric_line(LineConditions(), 10, -10, 1);
  line.b_to_a.receiver_clock_ppm = 11;
  const Status checked = validate(line);
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("one clock"));
}

}  // namespace
}  // namespace vqas
