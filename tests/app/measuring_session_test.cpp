#include "model/measuring_session.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QThread>
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "model/repeats/campaign_worker.h"
#include "model/repeats/kept_campaign.h"
#include "support/places.h"
#include "support/process.h"
#include "vqas/report/report.h"
#include "vqas/store/notes.h"
#include "vqas/store/run_store.h"

namespace vqas::app {
namespace {

using namespace Qt::StringLiterals;
namespace fs = std::filesystem;

/// No run of these tests takes this long; one that does hangs.
constexpr int kDeadlineMs = 120'000;

class Session : public testing::Test {
 protected:
  Session() {
    settings_.conditions.ber = 1e-5;
    settings_.conditions.gain_db = -3;
    settings_.seed = 3;
    settings_.cap = 5;
    settings_.stimuli = QStringList{u"M1"_s};
    settings_.folder = home_.filePath(u"run"_s);
  }

  fs::path folder() const { return settings_.folder.toStdString(); }

  /// Starts a session, lets `act` do something when it has been set up, and waits for the end.
  void run(const std::function<void(MeasuringSession&)>& act = {}) {
    MeasuringSession session(settings_, tools_);
    QObject::connect(&session, &RunSession::phase_changed, &session, [this](RunPhase phase) {
      EXPECT_EQ(QThread::currentThread(), QApplication::instance()->thread());
      phases_.push_back(phase);
    });
    QObject::connect(&session, &RunSession::finished, &session,
                     [this](const RunEnd& end, const SharedResults& results) {
                       end_ = end;
                       results_ = results;
                     });
    QSignalSpy finished(&session, &RunSession::finished);
    if (act) act(session);
    session.start();
    ASSERT_TRUE(finished.count() > 0 || finished.wait(kDeadlineMs)) << "the run hangs";
    ASSERT_TRUE(results_);
  }

