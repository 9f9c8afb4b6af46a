#include "vqas/relay/relay_watch.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QEventLoop>
#include <QTimer>
#include <functional>

#include "relay/endpoint.h"
#include "vqas/relay/call_control.h"

namespace vqas {
namespace {

class RelayWatchTest : public ::testing::Test {
 protected:
  RelayWatchTest()
      : relay_(std::move(RtpRelay::start()).value()),
        live_(*relay_, on_loopback()),
        control_(std::move(ControlSocket::listen("127.0.0.1:0", live_)).value()) {
    call_ = relay_->add_call(live_.defaults())->number;
  }
  static CallOptions on_loopback() {
    CallOptions options;
    for (CallSide& side : options.sides) side.listen = test::loopback();
    return options;
  }
  void watch(const std::string& address) {
    watch_ = std::make_unique<RelayWatch>(address, RelayWatchEvents{[this](std::vector<RelayedFigures> calls) {
                                                                      calls_ = std::move(calls);
                                                                      ++looks_;
                                                                    },
                                                                    [this](const std::string& why) { refused_ = why; },
                                                                    [this](const std::string& why) { lost_ = why; }});
    watch_->start();
  }
  static bool serve_until(const std::function<bool()>& done) {
    QEventLoop loop;
    QTimer look, end;
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
      if (done()) loop.quit();
    });
    look.start(5);
    end.setSingleShot(true);
    QObject::connect(&end, &QTimer::timeout, &loop, &QEventLoop::quit);
    end.start(20'000);
    loop.exec();
    return done();
  }
  RelayConditions conditions(End from) const {
    return *relay_->call(call_)->directions[static_cast<std::size_t>(from)].conditions;
  }

  std::unique_ptr<RtpRelay> relay_;
  CallControl live_;
  std::unique_ptr<ControlSocket> control_;
  std::uint64_t call_ = 0;
  std::unique_ptr<RelayWatch> watch_;
  std::vector<RelayedFigures> calls_;
  int looks_ = 0;
  std::string refused_, lost_;
};

TEST_F(RelayWatchTest, TellsEachCallAgainAndAgain) {
  watch(control_->address());
  ASSERT_TRUE(serve_until([this] { return looks_ >= 2; })) << lost_;
  ASSERT_EQ(calls_.size(), 1U);
  EXPECT_EQ(calls_[0].call, call_);
  ASSERT_EQ(calls_[0].ways.size(), 2U);
  const RelayedWay& way = calls_[0].ways[1];
  EXPECT_EQ(way.from, End::b);
  EXPECT_EQ(way.ber, 0.0);
  EXPECT_EQ(way.loss, 0.0);
  EXPECT_EQ(way.packets, 0U);
  EXPECT_FALSE(way.measured_ber) << "nothing was passed on yet";
}

TEST_F(RelayWatchTest, ChangesOneDirectionOrBothAndSeesItAtOnce) {
  watch(control_->address());
  ASSERT_TRUE(serve_until([this] { return looks_ > 0; }));
  RelayChange change;
  change.from = End::b;
  change.ber = 1e-3;
  change.loss = 0.02;
  watch_->change(change);
  ASSERT_TRUE(serve_until([this] { return calls_[0].ways[1].ber == 1e-3; }));
  EXPECT_EQ(calls_[0].ways[0].ber, 0.0);
  EXPECT_EQ(calls_[0].ways[1].loss, 0.02);
  change = {};
  change.profile = "satellite-isdn";
  watch_->change(change);
  ASSERT_TRUE(serve_until([this] { return calls_[0].ways[0].profile == "satellite-isdn"; }));
  EXPECT_EQ(conditions(End::b).profile.name, "satellite-isdn");
  watch_->inject(End::a, 64);
  EXPECT_TRUE(serve_until([this, before = looks_] { return looks_ > before; }));
  EXPECT_EQ(refused_, "");
}

TEST_F(RelayWatchTest, SaysWhyAChangeWasRefusedAndContinues) {
  watch(control_->address());
  ASSERT_TRUE(serve_until([this] { return looks_ > 0; }));
  RelayChange change;
  change.ber = 0.7;
  watch_->change(change);
  ASSERT_TRUE(serve_until([this] { return !refused_.empty(); }));
  const int before = looks_;
  EXPECT_TRUE(serve_until([this, before] { return looks_ > before; }));
  EXPECT_EQ(lost_, "");
  EXPECT_EQ(calls_[0].ways[0].ber, 0.0);
}

TEST_F(RelayWatchTest, SaysThatARelayIsMissingOrGone) {
  watch("ws://127.0.0.1:1");
  ASSERT_TRUE(serve_until([this] { return !lost_.empty(); }));
  EXPECT_NE(lost_.find("no relay listens"), std::string::npos) << lost_;
  lost_.clear();
  watch("http://x");
  EXPECT_NE(lost_.find("not the address"), std::string::npos) << lost_;
  lost_.clear();
  watch(control_->address());
  ASSERT_TRUE(serve_until([this] { return looks_ > 0; }));
  control_.reset();
  ASSERT_TRUE(serve_until([this] { return !lost_.empty(); }));
  EXPECT_NE(lost_.find("does not answer any more"), std::string::npos) << lost_;
}

TEST(RelayedFigures, OfACallThatIsNotWellFormedAreRefused) {
  EXPECT_FALSE(relayed_figures("[]"));
  EXPECT_FALSE(relayed_figures("{\"a_to_b\": 1}"));
  EXPECT_FALSE(relayed_figures("{\"a_to_b\": {\"conditions\": []}}"));
  const auto sound = relayed_figures(
      R"({"call":0,"age_s":1.5,"a_to_b":{"conditions":{"ber":1e-4},"counters":{"bits":64,"errors":2,
          "bursts_by_length":{"1_bit":3,"2_to_3_bits":1}}}})");
  ASSERT_TRUE(sound) << sound.error().message;
  EXPECT_EQ(sound->ways[0].bursts, 1U) << "a single wrong bit is no burst";
  EXPECT_FALSE(sound->ways[0].packets) << "between sound devices there are none";
}

}  // namespace
}  // namespace vqas
