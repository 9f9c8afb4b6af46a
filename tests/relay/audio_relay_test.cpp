// The audio mode with a test port instead of sound devices.
#include "vqas/relay/audio_relay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "channel/binomial_bounds.h"
#include "support/random_errors.h"

namespace vqas {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class TestPort : public SoundPort {
 public:
  const std::string& input() const override { return input_; }
  const std::string& output() const override { return output_; }
  double rate_hz() const override { return 8000; }
  Status start(SoundUser& user) override {
    user_ = &user;
    return refuse ? Status(Error{ErrorCode::io, "the cable is out"}) : success();
  }
  SoundUser& user() const { return *user_; }
  bool refuse = false;

 private:
  std::string input_ = "a microphone", output_ = "a loudspeaker";
  SoundUser* user_ = nullptr;
};

AudioRelayOptions plain_options() {
  AudioRelayOptions options;
  options.buffer_ms = 10;
  options.seed = 6;
  return options;
}
RelayConditions with_ber(double ber) {
  RelayConditions conditions;
  conditions.profile.errors = {RandomRate{ber}};
  return conditions;
}
std::vector<float> ramp(std::size_t samples) {
  std::vector<float> out(samples);
  for (std::size_t i = 0; i < samples; ++i) out[i] = 0.5F * static_cast<float>(i % 200) / 200 - 0.25F;
  return out;
}

class AudioRelayTest : public ::testing::Test {
 protected:
  void start(const AudioRelayOptions& options) {
    auto port = std::make_unique<TestPort>();
    port_ = port.get();
    relay_ = std::move(AudioRelay::start(options, std::move(port))).value();
    live_ = std::make_unique<AudioControl>(*relay_);
  }
  // Puts sound in and takes as much out, in blocks of 10 ms; each after the relay's thread has handled the one before.
  std::vector<float> carried(const std::vector<float>& heard) {
    constexpr std::size_t kBlock = 80;
    std::vector<float> out(heard.size());
    for (std::size_t begin = 0; begin < heard.size(); begin += kBlock) {
      const std::size_t count = std::min(kBlock, heard.size() - begin);
      port_->user().heard(std::span(heard).subspan(begin, count), false);
      given_ += count;
      while (relay_->counters().errors.place() < 8 * given_) std::this_thread::yield();
      port_->user().wanted(std::span(out).subspan(begin, count), false);
    }
    return out;
  }
  json call() const { return json::parse(live_->calls_json().at(0)); }
  std::string complaint(const std::string& set, const RelayTarget& target = {}) {
    const Status done = live_->set(target, set);
    return done ? "" : done.error().message;
  }

