#include "view/main_window.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTableView>

#include "app/window_harness.h"
#include "view/note_dialog.h"

namespace vqas::app {
namespace {

TEST_F(Window, IsReadyWithNothingMeasured) {
  EXPECT_EQ(window_.phase(), RunPhase::idle);
  EXPECT_TRUE(state().startsWith(u"Ready"_s));
  EXPECT_TRUE(button(u"start"_s)->isEnabled());
  EXPECT_FALSE(button(u"stop"_s)->isEnabled());
  EXPECT_FALSE(button(u"open_report"_s)->isEnabled());
  EXPECT_EQ(mean(0), u"not measured"_s);
  EXPECT_FALSE(message()->isVisible());
}

TEST_F(Window, StatesTheModelsErrorApartFromRepeatability) {
  const QString note = window_.findChild<QLabel*>(u"model_error"_s)->text();
  EXPECT_TRUE(note.contains(u"repeatability"_s));
  EXPECT_TRUE(note.contains(u"The model errs by 0.3 MOS."_s));
}

TEST_F(Window, StartsARunFromTheKeyboard) {
  QTest::keyClick(&window_, Qt::Key_R, Qt::ControlModifier);
  ASSERT_TRUE(QTest::qWaitFor([this] { return session_ != nullptr; })) << "a shortcut shows its button pressed first";
  EXPECT_TRUE(session_->started);
  EXPECT_EQ(session_->settings.seed, 1U);
  EXPECT_EQ(window_.phase(), RunPhase::preparing);
  EXPECT_EQ(state(), u"Starting the simulated line"_s);
  EXPECT_FALSE(can_edit());
  EXPECT_FALSE(button(u"start"_s)->isEnabled());
  EXPECT_TRUE(button(u"stop"_s)->isEnabled());
}

TEST_F(Window, MarksFaultyFieldsInsteadOfStarting) {
  QSignalSpy refused(&window_, &MainWindow::refused);
  auto* seed = window_.findChild<QLineEdit*>(u"seed"_s);
  seed->setText(u"x"_s);
  button(u"start"_s)->click();
  EXPECT_FALSE(session_);
  EXPECT_EQ(refused.count(), 1);
  EXPECT_EQ(window_.focusWidget(), seed);
  EXPECT_FALSE(seed->accessibleDescription().isEmpty());
  seed->clear();
  QTest::keyClicks(seed, u"5"_s);
  EXPECT_TRUE(seed->accessibleDescription().isEmpty()) << "the mark goes as soon as the field is right";
  button(u"start"_s)->click();
  ASSERT_TRUE(session_);
  EXPECT_EQ(session_->settings.seed, 5U);
}

TEST_F(Window, ShowsARunInProgress) {
  window_.start();
  RunResults results = test::empty_results({"M1", "M6"});
  test::add_score(results, 0, 1, 4.0);
  session_->measure(results, u"M6, A to B"_s);
  EXPECT_EQ(state(), u"Measuring M6, A to B: 1 of about 20, 12 s left"_s);
  EXPECT_EQ(figure(0), u"4.00 good"_s);
  EXPECT_EQ(mean(0), u"so far, over 1 of 2 stimuli"_s) << "M1 is not measured yet, so the mean is not conditional";
  EXPECT_EQ(mean(1), u"no score yet"_s);
  test::add_score(results, 0, 1, 4.1);
  test::add_unscored(results, 1, 0, Outcome::not_found, "no mark");
  session_->measure(results, u"M1, B to A"_s);
  EXPECT_EQ(figure(0), u"4.05 good"_s);
  EXPECT_EQ(mean(0), u"so far, over 1 of 2 stimuli"_s) << "no interval before the first look";
  EXPECT_EQ(window_.findChild<QTabWidget*>(u"tabs"_s)->tabText(1), u"Not scored (1)"_s);
}

TEST_F(Window, SaysWhichEndHearsNothingUntilSomethingArrives) {
  window_.start();
  RunResults results = test::empty_results({"M1"});
  session_->measure(results, {});
  emit session_->silent(End::a, u"b hears nothing of a: check the cable"_s);
  const auto warning = [this](int panel) {
    const auto* const label =
        window_.findChild<DirectionPanel*>(u"panel_%1"_s.arg(panel))->findChild<QLabel*>(u"warning"_s);
    return label->isVisible() ? label->text() : QString();
  };
  EXPECT_EQ(warning(0), u"⚠ B hears nothing of a: check the cable."_s);
  EXPECT_EQ(warning(1), QString());
  EXPECT_EQ(state(), u"Nothing arrives from end A: see what to look at below"_s) << "no time left is promised";
  test::add_score(results, 1, 0, 4.0);
  session_->measure(results, {});
  EXPECT_NE(warning(0), QString()) << "only the other direction was heard";
  test::add_score(results, 0, 0, 4.0);
  session_->measure(results, {});
  EXPECT_EQ(warning(0), QString());
  EXPECT_TRUE(state().startsWith(u"Measuring"_s));
  emit session_->silent(End::a, u"b hears nothing of a: check the cable"_s);
  RunResults next = test::empty_results({"M1"});
  next.about.uuid = "another";
  session_->measure(next, {});
  EXPECT_EQ(warning(0), QString()) << "another run has begun";
  test::add_score(next, 0, 0, 4.0);
  session_->measure(next, {});
  EXPECT_TRUE(button(u"sounds_different"_s)->isEnabled());
  emit session_->waiting(u"the next run, at 12:00"_s);
  EXPECT_FALSE(button(u"sounds_different"_s)->isEnabled()) << "the run before is over";
}

TEST_F(Window, AWarningThatIsNotRepeatedEnds) {
  window_.start();
  session_->measure(test::empty_results({"M1"}), {});
  emit session_->silent(End::a, u"b hears nothing of a: check the cable"_s);
  EXPECT_TRUE(state().startsWith(u"Nothing arrives"_s));
  EXPECT_TRUE(QTest::qWaitFor([this] { return state().startsWith(u"Measuring"_s); }, 30'000));
}

TEST_F(Window, KeepsANoteThatAMeasurementSoundsDifferent) {
  EXPECT_FALSE(button(u"sounds_different"_s)->isEnabled());
  window_.start();
  RunResults results = test::empty_results({"M1", "M6"});
  session_->measure(results, {});
  EXPECT_FALSE(button(u"sounds_different"_s)->isEnabled()) << "nothing has a score yet";
  test::add_score(results, 0, 1, 4.0);
  test::add_score(results, 0, 0, 1.2);
  session_->measure(results, u"M6, A to B"_s);
  QTest::keyClick(&window_, Qt::Key_D, Qt::ControlModifier);
  ASSERT_TRUE(QTest::qWaitFor([this] { return window_.findChild<NoteDialog*>() != nullptr; }));
  auto* dialog = window_.findChild<NoteDialog*>();
  ASSERT_TRUE(QTest::qWaitForWindowActive(dialog));
  auto* keep = dialog->findChild<QAbstractButton*>(u"keep_note"_s);
  keep->click();
  EXPECT_TRUE(dialog->isVisible()) << "there are no words yet";
  EXPECT_EQ(dialog->findChild<QLabel*>(u"note_fault"_s)->text(), u"Write what you heard"_s);
  dialog->findChild<QPlainTextEdit*>(u"words"_s)->setPlainText(u"every word was clear"_s);
  keep->click();
  EXPECT_FALSE(dialog->isVisible());
  ASSERT_EQ(session_->notes.size(), 1U);
  EXPECT_EQ(session_->notes[0].from, End::a);
  EXPECT_EQ(session_->notes[0].sequence, 2U) << "the last one is chosen first";
  EXPECT_EQ(session_->notes[0].text, "every word was clear");
  EXPECT_TRUE(session_->notes[0].sounds_different);
  EXPECT_TRUE(message()->message().startsWith(u"Noted"_s));
  session_->end(RunPhase::finished, results);
  EXPECT_FALSE(button(u"sounds_different"_s)->isEnabled()) << "nothing more is measured";
}

TEST_F(Window, SaysThatANoteCouldNotBeKept) {
  window_.start();
  RunResults results = test::empty_results({"M1"});
  test::add_score(results, 1, 0, 4.0);
  session_->measure(results, u"M1, B to A"_s);
  session_->fault_of_notes = u"the disk is full"_s;
  button(u"sounds_different"_s)->click();
  auto* dialog = window_.findChild<NoteDialog*>();
  ASSERT_TRUE(dialog);
  dialog->findChild<QPlainTextEdit*>(u"words"_s)->setPlainText(u"a hum"_s);
  dialog->accept();
  EXPECT_TRUE(message()->message().contains(u"was not kept: the disk is full"_s));
}

TEST_F(Window, StopsAndKeepsWhatWasMeasured) {
  window_.start();
  RunResults results = test::empty_results({"M1"});
  test::add_score(results, 0, 0, 4.0);
  session_->measure(results, u"M1, A to B"_s);
  button(u"stop"_s)->click();
  EXPECT_EQ(session_->cancels, 1);
  EXPECT_TRUE(state().startsWith(u"Stopping"_s));
  EXPECT_EQ(button(u"stop"_s)->text(), u"Stop now"_s);
  button(u"stop"_s)->click();
  QTest::keyClick(&window_, Qt::Key_Period, Qt::ControlModifier);
  EXPECT_EQ(session_->cancels, 1) << "a double click, or a key that is held, is one stop";
  ASSERT_TRUE(QTest::qWaitFor([this] { return button(u"stop"_s)->isEnabled(); }));
  button(u"stop"_s)->click();
  EXPECT_EQ(session_->cancels, 2) << "a sentence that does not come is not waited for";
  session_->measure(results, u"M1, A to B"_s);
  EXPECT_TRUE(state().startsWith(u"Stopping"_s)) << "a late measurement does not undo the stop";
  session_->end(RunPhase::cancelled, results);
  EXPECT_EQ(state(), u"Stopped: 1 measurement kept"_s);
  EXPECT_TRUE(can_edit());
  EXPECT_TRUE(button(u"start"_s)->isEnabled());
  button(u"open_report"_s)->click();
  button(u"open_folder"_s)->click();
  EXPECT_EQ(opened_, (QStringList{u"/results/report.html"_s, u"/results"_s}));
}

TEST_F(Window, ShowsAnErrorInsideTheWindow) {
  window_.start();
  session_->end(RunPhase::failed, test::empty_results({"M1"}), u"Node B does not answer; start it"_s);
  EXPECT_TRUE(message()->isVisible());
  EXPECT_EQ(message()->message(), u"Node B does not answer; start it."_s);
  EXPECT_EQ(QApplication::activeModalWidget(), nullptr);
  EXPECT_EQ(state(), u"Ended early: nothing was measured"_s);
  ASSERT_TRUE(choice(u"Dismiss"_s));
  choice(u"Dismiss"_s)->click();
  EXPECT_FALSE(message()->isVisible());
}

TEST_F(Window, ForgetsTheLastRunWhenTheNextBegins) {
  window_.start();
  RunResults results = test::empty_results({"M1"});
  test::add_score(results, 0, 0, 4.0);
  test::add_unscored(results, 0, 0, Outcome::no_speech, "silence");
  session_->end(RunPhase::finished, results, u"something"_s);
  EXPECT_EQ(state(), u"Finished: 2 measurements, 1 not scored"_s);
  const QPointer<FakeSession> first = session_;
  window_.start();
  EXPECT_FALSE(first) << "one session for each run";
  EXPECT_EQ(mean(0), u"not measured"_s);
  EXPECT_FALSE(message()->isVisible());
  EXPECT_EQ(window_.findChild<QTabWidget*>(u"tabs"_s)->tabText(1), u"Not scored"_s);
  EXPECT_FALSE(button(u"open_report"_s)->isEnabled());
}

TEST_F(Window, ClosesImmediatelyWithoutARun) {
  EXPECT_TRUE(window_.close());
}

TEST_F(Window, AsksInsideTheWindowBeforeClosingARun) {
  window_.start();
  EXPECT_FALSE(window_.close());
  EXPECT_TRUE(message()->isVisible());
  EXPECT_EQ(QApplication::activeModalWidget(), nullptr);
  ASSERT_TRUE(choice(u"Keep"_s));
  choice(u"Keep"_s)->click();
  EXPECT_FALSE(message()->isVisible());
  EXPECT_EQ(session_->cancels, 0);
  EXPECT_TRUE(window_.isVisible());
}

TEST_F(Window, ClosesOnceTheRunHasStopped) {
  window_.start();
  EXPECT_FALSE(window_.close());
  ASSERT_TRUE(choice(u"Stop"_s));
  choice(u"Stop"_s)->click();
  EXPECT_EQ(session_->cancels, 1);
  EXPECT_TRUE(window_.isVisible());
  session_->end(RunPhase::cancelled, test::empty_results({"M1"}));
  EXPECT_FALSE(window_.isVisible());
}

TEST_F(Window, ClosingAfterAStopWaitsForTheSentenceUnderWay) {
  window_.start();
  window_.stop();
  EXPECT_FALSE(window_.close());
  choice(u"Stop"_s)->click();
  EXPECT_EQ(session_->cancels, 1);
  session_->end(RunPhase::cancelled, test::empty_results({"M1"}));
  EXPECT_FALSE(window_.isVisible());
}

TEST_F(Window, AFollowedRunThatIsNotStoppedCanBeLeft) {
  window_.follow(u"/elsewhere"_s);
  ASSERT_TRUE(session_ && session_->settings.follows);
  session_->measure(test::empty_results({"M1"}), {});
  window_.stop();
  EXPECT_EQ(window_.phase(), RunPhase::measuring) << "its program was not asked yet";
  emit session_->phase_changed(RunPhase::stopping);
  EXPECT_TRUE(button(u"pause"_s)->isEnabled()) << "Leave";
  EXPECT_FALSE(button(u"stop"_s)->isEnabled());
  emit session_->phase_changed(RunPhase::measuring);
  EXPECT_TRUE(button(u"stop"_s)->isEnabled() || QTest::qWaitFor([this] { return button(u"stop"_s)->isEnabled(); }));
  button(u"pause"_s)->click();
  EXPECT_FALSE(is_running(window_.phase()));
}

TEST_F(Window, DoesNotWaitForARunThatWillNotStop) {
  window_.start();
  window_.close();
  choice(u"Stop"_s)->click();
  EXPECT_TRUE(window_.close());
  EXPECT_FALSE(session_);
}

TEST_F(Window, HidesItsQuestionWhenTheRunEnds) {
  window_.start();
  window_.close();
  EXPECT_TRUE(message()->isVisible());
  session_->end(RunPhase::finished, test::empty_results({"M1"}));
  EXPECT_FALSE(message()->isVisible()) << "nothing is running any more";
  EXPECT_TRUE(window_.isVisible());
  EXPECT_TRUE(window_.close());
}

TEST_F(Window, ASingleDirectionIsShownOnItsOwnSide) {
  window_.start();
  RunResults results = test::empty_results({"M1"});
  results.directions.erase(results.directions.begin());
  test::add_score(results, 0, 0, 3.0);
  session_->measure(results, u"M1, B to A"_s);
  EXPECT_EQ(mean(0), u"not measured"_s);
  EXPECT_EQ(figure(1), u"3.00 fair"_s);
}

TEST_F(Window, FitsASmallLaptop) {
  window_.resize(1280, 720);
  EXPECT_LE(window_.minimumSizeHint().width(), 1280);
  EXPECT_LE(window_.minimumSizeHint().height(), 720);
  for (const auto* one : window_.findChildren<QAbstractButton*>())
    EXPECT_FALSE(one->isVisible() && one->text().isEmpty() && one->accessibleName().isEmpty());
}

// A screen of 1366x768 with a panel and a title bar.
constexpr QSize kLaptop(1366, 700);

TEST_F(Window, DoesNotGrowWithItsTexts) {
  window_.resize(kLaptop);
  const QString words = u"the circuit in the cellar hums and drops every other word of it; "_s.repeated(12);
  const QString path = u"/very-long-name-of-a-folder"_s.repeated(20);
  auto* node_a = window_.findChild<QLineEdit*>(u"node_a"_s);
  window_.findChild<QAbstractButton*>(u"nodes"_s)->click();
  node_a->setText(u"wss://"_s + path);
  window_.findChild<QLineEdit*>(u"access_b"_s)->setText(path);
  window_.start();
  EXPECT_FALSE(session_) << "these are faults";
  EXPECT_LE(window_.minimumSizeHint().width(), kLaptop.width());
  EXPECT_LE(window_.minimumSizeHint().height(), kLaptop.height());
  window_.set_form({});
  window_.start();
  RunResults results = test::empty_results({"M1", std::string(64, 'x')});
  test::add_score(results, 0, 0, 4.0);
  for (int i = 0; i < 5; ++i) test::add_unscored(results, 0, 0, Outcome::no_speech, words.toStdString());
  session_->measure(results, QString(64, u'x') + u", A to B"_s);
  emit session_->noticed(words);
  session_->end(RunPhase::failed, results, words + path);
  QApplication::processEvents();
  EXPECT_EQ(window_.size(), kLaptop);
  EXPECT_LE(window_.minimumSizeHint().width(), kLaptop.width());
  EXPECT_LE(window_.minimumSizeHint().height(), kLaptop.height());
  EXPECT_TRUE(message()->message().contains(u"cellar"_s));
  for (const auto* one : window_.findChildren<QAbstractButton*>()) {
    if (!one->isVisible()) continue;
    const QRect place(one->mapTo(&window_, QPoint(0, 0)), one->size());
    EXPECT_LE(place.right(), window_.width()) << one->text().toStdString();
  }
}

TEST_F(Window, RemembersWhatWasMeasuredLast) {
  SettingsForm form;
  form.line = LineKind::nodes;
  form.node_a = u"ws://192.0.2.7:7811"_s;
  form.node_b = u"ws://192.0.2.8:7811"_s;
  window_.set_form(form);
  EXPECT_TRUE(memory_.recent().empty()) << "a setup that was not measured is not remembered";
  window_.start();
  ASSERT_EQ(memory_.recent(), std::vector{form});
  session_->end(RunPhase::finished, test::empty_results({"M1"}));
  window_.set_form({});
  auto* recent = window_.findChild<QComboBox*>(u"recent"_s);
  ASSERT_EQ(recent->count(), 2);
  emit recent->activated(1);
  EXPECT_EQ(window_.findChild<QLineEdit*>(u"node_b"_s)->text(), form.node_b);
}

TEST_F(Window, ResumesTheRunInAFolder) {
  EXPECT_TRUE(button(u"resume"_s)->isEnabled());
  window_.resume(u"~/site 4"_s);
  ASSERT_TRUE(session_);
  EXPECT_TRUE(session_->settings.resumes);
  EXPECT_EQ(session_->settings.folder, home_.filePath(u"site 4"_s));
  EXPECT_EQ(state(), u"Resuming: connecting to both nodes"_s);
  EXPECT_FALSE(button(u"resume"_s)->isEnabled());
}

TEST_F(Window, OffersToResumeAnInterruptedRun) {
  window_.start();
  session_->end(RunPhase::failed, test::empty_results({"M1"}), u"node b does not answer"_s, true);
  ASSERT_TRUE(choice(u"Resume"_s));
  choice(u"Resume"_s)->click();
  ASSERT_TRUE(session_);
  EXPECT_TRUE(session_->settings.resumes);
  EXPECT_EQ(session_->settings.folder, u"/results"_s);
}

TEST_F(Window, SaysWhichNodeTheRunWaitsFor) {
  window_.start();
  RunResults results = test::empty_results({"M1"});
  test::add_score(results, 0, 0, 4.0);
  session_->measure(results, u"M1, A to B"_s);
  window_.resize(1000, 600);
  emit session_->waiting(u"node b at ws://192.0.2.8:7811"_s);
  QApplication::processEvents();
  const auto* shown = window_.findChild<QLabel*>(u"state"_s);
  EXPECT_EQ(shown->height() / shown->fontMetrics().lineSpacing(),
            shown->heightForWidth(shown->width()) / shown->fontMetrics().lineSpacing())
      << "there is room for each of its lines";
  EXPECT_EQ(state(), u"Waiting for node b at ws://192.0.2.8:7811: 1 measurement kept"_s);
  emit session_->waiting({});
  EXPECT_TRUE(state().startsWith(u"Measuring M1"_s));
}

TEST_F(Window, AsksWhetherToTrustANodeAndPassesOnTheAnswer) {
  window_.start();
  const QString question =
      u"Node A at wss://192.0.2.7:7811 is not known yet. Its fingerprint is\nsha256:%1\n"
      u"Trust it?"_s.arg(QString(64, u'a'));
  emit session_->asked_to_trust(question);
  EXPECT_TRUE(message()->message().contains(u"sha256:"_s + QString(64, u'a')));
  ASSERT_TRUE(choice(u"Trust and continue"_s));
  EXPECT_EQ(window_.focusWidget(), choice(u"Do not trust"_s)) << "a key pressed by mistake does no harm";
  EXPECT_EQ(state(), u"Waiting for your answer"_s);
  choice(u"Trust and continue"_s)->click();
  EXPECT_EQ(state(), u"Starting the simulated line"_s);
  EXPECT_EQ(session_->trusted, true);
}

TEST_F(Window, ShowsWhatACheckOfTheLineFound) {
  EXPECT_FALSE(button(u"check"_s)->isEnabled()) << "a simulated line has no equipment";
  EXPECT_TRUE(window_.findChild<QLabel*>(u"check_state"_s)->text().contains(u"Two nodes"_s));
  button(u"nodes"_s)->click();
  button(u"check"_s)->click();
  ASSERT_TRUE(check_);
  EXPECT_TRUE(check_->started);
  EXPECT_FALSE(button(u"start"_s)->isEnabled()) << "the line is in use";
  LineCheckResult result;
  result.directions.push_back({End::a, 2, {{"level", -1.0, "dB", true, ""}, {"noise", -40.0, "dBm0p", false, "x"}}});
  emit check_->finished(std::make_shared<const LineCheckResult>(result));
  const auto* const state = window_.findChild<QLabel*>(u"check_state"_s);
  EXPECT_EQ(state->text(), u"1 of 2 items need a look: see what to do"_s);
  EXPECT_TRUE(button(u"start"_s)->isEnabled());
}

TEST_F(Window, AsksBeforeACheckWhetherToTrustANode) {
  button(u"nodes"_s)->click();
  button(u"check"_s)->click();
  emit check_->asked_to_trust(u"Trust it?"_s);
  ASSERT_TRUE(choice(u"Trust and continue"_s));
  choice(u"Trust and continue"_s)->click();
  EXPECT_EQ(check_->trusted, true);
}

TEST_F(Window, TabReachesEveryControl) {
  window_.findChild<QAbstractButton*>(u"more"_s)->click();
  QSet<QString> reached;
  for (int i = 0; i < 60; ++i) {
    QTest::keyClick(QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : &window_, Qt::Key_Tab);
    if (const QWidget* now = QApplication::focusWidget()) reached.insert(now->objectName());
  }
  for (const QString& name : {u"start"_s, u"simulated"_s, u"ber"_s, u"delay_ms"_s, u"goal_mean"_s, u"site"_s, u"more"_s,
                              u"stimuli"_s, u"a_to_b"_s, u"cap"_s, u"seed"_s, u"folder"_s, u"choose_folder"_s})
    EXPECT_TRUE(reached.contains(name)) << name.toStdString();
}

}  // namespace
}  // namespace vqas::app
