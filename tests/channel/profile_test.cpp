#include "vqas/channel/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <set>

#include "channel/full_profile.h"
#include "support/random_errors.h"
#include "support/temporary_folder.h"
#include "vqas/channel/profile_library.h"
#include "vqas/channel/profile_text.h"

namespace vqas {
namespace {

using test::one_of_everything;
using testing::AllOf;
using testing::HasSubstr;

std::string fault_of(const std::string& text) {
  const auto profile = parse_profile(text, "storm.toml");
  return profile ? "no fault" : profile.error().message;
}

TEST(Profile, ItsOwnTomlRestoresEveryPart) {
  const Profile profile = one_of_everything();
  ASSERT_TRUE(validate(profile)) << validate(profile).error().message;
  const auto back = parse_profile(profile_toml(profile), "all.toml");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, profile) << profile_toml(*back);
}

TEST(Profile, AnEmptyTextIsAPlainLine) {
  const auto profile = parse_profile("", "empty.toml");
  ASSERT_TRUE(profile);
  EXPECT_EQ(*profile, plain_profile());
  EXPECT_TRUE(validate(*profile));
}

TEST(Profile, BuiltInOnesAreValidAreNamedUniquelyAndRestoredFromToml) {
  std::set<std::string> names;
  for (const Profile& profile : built_in_profiles()) {
    EXPECT_TRUE(validate(profile)) << profile.name;
    EXPECT_TRUE(names.insert(profile.name).second) << profile.name;
    const auto back = parse_profile(profile_toml(profile), profile.name);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, profile);
  }
  EXPECT_EQ(names.size(), 8U + 16U);
  EXPECT_EQ(thunderstorm_bers().size(), 24U);
  EXPECT_EQ(wander_uplink_bers().size(), 24U);
}

TEST(Profile, IsFoundByNameOrFileAndAnUnknownNameListsTheKnownOnes) {
  const auto storm = find_profile("thunderstorm");
  ASSERT_TRUE(storm);
  EXPECT_EQ(std::get<VaryingRate>(storm->errors.at(0)).steps.at(1).from_ber, 3e-1);
  const auto unknown = find_profile("thunder");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, AllOf(HasSubstr("thunderstorm"), HasSubstr(".toml")));
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "mine.toml") << "[[errors]]\nkind = \"random\"\nber = 1e-4\n";
  const auto mine = find_profile((folder.path() / "mine.toml").string());
  ASSERT_TRUE(mine) << mine.error().message;
  EXPECT_EQ(mine->name, "mine");
}

TEST(Profile, AnUnknownKeyIsRefusedWithFileLineAndTheKnownOnes) {
  EXPECT_THAT(fault_of("delay_s = 1\n[[errors]]\nkind = \"random\"\nbre = 1e-3\n"),
              AllOf(HasSubstr("storm.toml:4: "), HasSubstr("\"bre\""), HasSubstr("ber")));
  EXPECT_THAT(fault_of("\nspeed = 3\n"), AllOf(HasSubstr("storm.toml:2: "), HasSubstr("delay_s")));
}

TEST(Profile, AValueOutOfRangeIsRefusedWithFileLineAndRange) {
  EXPECT_THAT(fault_of("[[errors]]\nkind = \"random\"\n\nber = 0.6\n"),
              AllOf(HasSubstr("storm.toml:4: "), HasSubstr("errors[0].ber is 0.6"), HasSubstr("0.5")));
  EXPECT_THAT(fault_of("gain_db = 41"), AllOf(HasSubstr("storm.toml:1: gain_db is 41"), HasSubstr("-40 to 40 dB")));
  EXPECT_THAT(fault_of("delay_s = nan"), HasSubstr("delay_s is nan"));
  EXPECT_THAT(fault_of("delay_s = 0.001"), HasSubstr("give that or more"));
  EXPECT_THAT(fault_of("error_mask = 0"), HasSubstr("1 to 255"));
  EXPECT_THAT(fault_of("[packets]\nloss_ratio = 0.95"), HasSubstr("packets.loss_ratio is 0.95"));
  EXPECT_THAT(fault_of("[[slips]]\nat_s = 1\noctets = 0"), HasSubstr("storm.toml:3: slips[0].octets is 0"));
  EXPECT_THAT(fault_of("[[errors]]\nkind = \"varying\"\nsteps = [\n{ ber = 1e-3 },\n{ ber = 1e-13 } ]"),
              AllOf(HasSubstr("storm.toml:5: "), HasSubstr("steps[1]")));
}

TEST(Profile, KeysWithoutTheirEffectAreRefused) {
  EXPECT_THAT(fault_of("[packets]\nloss_ratio = 0.1"), AllOf(HasSubstr("storm.toml:2: "), HasSubstr("loss_ratio")));
  const test::TemporaryFolder folder;
  const std::string bits = (folder.path() / "some.bits").string();
  test::write_text(bits, "x");
  EXPECT_THAT(fault_of("error_mask = \"sign\"\n[[errors]]\nkind = \"pattern\"\nfile = \"" + bits + "\""),
              AllOf(HasSubstr("storm.toml:1: error_mask"), HasSubstr("leave the mask out")));
  EXPECT_TRUE(parse_profile("[[errors]]\nkind = \"pattern\"\nfile = \"" + bits + "\"", "fine.toml"));
}

