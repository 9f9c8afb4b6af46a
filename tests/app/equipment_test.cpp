// This laptop's own end of a line: meters, test signals, devices that come and go.
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "model/check_model.h"
#include "model/equipment_session.h"
#include "view/device_list.h"
#include "view/equipment_panel.h"
#include "vqas/signal/level.h"

namespace vqas::app {
namespace {

using namespace Qt::StringLiterals;

/// Gives back what it is sent at half the amplitude, and is lost after some blocks.
class LoopLine : public Line {
 public:
  LoopLine(std::uint64_t blocks, int rate_hz) : blocks_(blocks), rate_hz_(rate_hz) {}
  LineDescription description() const override {
    LineDescription loop;
    loop.name = "loop:";
    loop.equipment = "a loop of wire";
    loop.rate_hz = rate_hz_;
    return loop;
  }
  Result<BlockTime> exchange(std::span<const float> sent, std::span<float> heard, Round round) override {
    if (round.number >= blocks_) return Error{ErrorCode::line_lost, "the sound device is gone; plug it in again"};
    for (std::size_t i = 0; i < sent.size(); ++i) heard[i] = sent[i] / 2;
    return BlockTime{.index = round.number};
  }
  void interrupt() override {}

 private:
  const std::uint64_t blocks_;
  const int rate_hz_;
};

EquipmentTools loop(std::uint64_t blocks, int rate_hz = 8000) {
  return {[blocks, rate_hz](const std::string&) -> Result<std::unique_ptr<Line>> {
            return std::unique_ptr<Line>(std::make_unique<LoopLine>(blocks, rate_hz));
          },
          [](int) -> Result<Signal> {
            return Error{ErrorCode::io, "the corpus cannot be read"};
          }};
}

TEST(LevelMeter, ReadsAToneAtItsPeakAndItsLevel) {
  LevelMeter meter;
  EXPECT_FALSE(meter.reading().peak_dbfs);
  std::vector<float> tone(48000);
  for (std::size_t i = 0; i < tone.size(); ++i)
    tone[i] = 0.5F * static_cast<float>(std::sin(0.8 * static_cast<double>(i)));
  meter.add(std::span(tone).first(8000));
  EXPECT_TRUE(meter.reading().peak_dbfs);
  EXPECT_FALSE(meter.reading().active_dbm0) << "too little was heard";
  meter.add(tone);
  const MeterReading reading = meter.reading();
  ASSERT_TRUE(reading.peak_dbfs && reading.active_dbm0);
  EXPECT_NEAR(*reading.peak_dbfs, -6.02, 0.05);
  EXPECT_NEAR(*reading.active_dbm0, -6.02 - 3.01 - kZeroDbm0MuLawDbov, 0.3);
  meter.add(std::vector<float>(8000, 0.0F));
  EXPECT_FALSE(meter.reading().peak_dbfs) << "the peak is that of the last second";
  meter.add(std::vector<float>(80000, 0.0F));
  EXPECT_FALSE(meter.reading().active_dbm0);
}

TEST(LevelMeter, SaysWhatToDoWhenTheLineIsOverloaded) {
  EXPECT_EQ(meter_words({}), u"silence"_s);
  EXPECT_EQ(meter_words({-6.0, -19.84}), u"peak -6.0 dBFS, speech -19.8 dBm0"_s);
  EXPECT_TRUE(meter_words({0.0, -3.0}).contains(u"lower this level"_s));
}

class EquipmentAt : public testing::TestWithParam<int> {};

TEST_P(EquipmentAt, SendsAToneAtTheLevelOfTheStimuliAndMetersBothWays) {
  EquipmentWorker worker(u"loop:"_s, loop(600, GetParam()));
  QSignalSpy metered(&worker, &EquipmentSession::metered), ended(&worker, &EquipmentSession::ended);
  worker.send(TestSignal::tone);
  worker.start();
  ASSERT_TRUE(ended.wait());
  const auto last = metered.last().first().value<EquipmentReading>();
  ASSERT_TRUE(last.sent.active_dbm0 && last.heard.active_dbm0);
  EXPECT_NEAR(*last.sent.active_dbm0, kNominalSpeechLevelDbov - kZeroDbm0MuLawDbov, 0.2);
  EXPECT_NEAR(*last.sent.active_dbm0 - *last.heard.active_dbm0, 6.02, 0.05);
  EXPECT_TRUE(ended.first().first().toString().contains(u"plug it in"_s)) << "the device is lost";
}

INSTANTIATE_TEST_SUITE_P(RatesHz, EquipmentAt, testing::Values(8000, 16000), testing::PrintToStringParamName());

TEST(EquipmentWorker, SaysThatATestSignalCannotBeSentAndStops) {
  EquipmentWorker worker(u"loop:"_s, loop(1'000'000'000));
  QSignalSpy told(&worker, &EquipmentSession::told), ended(&worker, &EquipmentSession::ended);
  worker.start();
  worker.send(TestSignal::speech);
  EXPECT_EQ(told.count(), 1);
  worker.stop();
  ASSERT_EQ(ended.count(), 1);
  EXPECT_TRUE(ended.first().first().toString().isEmpty());
}

TEST(CheckModel, KeepsTheRulesOfModelsWhileFindingsComeAndGo) {
  CheckModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  LineCheckResult result;
  result.directions.push_back({End::a, 2, {{"level", -1.0, "dB", true, ""}, {"noise", -40.0, "dBm0p", false, "x"}}});
  model.show_result(result);
  ASSERT_EQ(model.rowCount(), 2);
  EXPECT_EQ(model.index(0, CheckModel::kItem).data().toString(), u"noise"_s) << "what needs a look stands first";
  model.clear();
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(DeviceList, FollowsDevicesWhileItWatches) {
  DeviceList devices([] { return QStringList{u"audio:Headset"_s}; });
  QSignalSpy changed(&devices, &DeviceList::changed);
  devices.watch(true);
  ASSERT_TRUE(changed.wait());
  EXPECT_EQ(devices.lines(), QStringList{u"audio:Headset"_s});
  devices.watch(false);
}

/// A session that a test moves by hand.
class FakeEquipment : public EquipmentSession {
 public:
  void start() override {}
  void send(TestSignal what) override { sends = what; }
  void stop() override { emit ended({}); }
  TestSignal sends = TestSignal::silence;
};

class Equipment : public testing::Test {
 protected:
  Equipment()
      : panel_([this](const QString& line) {
          opened_.append(line);
          auto made = std::make_unique<FakeEquipment>();
          session_ = made.get();
          return made;
        }) {
    panel_.show();
  }
  QString text(const QString& name) const { return panel_.findChild<QLabel*>(name)->text(); }
  QPushButton* toggle() const { return panel_.findChild<QPushButton*>(u"equipment_toggle"_s); }

  QStringList opened_;
  QPointer<FakeEquipment> session_;
  EquipmentPanel panel_;
};

TEST_F(Equipment, ShowsLevelsOfBothWaysWhileTheLineIsOpen) {
  panel_.offer_lines({u"audio:Headset"_s});
  toggle()->click();
  ASSERT_TRUE(session_);
  emit session_->metered({{-6.0, -19.8}, {-12.0, -25.8}});
  EXPECT_EQ(text(u"meter_sent_words"_s), u"peak -6.0 dBFS, speech -19.8 dBm0"_s);
  EXPECT_EQ(text(u"meter_heard_words"_s), u"peak -12.0 dBFS, speech -25.8 dBm0"_s);
  EXPECT_EQ(panel_.findChild<MeterBar*>(u"meter_heard"_s)->accessibleName(), u"Level: Arrives"_s);
  toggle()->click();
  EXPECT_FALSE(panel_.is_running());
  EXPECT_EQ(text(u"meter_sent_words"_s), u"–"_s);
}

TEST_F(Equipment, SendsTheTestSignalThatIsChosen) {
  panel_.set_line(u"audio:Headset"_s);
  toggle()->click();
  auto* const signal = panel_.findChild<QComboBox*>(u"equipment_signal"_s);
  signal->setCurrentIndex(1);
  emit signal->activated(1);
  EXPECT_EQ(session_->sends, TestSignal::tone);
}

TEST_F(Equipment, OpensTheLineAgainWithItsMonitor) {
  panel_.set_line(u"audio:Headset?host=alsa"_s);
  toggle()->click();
  panel_.findChild<QAbstractButton*>(u"equipment_monitor"_s)->click();
  EXPECT_EQ(opened_.last(), u"audio:Headset?host=alsa&monitor=default"_s);
  EXPECT_TRUE(panel_.is_running());
}

TEST_F(Equipment, SaysThatTheChosenDeviceWasUnpluggedAndIsBack) {
  panel_.offer_lines({u"audio:Headset"_s, u"audio:Card"_s});
  panel_.set_line(u"audio:Headset"_s);
  panel_.offer_lines({u"audio:Card"_s});
  EXPECT_TRUE(text(u"equipment_state"_s).contains(u"gone"_s));
  EXPECT_EQ(panel_.findChild<QComboBox*>(u"equipment_line"_s)->currentText(), u"audio:Headset"_s);
  panel_.offer_lines({u"audio:Headset"_s, u"audio:Card"_s});
  EXPECT_TRUE(text(u"equipment_state"_s).isEmpty());
}

TEST_F(Equipment, SaysThatADeviceWasLostWhileTheLineWasOpen) {
  panel_.set_line(u"audio:Headset"_s);
  toggle()->click();
  emit session_->ended(u"the sound device is gone; plug it in again"_s);
  EXPECT_TRUE(text(u"equipment_state"_s).startsWith(u"⚠ The sound device is gone"_s));
  EXPECT_FALSE(panel_.is_running());
}

}  // namespace
}  // namespace vqas::app