  std::unique_ptr<AudioRelay> relay_;
  std::unique_ptr<AudioControl> live_;
  TestPort* port_ = nullptr;
  std::size_t given_ = 0;
};

TEST_F(AudioRelayTest, SoundComesOutAfterTheBufferWithRandomErrors) {
  AudioRelayOptions options = plain_options();
  options.conditions = with_ber(1e-2);
  start(options);
  const auto heard = ramp(8000);
  const auto out = carried(heard);
  std::vector<std::uint8_t> octets(heard.size());
  g711_encode(heard, octets, G711Law::mu);
  test::random_errors(1e-2, 6, 0).process(octets);
  std::vector<float> expected(heard.size());
  g711_decode(octets, expected, G711Law::mu);
  EXPECT_TRUE(std::all_of(out.begin(), out.begin() + 80, [](float sample) { return sample == 0; }));
  EXPECT_TRUE(std::equal(out.begin() + 80, out.end(), expected.begin()));
  EXPECT_EQ(relay_->counters().heard, 8000U);
  EXPECT_EQ(relay_->counters().played, 8000U);
  EXPECT_EQ(relay_->counters().underflows, 0U);
}

TEST_F(AudioRelayTest, ConditionsChangeWhileItRuns) {
  start(plain_options());
  carried(ramp(40'000));
  EXPECT_EQ(relay_->counters().errors.errors(), 0U);
  EXPECT_EQ(complaint(R"({"ber": 1e-2})"), "");
  carried(ramp(40'000));
  EXPECT_TRUE(test::is_binomial(relay_->counters().errors.errors(), 320'000, 1e-2));
  EXPECT_EQ(call()["a_to_b"]["conditions"]["ber"], 1e-2);
  EXPECT_EQ(call()["a_to_b"]["counters"]["bits"], 640'000);
}

TEST_F(AudioRelayTest, TheDelayGrowsAndShrinksWhileItRuns) {
  start(plain_options());
  const auto heard = ramp(1600);
  std::vector<float> expected(heard.size());
  std::vector<std::uint8_t> octets(heard.size());
  g711_encode(heard, octets, G711Law::mu);
  g711_decode(octets, expected, G711Law::mu);
  EXPECT_EQ(carried(heard)[80], expected[0]);
  EXPECT_EQ(complaint(R"({"delay_ms": 97.5})"), "");
  const auto later = carried(heard);
  EXPECT_EQ(later[79], expected[1599]) << "waiting samples come first";
  EXPECT_EQ(later[80 + 779], 0) << "780 samples of silence, not the ramp";
  EXPECT_EQ(later[80 + 780], expected[0]);
  EXPECT_EQ(complaint(R"({"delay_ms": 0})"), "");
  carried(heard);
  EXPECT_EQ(carried(heard)[80], expected[0]);
  EXPECT_EQ(relay_->counters().underflows, 0U);
  EXPECT_EQ(relay_->counters().clock_slips, 0U);
}

TEST_F(AudioRelayTest, SoundIsCodedByTheLawOfItsProfileEvenInBypass) {
  AudioRelayOptions options = plain_options();
  options.conditions.profile.line.law = G711Law::a;
  start(options);
  const auto coded = [](const std::vector<float>& heard, G711Law law) {
    std::vector<float> expected(heard.size());
    std::vector<std::uint8_t> octets(heard.size());
    g711_encode(heard, octets, law);
    g711_decode(octets, expected, law);
    return expected;
  };
  const auto heard = ramp(160);
  const float by_a = coded(heard, G711Law::a)[0], by_mu = coded(heard, G711Law::mu)[0];
  ASSERT_NE(by_a, by_mu);
  EXPECT_EQ(carried(heard)[80], by_a);
  EXPECT_EQ(complaint(R"({"bypass": true})"), "");
  carried(heard);
  EXPECT_EQ(carried(heard)[80], by_a);
  EXPECT_EQ(complaint(R"({"bypass": false, "toml": "law = \"mu\"\ndelay_s = 0.02"})"), "");
  carried(heard);
  carried(heard);
  EXPECT_EQ(carried(heard)[80], by_mu);
}

TEST_F(AudioRelayTest, PartsOfAProfileThatDoNotApplyToSoundAreNamed) {
  start(plain_options());
  EXPECT_EQ(complaint(json{{"toml",
                            "gain_ripple_db = 1\nfresh_phase = true\nlaw = \"a\"\n"
                            "[packets]\nloss = \"random\"\nloss_ratio = 0.1\n"}}
                          .dump()),
            "");
  EXPECT_EQ(call()["a_to_b"]["conditions"]["left_out"], json({"gain_ripple_db", "fresh_phase", "packets"}));
}

TEST_F(AudioRelayTest, TheWholeDigitalPartWorksAndIsCounted) {
  start(plain_options());
  EXPECT_EQ(complaint(json{{"toml",
                            "[[interruptions]]\nfill = \"ones\"\nstart_s = 0.5\nduration_s = 0.25\n"
                            "[[slips]]\nat_s = 0.1\noctets = 8\n"
                            "[[errors]]\nkind = \"random\"\nber = 0.1\n"
                            "[release]\nnetwork = \"satellite\"\n"}}
                          .dump()),
            "");
  carried(ramp(16'000));
  const json counters = call()["a_to_b"]["counters"];
  EXPECT_EQ(counters["interrupted_octets"], 2000);
  EXPECT_EQ(counters["slips"], 1);
  EXPECT_EQ(counters["releases"], 1);
  EXPECT_EQ(counters["call_state"], "released");
}

TEST_F(AudioRelayTest, SingleErrorsAreInjectedOnDemand) {
  start(plain_options());
  EXPECT_TRUE(live_->inject({}, 3));
  carried(ramp(160));
  EXPECT_EQ(relay_->counters().errors.errors(), 3U);
  EXPECT_FALSE(live_->inject({.call = 7, .from = {}}, 1));
}

TEST_F(AudioRelayTest, ConditionsThatDoNotApplyToSoundAreRefusedByName) {
  start(plain_options());
  EXPECT_THAT(complaint(R"({"loss": 0.1})"), HasSubstr("\"loss\": there are no packets"));
  EXPECT_THAT(complaint(R"({"ber": 0.9})"), HasSubstr("ber"));
  EXPECT_THAT(complaint(R"({"beer": 0.1})"), HasSubstr("beer"));
  EXPECT_THAT(complaint("[1]"), HasSubstr("conditions"));
  EXPECT_THAT(complaint("{", {}), HasSubstr("conditions"));
  EXPECT_THAT(complaint(R"({"ber": 0.1})", {.call = {}, .from = End::b}), HasSubstr("b_to_a"));
  EXPECT_THAT(complaint(R"({"ber": 0.1})", {.call = 1, .from = {}}), HasSubstr("no call 1"));
  EXPECT_EQ(live_->conditions(End::a), RelayConditions());
}

TEST_F(AudioRelayTest, LateSoundAndLostSoundAreCounted) {
  start(plain_options());
  std::vector<float> out(200);
  port_->user().wanted(out, true);
  EXPECT_EQ(relay_->counters().underflows, 120U) << "80 were held";
  EXPECT_EQ(relay_->counters().device_flags, 1U);
}

TEST_F(AudioRelayTest, ADeviceThatDoesNotStartIsReported) {
  auto port = std::make_unique<TestPort>();
  port->refuse = true;
  const auto relay = AudioRelay::start(plain_options(), std::move(port));
  ASSERT_FALSE(relay);
  EXPECT_THAT(relay.error().message, HasSubstr("cable"));
  AudioRelayOptions options = plain_options();
  options.buffer_ms = 1;
  EXPECT_FALSE(AudioRelay::start(options, std::make_unique<TestPort>()));
}

}  // namespace
}  // namespace vqas
