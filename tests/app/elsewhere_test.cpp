// Runs that others measure or keep, and the lines that are calls.
#include <gtest/gtest.h>

#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "app/fake_results.h"
#include "model/call/call_form.h"
#include "model/elsewhere/run_follower.h"
#include "model/elsewhere/stored_runs.h"
#include "model/form_memory.h"
#include "store/postgres_server.h"
#include "view/results/store_dialog.h"
#include "view/results_page.h"
#include "view/start/call_dialog.h"
#include "vqas/campaign/operator_note.h"
#include "vqas/node/run_lock.h"
#include "vqas/report/report.h"
#include "vqas/store/journal.h"

namespace vqas::app {
namespace {

using namespace Qt::StringLiterals;
namespace fs = std::filesystem;

constexpr int kDeadlineMs = 30'000;

RunResults empty_run() {
  RunResults run = test::empty_results({"M1"});
  run.line = "audio:";
  run.corpus_digest = std::string(64, '0');
  run.started_utc = "2026-01-31T12:00:00Z";
  run.about.uuid = "00000000-0000-4000-8000-000000000001";
  run.about.tags["site"] = "north";
  return run;
}

void measure(RunResults& run, RunJournal& journal, double mos) {
  test::add_score(run, 0, 0, mos);
  const StimulusRun& of = run.directions[0].stimuli[0];
  ASSERT_TRUE(journal.append(run.directions[0].from, of.stimulus, of.measurements.back()));
}

class Elsewhere : public testing::Test {
 protected:
  fs::path folder() const { return fs::path(home_.path().toStdString()) / "runs" / "run-1"; }
  QTemporaryDir home_;
};

TEST_F(Elsewhere, AFollowedRunIsShownAsItGrowsUntilItEnds) {
  RunResults run = empty_run();
  auto lock = RunLock::take(folder());
  ASSERT_TRUE(lock) << lock.error().message;
  auto journal = RunJournal::create(folder(), run);
  ASSERT_TRUE(journal) << journal.error().message;
  measure(run, *journal, 4.0);
  RunFollower follower(folder(), 5);
  QSignalSpy updated(&follower, &RunSession::updated), progressed(&follower, &RunSession::progressed),
      finished(&follower, &RunSession::finished);
  follower.start();
  ASSERT_TRUE(QTest::qWaitFor([&] { return updated.count() == 1; }, kDeadlineMs));
  measure(run, *journal, 4.1);
  ASSERT_TRUE(QTest::qWaitFor([&] { return updated.count() == 2; }, kDeadlineMs));
  EXPECT_EQ(progressed.last().front().value<RunProgress>().measured, 2U);
  ASSERT_TRUE(journal->close(run));
  ASSERT_TRUE(write_report(folder(), run));
  (*lock)->release();
  ASSERT_TRUE(QTest::qWaitFor([&] { return finished.count() == 1; }, kDeadlineMs));
  const auto end = finished.front().front().value<RunEnd>();
  EXPECT_EQ(end.phase, RunPhase::finished) << end.message.toStdString();
  EXPECT_FALSE(end.report.isEmpty());
}

TEST_F(Elsewhere, AFollowedRunCanBeAskedToStopWhileItIsMeasured) {
  EXPECT_FALSE(request_stop(folder())) << "no program measures it";
  const auto lock = RunLock::take(folder());
  ASSERT_TRUE(lock);
  RunFollower follower(folder(), 5);
  QSignalSpy phases(&follower, &RunSession::phase_changed);
  follower.cancel();
  ASSERT_EQ(phases.count(), 1);
  EXPECT_EQ(phases.front().front().value<RunPhase>(), RunPhase::stopping);
  EXPECT_TRUE(take_stop_request(folder()));
  EXPECT_FALSE(take_stop_request(folder())) << "a request is taken once";
}

TEST_F(Elsewhere, ARequestToStopIsNotWrittenThroughALink) {
  const auto lock = RunLock::take(folder());
  ASSERT_TRUE(lock);
  const QString other = home_.filePath(u"other"_s);
  std::filesystem::create_symlink(other.toStdString(), folder() / kStopFile);
  EXPECT_TRUE(request_stop(folder()));
  EXPECT_FALSE(QFileInfo::exists(other));
}

TEST_F(Elsewhere, AFollowedRunThatDoesNotStopIsShownAsMeasuredOn) {
  const auto lock = RunLock::take(folder());
  ASSERT_TRUE(lock);
  RunFollower follower(folder(), 5, 5);
  QSignalSpy phases(&follower, &RunSession::phase_changed), noticed(&follower, &RunSession::noticed);
  follower.cancel();
  ASSERT_TRUE(QTest::qWaitFor([&] { return noticed.count() == 1; }, kDeadlineMs));
  EXPECT_EQ(phases.back().front().value<RunPhase>(), RunPhase::measuring);
}

class Stored : public Elsewhere {
 protected:
  Stored() {
    RunResults run = empty_run();
    auto journal = RunJournal::create(folder(), run);
    for (int i = 0; i < 5; ++i) measure(run, *journal, 4.0);
    EXPECT_TRUE(journal->close(run));
    EXPECT_TRUE(write_report(folder(), run));
  }
  void wait_for(const std::function<void()>& act) {
    QSignalSpy shown(&page_, &ResultsPage::shown);
    act();
    ASSERT_TRUE(shown.wait(kDeadlineMs));
  }
  QPushButton* button(const QString& name) const { return page_.findChild<QPushButton*>(name); }

