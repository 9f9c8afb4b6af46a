#include "vqas/relay/live_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vqas {
namespace {

using ::testing::HasSubstr;

// Records what it is asked to do.
class Desk : public LiveControl {
 public:
  Status set(const RelayTarget& target, const std::string& json) override {
    for (const End from : target.from ? std::vector<End>{*target.from} : directions()) {
      const auto changed = with_changes(of(from), json);
      if (!changed) return changed.error();
      of(from) = *changed;
    }
    return success();
  }
  Status inject(const RelayTarget&, std::uint32_t) override { return success(); }
  const RelayConditions& conditions(End from) const override { return sides_[static_cast<std::size_t>(from)]; }
  std::vector<End> directions() const override { return {End::a, End::b}; }
  Relayed relayed() const override { return Relayed::packets; }
  bool real_time() const override { return false; }
  std::vector<std::string> calls_json() const override { return {}; }

  RelayConditions& of(End from) { return sides_[static_cast<std::size_t>(from)]; }
  double ber(End from) const { return std::get<RandomRate>(conditions(from).profile.errors.at(0)).ber; }
  const PacketConditions& packets(End from) const { return *conditions(from).profile.packets; }

 private:
  std::array<RelayConditions, 2> sides_;
};

class LiveKeysTest : public ::testing::Test {
 protected:
  LiveKeysTest() {
    live_.of(End::a).profile.errors = {RandomRate{1e-4}};
    live_.of(End::b).profile.errors = {RandomRate{1e-6}};
  }
  Desk live_;
  LiveKeys keys_{live_};
};

TEST_F(LiveKeysTest, TenfoldIsTenfoldInEachDirection) {
  EXPECT_EQ(keys_.press('+'), "BER 0.001 a to b, 1e-05 b to a");
  EXPECT_DOUBLE_EQ(live_.ber(End::a), 1e-3);
  EXPECT_DOUBLE_EQ(live_.ber(End::b), 1e-5);
  keys_.press('d');
  EXPECT_EQ(keys_.press('-'), "BER 0.0001, a to b");
  EXPECT_DOUBLE_EQ(live_.ber(End::a), 1e-4);
  EXPECT_DOUBLE_EQ(live_.ber(End::b), 1e-5);
}

TEST_F(LiveKeysTest, TheErrorsOfAProfileAreNotReplacedByAStep) {
  live_.of(End::b).profile.errors = {Bursts{1e-6, 1e-2, 1, 5, true}};
  const RelayConditions before = live_.conditions(End::b);
  EXPECT_THAT(keys_.press('+'), HasSubstr("b to a has the errors of its profile"));
  EXPECT_EQ(live_.conditions(End::b), before);
  EXPECT_DOUBLE_EQ(live_.ber(End::a), 1e-4) << "no direction was changed";
  EXPECT_EQ(keys_.press('0'), "no errors, no loss, both directions");
  EXPECT_EQ(keys_.press('+'), "BER 1e-06, both directions");
}

TEST_F(LiveKeysTest, MoreLossKeepsItsKindInEachDirection) {
  PacketConditions runs;
  runs.loss = LossKind::gilbert;
  runs.loss_ratio = 0.05;
  runs.mean_loss_packets = 4;
  live_.of(End::a).profile.packets = runs;
  EXPECT_EQ(keys_.press('l'), "1 % more packet loss, both directions");
  EXPECT_EQ(live_.packets(End::a).loss, LossKind::gilbert);
  EXPECT_DOUBLE_EQ(live_.packets(End::a).loss_ratio, 0.06);
  EXPECT_DOUBLE_EQ(live_.packets(End::a).mean_loss_packets, 4);
  EXPECT_EQ(live_.packets(End::b).loss, LossKind::random);
  EXPECT_DOUBLE_EQ(live_.packets(End::b).loss_ratio, 0.01);
}

TEST(LossConditions, ChangingTheLossRatioKeepsTheMeanRunAndViceVersa) {
  const auto changed = [](const RelayConditions& from, const char* json) {
    const auto result = with_changes(from, json);
    EXPECT_TRUE(result) << json;
    return result ? *result : from;
  };
  RelayConditions runs = changed({}, R"({"mean_loss_packets": 5})");
  runs = changed(runs, R"({"loss": 0.1})");
  EXPECT_EQ(runs.profile.packets->loss, LossKind::gilbert);
  runs = changed(changed(runs, R"({"loss": 0})"), R"({"loss": 0.2})");
  EXPECT_EQ(runs.profile.packets->loss, LossKind::gilbert);
  EXPECT_DOUBLE_EQ(runs.profile.packets->mean_loss_packets, 5);
  EXPECT_DOUBLE_EQ(runs.profile.packets->loss_ratio, 0.2);
  const RelayConditions single = changed(runs, R"({"mean_loss_packets": 1})");
  EXPECT_EQ(single.profile.packets->loss, LossKind::random);
  EXPECT_DOUBLE_EQ(single.profile.packets->loss_ratio, 0.2);
}

}  // namespace
}  // namespace vqas
