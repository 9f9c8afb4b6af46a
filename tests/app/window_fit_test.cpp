// Every page can be read in a small window, with large letters, and in both themes.
#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QToolButton>

#include "app/channel_fakes.h"
#include "app/fit.h"
#include "app/partner_fakes.h"
#include "app/window_harness.h"
#include "model/languages.h"
#include "model/words.h"
#include "view/check_page.h"
#include "view/link_panel.h"
#include "view/partner_page.h"

namespace vqas::app {
namespace {

constexpr QSize kSmall(1024, 640);

struct Look {
  double letters = 1;  ///< size of the letters, of the usual one
  double window = 1;   ///< of the window, of the smallest one
  bool dark = false;
  bool german = false;
};

void PrintTo(const Look& look, std::ostream* out) {
  *out << look.letters << " letters, " << look.window << " window, " << (look.dark ? "dark" : "light")
       << (look.german ? ", German" : "");
}

/// Sets letters and colours before a window is made.
class Looks : public testing::TestWithParam<Look> {
 protected:
  Looks() : font_(QApplication::font()), palette_(QApplication::palette()) {
    QFont large = font_;
    large.setPointSizeF(font_.pointSizeF() * GetParam().letters);
    QApplication::setFont(large);
    languages_.begin(GetParam().german ? u"de"_s : u"en"_s);
    if (!GetParam().dark) return;
    QPalette dark(QColor(0x30, 0x30, 0x30));
    for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText}) dark.setColor(role, Qt::white);
    QApplication::setPalette(dark);
  }
  ~Looks() override {
    QApplication::setFont(font_);
    QApplication::setPalette(palette_);
  }

 private:
  const QFont font_;
  const QPalette palette_;

 protected:
  Languages languages_;
};

LineCheckResult checked() {
  LineCheckResult result;
  for (const End from : {End::a, End::b}) {
    CheckFinding failed;
    failed.name = "echo return loss";
    failed.value = 12.3;
    failed.unit = "dB";
    failed.pass = false;
    failed.advice = "end b hears itself: lower the level of its output, or put a hybrid or a headset there";
    CheckFinding passed = failed;
    passed.name = "marks";
    passed.pass = true;
    passed.advice.clear();
    result.directions.push_back({from, 4, {failed, passed}});
  }
  return result;
}

RunResults measured() {
  RunResults results = test::empty_results({"M1", "M2", "M3", "M4", "M5", "M6", "F1", "F2", "F3", "F4", "F5", "F6"});
  for (std::size_t direction : {0U, 1U}) {
    for (std::size_t stimulus = 0; stimulus < 12; ++stimulus) {
      for (int i = 0; i < 10; ++i) test::add_score(results, direction, stimulus, 2.5 + 0.1 * i);
      if (stimulus % 3 == 0) continue;
      test::add_unscored(results, direction, stimulus, Outcome::not_found,
                         "nothing of the transmission was found in the recording");
    }
  }
  return results;
}

class Fits : public Looks {
 protected:
  Fits() {
    WindowServices services;
    services.make_session = [this](const RunSettings& settings) {
      auto made = std::make_unique<FakeSession>(settings);
      session_ = made.get();
      return made;
    };
    services.make_check = [this](const RunSettings&) {
      auto made = std::make_unique<FakeCheck>();
      check_ = made.get();
      return made;
    };
    services.open_path = [](const QString&) {};
    services.now = [] { return QDateTime({2026, 1, 31}, {12, 0, 0}); };
    services.home = home_.path();
    Provenance provenance;
    provenance.model_error_mos = 0.24;
    provenance.model_error_label = "narrowband P.862.1";
    services.model_error_words = [provenance](ScoreMode) { return model_error_words(provenance); };
    services.memory = &memory_;
    services.languages = &languages_;
    services.partner.make_end = [this](const EndSettings& settings) {
      auto made = std::make_unique<FakeEnd>(settings);
      end_ = made.get();
      return made;
    };
    services.partner.make_link = [this](const PartnerWish& wish) {
      auto made = std::make_unique<FakeLink>(wish);
      link_ = made.get();
      return made;
    };
    services.channel.make_relay = [this](const QString&) {
      auto made = std::make_unique<FakeChannel>();
      channel_ = made.get();
      return made;
    };
    SettingsForm form;
    form.site = u"Exeter"_s;
    form.circuit = u"trunk 7"_s;
    form.stimuli = u"M1, M4, F1, F4"_s;
    memory_.remember(form);
    window_ = std::make_unique<MainWindow>(std::move(services));
    window_->show();
  }

  QSize size() const {
    return {static_cast<int>(kSmall.width() * GetParam().window),
            static_cast<int>(kSmall.height() * GetParam().window)};
  }
  void expect_all_readable(const QString& what) {
    window_->resize(size());
    for (int i = 0; i < 4; ++i) QApplication::processEvents();
    EXPECT_EQ(window_->size(), size()) << what.toStdString() << " needs a larger window";
    const QStringList cut = test::cut_texts(*window_, GetParam().letters > GetParam().window);
    EXPECT_TRUE(cut.isEmpty()) << what.toStdString() << ":\n" << cut.join(u'\n').toStdString();
  }
  QTabWidget& tabs(const QString& name) const { return *window_->findChild<QTabWidget*>(name); }
  QAbstractButton& button(const QString& name) const { return *window_->findChild<QAbstractButton*>(name); }
  void expect_each_tab_readable(const QString& name, const QString& what) {
    for (int i = 0; i < tabs(name).count(); ++i) {
      tabs(name).setCurrentIndex(i);
      expect_all_readable(what + u", "_s + tabs(name).tabText(i));
    }
  }
  void show(const QString& title) {
    for (int i = 0; i < tabs(u"pages"_s).count(); ++i)
      if (tabs(u"pages"_s).tabText(i) == MainWindow::tr(title.toUtf8())) tabs(u"pages"_s).setCurrentIndex(i);
  }