  QString url_ = store_url(u"runs.sqlite"_s, home_.path());
  QSettings kept_{home_.filePath(u"gui.ini"_s), QSettings::IniFormat};
  FormMemory memory_{kept_};
  ResultsPage page_{{[](const QString&) {}, {}, &memory_, home_.path()}};
};

TEST_F(Stored, RunsArePutIntoAStoreAndShownFromItWithWhatAStoreCanDo) {
  EXPECT_EQ(url_, u"sqlite:"_s + home_.filePath(u"runs.sqlite"_s));
  auto* const table = page_.findChild<QTableView*>(u"runs"_s);
  wait_for([this] { page_.read(home_.filePath(u"runs"_s)); });
  ASSERT_EQ(table->model()->rowCount(), 1);
  table->selectRow(0);
  wait_for([this] { page_.put_chosen_into(url_); });
  EXPECT_EQ(memory_.store(), url_);
  wait_for([this] { page_.show_store(url_); });
  ASSERT_EQ(table->model()->rowCount(), 1);
  EXPECT_EQ(table->model()->index(0, KeptRunsModel::kSite).data().toString(), u"north"_s);
  EXPECT_EQ(table->model()->index(0, KeptRunsModel::kAToB).data().toString(), u"4.00"_s) << "a store lists no interval";
  table->selectRow(0);
  EXPECT_TRUE(button(u"show_kept"_s)->isEnabled());
  for (const QString& of_folders : {u"open_kept_folder"_s, u"export"_s, u"remove_kept"_s, u"resume_kept"_s, u"bin"_s})
    EXPECT_FALSE(button(of_folders)->isEnabled()) << of_folders.toStdString();
  QSignalSpy asked(&page_, &ResultsPage::show_requested);
  button(u"show_kept"_s)->click();
  const auto run = load_kept(asked.front().front().value<KeptRun>());
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->results.directions[0].stimuli[0].measurements.size(), 5U);
  wait_for([this] { page_.show_store(QString()); });
  EXPECT_EQ(table->model()->rowCount(), 1);
  EXPECT_TRUE(button(u"bin"_s)->isEnabled());
}

TEST_F(Stored, AServerTakesRunsAndShowsThemAndItsPasswordIsNotKept) {
  test::PostgresServer server;
  ASSERT_EQ(server.error(), "");
  const QString url = QString::fromStdString(server.url()).replace(u"vqas@"_s, u"vqas:secret@"_s);
  auto* const table = page_.findChild<QTableView*>(u"runs"_s);
  wait_for([this] { page_.read(home_.filePath(u"runs"_s)); });
  ASSERT_EQ(table->model()->rowCount(), 1);
  table->selectRow(0);
  wait_for([&] { page_.put_chosen_into(url); });
  EXPECT_EQ(memory_.store(), QString::fromStdString(server.url()));
  wait_for([&] { page_.show_store(url); });
  ASSERT_EQ(table->model()->rowCount(), 1);
  EXPECT_EQ(table->model()->index(0, KeptRunsModel::kSite).data().toString(), u"north"_s);
  table->selectRow(0);
  QSignalSpy asked(&page_, &ResultsPage::show_requested);
  button(u"show_kept"_s)->click();
  const auto run = load_kept(asked.front().front().value<KeptRun>());
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->results.directions[0].stimuli[0].measurements.size(), 5U);
  server.stop();
  QSignalSpy failed(&page_, &ResultsPage::failed);
  wait_for([&] { page_.show_store(url); });
  ASSERT_EQ(failed.count(), 1);
  EXPECT_FALSE(failed.front().front().toString().contains(u"secret"_s))
      << failed.front().front().toString().toStdString();
}

TEST_F(Stored, AStoreThatCannotBeReadIsTold) {
  QSignalSpy failed(&page_, &ResultsPage::failed);
  page_.read(home_.filePath(u"runs"_s));
  wait_for([this] { page_.show_store(u"sqlite:"_s + home_.filePath(u"runs"_s)); });
  ASSERT_EQ(failed.count(), 1);
  EXPECT_FALSE(failed.front().front().toString().isEmpty());
}

