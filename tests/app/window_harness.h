#pragma once

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QDateTime>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include "app/fake_results.h"
#include "model/form_memory.h"
#include "view/direction_panel.h"
#include "view/main_window.h"
#include "view/message_bar.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

/// A run that a test moves by hand.
class FakeSession : public RunSession {
 public:
  explicit FakeSession(RunSettings settings_of_run) : settings(std::move(settings_of_run)) {}
  void start() override { started = true; }
  void cancel() override { ++cancels; }
  void hold(bool yes) override { holds = yes; }
  void note(const OperatorNote& note) override {
    notes.push_back(note);
    emit noted(fault_of_notes);
  }
  void trust(bool yes) override { trusted = yes; }

  void measure(const RunResults& results, const QString& current) {
    emit phase_changed(RunPhase::measuring);
    emit updated(std::make_shared<const RunResults>(results));
    emit progressed({1, 20, 12.0}, current);
  }
  void end(RunPhase phase, const RunResults& results, const QString& message = {}, bool resumable = false) {
    RunEnd how;
    how.phase = phase;
    how.message = message;
    how.folder = u"/results"_s;
    how.report = u"/results/report.html"_s;
    how.resumable = resumable;
    emit finished(how, std::make_shared<const RunResults>(results));
  }

  RunSettings settings;
  bool started = false;
  int cancels = 0;
  bool holds = false;
  std::optional<bool> trusted;
  std::vector<OperatorNote> notes;
  QString fault_of_notes;
};

/// A check that a test moves by hand.
class FakeCheck : public CheckSession {
 public:
  void start() override { started = true; }
  void cancel() override { emit finished(std::make_shared<const LineCheckResult>()); }
  void trust(bool yes) override { trusted = yes; }
  bool started = false;
  std::optional<bool> trusted;
};

class Window : public testing::Test {
 protected:
  Window()
      : window_({[this](const RunSettings& settings) {
                   auto made = std::make_unique<FakeSession>(settings);
                   session_ = made.get();
                   return made;
                 },
                 [this](const RunSettings&) {
                   auto made = std::make_unique<FakeCheck>();
                   check_ = made.get();
                   return made;
                 },
                 [this](const QString& path) { opened_.append(path); },
                 [] {
                   return QDateTime({2026, 1, 31}, {12, 0, 0});
                 },
                 home_.path(), [](ScoreMode) { return u"The model errs by 0.3 MOS."_s; }, &memory_}) {
    window_.show();
  }
  void SetUp() override {
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window_));
    show_page(u"Measure"_s);
  }
  QTabWidget* pages() const { return window_.findChild<QTabWidget*>(u"pages"_s); }
  QString page() const { return pages()->tabText(pages()->currentIndex()); }
  void show_page(const QString& title) const {
    for (int i = 0; i < pages()->count(); ++i)
      if (pages()->tabText(i) == title) pages()->setCurrentIndex(i);
    ASSERT_EQ(page(), title);
  }

  QString state() const { return window_.findChild<QLabel*>(u"state"_s)->text(); }
  QAbstractButton* button(const QString& name) const { return window_.findChild<QAbstractButton*>(name); }
  MessageBar* message() const { return window_.findChild<MessageBar*>(); }
  QString figure(int panel) const {
    const auto* const of = window_.findChild<DirectionPanel*>(u"panel_%1"_s.arg(panel));
    return of->findChild<QLabel*>(u"figure"_s)->text() + u' ' + of->findChild<QLabel*>(u"quality"_s)->text();
  }
  QString mean(int panel) const { return window_.findChild<DirectionPanel*>(u"panel_%1"_s.arg(panel))->mean_text(); }
  bool can_edit() const { return window_.findChild<QLineEdit*>(u"seed"_s)->isEnabled(); }
  QAbstractButton* choice(const QString& part) const {
    for (auto* one : message()->findChildren<QAbstractButton*>())
      if (one->isVisible() && one->text().remove(u'&').contains(part)) return one;
    return nullptr;
  }

  QTemporaryDir home_;
  QSettings kept_{home_.filePath(u"gui.ini"_s), QSettings::IniFormat};
  FormMemory memory_{kept_};
  QStringList opened_;
  QPointer<FakeSession> session_;
  QPointer<FakeCheck> check_;
  MainWindow window_;
};

}  // namespace vqas::app