TEST(Profile, ErrorsWithoutEffectAreRefused) {
  const auto without = [](const std::string& kind, const std::string& key) {
    EXPECT_THAT(fault_of("[[errors]]\nkind = \"" + kind + "\"\n"), HasSubstr("without " + key)) << kind;
  };
  without("random", "ber");
  without("exact", "errors");
  without("bursts", "burst_ber");
  without("gilbert-elliott", "bad_ber");
  without("single", "at_s");
  EXPECT_THAT(fault_of("[[errors]]\nber = 1e-3\n"), HasSubstr("errors have a kind"));
  EXPECT_THAT(fault_of("[packets]\nloss = \"random\"\n"), HasSubstr("without loss_ratio"));
  EXPECT_TRUE(parse_profile("[[errors]]\nkind = \"random\"\nber = 0\n", "none.toml"));
  Profile quiet = plain_profile();
  quiet.packets.emplace().loss = LossKind::random;
  EXPECT_TRUE(parse_profile(profile_toml(quiet), "printed.toml"));
}

TEST(Profile, AValueOfAnotherTypeAndInvalidTomlAreRefused) {
  EXPECT_THAT(fault_of("delay_s = \"long\""), HasSubstr("delay_s is not a number"));
  EXPECT_THAT(fault_of("law = \"ulaw\""), AllOf(HasSubstr("\"mu\""), HasSubstr("\"a\"")));
  EXPECT_THAT(fault_of("[[errors]]\nkind = \"storm\""), HasSubstr("gilbert-elliott"));
  EXPECT_THAT(fault_of("errors = 3"), HasSubstr("[[errors]]"));
  EXPECT_THAT(fault_of("delay_s = 1\ndelay_s 2\n"), AllOf(HasSubstr("storm.toml:2: "), HasSubstr("TOML")));
  EXPECT_THAT(fault_of("[release]\nnetwork = \"mars\""), HasSubstr("terrestrial"));
}

TEST(Profile, AnUnreadablePatternFileIsNamed) {
  EXPECT_THAT(fault_of("[[errors]]\nkind = \"pattern\"\nfile = \"none.bits\""),
              AllOf(HasSubstr("storm.toml:3: "), HasSubstr("none.bits")));
  EXPECT_FALSE(read_profile("/nonexistent/line.toml"));
}

TEST(Profile, NetworksThatReleaseACallAreKnown) {
  EXPECT_EQ(release_of_network("terrestrial")->ber, 1e-3);
  EXPECT_EQ(release_of_network("terrestrial")->after_s, 5);
  EXPECT_EQ(release_of_network("satellite")->ber, 1e-2);
  EXPECT_EQ(release_of_network("local-switch")->after_s, 2);
  EXPECT_FALSE(plain_profile().release);
}

TEST(Profile, SlipsReserveTheMostThatTheyCanSkip) {
  EXPECT_EQ(slip_reserve_octets({}), 0U);
  EXPECT_EQ(slip_reserve_octets({{1, 5, 0}}), 0U);
  EXPECT_EQ(slip_reserve_octets({{1, -5, 0}, {2, 3, 0}, {3, -7, 0}}), 9U);
  EXPECT_EQ(slip_reserve_octets({{1, 8, 2}}), 8U);
}

TEST(MakeErrors, OneLegEqualsRandomErrorsAndTwoLegsAdd) {
  Profile profile = plain_profile();
  profile.errors = {RandomRate{1e-3}};
  std::vector<std::uint8_t> plain(100000), one(100000);
  test::random_errors(1e-3, 5, 2).process(plain);
  BitErrorStream(make_errors(profile, 5, 2)).process(one);
  EXPECT_EQ(one, plain);

  profile.errors = {RandomRate{1e-3}, RandomRate{2e-3}};
  BitErrorStream both(make_errors(profile, 5, 2));
  std::vector<std::uint8_t> twice(10'000'000);
  both.process(twice);
  // p + q - 2pq of 8e7 bits, within five standard deviations.
  const double expected = 8e7 * (1e-3 + 2e-3 - 2 * 1e-3 * 2e-3);
  EXPECT_NEAR(static_cast<double>(both.counters().errors()), expected, 5 * std::sqrt(expected));
}

TEST(MakeErrors, ABurstStartsAfterItsGapAndLastsItsLength) {
  Profile profile = plain_profile();
  profile.errors = {Bursts{0, 0.1, 0.5, 2, true}};
  BitErrorStream stream(make_errors(profile, 1, 0));
  std::vector<std::uint8_t> octets(3 * 8000);
  stream.process(octets);
  const auto wrong = [&](std::size_t from, std::size_t to) {
    return std::count_if(octets.begin() + static_cast<std::ptrdiff_t>(from),
                         octets.begin() + static_cast<std::ptrdiff_t>(to), [](auto octet) { return octet != 0; });
  };
  EXPECT_EQ(wrong(0, 16000), 0);
  EXPECT_GT(wrong(16000, 20000), 2000);  // 57 % of 4000
  EXPECT_EQ(wrong(20000, 24000), 0);
}

TEST(MakeErrors, TimesDoNotDependOnTheMask) {
  Profile profile = plain_profile();
  profile.error_mask = kSignBit;
  profile.errors = {ErrorsAt{{0.5, 2}}};
  BitErrorStream stream(make_errors(profile, 1, 0), profile.error_mask);
  std::vector<std::uint8_t> octets(3 * 8000);
  stream.process(octets);
  EXPECT_EQ(octets[4000], 0x80);
  EXPECT_EQ(octets[16000], 0x80);
  EXPECT_EQ(stream.counters().errors(), 2U);
}

TEST(MakeErrors, AnExactCountIsExact) {
  Profile profile = plain_profile();
  profile.errors = {ExactCount{137, 2}};
  BitErrorStream stream(make_errors(profile, 9, 0));
  std::vector<std::uint8_t> octets(4 * 8000);
  stream.process(octets);
  EXPECT_EQ(stream.counters().errors(), 137U);
}

}  // namespace
}  // namespace vqas