TEST(StoreAddress, LosesItsPasswordBeforeItIsKeptOrShown) {
  EXPECT_EQ(without_password(u"postgresql://me:secret@db.example/runs"_s), u"postgresql://me@db.example/runs"_s);
  EXPECT_EQ(without_password(u"postgres://me:se%40cret@db.example/runs"_s), u"postgres://me@db.example/runs"_s);
  EXPECT_EQ(without_password(u"postgres://me:se@cret@db.example/runs"_s), QString()) << "an @ is written %40";
  EXPECT_EQ(without_password(u"sqlite:/a:b@c"_s), u"sqlite:/a:b@c"_s);
}

TEST_F(Elsewhere, AnAddressOfAServerIsNoFileAndAFaultyOneIsRefusedWithoutItsPassword) {
  const QString server = u"postgres://me:secret@db.example/runs"_s;
  EXPECT_EQ(store_url(server, home_.path()), server);
  const auto read = read_stored_runs(store_url(u"mysql://me:secret@db.example/runs"_s, home_.path()));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message.find("secret"), std::string::npos) << read.error().message;
}

TEST_F(Elsewhere, ShowingAStoreThatIsMissingMakesNone) {
  const QString file = home_.filePath(u"missing.sqlite"_s);
  EXPECT_FALSE(read_stored_runs(store_url(file, home_.path())));
  EXPECT_FALSE(QFileInfo::exists(file));
}

TEST(StoreDialogPage, OffersToPutRunsInOnlyWhereSomeAreChosenAndAStoreIsNamed) {
  StoreDialog none(QString(), 2, u"/home/me"_s), named(u"sqlite:/tmp/x"_s, 0, u"/home/me"_s);
  EXPECT_FALSE(none.findChild<QPushButton*>(u"store_put"_s)->isEnabled());
  EXPECT_TRUE(named.findChild<QPushButton*>(u"store_show"_s)->isEnabled());
  EXPECT_FALSE(named.findChild<QPushButton*>(u"store_put"_s)->isEnabled());
  QSignalSpy taken(&none, &StoreDialog::taken);
  none.findChild<QLineEdit*>(u"store_url"_s)->setText(u"runs.sqlite"_s);
  none.findChild<QPushButton*>(u"store_put"_s)->click();
  ASSERT_EQ(taken.count(), 1);
  EXPECT_EQ(taken.front().front().toString(), u"sqlite:/home/me/runs.sqlite"_s);
}

TEST_F(Elsewhere, ACallIsALineOfOwnAddressNumberAndAccount) {
  const CallReading read = read_call({u"4711@pbx.example"_s, u" 4712 "_s, {}}, home_.path());
  EXPECT_EQ(read.line, u"sip:4711@pbx.example;dial=4712@pbx.example"_s) << read.fault.toStdString();
  EXPECT_EQ(read_call({u"me@192.0.2.1"_s, u"you@192.0.2.7:5062"_s, {}}, home_.path()).line,
            u"sip:me@192.0.2.1;dial=you@192.0.2.7:5062"_s);
  const QString account = home_.filePath(u"4711.account"_s);
  QFile(account).open(QIODevice::WriteOnly);
  EXPECT_TRUE(read_call({u"4711@pbx.example"_s, u"4712"_s, u"4711.account"_s}, home_.path())
                  .line.endsWith(u";account="_s + account));
}

TEST_F(Elsewhere, AFaultyCallIsToldWithWhatIsRight) {
  EXPECT_TRUE(read_call({u"4711"_s, u"4712"_s, {}}, home_.path()).fault.startsWith(u"Own address"_s));
  EXPECT_TRUE(read_call({u"4711@pbx.example"_s, {}, {}}, home_.path()).fault.startsWith(u"Number"_s));
  EXPECT_TRUE(read_call({u"4711@pbx.example"_s, u"4712"_s, u"missing"_s}, home_.path()).fault.contains(u"missing"_s));
  EXPECT_FALSE(read_call({u"47 11@pbx.example"_s, u"4712"_s, {}}, home_.path()).fault.isEmpty());
}

TEST_F(Elsewhere, TheDialogOfACallStaysOpenUntilItsFieldsAreRight) {
  CallDialog dialog(home_.path());
  QSignalSpy placed(&dialog, &CallDialog::placed);
  dialog.open();
  dialog.findChild<QLineEdit*>(u"call_own"_s)->setText(u"4711@pbx.example"_s);
  dialog.findChild<QPushButton*>(u"call_place"_s)->click();
  EXPECT_TRUE(dialog.isVisible());
  EXPECT_EQ(placed.count(), 0);
  dialog.findChild<QLineEdit*>(u"call_number"_s)->setText(u"4712"_s);
  dialog.findChild<QPushButton*>(u"call_place"_s)->click();
  EXPECT_FALSE(dialog.isVisible());
  ASSERT_EQ(placed.count(), 1);
  EXPECT_EQ(placed.front().front().toString(), u"sip:4711@pbx.example;dial=4712@pbx.example"_s);
}

}  // namespace
}  // namespace vqas::app
