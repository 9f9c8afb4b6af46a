// The window with everything behind it, when something is lost: the line, a device, the window itself.
#include <gtest/gtest.h>

#include <QFileInfo>
#include <QListWidget>
#include <QProcess>
#include <QPushButton>
#include <QTableView>
#include <atomic>

#include "app/whole_window.h"
#include "line/simulator_harness.h"
#include "node/paced_line.h"
#include "vqas/campaign/operator_note.h"
#include "vqas/node/run_lock.h"
#include "vqas/node/simulated_bench.h"
#include "vqas/report/report.h"
#include "vqas/store/slot_journal.h"

namespace vqas::app {
namespace {

using namespace Qt::StringLiterals;
namespace fs = std::filesystem;

LineConditions noisy_line() {
  LineConditions conditions;
  conditions.ber = 1e-4;
  return conditions;
}

TEST_F(WholeWindow, OnADeadLineBothPanelsSayWhichEndHearsNothingAndWhatToLookAt) {
  test::PacedLine line(3);
  line.die(End::a);
  line.die(End::b);
  const auto nodes = start_nodes([&line](End own) { return line.open(own); });
  MainWindow window(services());
  window.show();
  window.set_form(form_of(nodes, u"M4"_s, u"5"_s));
  window.start();
  ASSERT_TRUE(wait([&] { return !warning(window, 0).isEmpty() && !warning(window, 1).isEmpty(); }))
      << state(window).toStdString();
  EXPECT_TRUE(warning(window, 0).startsWith(u"⚠ B hears nothing of a: digital silence"_s))
      << warning(window, 0).toStdString();
  EXPECT_TRUE(warning(window, 0).contains(u"check b: is the call connected"_s)) << warning(window, 0).toStdString();
  EXPECT_TRUE(warning(window, 1).startsWith(u"⚠ A hears nothing of b"_s)) << warning(window, 1).toStdString();
  EXPECT_EQ(state(window), u"Nothing arrives from end A nor from end B: see what to look at below"_s);
  stop_at_once(window);
  EXPECT_TRUE(wait([&window] { return !is_running(window.phase()); }));
}

TEST_F(WholeWindow, OnAOneWayLineOnlyTheDeafEndIsNamed) {
  test::PacedLine line(3);
  line.die(End::b);
  const auto nodes = start_nodes([&line](End own) { return line.open(own); });
  MainWindow window(services());
  window.show();
  window.set_form(form_of(nodes, u"M4"_s, u"5"_s));
  window.start();
  ASSERT_TRUE(wait([&window] { return !warning(window, 1).isEmpty(); })) << state(window).toStdString();
  EXPECT_TRUE(warning(window, 1).startsWith(u"⚠ A hears nothing of b"_s)) << warning(window, 1).toStdString();
  EXPECT_EQ(warning(window, 0), QString());
  EXPECT_TRUE(state(window).contains(u"Nothing arrives from end B"_s)) << state(window).toStdString();
  stop_at_once(window);
  EXPECT_TRUE(wait([&window] { return !is_running(window.phase()); }));
}

TEST_F(WholeWindow, ALineThatDiesInMidRunIsToldAndWhatWasMeasuredStays) {
  test::PacedLine line(3);
  const auto nodes = start_nodes([&line](End own) { return line.open(own); });
  MainWindow window(services());
  window.show();
  window.set_form(form_of(nodes, u"M4"_s, u"30"_s));
  window.start();
  ASSERT_TRUE(wait([&window] { return figure(window, 1).toDouble() > 1; })) << state(window).toStdString();
  line.die(End::b);
  ASSERT_TRUE(wait([&window] { return !warning(window, 1).isEmpty() || !message(window).isEmpty(); }))
      << state(window).toStdString();
  const QString told = warning(window, 1) + message(window);
  EXPECT_TRUE(told.contains(u"hears nothing"_s) || told.contains(u"the run waits"_s, Qt::CaseInsensitive))
      << told.toStdString();
  EXPECT_GT(figure(window, 1).toDouble(), 1);
  stop_at_once(window);
  EXPECT_TRUE(wait([&window] { return !is_running(window.phase()); }));
}

/// The line of a device that is unplugged, and perhaps plugged in again.
class Unplugged : public Line {
 public:
  Unplugged(std::unique_ptr<Line> line, const std::atomic<bool>& gone) : line_(std::move(line)), gone_(gone) {}
  LineDescription description() const override { return line_->description(); }
  Result<BlockTime> exchange(std::span<const float> sent, std::span<float> heard, Round round) override {
    if (gone_) return Error{ErrorCode::line_lost, "the sound device is gone; plug it in again"};
    return line_->exchange(sent, heard, round);
  }
  Status stand() override { return line_->stand(); }
  void interrupt() override { line_->interrupt(); }

