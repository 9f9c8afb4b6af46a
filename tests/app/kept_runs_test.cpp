#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <fstream>

#include "app/fake_results.h"
#include "model/kept_run.h"
#include "model/kept_runs_model.h"
#include "model/run_bin.h"
#include "run/session_log.h"
#include "view/results_page.h"
#include "view/start_page.h"
#include "vqas/node/run_lock.h"
#include "vqas/report/report.h"
#include "vqas/store/journal.h"

namespace vqas::app {
namespace {

using namespace Qt::StringLiterals;

class KeptRuns : public testing::Test {
 protected:
  /// Runs of "audio:" lines are broken off when not `complete`.
  void keep(const std::string& name, const std::string& started, const std::string& site, double mos,
            bool complete = true, const std::string& notes = {}) {
    RunResults run = test::empty_results({"M1", "M2"});
    run.line = "audio:";
    run.corpus_digest = std::string(64, '0');
    run.started_utc = started;
    run.about.uuid = "00000000-0000-4000-8000-" + std::string(12, name.back());
    run.about.tags["site"] = site;
    run.about.notes = notes;
    const std::filesystem::path folder = path() / name;
    auto journal = RunJournal::create(folder, run);
    ASSERT_TRUE(journal) << journal.error().message;
    for (std::size_t direction : {0U, 1U}) {
      for (std::size_t stimulus : {0U, 1U}) {
        for (int i = 0; i < 5; ++i) {
          test::add_score(run, direction, stimulus, mos + 0.01 * i);
          const StimulusRun& of = run.directions[direction].stimuli[stimulus];
          ASSERT_TRUE(journal->append(run.directions[direction].from, of.stimulus, of.measurements.back()));
        }
        run.directions[direction].stimuli[stimulus].stopped_because = StopReason::goal;
      }
    }
    if (!complete) {
      SessionRecord session;
      session.id = name;
      session.key = std::string(32, 'k');
      session.node_a = "ws://127.0.0.1:1";
      session.node_b = "ws://127.0.0.1:2";
      session.run_id = 1;
      ASSERT_TRUE(SessionLog::create(folder, session));
      return;
    }
    ASSERT_TRUE(journal->close(run));
    ASSERT_TRUE(write_report(folder, run));
  }

  std::filesystem::path path() const { return home_.path().toStdString(); }

  QTemporaryDir home_;
};

TEST_F(KeptRuns, AreReadNewestFirstWithTheirMeans) {
  keep("run-1", "2026-01-30T10:00:00Z", "north", 4.0);
  keep("run-2", "2026-01-31T10:00:00Z", "south", 3.0);
  const auto runs = read_kept_runs(path());
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].site, u"south"_s);
  ASSERT_TRUE(runs[0].directions[1]);
  EXPECT_NEAR(runs[0].directions[1]->mean.mean, 3.02, 1e-9);
  EXPECT_EQ(runs[0].state_words, u"complete"_s);
  EXPECT_EQ(runs[0].scored, 20U);
  EXPECT_TRUE(runs[0].has_report);
  EXPECT_FALSE(runs[0].resumable);
}

TEST_F(KeptRuns, OfAnEmptyOrMissingFolderAreNone) {
  EXPECT_TRUE(read_kept_runs(path()).empty());
  EXPECT_TRUE(read_kept_runs(path() / "missing").empty());
}

TEST_F(KeptRuns, SayThatARunIsDamaged) {
  keep("run-1", "2026-01-30T10:00:00Z", "north", 4.0);
  std::ofstream(path() / "run-1" / kJournalFile, std::ios::trunc) << "{\"not\": \"a header\"}\n";
  const auto runs = read_kept_runs(path());
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].state, FolderState::damaged);
  EXPECT_FALSE(runs[0].state_words.isEmpty());
}

TEST_F(KeptRuns, MakeAValidTable) {
  KeptRunsModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  keep("run-1", "2026-01-30T10:00:00Z", "north", 4.0);
  model.set_runs(read_kept_runs(path()));
  ASSERT_EQ(model.rowCount(), 1);
  EXPECT_EQ(model.index(0, KeptRunsModel::kSite).data().toString(), u"north"_s);
  EXPECT_TRUE(model.index(0, KeptRunsModel::kAToB).data().toString().startsWith(u"4.02 ±"_s));
  model.set_runs({});
  EXPECT_EQ(model.rowCount(), 0);
}

