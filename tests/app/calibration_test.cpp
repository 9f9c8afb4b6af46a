// A sound device whose output is joined to its input: its own delay, kept for its later runs.
#include <gtest/gtest.h>

#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <deque>

#include "model/baseline_words.h"
#include "view/equipment/baseline_panel.h"
#include "view/equipment/calibration_panel.h"

namespace vqas::app {
namespace {

using namespace Qt::StringLiterals;

/// Gives back what it was sent three blocks earlier, at half the amplitude.
class WireLoop : public Line {
 public:
  LineDescription description() const override {
    LineDescription loop;
    loop.name = "loop:";
    return loop;
  }
  Result<BlockTime> exchange(std::span<const float> sent, std::span<float> heard, Round) override {
    wire_.emplace_back(sent.begin(), sent.end());
    for (std::size_t i = 0; i < heard.size(); ++i) heard[i] = wire_.front()[i] / 2;
    wire_.pop_front();
    return BlockTime{.index = index_++};
  }
  void interrupt() override {}

 private:
  std::uint64_t index_ = 0;
  std::deque<std::vector<float>> wire_ = std::deque(3, std::vector<float>(kLineBlock));
};

Result<std::unique_ptr<Line>> wire(const std::string&) {
  return std::unique_ptr<Line>(std::make_unique<WireLoop>());
}

TEST(LoopWorker, FindsDelayAndLevelOfALoopOfWire) {
  LoopWorker worker(u"loop:"_s, wire, std::make_shared<std::atomic<bool>>(false));
  QSignalSpy finished(&worker, &LoopSession::finished);
  worker.start();
  ASSERT_EQ(finished.count(), 1);
  const auto found = finished.first().at(0).value<LoopDelay>();
  ASSERT_TRUE(found.steady()) << found.heard;
  EXPECT_NEAR(found.median_ms, 60, 0.1);
  EXPECT_NEAR(found.return_loss_db, 6.02, 0.5);
}

TEST(LoopWorker, IsGivenUpBetweenTwoBlocks) {
  const auto over = std::make_shared<std::atomic<bool>>(true);
  LoopWorker worker(u"loop:"_s, wire, over);
  QSignalSpy finished(&worker, &LoopSession::finished);
  worker.start();
  EXPECT_FALSE(finished.first().at(1).toString().isEmpty());
}

class FakeLoop : public LoopSession {
 public:
  void start() override {}
};

class Calibrate : public testing::Test {
 protected:
  Calibrate()
      : panel_({[this](const QString& line) {
                  lines_ += line;
                  auto made = std::make_unique<FakeLoop>();
                  session_ = made.get();
                  return made;
                },
                [] {
                  return QDateTime({2026, 1, 31}, {12, 0, 0});
                },
                &kept_}) {
    panel_.show();
  }
  QString state() const { return panel_.findChild<QLabel*>(u"calibration_state"_s)->text(); }
  void measure(const LoopDelay& found, const QString& why = {}) {
    panel_.findChild<QPushButton*>(u"calibrate"_s)->click();
    ASSERT_TRUE(session_);
    emit session_->finished(found, why);
  }

  QTemporaryDir home_;
  QSettings settings_{home_.filePath(u"gui.ini"_s), QSettings::IniFormat};
  Calibrations kept_{settings_};
  QStringList lines_;
  QPointer<FakeLoop> session_;
  CalibrationPanel panel_;
};

TEST_F(Calibrate, KeepsASteadyDelayForThatDevice) {
  const QString line = u"audio:USB%20Audio?host=alsa&rate=48000"_s;
  panel_.set_line(line);
  measure({5, 5, 0, 12.345, 0.02, 0.5});
  EXPECT_EQ(lines_, QStringList{line});
  EXPECT_TRUE(state().startsWith(u"✓ Kept"_s)) << state().toStdString();
  const auto kept = Calibrations(settings_).of(line + u"&monitor=default"_s);
  ASSERT_TRUE(kept) << "a monitor is no other device";
  EXPECT_DOUBLE_EQ(kept->delay_ms, 12.345);
  panel_.set_line(u"audio:other"_s);
  EXPECT_TRUE(state().startsWith(u"Not measured"_s));
  panel_.set_line(line);
  EXPECT_TRUE(state().contains(u"12.35 ms"_s) || state().contains(u"12.34 ms"_s)) << state().toStdString();
  EXPECT_TRUE(state().contains(u"2026-01-31"_s));
}

TEST_F(Calibrate, KeepsNothingThatIsNotSteadyAndSaysWhatToDo) {
  panel_.set_line(u"audio:Headset"_s);
  measure({5, 0, 0, 0, 0, 0});
  EXPECT_TRUE(state().contains(u"Nothing came back"_s));
  measure({5, 2, 3, 12, 4, 0});
  EXPECT_TRUE(state().contains(u"not steady"_s));
  measure({}, u"the sound device is gone; plug it in again"_s);
  EXPECT_TRUE(state().startsWith(u"⚠ The sound device is gone"_s));
  EXPECT_FALSE(kept_.of(u"audio:Headset"_s));
  EXPECT_FALSE(panel_.is_running());
}

TEST_F(Calibrate, AsksForADeviceFirst) {
  panel_.findChild<QPushButton*>(u"calibrate"_s)->click();
  EXPECT_FALSE(session_);
  EXPECT_TRUE(state().contains(u"Choose a sound device"_s));
}

TEST(Baseline, SaysThatNothingIsKeptOrThatARunDoesNotFit) {
  const QTemporaryDir home;
  const std::filesystem::path folder = home.filePath(u"none"_s).toStdString();
  BaselinePanel panel([folder] { return baseline_words(folder, QDateTime::currentDateTime()); });
  QSignalSpy shown(&panel, &BaselinePanel::shown);
  panel.read();
  ASSERT_TRUE(shown.wait());
  EXPECT_EQ(panel.findChild<QLabel*>(u"baseline_state"_s)->text(), u"No baseline is kept yet."_s);
  EXPECT_FALSE(make_baseline(folder, folder));
}

}  // namespace
}  // namespace vqas::app
