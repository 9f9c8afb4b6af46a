#include "view/listen_view.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>

#include "app/fake_results.h"
#include "vqas/signal/audio_file.h"

namespace vqas::app {
namespace {

using namespace Qt::StringLiterals;

/// Keeps what it was given.
class FakePlayer : public SoundPlayer {
 public:
  explicit FakePlayer(std::vector<Signal>& played) : played_(played) {}
  Status play(const Signal& signal) override {
    played_.push_back(signal);
    return success();
  }
  void stop() override {}

 private:
  std::vector<Signal>& played_;
};

class Listening : public testing::Test {
 protected:
  Listening()
      : view_(model_, {[this] { return std::make_unique<FakePlayer>(played_); },
                       [](const std::string& id) -> Result<Signal> {
                         if (id != "M1") return Error{ErrorCode::bad_input, "the corpus has no stimulus " + id};
                         return Signal{std::vector<float>(80, 0.5F), 8000};
                       },
                       [this] { return original_first_; }}) {
    view_.set_folder(home_.path().toStdString());
    view_.show();
  }

  /// The recording is in the run's folder, unless it has no name.
  void measure(const std::string& recording) {
    RunResults results = test::empty_results({"M1"});
    test::add_score(results, 0, 0, 3.0);
    results.directions[0].stimuli[0].measurements[0].recording = recording;
    model_.update(results);
    table()->selectRow(0);
  }
  void keep_recording() const {
    ASSERT_TRUE(write_audio(std::filesystem::path(home_.path().toStdString()) / "received.flac",
                            Signal{std::vector<float>(40, 0.25F), 8000}, AudioFormat::flac16));
  }
  QTableView* table() const { return view_.findChild<QTableView*>(u"measurements"_s); }
  QPushButton* button(const QString& name) const { return view_.findChild<QPushButton*>(name); }
  QString told() const { return view_.findChild<QLabel*>(u"listening"_s)->text(); }

  QTemporaryDir home_;
  bool original_first_ = true;
  std::vector<Signal> played_;
  MeasurementsModel model_;
  ListenView view_;
};

TEST_F(Listening, AsksForAMeasurement) {
  EXPECT_FALSE(button(u"play_received"_s)->isEnabled());
  EXPECT_EQ(told(), u"Choose a measurement to listen to it"_s);
}

TEST_F(Listening, PlaysWhatArrivedAndWhatWasSent) {
  keep_recording();
  measure("received.flac");
  button(u"play_received"_s)->click();
  button(u"play_original"_s)->click();
  ASSERT_EQ(played_.size(), 2U);
  EXPECT_EQ(played_[0].size(), 40U);
  EXPECT_EQ(played_[1].size(), 80U);
}

TEST_F(Listening, SaysThatARecordingWasNotKept) {
  measure("");
  EXPECT_FALSE(button(u"play_received"_s)->isEnabled());
  EXPECT_TRUE(button(u"play_original"_s)->isEnabled());
  EXPECT_EQ(told(), u"The recording of this measurement was not kept"_s);
}

TEST_F(Listening, SaysWhyARecordingCannotBePlayed) {
  measure("missing.flac");
  button(u"play_received"_s)->click();
  EXPECT_TRUE(played_.empty());
  EXPECT_TRUE(told().contains(u"missing.flac"_s)) << told().toStdString();
}

TEST_F(Listening, TellsTheOrderOfABlindComparisonOnlyAfterTheAnswer) {
  keep_recording();
  measure("received.flac");
  for (const bool original_first : {true, false}) {
    original_first_ = original_first;
    played_.clear();
    button(u"play_blind"_s)->click();
    ASSERT_EQ(played_.size(), 1U);
    EXPECT_NEAR(played_[0].samples.front(), original_first ? 0.5 : 0.25, 1e-3);
    EXPECT_NEAR(played_[0].samples.back(), original_first ? 0.25 : 0.5, 1e-3);
    ASSERT_TRUE(button(u"answer_first"_s)->isVisible());
    button(u"answer_first"_s)->click();
    EXPECT_EQ(told(), original_first ? u"Right: the original was the first"_s : u"No: the original was the second"_s);
    EXPECT_FALSE(button(u"answer_first"_s)->isVisible());
  }
}

}  // namespace
}  // namespace vqas::app