  void TearDown() override { window_.reset(); }

  QTemporaryDir home_;
  QSettings kept_{home_.filePath(u"gui.ini"_s), QSettings::IniFormat};
  FormMemory memory_{kept_};
  QPointer<FakeSession> session_;
  QPointer<FakeCheck> check_;
  QPointer<FakeEnd> end_;
  QPointer<FakeLink> link_;
  QPointer<FakeChannel> channel_;
  std::unique_ptr<MainWindow> window_;
};

TEST_P(Fits, EveryPageBeforeAnythingIsMeasured) {
  expect_each_tab_readable(u"pages"_s, u"At first"_s);
}

TEST_P(Fits, MeasuringWithAWarningAndTheResults) {
  window_->start();
  session_->measure(measured(), u"M6, A to B"_s);
  emit session_->silent(End::b,
                        u"end a hears digital silence (every sample is the same): see whether the input of end a is "
                        u"connected and not muted, and whether end b sends"_s);
  expect_all_readable(u"Measuring"_s);
  session_->end(RunPhase::failed, measured(), u"the line was lost: the call ended; place it again and resume"_s, true);
  expect_each_tab_readable(u"tabs"_s, u"Results"_s);
}

TEST_P(Fits, TheFieldsOfEveryLineAndGoalWithTheirFaults) {
  show(u"Measure"_s);
  button(u"more"_s).click();
  for (const QString& line : {u"simulated"_s, u"nodes"_s}) {
    for (const QString& goal : {u"goal_mean"_s, u"goal_line_time"_s, u"goal_above"_s, u"goal_each_stimulus"_s}) {
      button(line).click();
      button(goal).click();
      expect_all_readable(line + u", "_s + goal);
    }
  }
  SettingsForm wrong;
  wrong.ber = u"2"_s;
  wrong.cap = u"x"_s;
  wrong.seed = u"y"_s;
  window_->set_form(wrong);
  window_->start();
  expect_all_readable(u"Faults"_s);
}

TEST_P(Fits, APartnerWhoIsMetAndOneWhoWaits) {
  show(u"Partner"_s);
  auto& own = *window_->findChild<EndPanel*>();
  own.set_line(u"rtp:127.0.0.1:20000/127.0.0.1:20002"_s);
  own.toggle();
  const QString words = u"queen desert jockey pigeon galaxy palace koala galaxy yogurt ribbon lily insect"_s;
  emit end_->ready({u"ws://127.0.0.1:5000"_s, {}, {}, {}, {}});
  auto& link = *window_->findChild<LinkPanel*>();
  link.toggle();
  emit link_->asked_to_trust(u"sha256:00ff"_s, words);
  expect_all_readable(u"Trust"_s);
  PartnerTrouble trouble = trouble_of(NodeFault::wrong_certificate, u"wss://192.0.2.7:7811"_s, true);
  trouble.shown_words = trouble.expected_words = words;
  emit link_->failed(trouble);
  expect_all_readable(u"Another fingerprint"_s);
  own.toggle();
  window_->findChild<PartnerPage*>()->set_waiting(true);
  own.toggle();
  emit end_->ready({u"wss://127.0.0.1:7811"_s,
                    {u"wss://192.0.2.8:7811"_s, u"wss://198.51.100.118:7811"_s},
                    u"sha256:00"_s,
                    words,
                    u"lantern-siren-kangaroo-mirror-harbour-valley"_s});
  expect_all_readable(u"Waiting"_s);
}

TEST_P(Fits, ACheckWithAdvice) {
  SettingsForm form;
  form.line = LineKind::nodes;
  form.node_b = u"ws://127.0.0.1:7812"_s;
  window_->set_form(form);
  show(u"Equipment"_s);
  button(u"check"_s).click();
  ASSERT_TRUE(check_);
  emit check_->found(std::make_shared<const LineCheckResult>(checked()));
  expect_all_readable(u"In progress"_s);
  emit check_->finished(std::make_shared<const LineCheckResult>(checked()));
  expect_all_readable(u"Checked"_s);
}

TEST_P(Fits, ARelayWithTwoCallsThatRefusesAChange) {
  show(u"Channel"_s);
  button(u"channel_relay"_s).click();
  button(u"channel_toggle"_s).click();
  ASSERT_TRUE(channel_);
  RelayedFigures large = call({End::a, End::b}, true);
  large.ways[0].bits = 1'234'567'890'123;
  emit channel_->seen({large, large});
  emit channel_->refused(u"delay_ms: 12 is less than the 40 that the profile's slips need; give that or more"_s);
  expect_all_readable(u"Relay"_s);
}

INSTANTIATE_TEST_SUITE_P(Window, Fits,
                         testing::Values(Look{1, 1, false}, Look{1, 1, true}, Look{1.5, 1.5, false}, Look{2, 2, false},
                                         Look{2, 1, false}, Look{1, 1, false, true}));

}  // namespace
}  // namespace vqas::app