class ShownRuns : public KeptRuns {
 protected:
  ShownRuns()
      : page_({[this](const QString& path) { opened_.append(path); },
               [this](const std::filesystem::path& run) {
                 baseline_ = run.filename().string();
                 return success();
               }}) {}
  void read() {
    QSignalSpy shown(&page_, &ResultsPage::shown);
    page_.read(home_.path());
    ASSERT_TRUE(shown.wait());
  }
  void connect_asked(const std::function<void(const std::function<void()>&)>& told) {
    QObject::connect(&page_, &ResultsPage::asked, &page_,
                     [told](const Words&, const Words&, const std::function<void()>& act) { told(act); });
  }
  QTableView* table() const { return page_.findChild<QTableView*>(u"runs"_s); }
  QPushButton* button(const QString& name) const { return page_.findChild<QPushButton*>(name); }

  QStringList opened_;
  std::string baseline_;
  ResultsPage page_;
};

TEST_F(ShownRuns, CanBeSearchedAndOpened) {
  keep("run-1", "2026-01-30T10:00:00Z", "north", 4.0);
  keep("run-2", "2026-01-31T10:00:00Z", "south", 3.0);
  read();
  EXPECT_EQ(table()->model()->rowCount(), 2);
  EXPECT_FALSE(button(u"open_kept_report"_s)->isEnabled()) << "no run is chosen";
  page_.findChild<QLineEdit*>(u"search"_s)->setText(u"NORTH"_s);
  ASSERT_EQ(table()->model()->rowCount(), 1);
  table()->selectRow(0);
  button(u"open_kept_report"_s)->click();
  EXPECT_EQ(opened_, QStringList(home_.filePath(u"run-1/report.html"_s)));
}

TEST_F(ShownRuns, AreComparedOnAPage) {
  keep("run-1", "2026-01-30T10:00:00Z", "north", 4.0);
  keep("run-2", "2026-01-31T10:00:00Z", "south", 3.0);
  read();
  table()->selectRow(0);
  EXPECT_FALSE(button(u"compare"_s)->isEnabled()) << "one run has nothing to be compared with";
  table()->selectAll();
  QSignalSpy worked(&page_, &ResultsPage::worked), shown(&page_, &ResultsPage::shown);
  button(u"compare"_s)->click();
  ASSERT_TRUE(worked.wait());
  ASSERT_EQ(opened_.size(), 1);
  EXPECT_TRUE(QFile::exists(opened_.front()));
  ASSERT_TRUE(shown.wait());
  EXPECT_TRUE(page_.findChild<QLabel*>(u"note"_s)->text().contains(QFileInfo(opened_.front()).fileName()))
      << "a browser may not open";
  EXPECT_EQ(table()->selectionModel()->selectedRows().size(), 2) << "what was chosen stays so";
}

TEST_F(ShownRuns, ACompleteOneIsKeptAsTheBaseline) {
  keep("run-1", "2026-01-30T10:00:00Z", "north", 4.0);
  read();
  EXPECT_FALSE(button(u"keep_baseline"_s)->isEnabled()) << "no run is chosen";
  table()->selectRow(0);
  QSignalSpy worked(&page_, &ResultsPage::worked);
  button(u"keep_baseline"_s)->click();
  ASSERT_TRUE(worked.wait());
  EXPECT_EQ(baseline_, "run-1");
}

TEST_F(ShownRuns, AreNamedOnThatPageByPlaceAndDate) {
  keep("run-1", "2026-01-30T10:00:00Z", "north", 4.0);
  keep("run-2", "2026-01-31T10:00:00Z", "south", 3.0);
  keep("run-3", "2026-01-31T10:00:00Z", "south", 3.5);
  const auto page = write_comparison(read_kept_runs(path()), path());
  ASSERT_TRUE(page) << page.error().message;
  std::ifstream file(*page);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(text.find("north, 2026-01-30"), std::string::npos);
  EXPECT_EQ(text.find("run-1"), std::string::npos);
  EXPECT_NE(text.find("(run-3)"), std::string::npos) << "two have the same place and time";
}

