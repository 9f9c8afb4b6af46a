// The page Channel, and the lines behind it.
#include "view/channel/channel_page.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTest>

#include "app/channel_fakes.h"
#include "model/speech_port.h"

namespace vqas::app {
namespace {

using namespace Qt::StringLiterals;

class Channel : public testing::Test {
 protected:
  Channel()
      : page_({[this](const QString& address) {
                 addresses_ += address;
                 return made();
               },
               [this](bool) { return made(); }}) {
    page_.show();
  }
  std::unique_ptr<ChannelSession> made() {
    auto channel = std::make_unique<FakeChannel>();
    session_ = channel.get();
    return channel;
  }
  template <class Widget>
  Widget* get(const QString& name) const {
    return page_.findChild<Widget*>(name);
  }
  QString state() const { return get<QLabel>(u"channel_state"_s)->text(); }
  bool changed() const {
    return QTest::qWaitFor([this] { return !session_->changes.empty(); });
  }

  QStringList addresses_;
  QPointer<FakeChannel> session_;
  ChannelPage page_;
};

TEST_F(Channel, TheKeysOfTheSliderTakeATenthOfADecadeAndADecade) {
  get<QPushButton>(u"channel_toggle"_s)->click();
  ASSERT_TRUE(session_);
  ASSERT_TRUE(changed()) << "the line begins with what stands on the page";
  session_->changes.clear();
  auto* const slider = get<QSlider>(u"ber_slider"_s);
  QTest::keyClick(slider, Qt::Key_Right);
  EXPECT_EQ(get<QLineEdit>(u"ber_number"_s)->text(), u"1e-6"_s);
  QTest::keyClick(slider, Qt::Key_PageUp);
  EXPECT_EQ(get<QLineEdit>(u"ber_number"_s)->text(), u"1e-5"_s);
  QTest::keyClick(slider, Qt::Key_Right);
  ASSERT_TRUE(changed());
  EXPECT_EQ(session_->changes.back().ber, 1.3e-5);
  QTest::keyClick(slider, Qt::Key_End);
  EXPECT_EQ(get<QLineEdit>(u"ber_number"_s)->text(), u"1e-1"_s);
}

TEST_F(Channel, ANumberIsTakenExactlyAndAWrongOneSaysHowToWriteIt) {
  get<QPushButton>(u"channel_toggle"_s)->click();
  ASSERT_TRUE(changed());
  session_->changes.clear();
  auto* const number = get<QLineEdit>(u"ber_number"_s);
  number->clear();
  QTest::keyClicks(number, u"2,345e-4"_s);
  QTest::keyClick(number, Qt::Key_Return);
  ASSERT_TRUE(changed());
  EXPECT_EQ(session_->changes.back().ber, 2.345e-4);
  number->clear();
  QTest::keyClicks(number, u"0.7"_s);
  QTest::keyClick(number, Qt::Key_Return);
  EXPECT_TRUE(state().contains(u"1e-12 to 0.5"_s)) << state().toStdString();
}

TEST_F(Channel, ShowsWhatARelayDoesAndCountsForBothDirections) {
  get<QRadioButton>(u"channel_relay"_s)->click();
  get<QPushButton>(u"channel_toggle"_s)->click();
  EXPECT_EQ(addresses_, QStringList{u"ws://127.0.0.1:7813"_s});
  EXPECT_FALSE(get<QDoubleSpinBox>(u"channel_loss"_s)->isVisible());
  emit session_->seen({call({End::a, End::b}, true)});
  EXPECT_EQ(state(), u"Connected."_s);
  EXPECT_TRUE(session_->changes.empty()) << "looking at a relay changes nothing";
  EXPECT_EQ(get<QLineEdit>(u"ber_number"_s)->text(), u"1e-4"_s);
  EXPECT_EQ(get<QSpinBox>(u"channel_delay"_s)->value(), 40);
  ASSERT_TRUE(get<QDoubleSpinBox>(u"channel_loss"_s)->isVisible());
  EXPECT_DOUBLE_EQ(get<QDoubleSpinBox>(u"channel_loss"_s)->value(), 2);
  get<QComboBox>(u"channel_direction"_s)->setCurrentIndex(2);
  get<QDoubleSpinBox>(u"channel_loss"_s)->setValue(5);
  ASSERT_TRUE(changed());
  EXPECT_EQ(session_->changes.back().from, End::b);
  EXPECT_EQ(session_->changes.back().loss, 0.05);
  get<QSpinBox>(u"burst_bits"_s)->setValue(64);
  get<QPushButton>(u"burst"_s)->click();
  EXPECT_EQ(session_->bursts, std::vector<quint32>{64});
}

TEST_F(Channel, AProfileReplacesWhatIsSetByHandOnTheSimulatedLine) {
  QSignalSpy asked(&page_, &ChannelPage::measure_requested);
  get<QPushButton>(u"channel_toggle"_s)->click();
  auto* const profile = get<QComboBox>(u"channel_profile"_s);
  profile->setCurrentIndex(profile->findText(u"thunderstorm"_s));
  emit profile->activated(profile->currentIndex());
  EXPECT_FALSE(get<QSlider>(u"ber_slider"_s)->isEnabled());
  ASSERT_TRUE(QTest::qWaitFor(
      [this] { return !session_->changes.empty() && session_->changes.back().profile == "thunderstorm"; }));
  get<QPushButton>(u"channel_measure"_s)->click();
  ASSERT_EQ(asked.count(), 1);
  EXPECT_EQ(asked.first().first().toString(), u"thunderstorm"_s);
}

TEST_F(Channel, ARefusedChangeIsSaidAndTheFieldsShowWhatIsDone) {
  get<QRadioButton>(u"channel_relay"_s)->click();
  get<QPushButton>(u"channel_toggle"_s)->click();
  emit session_->seen({call({End::a, End::b}, true)});
  get<QSpinBox>(u"channel_delay"_s)->setValue(9000);
  ASSERT_TRUE(changed());
  emit session_->refused(u"delay_ms: the profile's slips need more"_s);
  emit session_->seen({call({End::a, End::b}, true)});
  EXPECT_TRUE(state().startsWith(u"⚠"_s)) << state().toStdString();
  EXPECT_EQ(get<QSpinBox>(u"channel_delay"_s)->value(), 40);
}

TEST_F(Channel, SaysThatTheRelayIsGoneAndCanConnectAgain) {
  get<QRadioButton>(u"channel_relay"_s)->click();
  get<QPushButton>(u"channel_toggle"_s)->click();
  emit session_->ended(u"no relay listens at ws://127.0.0.1:7813"_s);
  EXPECT_EQ(state(), u"⚠ No relay listens at ws://127.0.0.1:7813."_s);
  EXPECT_FALSE(page_.is_running());
  get<QPushButton>(u"channel_toggle"_s)->click();
  EXPECT_EQ(addresses_.size(), 2);
}

TEST(ChannelModel, KeepsTheRulesOfModelsWhileCallsComeAndGo) {
  ChannelModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.show_calls({call({End::a}, false)});
  EXPECT_EQ(model.index(0, ChannelModel::kPackets).data().toString(), u"–"_s);
  EXPECT_EQ(model.index(0, ChannelModel::kInterval).data().toString(), u"8e-5 to 1.2e-4"_s);
  model.show_calls({call({End::a, End::b}, true), call({End::a, End::b}, true)});
  EXPECT_EQ(model.rowCount(), 4);
  EXPECT_EQ(model.index(3, ChannelModel::kDropped).data().toString(), u"7"_s);
  EXPECT_TRUE(model.index(3, 0).data().toString().startsWith(u"Call 0"_s));
  model.show_calls({});
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(SimulatedChannel, CountsErrorsOfSpeechThatRunsThroughIt) {
  SimulatedChannel channel(false, {[]() -> Result<Signal> {
                                     return Signal{std::vector<float>(4000, 0.1F), 8000};
                                   },
                                   [](const Signal& speech, bool) -> Result<std::unique_ptr<SoundPort>> {
                                     return silent_speech_port(speech);
                                   }});
  RelayedWay last;
  QObject::connect(&channel, &ChannelSession::seen, &channel,
                   [&last](const std::vector<RelayedFigures>& calls) { last = calls.front().ways.front(); });
  channel.start();
  RelayChange change;
  change.ber = 1e-2;
  channel.change(change);
  EXPECT_EQ(last.ber, 1e-2);
  ASSERT_TRUE(QTest::qWaitFor([&last] { return last.bits > 10'000 && last.errors > 0; }, 20'000));
  EXPECT_FALSE(last.packets);
  change.ber = 0.9;
  QSignalSpy refused(&channel, &ChannelSession::refused);
  channel.change(change);
  EXPECT_EQ(refused.count(), 1);
}

TEST(SimulatedChannel, SaysThatThereIsNoSoundDevice) {
  SimulatedChannel channel(true, {[]() -> Result<Signal> {
                                    return Signal{std::vector<float>(800), 8000};
                                  },
                                  [](const Signal&, bool) -> Result<std::unique_ptr<SoundPort>> {
                                    return Error{ErrorCode::io, "there is no sound device"};
                                  }});
  QSignalSpy ended(&channel, &ChannelSession::ended);
  channel.start();
  ASSERT_EQ(ended.count(), 1);
  EXPECT_TRUE(ended.first().first().toString().contains(u"no sound device"_s));
}

}  // namespace
}  // namespace vqas::app
