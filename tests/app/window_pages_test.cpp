// The pages of the window as they work together.
#include <gtest/gtest.h>

#include <QAccessible>
#include <QFile>
#include <QFileDialog>
#include <QListWidget>
#include <QSpinBox>

#include "app/window_harness.h"
#include "view/channel/channel_page.h"
#include "view/measure_page.h"
#include "view/partner_page.h"
#include "vqas/store/plan.h"

namespace vqas::app {
namespace {

TEST_F(Window, PausesWithTheLineKeptAndContinues) {
  EXPECT_FALSE(button(u"pause"_s)->isEnabled());
  window_.start();
  RunResults results = test::empty_results({"M1"});
  test::add_score(results, 0, 0, 4.0);
  session_->measure(results, u"M1, A to B"_s);
  button(u"pause"_s)->click();
  EXPECT_TRUE(session_->holds);
  EXPECT_TRUE(state().startsWith(u"Pausing"_s));
  emit session_->held(true);
  EXPECT_EQ(state(), u"Paused: the line is kept, 1 measurement kept"_s);
  EXPECT_EQ(button(u"pause"_s)->text(), u"Continue"_s);
  button(u"pause"_s)->click();
  EXPECT_FALSE(session_->holds);
  EXPECT_TRUE(state().startsWith(u"Measuring"_s));
}

TEST_F(Window, SaysWhatTheResultsMeanInTheWordsOfTheReport) {
  window_.start();
  RunResults results = test::empty_results({"M1"});
  for (int i = 0; i < 5; ++i) test::add_score(results, 0, 0, 4.0);
  session_->measure(results, u"M1, A to B"_s);
  const QString words = window_.findChild<QLabel*>(u"findings_text"_s)->text();
  EXPECT_TRUE(words.contains(u"Good: clear speech"_s)) << words.toStdString();
}

TEST_F(Window, UsesTheLineToAPartner) {
  auto* const partner = window_.findChild<PartnerPage*>();
  emit partner->measure_requested(
      {u"ws://127.0.0.1:5000"_s, u"wss://192.0.2.7:7811"_s, {}, {}, {{u"wss://192.0.2.7:7811"_s, u"acorn"_s}}});
  EXPECT_EQ(page(), u"Measure"_s);
  window_.start();
  ASSERT_TRUE(session_);
  EXPECT_EQ(session_->settings.node_b, u"wss://192.0.2.7:7811"_s);
  EXPECT_EQ(session_->settings.codes.at(u"wss://192.0.2.7:7811"_s), u"acorn"_s);
  EXPECT_TRUE(memory_.recent().front().access_b.isEmpty()) << "a code must not be stored";
}

TEST_F(Window, SavesAndOpensThePlanOfTheCommandLine) {
  auto* const page = window_.findChild<MeasurePage*>();
  SettingsForm form;
  form.line = LineKind::nodes;
  form.node_b = u"wss://192.0.2.7:7811"_s;
  form.goal = GoalOf::above;
  form.limit = u"3.2"_s;
  form.site = u"Exeter"_s;
  form.b_to_a = false;
  form.mode = u"both"_s;
  form.at = u"9:00, 17:30"_s;
  form.for_h = u"48"_s;
  window_.set_form(form);
  const QString file = home_.filePath(u"plan.toml"_s);
  page->save_plan(file);
  EXPECT_TRUE(read_plan(file.toStdString())) << message()->message().toStdString();
  window_.set_form({});
  page->open_plan(file);
  EXPECT_EQ(page->form(), form);
}

TEST_F(Window, SaysWhatIsWrongWithAPlanAndWhatItsWindowDoesNotMeasure) {
  auto* const page = window_.findChild<MeasurePage*>();
  const auto with = [this](const QByteArray& text) {
    QFile file(home_.filePath(u"plan.toml"_s));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("[line]\nkind = \"sim:\"\n" + text);
    return file.fileName();
  };
  page->open_plan(with("ber = 0.7\n"));
  EXPECT_TRUE(message()->message().contains(u"plan.toml:3"_s)) << message()->message().toStdString();
  EXPECT_TRUE(message()->message().contains(u"0.5"_s)) << "what would be right";
  page->open_plan(with("ber = 1e-3\n[repeats]\nevery_min = 15\nfor_h = 24\nlate_min = 5\n"));
  EXPECT_EQ(page->form().every_min, u"15"_s);
  EXPECT_EQ(page->form().ber, u"0.001"_s);
  EXPECT_TRUE(message()->message().contains(u"repeats"_s));
  const QString copy = home_.filePath(u"copy.toml"_s);
  page->save_plan(copy);
  EXPECT_EQ(count_of_runs(*read_plan(copy.toStdString())), 96U) << "they stay in the plan";
}

TEST_F(Window, OpensWithTheStartPage) {
  const MainWindow fresh({{}, {}, {}, [] { return QDateTime::currentDateTime(); }, home_.path(), {}});
  const auto* const pages = fresh.findChild<QTabWidget*>(u"pages"_s);
  EXPECT_EQ(pages->tabText(pages->currentIndex()), u"Start"_s);
}

TEST_F(Window, TheLargeButtonMeasuresForItsBudget) {
  show_page(u"Start"_s);
  window_.findChild<QSpinBox*>(u"start_minutes"_s)->setValue(12);
  button(u"start_measure"_s)->click();
  ASSERT_TRUE(session_);
  EXPECT_EQ(session_->settings.goal, GoalOf::line_time);
  EXPECT_EQ(session_->settings.minutes, 12);
  EXPECT_EQ(page(), u"Measure"_s);
  EXPECT_FALSE(button(u"start_measure"_s)->isEnabled()) << "the line is in use";
}

TEST_F(Window, TheLargeButtonSaysWhatItMeasuresAndMeasuresOnce) {
  SettingsForm form;
  form.mode = u"wb"_s;
  form.codec = u"g722"_s;
  form.at = u"9:00"_s;
  form.for_h = u"72"_s;
  window_.set_form(form);
  show_page(u"Start"_s);
  EXPECT_TRUE(window_.findChild<QLabel*>(u"start_line"_s)->text().contains(u"wideband"_s));
  button(u"start_measure"_s)->click();
  ASSERT_TRUE(session_);
  EXPECT_FALSE(session_->settings.repeats.any());
}

TEST_F(Window, ATrialMeasuresASimulatedLineWhateverWasSetUp) {
  SettingsForm form;
  form.line = LineKind::nodes;
  window_.set_form(form);
  show_page(u"Start"_s);
  EXPECT_TRUE(window_.findChild<QLabel*>(u"start_line"_s)->text().contains(u"7811"_s));
  button(u"start_trial"_s)->click();
  ASSERT_TRUE(session_);
  EXPECT_EQ(session_->settings.line, LineKind::simulated);
}

TEST_F(Window, FollowsTheRunOfAFolderThatIsChosenAtTheStart) {
  show_page(u"Start"_s);
  button(u"start_follow"_s)->click();
  auto* const dialog = window_.findChild<QFileDialog*>();
  ASSERT_TRUE(dialog);
  emit dialog->fileSelected(u"/elsewhere"_s);
  dialog->close();
  ASSERT_TRUE(session_ && session_->settings.follows);
  EXPECT_EQ(session_->settings.folder, u"/elsewhere"_s);
  EXPECT_EQ(page(), u"Measure"_s);
}

TEST_F(Window, MeasuresALineAsTheChannelPageShowsIt) {
  auto* const channel = window_.findChild<ChannelPage*>();
  emit channel->measure_requested(u"thunderstorm"_s, 0, 0);
  ASSERT_TRUE(session_);
  EXPECT_EQ(session_->settings.line, LineKind::simulated);
  EXPECT_EQ(session_->settings.profile, u"thunderstorm"_s);
  EXPECT_EQ(page(), u"Measure"_s);
  EXPECT_FALSE(button(u"channel_measure"_s)->isEnabled()) << "one run at a time";
  session_->end(RunPhase::cancelled, test::empty_results({"M1"}));
  emit channel->measure_requested({}, 2.5e-5, 10);
  EXPECT_TRUE(session_->settings.profile.isEmpty());
  EXPECT_DOUBLE_EQ(session_->settings.conditions.ber, 2.5e-5);
  EXPECT_DOUBLE_EQ(session_->settings.conditions.delay_s, 0.05) << "the shortest of a simulated line";
}

TEST_F(Window, ShowsTheBaselineBesideAResult) {
  window_.start();
  RunResults results = test::empty_results({"M1"});
  for (int i = 0; i < 5; ++i) test::add_score(results, 0, 0, 4.0);
  results.baseline = "baseline of 2026-01-01T00:00:00Z: MOS A to B 4.30, B to A 4.31";
  session_->end(RunPhase::finished, results);
  const QString words = window_.findChild<QLabel*>(u"findings_text"_s)->text();
  EXPECT_TRUE(words.contains(u"Cabled together"_s) && words.contains(u"4.31"_s)) << words.toStdString();
}

TEST_F(Window, EveryControlOfEveryPageHasANameInTheAccessibilityTree) {
  for (int i = 0; i < pages()->count(); ++i) {
    pages()->setCurrentIndex(i);
    for (QWidget* const one : pages()->currentWidget()->findChildren<QWidget*>()) {
      if (!one->isVisible() || one->focusPolicy() == Qt::NoFocus || one->focusProxy() != nullptr) continue;
      if (one->objectName().startsWith(u"qt_"_s)) continue;  // parts of a control
      const QAccessibleInterface* const told = QAccessible::queryAccessibleInterface(one);
      ASSERT_NE(told, nullptr);
      EXPECT_FALSE(told->text(QAccessible::Name).isEmpty())
          << pages()->tabText(i).toStdString() << ": " << one->metaObject()->className() << " "
          << one->objectName().toStdString();
    }
  }
}

TEST_F(Window, OffersTheLastSetupsAndMeasuresNothingByItself) {
  SettingsForm form;
  form.site = u"Exeter"_s;
  memory_.remember(form);
  show_page(u"Start"_s);
  auto* const list = window_.findChild<QListWidget*>(u"start_recent"_s);
  ASSERT_EQ(list->count(), 1);
  emit list->itemClicked(list->item(0));
  EXPECT_EQ(page(), u"Measure"_s);
  EXPECT_EQ(window_.findChild<QLineEdit*>(u"site"_s)->text(), u"Exeter"_s);
  EXPECT_FALSE(session_);
}

}  // namespace
}  // namespace vqas::app