TEST_F(KeptRuns, ThoseBrokenOffAreOfferedOnTheStartPage) {
  keep("run-1", "2026-01-30T10:00:00Z", "north", 4.0);
  keep("run-2", "2026-01-31T10:00:00Z", "south", 3.0, false);
  StartPage page;
  QSignalSpy shown(&page, &StartPage::shown), asked(&page, &StartPage::resume_requested);
  page.read(home_.path());
  ASSERT_TRUE(shown.wait());
  auto* const list = page.findChild<QListWidget*>(u"start_resume"_s);
  ASSERT_EQ(list->count(), 1);
  EXPECT_TRUE(list->item(0)->text().startsWith(u"south, 2026-01-31"_s)) << list->item(0)->text().toStdString();
  emit list->itemClicked(list->item(0));
  ASSERT_EQ(asked.count(), 1);
  EXPECT_EQ(asked.front().front().toString(), home_.filePath(u"run-2"_s));
}

TEST_F(ShownRuns, AreShownUnlessARunIsMeasured) {
  keep("run-1", "2026-01-30T10:00:00Z", "north", 4.0);
  read();
  QSignalSpy asked(&page_, &ResultsPage::show_requested);
  table()->selectRow(0);
  button(u"show_kept"_s)->click();
  ASSERT_EQ(asked.count(), 1);
  EXPECT_EQ(asked.front().front().value<KeptRun>().folder, path() / "run-1");
  page_.allow_measuring(false);
  EXPECT_FALSE(button(u"show_kept"_s)->isEnabled()) << "a run is measured";
}

TEST_F(ShownRuns, AreFoundByWordsOfAnyColumnAndByTheirNotes) {
  keep("run-1", "2026-01-30T10:00:00Z", "north", 4.0);
  keep("run-2", "2026-01-31T10:00:00Z", "south", 3.0, true, "after the rain (heavy)");
  read();
  const auto found = [this](const QString& typed) {
    page_.findChild<QLineEdit*>(u"search"_s)->setText(typed);
    return table()->model()->rowCount();
  };
  EXPECT_EQ(found(u"rain south"_s), 1) << "the words stand in different columns";
  EXPECT_EQ(found(u"2026-01-3"_s), 2);
  EXPECT_EQ(found(u"rain north"_s), 0);
  EXPECT_EQ(found(u"(HEAVY)"_s), 1) << "a search is no pattern";
}

TEST_F(ShownRuns, AreExportedIntoANewFolder) {
  keep("run-1", "2026-01-30T10:00:00Z", "north", 4.0);
  read();
  table()->selectRow(0);
  QTemporaryDir to;
  const auto exported = [&](const ExportWish& wish) {
    QSignalSpy worked(&page_, &ResultsPage::worked);
    page_.export_chosen(wish, to.path());
    EXPECT_TRUE(worked.wait());
    QSignalSpy shown(&page_, &ResultsPage::shown);
    EXPECT_TRUE(shown.wait());
    table()->selectRow(0);
  };
  exported({});
  exported({.page = false, .figures = true, .recordings = true});
  const QStringList folders = QDir(to.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
  ASSERT_EQ(folders.size(), 2) << "a folder that is there stays as it is";
  EXPECT_TRUE(folders[0].startsWith(u"north_2026-01-30"_s)) << folders[0].toStdString();
  EXPECT_EQ(QDir(to.filePath(folders[0])).entryList(QDir::Files, QDir::Name),
            (QStringList{u"report.html"_s, u"results.csv"_s}));
  EXPECT_EQ(QDir(to.filePath(folders[1])).entryList(QDir::Files), QStringList{u"results.csv"_s});
}

TEST_F(ShownRuns, AreExportedWithTheirRecordings) {
  keep("run-1", "2026-01-30T10:00:00Z", "north", 4.0);
  KeptRun run = read_kept_runs(path()).front();
  QTemporaryDir to;
  const auto done = export_run(run, to.path().toStdString(), {.recordings = true});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->recordings, 0U) << "this run kept none";
  EXPECT_EQ(done->missing, 0U);
}

