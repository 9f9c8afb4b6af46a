#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <QCoreApplication>
#include <QEventLoop>
#include <QTimer>
#include <QWebSocket>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "relay/endpoint.h"
#include "relay/relay_json.h"
#include "support/temporary_folder.h"
#include "vqas/relay/call_control.h"

namespace vqas {
namespace {

using nlohmann::json;
using test::loopback;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class RelayControlTest : public ::testing::Test {
 protected:
  RelayControlTest()
      : relay_(std::move(RtpRelay::start()).value()),
        live_(*relay_, on_loopback()),
        control_(std::move(ControlSocket::listen("127.0.0.1:0", live_)).value()) {
    call_ = relay_->add_call(live_.defaults())->number;
    QObject::connect(&socket_, &QWebSocket::textMessageReceived, &loop_, [this](const QString& text) {
      heard_ = json::parse(text.toStdString());
      loop_.quit();
    });
    QObject::connect(&socket_, &QWebSocket::connected, &loop_, &QEventLoop::quit);
    socket_.open(QUrl(QString::fromStdString(control_->address())));
    wait();
  }
  static CallOptions on_loopback() {
    CallOptions options;
    for (CallSide& side : options.sides) side.listen = loopback();
    return options;
  }
  void wait() {
    QTimer::singleShot(10'000, &loop_, &QEventLoop::quit);
    loop_.exec();
  }
  json ask(const std::string& method, const json& params) {
    heard_ = nullptr;
    socket_.sendTextMessage(
        QString::fromStdString(json{{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", params}}.dump()));
    wait();
    return heard_;
  }
  RelayConditions conditions(End from) const {
    return *relay_->call(call_)->directions[static_cast<std::size_t>(from)].conditions;
  }

  std::unique_ptr<RtpRelay> relay_;
  CallControl live_;
  std::unique_ptr<ControlSocket> control_;
  QWebSocket socket_;
  QEventLoop loop_;
  json heard_;
  std::uint64_t call_ = 0;
};

TEST_F(RelayControlTest, ListsCallsWithTheirCounters) {
  EXPECT_EQ(ask("relay.hello", json::object())["result"]["protocol"], 1);
  const json calls = ask("relay.calls", json::object())["result"]["calls"];
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls[0]["a_to_b"]["counters"]["packets"], 0);
  EXPECT_EQ(calls[0]["a_to_b"]["stream"], 0);
  EXPECT_EQ(calls[0]["b_to_a"]["stream"], 1);
}

TEST_F(RelayControlTest, OneDirectionOfOneCallIsChanged) {
  EXPECT_TRUE(
      ask("relay.set", {{"call", call_}, {"direction", "b_to_a"}, {"conditions", {{"ber", 1e-3}, {"loss", 0.1}}}})
          .contains("result"));
  EXPECT_EQ(std::get<RandomRate>(conditions(End::b).profile.errors.at(0)).ber, 1e-3);
  EXPECT_EQ(conditions(End::b).profile.packets->loss_ratio, 0.1);
  EXPECT_EQ(conditions(End::a), RelayConditions());
  EXPECT_EQ(live_.defaults().sides[1].conditions, RelayConditions()) << "future calls must not change";
}

TEST_F(RelayControlTest, WithoutACallAllPresentAndFutureCallsChange) {
  ask("relay.set", {{"conditions", {{"profile", "thunderstorm"}}}});
  ask("relay.set", {{"conditions", {{"delay_ms", 12}}}});
  for (const End side : {End::a, End::b}) {
    EXPECT_EQ(conditions(side).profile.name, "thunderstorm");
    EXPECT_EQ(conditions(side).delay_ms, 12);
    EXPECT_EQ(live_.defaults().sides[static_cast<std::size_t>(side)].conditions, conditions(side));
  }
}

TEST_F(RelayControlTest, BypassAndLoopbackStayWhileOtherConditionsChange) {
  ask("relay.set", {{"direction", "a_to_b"}, {"conditions", {{"bypass", true}, {"loopback", true}, {"ber", 1e-3}}}});
  ask("relay.set", {{"conditions", {{"profile", "thunderstorm"}}}});
  EXPECT_TRUE(conditions(End::a).bypass);
  EXPECT_TRUE(conditions(End::a).loopback);
  EXPECT_FALSE(conditions(End::b).bypass);
  ask("relay.set", {{"conditions", {{"bypass", false}}}});
  EXPECT_FALSE(conditions(End::a).bypass);
  EXPECT_TRUE(conditions(End::a).loopback);
  EXPECT_EQ(conditions(End::a).profile.name, "thunderstorm");
  EXPECT_TRUE(ask("relay.set", {{"conditions", {{"bypass", 1}}}}).contains("error"));
}

TEST_F(RelayControlTest, BurstsAreListedByLength) {
  RelayCounters counters;
  for (const std::uint64_t place : {100U, 1000U, 1007U, 2000U, 2001U}) counters.errors.error_at(place);
  counters.errors.advance_to(10'000);
  const auto told = to_json(counters).at("bursts_by_length");
  EXPECT_EQ(told, json({{"1_bit", 1}, {"2_to_3_bits", 1}, {"8_to_15_bits", 1}}))
      << "a single error, two bits side by side, eight from the first to the last";
}

TEST_F(RelayControlTest, AProfileMayBeGivenAsText) {
  EXPECT_TRUE(
      ask("relay.set", {{"conditions", {{"toml", "[[errors]]\nkind = \"random\"\nber = 1e-4\n"}}}}).contains("result"));
  EXPECT_EQ(std::get<RandomRate>(conditions(End::a).profile.errors.at(0)).ber, 1e-4);
}

TEST_F(RelayControlTest, AProfileNameNeverOpensAFile) {
  const test::TemporaryFolder folder;
  const std::string file = (folder.path() / "mine.toml").string(), bits = (folder.path() / "p.bits").string();
  std::ofstream(file) << "secret_key = 1\n";
  std::ofstream(bits) << "secret";
  ASSERT_EQ(::mkfifo((folder.path() / "pipe.toml").c_str(), 0600), 0);
  const auto complaint = [this](const json& conditions) {
    return ask("relay.set", {{"conditions", conditions}}).value("error", json::object()).value("message", "");
  };
  for (const std::string& name : {file, (folder.path() / "pipe.toml").string(), std::string("/dev/zero"),
                                  std::string("./x.toml"), std::string("/etc/hostname")}) {
    EXPECT_THAT(complaint({{"profile", name}}),
                AllOf(HasSubstr("there is no profile \"" + name + "\" in this relay"), HasSubstr("--preload"),
                      HasSubstr("thunderstorm"), Not(HasSubstr("secret"))));
  }
  for (const std::string& toml :
       {"[[errors]]\nkind = \"pattern\"\nfile = \"" + bits + "\"\n",
        "[packets]\nloss = \"pattern\"\nloss_file = \"" + (folder.path() / "pipe.toml").string() + "\"\n"}) {
    EXPECT_THAT(complaint({{"toml", toml}}), HasSubstr("names a file, which a profile sent as text cannot do"));
  }
  EXPECT_EQ(conditions(End::a), RelayConditions());
}

TEST_F(RelayControlTest, ADeeplyNestedTextIsRefused) {
  std::string toml;
  for (int i = 0; i < 50'000; ++i) toml += "a.";
  const json answer = ask("relay.set", {{"conditions", {{"toml", toml + "a = 1"}}}});
  EXPECT_THAT(answer.value("error", json::object()).value("message", ""), HasSubstr("a key has more than 16 parts"));
  EXPECT_EQ(ask("relay.hello", json::object())["result"]["protocol"], 1) << "the relay still answers";
}

TEST(ProfileSource, APreloadedProfileTakesPrecedenceOverABuiltInOne) {
  Profile mine = plain_profile();
  mine.name = "mine";
  Profile storm = plain_profile();
  storm.name = "thunderstorm";
  const ProfileSource source({mine, storm});
  EXPECT_EQ(*source.named("mine"), mine);
  EXPECT_EQ(*source.named("thunderstorm"), storm);
  EXPECT_EQ(source.named("wander")->name, "wander");
  EXPECT_THAT(source.named("other").error().message, HasSubstr("mine, thunderstorm"));
  EXPECT_FALSE(source.named("/dev/zero"));
}

TEST_F(RelayControlTest, AWrongRequestIsExplainedAndChangesNothing) {
  const auto complaint = [this](const json& params) {
    return ask("relay.set", params).value("error", json::object()).value("message", "");
  };
  EXPECT_THAT(complaint({{"conditions", {{"ber", 0.7}}}}), ::testing::HasSubstr("ber"));
  EXPECT_THAT(complaint({{"conditions", {{"beer", 0.1}}}}), ::testing::HasSubstr("beer"));
  EXPECT_THAT(complaint({{"conditions", {{"ber", "much"}}}}), ::testing::HasSubstr("ber"));
  EXPECT_THAT(complaint({{"conditions", {{"mask", 0}}}}), ::testing::HasSubstr("mask"));
  EXPECT_THAT(complaint({{"conditions", {{"profile", "no-such-line"}}}}), ::testing::HasSubstr("no-such-line"));
  EXPECT_THAT(complaint({{"conditions", 3}}), ::testing::HasSubstr("conditions"));
  EXPECT_THAT(complaint({{"call", 99}, {"conditions", {{"ber", 0.1}}}}), ::testing::HasSubstr("99"));
  EXPECT_THAT(complaint({{"direction", "up"}, {"conditions", {{"ber", 0.1}}}}), ::testing::HasSubstr("direction"));
  EXPECT_EQ(conditions(End::a), RelayConditions());
  EXPECT_EQ(ask("relay.burn", json::object())["error"]["code"], -32601);
}

TEST_F(RelayControlTest, SingleErrorsAreInjected) {
  EXPECT_TRUE(ask("relay.inject", {{"call", call_}, {"direction", "a_to_b"}}).contains("result"));
  EXPECT_TRUE(ask("relay.inject", {{"bits", 0}}).contains("error"));
  EXPECT_TRUE(ask("relay.inject", {{"call", 99}}).contains("error"));
  const test::Endpoint a;
  a.send(test::stream_packet(0), relay_->call(call_)->directions[0].listen);
  while (relay_->call(call_)->directions[0].counters.packets == 0) std::this_thread::yield();
  EXPECT_EQ(relay_->call(call_)->directions[0].counters.errors.errors(), 1U);
}

TEST_F(RelayControlTest, ReleaseIsSetByNameOfTheNetwork) {
  EXPECT_TRUE(ask("relay.set", {{"conditions", {{"release", "terrestrial"}}}}).contains("result"));
  EXPECT_EQ(conditions(End::a).profile.release, release_of_network("terrestrial"));
  EXPECT_TRUE(ask("relay.set", {{"conditions", {{"release", "cellular"}}}}).contains("error"));
  EXPECT_TRUE(ask("relay.set", {{"conditions", {{"release", "none"}}}}).contains("result"));
  EXPECT_EQ(conditions(End::a).profile.release, std::nullopt);
}

TEST_F(RelayControlTest, ListensOnLoopbackOnly) {
  const auto refused = ControlSocket::listen("0.0.0.0:0", live_);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("loopback"));
}

}  // namespace
}  // namespace vqas

int main(int argc, char** argv) {
  QCoreApplication application(argc, argv);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