  QTemporaryDir home_;
  RunSettings settings_;
  MeasuringTools tools_{test::vqas_command(), fs::path(test::source_dir()) / "corpus"};
  std::vector<RunPhase> phases_;
  RunEnd end_;
  SharedResults results_;
};

nlohmann::json untimed_results(const fs::path& folder) {
  std::ifstream file(folder / "results.json");
  auto json = nlohmann::json::parse(file, nullptr, false);
  json.erase("timing");
  return json;
}

TEST_F(Session, MeasuresTheSimulatedLineAsTheCommandDoes) {
  run();
  EXPECT_EQ(end_.phase, RunPhase::finished) << end_.message.toStdString();
  EXPECT_EQ(phases_, (std::vector{RunPhase::preparing, RunPhase::measuring}));
  ASSERT_EQ(results_->directions.size(), 2U);
  for (const DirectionRun& direction : results_->directions) {
    ASSERT_EQ(direction.stimuli.size(), 1U);
    EXPECT_EQ(direction.stimuli[0].interval.n, 5U);
  }
  EXPECT_EQ(end_.folder, settings_.folder);
  EXPECT_TRUE(fs::exists(end_.report.toStdString()));
  EXPECT_FALSE(fs::exists(folder() / "nodes"));

  const fs::path other = home_.filePath(u"command"_s).toStdString();
  const auto command =
      test::run_command(std::string(test::vqas_command()) + " quickstart '" + other.string() +
                        "' --mean --stimuli M1 --cap 5 --seed 3 --corpus '" + tools_.corpus.string() + "'");
  ASSERT_EQ(command.exit_code, 0) << command.output;
  const auto mine = untimed_results(folder());
  ASSERT_TRUE(mine.is_object());
  EXPECT_EQ(mine.dump(), untimed_results(other).dump());
}

TEST_F(Session, MeasuresInWidebandWhereTheLineCarriesIt) {
  settings_.mode = ScoreMode::wideband;
  settings_.codec = LineCodec::g722;
  settings_.conditions.ber = 0;
  run();
  EXPECT_EQ(end_.phase, RunPhase::finished) << end_.message.toStdString();
  EXPECT_EQ(results_->mode, ScoreMode::wideband);
  for (const DirectionRun& direction : results_->directions)
    EXPECT_GT(direction.stimuli[0].interval.mean, 3.4) << "G.722 without errors, MOS-LQOW";
}

TEST_F(Session, RepeatsByTheClockAreRunsOfACampaignInOneFolder) {
  settings_.repeats.every_s = 3600;
  settings_.repeats.for_s = 3 * 3600;
  CampaignSession session(settings_, tools_);
  QSignalSpy finished(&session, &RunSession::finished), waiting(&session, &RunSession::waiting);
  session.start();
  ASSERT_TRUE(finished.count() > 0 || finished.wait(kDeadlineMs)) << "the campaign hangs";
  const auto end = finished.front().front().value<RunEnd>();
  EXPECT_EQ(end.phase, RunPhase::finished) << end.message.toStdString();
  for (const char* const run : {"run-0001", "run-0002", "run-0003"}) {
    const auto stored = load_run(folder() / run);
    ASSERT_TRUE(stored) << stored.error().message;
    EXPECT_TRUE(stored->results.is_complete());
  }
  EXPECT_TRUE(fs::exists(end.report.toStdString())) << "the campaign has a page";
  const auto is_next = [](const QList<QVariant>& told) {
    return told.front().toString().startsWith(u"the next run"_s);
  };
  EXPECT_TRUE(std::ranges::any_of(waiting, is_next)) << "the next start is told";
}

TEST_F(Session, AKilledCampaignIsOfferedOnceAndResumedWithItsOwnPlan) {
  settings_.repeats.every_s = 3600;
  settings_.repeats.for_s = 3 * 3600;
  settings_.about.tags["site"] = "north";
  auto killed = std::make_unique<CampaignSession>(settings_, tools_);
  QSignalSpy begun(killed.get(), &RunSession::run_begins);
  killed->start();
  while (begun.count() < 2) ASSERT_TRUE(begun.wait(kDeadlineMs));
  killed.reset();
  const auto offered = read_resumable_runs(home_.path().toStdString());
  ASSERT_EQ(offered.size(), 1U) << "its broken off run is not offered beside it";
  EXPECT_EQ(offered[0].folder, folder());
  EXPECT_EQ(offered[0].slots_over, 1U);
  EXPECT_EQ(offered[0].slots_in_all, 3U);
  EXPECT_EQ(offered[0].site, u"north"_s);

  RunSettings again;
  again.resumes = true;
  again.folder = settings_.folder;
  CampaignSession session(again, tools_);
  QSignalSpy finished(&session, &RunSession::finished);
  session.start();
  ASSERT_TRUE(finished.count() > 0 || finished.wait(kDeadlineMs)) << "the campaign hangs";
  const auto end = finished.front().front().value<RunEnd>();
  EXPECT_EQ(end.phase, RunPhase::finished) << end.message.toStdString();
  for (const char* const run : {"run-0001", "run-0002", "run-0003"}) {
    const auto stored = load_run(folder() / run);
    ASSERT_TRUE(stored) << stored.error().message;
    EXPECT_TRUE(stored->results.is_complete()) << run;
  }
  EXPECT_TRUE(read_resumable_runs(home_.path().toStdString()).empty());
}

TEST_F(Session, RepeatsTakeTheGoalAboveALimit) {
  settings_.repeats.every_s = 3600;
  settings_.repeats.for_s = 2 * 3600;
  settings_.goal = GoalOf::above;
  settings_.about.limit_mos = 2;
  CampaignSession session(settings_, tools_);
  QSignalSpy finished(&session, &RunSession::finished);
  session.start();
  ASSERT_TRUE(finished.count() > 0 || finished.wait(kDeadlineMs)) << "the campaign hangs";
  const auto stored = load_run(folder() / "run-0002");
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_EQ(stored->results.sampling.goal_of, GoalOf::above);
  EXPECT_EQ(stored->results.sampling.limit.mos, 2);
  EXPECT_GT(stored->results.sampling.limit.model_error, 0);
}

TEST_F(Session, TwoRunsBegunInTheSameSecondDifferInTheStore) {
  const fs::path home = home_.path().toStdString();
  RunSettings other_settings = settings_;
  other_settings.folder = home_.filePath(u"other"_s);
  MeasuringSession first(settings_, tools_), second(other_settings, tools_);
  QSignalSpy first_end(&first, &RunSession::finished), second_end(&second, &RunSession::finished);
  first.start();
  second.start();
  for (QSignalSpy* const end : {&first_end, &second_end}) {
    ASSERT_TRUE(end->count() > 0 || end->wait(kDeadlineMs)) << "the run hangs";
  }
  auto store = RunStore::open((home / "store.sqlite").string());
  ASSERT_TRUE(store) << store.error().message;
  for (const char* const folder : {"run", "other"}) {
    const auto taken = store->take(home / folder);
    ASSERT_TRUE(taken) << taken.error().message;
  }
  const auto runs = store->list();
  ASSERT_TRUE(runs) << runs.error().message;
  EXPECT_EQ(runs->size(), 2U);
}

TEST_F(Session, KeepsANoteFromTheWindowAndMeasuresMore) {
  settings_.cap = 30;
  QStringList faults;
  run([&](MeasuringSession& session) {
    QObject::connect(&session, &RunSession::noted, &session, [&](const QString& fault) { faults.append(fault); });
    QObject::connect(&session, &RunSession::phase_changed, &session, [&](RunPhase phase) {
      if (phase == RunPhase::measuring) session.note({End::a, 1, true, "every word was clear", {}});
    });
  });
  EXPECT_EQ(faults, QStringList{QString()});
  ASSERT_EQ(results_->notes.size(), 1U);
  EXPECT_EQ(results_->notes[0].text, "every word was clear");
  EXPECT_GT(results_->directions[0].stimuli[0].interval.n, 5U) << "five are enough on this line";
}

TEST_F(Session, ANoteOfADifferenceRequestsMoreMeasurements) {
  settings_.cap = 30;
  run([this](MeasuringSession& session) {
    QObject::connect(&session, &RunSession::phase_changed, &session, [this](RunPhase phase) {
      if (phase != RunPhase::measuring) return;
      for (const End from : {End::a, End::b}) {
        EXPECT_TRUE(append_note(folder(), {from, 1, true, "every word was clear", {}}));
      }
    });
  });
  EXPECT_EQ(end_.phase, RunPhase::finished) << end_.message.toStdString();
  std::size_t scored = 0;
  for (const DirectionRun& direction : results_->directions) scored += direction.stimuli[0].interval.n;
  EXPECT_GT(scored, 10U) << "five each way are enough on this line";
  EXPECT_EQ(results_->notes.size(), 2U);
  EXPECT_EQ(load_run(folder())->results.notes.size(), 2U);
}

TEST_F(Session, StopsWhenToldAndKeepsWhatWasMeasured) {
  settings_.cap = 1000;
  settings_.stimuli.clear();
  settings_.conditions.ber = 1e-3;
  run([](MeasuringSession& session) {
    QObject::connect(&session, &RunSession::progressed, &session, [&session](const RunProgress& progress) {
      if (progress.measured > 0) session.cancel();
    });
  });
  EXPECT_EQ(end_.phase, RunPhase::cancelled) << end_.message.toStdString();
  EXPECT_TRUE(end_.message.isEmpty());
  const auto kept = load_run(folder());
  ASSERT_TRUE(kept) << kept.error().message;
  std::size_t measured = 0;
  for (const auto& direction : kept->results.directions) {
    for (const auto& stimulus : direction.stimuli) measured += stimulus.measurements.size();
  }
  EXPECT_GT(measured, 0U);
  EXPECT_TRUE(fs::exists(end_.report.toStdString()));
}

TEST_F(Session, StoppedBeforeTheBeginningItEndsCleanly) {
  run([](MeasuringSession& session) { session.cancel(); });
  EXPECT_EQ(end_.phase, RunPhase::cancelled);
  EXPECT_TRUE(end_.folder.isEmpty());
  EXPECT_FALSE(fs::exists(folder()));
}

TEST_F(Session, DestroyedSessionLeavesAReadableRun) {
  settings_.cap = 1000;
  settings_.conditions.ber = 1e-3;
  {
    MeasuringSession session(settings_, tools_);
    QSignalSpy updated(&session, &RunSession::updated);
    QSignalSpy progressed(&session, &RunSession::progressed);
    session.start();
    while (progressed.count() < 3) ASSERT_TRUE(progressed.wait(kDeadlineMs));
  }
  const auto kept = load_run(folder());
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_FALSE(kept->results.is_complete());
}

TEST_F(Session, SaysWhichProgramIsMissing) {
  tools_.program = "/nowhere/vqas";
  run();
  EXPECT_EQ(end_.phase, RunPhase::failed);
  EXPECT_TRUE(end_.message.contains(u"/nowhere/vqas"_s)) << end_.message.toStdString();
  EXPECT_TRUE(end_.message.contains(u"--vqas"_s)) << "the cure";
  EXPECT_FALSE(fs::exists(folder())) << "no empty results are left";
}

TEST_F(Session, SaysWhichStimulusTheCorpusLacks) {
  settings_.stimuli = QStringList{u"M77"_s};
  run();
  EXPECT_EQ(end_.phase, RunPhase::failed);
  EXPECT_TRUE(end_.message.contains(u"M77"_s)) << end_.message.toStdString();
}

TEST_F(Session, SaysThatNoNodeAnswersAtAnAddress) {
  settings_.line = LineKind::nodes;
  settings_.node_a = u"ws://127.0.0.1:1"_s;
  settings_.node_b = u"ws://127.0.0.1:2"_s;
  run();
  EXPECT_EQ(end_.phase, RunPhase::failed);
  EXPECT_TRUE(end_.message.contains(u"127.0.0.1:"_s)) << end_.message.toStdString();
  EXPECT_FALSE(end_.message.endsWith(u'.'));
}

TEST_F(Session, NeverTouchesAnEarlierRun) {
  fs::create_directories(folder());
  std::ofstream(folder() / "results.json") << "precious";
  run();
  EXPECT_EQ(end_.phase, RunPhase::failed);
  EXPECT_EQ(end_.code, ErrorCode::bad_input);
  EXPECT_EQ(fs::file_size(folder() / "results.json"), 8U);
  EXPECT_FALSE(fs::exists(folder() / kJournalFile));
}

}  // namespace
}  // namespace vqas::app