TEST_F(ShownRuns, AreRemovedIntoABinAndPutBack) {
  keep("run-1", "2026-01-30T10:00:00Z", "north", 4.0);
  keep("campaign/run-2", "2026-01-31T10:00:00Z", "south", 3.0);
  read();
  table()->selectAll();
  const auto act = [this](const QString& name) {
    QSignalSpy shown(&page_, &ResultsPage::shown);
    button(name)->click();
    EXPECT_TRUE(shown.wait());
  };
  act(u"remove_kept"_s);
  EXPECT_EQ(table()->model()->rowCount(), 0);
  EXPECT_TRUE(read_kept_runs(path()).empty()) << "no other program counts them";
  EXPECT_TRUE(std::filesystem::exists(path() / "removed/campaign/run-2/journal.jsonl"));
  act(u"bin"_s);
  EXPECT_EQ(table()->model()->rowCount(), 2);
  table()->selectAll();
  act(u"put_back"_s);
  EXPECT_EQ(table()->model()->rowCount(), 0);
  act(u"bin"_s);
  EXPECT_EQ(table()->model()->rowCount(), 2);
  EXPECT_TRUE(std::filesystem::exists(path() / "campaign/run-2/journal.jsonl"));
  EXPECT_FALSE(std::filesystem::exists(path() / "removed"));
}

TEST_F(ShownRuns, AreDeletedOnlyByASecondAct) {
  keep("run-1", "2026-01-30T10:00:00Z", "north", 4.0);
  std::ofstream(path() / "run-1" / "my-photo.jpg") << "not of VQAS";
  ASSERT_TRUE(remove_run(path() / "run-1", path()));
  page_.findChild<QPushButton*>(u"bin"_s)->setChecked(true);
  read();
  ASSERT_EQ(table()->model()->rowCount(), 1);
  std::function<void()> yes;
  connect_asked([&yes](const std::function<void()>& act) { yes = act; });
  button(u"empty_bin"_s)->click();
  ASSERT_TRUE(yes) << "the user is asked first";
  EXPECT_TRUE(std::filesystem::exists(bin_of(path()) / "run-1" / kJournalFile));
  QSignalSpy worked(&page_, &ResultsPage::worked);
  yes();
  ASSERT_TRUE(worked.wait());
  EXPECT_FALSE(std::filesystem::exists(bin_of(path()) / "run-1" / kJournalFile));
  EXPECT_TRUE(std::filesystem::exists(bin_of(path()) / "run-1" / "my-photo.jpg")) << "it is not a file of a run";
}

TEST_F(KeptRuns, ARunOutsideTheBinIsNotDeleted) {
  keep("run-1", "2026-01-30T10:00:00Z", "north", 4.0);
  EXPECT_FALSE(delete_removed({path() / "run-1"}, path()));
  EXPECT_TRUE(std::filesystem::exists(path() / "run-1" / kJournalFile));
}

TEST_F(KeptRuns, ARunThatIsMeasuredIsNotRemoved) {
  keep("run-1", "2026-01-30T10:00:00Z", "north", 4.0);
  const auto lock = RunLock::take(path() / "run-1");
  ASSERT_TRUE(lock);
  EXPECT_FALSE(remove_run(path() / "run-1", path()));
  EXPECT_TRUE(std::filesystem::exists(path() / "run-1" / kJournalFile));
}

TEST_F(ShownRuns, SayWhereTheyAreLookedFor) {
  read();
  EXPECT_EQ(page_.findChild<QLabel*>(u"note"_s)->text(), u"No run is in %1 yet"_s.arg(home_.path()));
}

TEST_F(ShownRuns, CannotBeResumedWhileAnotherIsMeasuredOrWhenComplete) {
  keep("run-1", "2026-01-30T10:00:00Z", "north", 4.0);
  read();
  table()->selectRow(0);
  EXPECT_FALSE(button(u"resume_kept"_s)->isEnabled());
}

}  // namespace
}  // namespace vqas::app