 private:
  std::unique_ptr<Line> line_;
  const std::atomic<bool>& gone_;
};

TEST_F(WholeWindow, ADeviceUnpluggedInMidRunPausesItUntilItIsPluggedInAgain) {
  test::PacedLine line(20);
  std::atomic<bool> gone = false;
  const auto nodes = start_nodes([&](End own) -> Result<std::unique_ptr<Line>> {
    if (own == End::a) return line.open(own);
    if (gone) return Error{ErrorCode::line_lost, "the sound device is gone; plug it in again"};
    return std::unique_ptr<Line>(std::make_unique<Unplugged>(line.open(own), gone));
  });
  MainWindow window(services());
  window.show();
  window.set_form(form_of(nodes, u"M4, F4"_s, u"1000"_s));
  window.start();
  ASSERT_TRUE(wait([&window] { return figure(window, 0).toDouble() > 1; })) << "something was measured";
  gone = true;
  ASSERT_TRUE(wait([&window] { return state(window).startsWith(u"Waiting for the line"_s); }))
      << state(window).toStdString();
  EXPECT_TRUE(state(window).contains(u"kept"_s)) << state(window).toStdString();
  EXPECT_TRUE(message(window).contains(u"the sound device is gone; plug it in again"_s))
      << message(window).toStdString();
  EXPECT_GT(figure(window, 0).toDouble(), 1) << "what was measured stays in sight";
  gone = false;
  ASSERT_TRUE(wait([&window] { return state(window).startsWith(u"Measuring"_s); })) << state(window).toStdString();
  EXPECT_TRUE(message(window).contains(u"the run continues"_s)) << message(window).toStdString();
  // Gone for good: a stop ends the run, and all of it is kept.
  gone = true;
  ASSERT_TRUE(wait([&window] { return state(window).startsWith(u"Waiting for the line"_s); }));
  window.stop();
  ASSERT_TRUE(wait([&window] { return !is_running(window.phase()); }));
  EXPECT_GT(figure(window, 0).toDouble(), 1);
  show(window, u"Start"_s);
  auto* const list = window.findChild<QListWidget*>(u"start_resume"_s);
  EXPECT_TRUE(wait([list] { return list->count() == 1; })) << "it can be resumed";
}

TEST_F(WholeWindow, AKilledWindowOffersItsRunAndTheResumedRunIsComplete) {
  SimulatedBench bench({test::vqas_command(),
                        fs::path(test::source_dir()) / "corpus",
                        home_.filePath(u"nodes"_s).toStdString(),
                        symmetric_line(noisy_line(), 20, -30, 7),
                        {},
                        {}});
  bool ready = false;
  QObject::connect(&bench, &SimulatedBench::ready, &bench, [&ready] { ready = true; });
  bench.start();
  ASSERT_TRUE(wait([&ready] { return ready; }));
  const QString folder = home_.filePath(u"vqas-results/killed"_s), journal = folder + u"/journal.jsonl"_s;
  QDir().mkpath(home_.filePath(u"vqas-results"_s));
  QProcess first;
  first.start(
      QString::fromLatin1(VQAS_GUI),
      {u"--node-a"_s, QString::fromStdString(bench.node_a()), u"--node-b"_s, QString::fromStdString(bench.node_b()),
       u"--start"_s, u"--out"_s, folder, u"--each-stimulus"_s, u"--cap"_s, u"8"_s, u"--stimuli"_s, u"M1,M4,F1,F4"_s,
       u"--corpus"_s, QString::fromUtf8(test::source_dir()) + u"/corpus"_s});
  ASSERT_TRUE(first.waitForStarted());
  const auto bytes = [&journal] { return QFileInfo(journal).size(); };
  ASSERT_TRUE(wait([&] { return bytes() > 4000 || first.state() == QProcess::NotRunning; }));
  first.kill();
  first.waitForFinished();
  const auto broken = load_run(folder.toStdString());
  ASSERT_TRUE(broken) << broken.error().message << first.readAllStandardError().toStdString();
  EXPECT_FALSE(broken->results.is_complete());

  MainWindow window(services());
  window.show();
  show(window, u"Results"_s);
  show(window, u"Start"_s);
  auto* const list = window.findChild<QListWidget*>(u"start_resume"_s);
  ASSERT_TRUE(wait([list] { return list->count() == 1; }));
  emit list->itemClicked(list->item(0));
  ASSERT_TRUE(wait([&window] { return window.phase() == RunPhase::finished; })) << message(window).toStdString();
  const auto whole = load_run(folder.toStdString());
  ASSERT_TRUE(whole);
  EXPECT_TRUE(whole->results.is_complete());
  EXPECT_EQ(whole->results.about.uuid, broken->results.about.uuid);
}

// As if the window had been killed two hours ago.
void set_back(const fs::path& campaign, double seconds) {
  const auto log = read_slot_log(campaign);
  ASSERT_TRUE(log && *log && !(*log)->times.empty());
  SlotTimes times = (*log)->times.front();
  times.from_s -= seconds;
  fs::remove(campaign / kSlotsFile);
  auto journal = SlotJournal::open(campaign);
  ASSERT_TRUE(journal);
  EXPECT_TRUE(journal->add(times));
  EXPECT_TRUE(journal->started(times.from_s, {}));
}

TEST_F(WholeWindow, AKilledCampaignIsResumedFromStartAndItsRecordHasTheMissedSlots) {
  test::PacedLine line(20);
  const auto nodes = start_nodes([&line](End own) { return line.open(own); });
  const fs::path folder = home_.filePath(u"vqas-results/campaign"_s).toStdString();
  {
    MainWindow killed(services());
    SettingsForm form = form_of(nodes, u"M4"_s, u"5"_s);
    form.every_min = u"60"_s;
    form.for_h = u"3"_s;
    form.folder = QString::fromStdString(folder.string());
    killed.set_form(form);
    killed.start();
    ASSERT_TRUE(wait([&killed] { return figure(killed, 0).toDouble() > 1; })) << message(killed).toStdString();
  }
  set_back(folder, 2 * 3600);
  for (const auto& node : nodes) node->release();  // by then the nodes have given up the killed run
  MainWindow window(services());
  window.show();
  show(window, u"Results"_s);
  show(window, u"Start"_s);
  auto* const list = window.findChild<QListWidget*>(u"start_resume"_s);
  ASSERT_TRUE(wait([list] { return list->count() == 1; }));
  EXPECT_TRUE(list->item(0)->text().endsWith(u"0 of 3 repeats are over"_s)) << list->item(0)->text().toStdString();
  emit list->itemClicked(list->item(0));
  ASSERT_TRUE(wait([&window] { return window.phase() == RunPhase::finished; })) << message(window).toStdString();
  const auto log = read_slot_log(folder);
  ASSERT_TRUE(log && *log);
  std::vector<SlotOutcome> outcomes;
  for (const SlotRecord& one : (*log)->records) outcomes.push_back(one.outcome);
  EXPECT_EQ(outcomes, (std::vector{SlotOutcome::cut_short, SlotOutcome::not_running, SlotOutcome::measured}));
  const auto last = load_run(folder / "run-0003");
  ASSERT_TRUE(last) << last.error().message;
  EXPECT_TRUE(last->results.is_complete());
}

TEST_F(WholeWindow, ARunOfAnotherProgramIsFollowedLeftAndStopped) {
  test::PacedLine line(20);
  const auto nodes = start_nodes([&line](End own) { return line.open(own); });
  const QString folder = home_.filePath(u"vqas-results/script"_s);
  QDir().mkpath(home_.filePath(u"vqas-results"_s));
  QProcess script;
  script.start(QString::fromStdString(test::vqas_command()),
               {u"measure"_s, u"--node-a"_s, QString::fromStdString(nodes[0]->address()), u"--node-b"_s,
                QString::fromStdString(nodes[1]->address()), u"--out"_s, folder, u"--stimuli"_s, u"M4,F4"_s,
                u"--each-stimulus"_s, u"--cap"_s, u"1000"_s, u"--corpus"_s,
                QString::fromUtf8(test::source_dir()) + u"/corpus"_s});
  ASSERT_TRUE(script.waitForStarted());
  ASSERT_TRUE(wait([&] {
    return script.state() == QProcess::NotRunning ||
           (run_goes_on(folder.toStdString()) && QFileInfo(folder + u"/journal.jsonl"_s).size() > 4000);
  }));
  ASSERT_EQ(script.state(), QProcess::Running) << script.readAllStandardError().toStdString();
  MainWindow window(services());
  window.show();
  show(window, u"Results"_s);
  auto* const table = window.findChild<QTableView*>(u"runs"_s);
  ASSERT_TRUE(wait([table] { return table->model()->rowCount() == 1; }));
  table->selectRow(0);
  ASSERT_TRUE(button(window, u"follow"_s)->isEnabled());
  EXPECT_FALSE(button(window, u"resume_kept"_s)->isEnabled()) << "it is being measured";
  button(window, u"follow"_s)->click();
  ASSERT_TRUE(wait([&window] { return figure(window, 0).toDouble() > 1; })) << state(window).toStdString();
  EXPECT_TRUE(state(window).startsWith(u"Following"_s)) << state(window).toStdString();
  EXPECT_EQ(button(window, u"pause"_s)->text(), u"Leave"_s);
  button(window, u"pause"_s)->click();
  EXPECT_FALSE(is_running(window.phase()));
  EXPECT_EQ(script.state(), QProcess::Running) << "it measures on";

  show(window, u"Results"_s);
  ASSERT_TRUE(wait([table] { return table->model()->rowCount() == 1; }));
  table->selectRow(0);
  button(window, u"follow"_s)->click();
  ASSERT_TRUE(wait([&window] { return state(window).startsWith(u"Following"_s); }));
  window.stop();
  ASSERT_TRUE(wait([&] { return script.state() == QProcess::NotRunning; })) << state(window).toStdString();
  ASSERT_TRUE(wait([&window] { return !is_running(window.phase()); })) << state(window).toStdString();
  EXPECT_GT(figure(window, 0).toDouble(), 1);
  EXPECT_FALSE(fs::exists((folder.toStdString() + "/") + kStopFile)) << "the request is taken";
}

}  // namespace
}  // namespace vqas::app
