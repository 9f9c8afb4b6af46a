#include "vqas/store/run_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>

#include "store/database/schema.h"
#include "store/postgres_server.h"
#include "support/journals.h"
#include "support/sample_run.h"
#include "support/temporary_folder.h"
#include "support/wait_until.h"
#include "vqas/signal/audio_file.h"
#include "vqas/store/notes.h"

namespace vqas {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr const char* kUuid = "11111111-2222-3333-4444-555555555555";

constexpr const char* kServe = "--serve-postgres";

enum class Engine { sqlite, postgres };

/// Every test of a store runs on both engines, each with its own tables.
class Store : public ::testing::TestWithParam<Engine> {
 protected:
  static void SetUpTestSuite() { server().reset(); }
  static void TearDownTestSuite() { server().reset(); }
  static std::unique_ptr<test::PostgresServer>& server() {
    static std::unique_ptr<test::PostgresServer> one;
    return one;
  }

  void SetUp() override {
    if (GetParam() == Engine::sqlite) {
      url_ = (folder_.path() / "store.sqlite").string();
      return;
    }
    if (!server()) server() = std::make_unique<test::PostgresServer>();
    ASSERT_EQ(server()->error(), "");
    url_ = server()->url();
    execute({"DROP SCHEMA public CASCADE", "CREATE SCHEMA public"});
  }

  /// Executes statements outside the store, to imitate an older version or another program.
  void execute(const QStringList& statements) {
    {
      QSqlDatabase database =
          QSqlDatabase::addDatabase(GetParam() == Engine::sqlite ? "QSQLITE" : "QPSQL", "past the store");
      if (GetParam() == Engine::sqlite) {
        database.setDatabaseName(QString::fromStdString(url_));
      } else {
        database.setHostName(server()->folder());
        database.setUserName("vqas");
        database.setDatabaseName("postgres");
      }
      ASSERT_TRUE(database.open()) << database.lastError().text().toStdString();
      for (const QString& statement : statements) {
        QSqlQuery query(database);
        ASSERT_TRUE(query.exec(statement)) << query.lastError().text().toStdString();
      }
    }
    QSqlDatabase::removeDatabase("past the store");
  }

  RunStore open() {
    auto store = RunStore::open(url_);
    EXPECT_TRUE(store) << store.error().message;
    return *std::move(store);
  }

  /// recordings/one.flac of the first measurement.
  static void keep_one_recording(RunResults& run) {
    for (DirectionRun& direction : run.directions) {
      for (StimulusRun& stimulus : direction.stimuli) {
        for (Measurement& one : stimulus.measurements) one.recording.clear();
      }
    }
    run.directions[0].stimuli[0].measurements[0].recording = "recordings/one.flac";
  }
  /// A run's folder with a journal, optionally cut after `limit` measurements.
  std::filesystem::path write_run(const RunResults& run, const std::string& name, std::size_t limit = 1000,
                                  bool close = true, bool anew = true) {
    const std::filesystem::path folder = folder_.path() / name;
    if (anew) std::filesystem::remove_all(folder);
    auto journal = RunJournal::create(folder, run);
    EXPECT_TRUE(journal) << journal.error().message;
    std::size_t written = 0;
    for (const DirectionRun& direction : run.directions) {
      for (const StimulusRun& stimulus : direction.stimuli) {
        for (const Measurement& one : stimulus.measurements) {
          if (written++ < limit) {
            EXPECT_TRUE(journal->append(direction.from, stimulus.stimulus, one));
          }
        }
      }
    }
    if (close) {
      EXPECT_TRUE(journal->close(run));
    }
    return folder;
  }

  static RunResults run_with(const std::string& uuid, const std::string& started_utc = "2026-11-20T10:00:00Z",
                             const std::string& site = "north") {
    RunResults run = test::sample_run();
    run.about.uuid = uuid;
    run.about.campaign = "winter";
    run.about.tags = {{"site", site}, {"circuit", "ISDN 3"}};
    run.about.limit_mos = 3.2;
    run.started_utc = started_utc;
    return run;
  }

  static std::size_t count_of(const RunResults& run) {
    std::size_t count = 0;
    for (const DirectionRun& direction : run.directions) {
      for (const StimulusRun& stimulus : direction.stimuli) count += stimulus.measurements.size();
    }
    return count;
  }

  const std::filesystem::path& folder() const { return folder_.path(); }

  test::TemporaryFolder folder_;
  std::string url_;
};

TEST_P(Store, ARunIsReturnedAsInItsJournal) {
  const RunResults run = run_with(kUuid);
  const auto path = write_run(run, "run");
  RunStore store = open();
  const auto taken = store.take(path);
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_EQ(taken->uuid, kUuid);
  EXPECT_EQ(taken->measurements, count_of(run));
  const auto loaded = store.load("11111111");
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto journal = read_stored_run(path);
  EXPECT_EQ(loaded->results.about.tags, run.about.tags);
  EXPECT_EQ(loaded->results.about.limit_mos, run.about.limit_mos);
  EXPECT_EQ(loaded->provenance.score_version, journal->provenance.score_version);
  ASSERT_EQ(loaded->results.directions.size(), run.directions.size());
  for (std::size_t d = 0; d < run.directions.size(); ++d) {
    for (std::size_t s = 0; s < run.directions[d].stimuli.size(); ++s) {
      const StimulusRun& got = loaded->results.directions[d].stimuli[s];
      const StimulusRun& wanted = journal->results.directions[d].stimuli[s];
      ASSERT_EQ(got.measurements.size(), wanted.measurements.size());
      EXPECT_EQ(got.stopped_because, wanted.stopped_because);
      EXPECT_EQ(got.interval.half_width, wanted.interval.half_width);
      for (std::size_t i = 0; i < got.measurements.size(); ++i) {
        EXPECT_EQ(got.measurements[i].mos_lqo, wanted.measurements[i].mos_lqo);
        const auto& placement = run.directions[d].stimuli[s].measurements[i].placement;
        ASSERT_EQ(got.measurements[i].placement.has_value(), placement.has_value());
        if (placement) {
          EXPECT_EQ(got.measurements[i].placement->start_samples, placement->start_samples);
          EXPECT_EQ(got.measurements[i].placement->clock_drift_ppm, placement->clock_drift_ppm);
        }
        EXPECT_EQ(got.measurements[i].reason, wanted.measurements[i].reason);
      }
    }
  }
}

TEST_P(Store, TakingARunAgainCountsNothingTwice) {
  const RunResults run = run_with(kUuid);
  RunStore store = open();
  const std::size_t all = count_of(run);
  ASSERT_GT(all, 3U);
  EXPECT_EQ(store.take(write_run(run, "run", 3, false))->measurements, 3U);
  EXPECT_FALSE(store.load(kUuid)->results.is_complete());
  const auto path = write_run(run, "run");
  for (int again = 0; again < 3; ++again) {
    const auto taken = store.take(path);
    ASSERT_TRUE(taken) << taken.error().message;
    EXPECT_EQ(taken->measurements, again == 0 ? all - 3 : 0);
    EXPECT_EQ(taken->known, again == 0 ? 3 : all);
  }
  const auto runs = store.list();
  ASSERT_THAT(*runs, SizeIs(1));
  EXPECT_EQ(runs->front().measurements, all);
  EXPECT_EQ(store.load(kUuid)->results.ended_because, run.ended_because);
  // A copy taken before the run had ended does not undo its end.
  EXPECT_TRUE(store.take(write_run(run, "run", 3, false)));
  EXPECT_EQ(store.load(kUuid)->results.ended_because, run.ended_because);
}

TEST_P(Store, ATornJournalIsTakenUpToTheTear) {
  const auto path = write_run(run_with(kUuid), "run", 4, false);
  std::ofstream(path / kJournalFile, std::ios::app) << R"({"from":"a","to":"b","stim)";
  RunStore store = open();
  EXPECT_EQ(store.take(path)->measurements, 4U);
}

TEST_P(Store, DamageInAJournalIsReported) {
  const RunResults run = run_with(kUuid);
  const auto path = write_run(run, "run");
  std::string text = test::read_text(path / kJournalFile);
  std::size_t fourth = 0;
  for (int line = 1; line < 4; ++line) fourth = text.find('\n', fourth) + 1;
  text[fourth + 5] = '}';
  std::ofstream(path / kJournalFile) << text;
  RunStore store = open();
  const auto taken = store.take(path);
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_EQ(taken->measurements, count_of(run) - 1);
  EXPECT_THAT(taken->damage, HasSubstr("line 4"));
  const std::string told = read_stored_run(path)->results.ended_because;
  EXPECT_THAT(told, HasSubstr("line 4"));
  EXPECT_THAT(told, HasSubstr("damaged"));
  EXPECT_EQ(store.list()->front().ended_because, told);
  EXPECT_EQ(store.load(kUuid)->results.ended_because, told);
}

TEST_P(Store, AFetchedMeasurementReplacesALostOne) {
  const auto path = write_run(run_with(kUuid), "run", 0, false);
  auto journal = RunJournal::resume(path, *test::read_journal(path));
  ASSERT_TRUE(journal);
  ASSERT_TRUE(journal->append(End::a, "M1", test::unscored(1, Outcome::line_lost, "node b went away")));
  RunStore store = open();
  ASSERT_TRUE(store.take(path));
  EXPECT_EQ(store.list()->front().scored, 0U);
  auto later = RunJournal::resume(path, *test::read_journal(path));
  ASSERT_TRUE(later);
  ASSERT_TRUE(later->append(End::a, "M1", test::scored(1, 3.5)));
  ASSERT_TRUE(store.take(path));
  const auto listed = store.list();
  EXPECT_EQ(listed->front().measurements, 1U);
  EXPECT_EQ(listed->front().scored, 1U);
  const auto loaded = store.load(kUuid);
  const auto& measurements = loaded->results.directions[0].stimuli[0].measurements;
  ASSERT_THAT(measurements, SizeIs(1));
  EXPECT_EQ(measurements[0].outcome, Outcome::scored);
  EXPECT_EQ(measurements[0].mos_lqo, 3.5);
}

TEST_P(Store, TheListedMeanWeighsEachStimulusEqually) {
  const auto path = write_run(run_with(kUuid), "run", 0, false);
  auto journal = RunJournal::resume(path, *test::read_journal(path));
  ASSERT_TRUE(journal);
  ASSERT_TRUE(journal->append(End::a, "M1", test::scored(1, 4.0)));
  ASSERT_TRUE(journal->append(End::a, "M1", test::scored(2, 3.0)));
  ASSERT_TRUE(journal->append(End::a, "F5", test::scored(3, 2.0)));
  ASSERT_TRUE(journal->append(End::a, "F5", test::unscored(4, Outcome::not_found, "no mark")));
  RunStore store = open();
  ASSERT_TRUE(store.take(path));
  const auto listed = store.list();
  ASSERT_THAT(listed->front().means, SizeIs(1));
  EXPECT_EQ(listed->front().means[0].from, End::a);
  EXPECT_DOUBLE_EQ(listed->front().means[0].mos_lqo, 2.75);
}

TEST_P(Store, AnEndedRunThatIsResumedIsNoLongerComplete) {
  const RunResults run = run_with(kUuid);
  const auto path = write_run(run, "run", 3);
  RunStore store = open();
  ASSERT_TRUE(store.take(path));
  auto journal = RunJournal::resume(path, *test::read_journal(path));
  ASSERT_TRUE(journal);
  ASSERT_TRUE(store.take(path));
  EXPECT_THAT(store.load(kUuid)->results.ended_because, HasSubstr("broken off"));
  ASSERT_TRUE(journal->close(run));
  ASSERT_TRUE(store.take(path));
  EXPECT_EQ(store.load(kUuid)->results.ended_because, run.ended_because);
}

TEST_P(Store, AnOlderCopyDoesNotUndoTheEndOfARun) {
  const RunResults run = run_with(kUuid);
  const auto path = write_run(run, "run", 3, false);
  ASSERT_TRUE(RunJournal::resume(path, *test::read_journal(path)));
  const auto older = folder() / "older";
  std::filesystem::copy(path, older, std::filesystem::copy_options::recursive);
  ASSERT_TRUE(RunJournal::resume(path, *test::read_journal(path))->close(run));
  RunStore store = open();
  ASSERT_TRUE(store.take(path));
  ASSERT_EQ(store.load(kUuid)->results.ended_because, run.ended_because);
  ASSERT_TRUE(store.take(older));
  EXPECT_EQ(store.load(kUuid)->results.ended_because, run.ended_because);
  EXPECT_EQ(store.list()->front().finished_utc, run.finished_utc);
}

TEST_P(Store, LostMeasurementsThatWereRepeatedAreRemoved) {
  const RunResults run = run_with(kUuid);
  const auto path = write_run(run, "run");
  RunStore store = open();
  ASSERT_TRUE(store.take(path));
  const auto older = folder() / "older";
  std::filesystem::copy(path, older, std::filesystem::copy_options::recursive);
  // The line of the second measurement is unreadable; 6 replaces it.
  std::ifstream file(path / kJournalFile);
  std::string text(std::istreambuf_iterator<char>(file), {});
  const std::size_t second = text.find('\n', text.find('\n') + 1) + 1;
  text.replace(second, 20, 20, '?');
  std::ofstream(path / kJournalFile) << text;
  const auto damaged = read_stored_run(path);
  ASSERT_EQ(damaged->damaged, 1U);
  const auto& first = run.directions[0].stimuli[0].measurements;
  const std::uint32_t lost = first[1].sequence;
  std::uint32_t next = 1;
  for (const StimulusRun& one : run.directions[0].stimuli) {
    for (const Measurement& each : one.measurements) next = std::max(next, each.sequence + 1);
  }
  auto journal = RunJournal::resume(path, damaged->results, {next});
  ASSERT_TRUE(journal);
  ASSERT_TRUE(store.take(path));
  EXPECT_EQ(store.list()->front().measurements, count_of(run) - 1);
  ASSERT_TRUE(journal->append(End::a, run.directions[0].stimuli[0].stimulus, test::scored(next, 3.5)));
  ASSERT_TRUE(journal->close(run));
  for (const auto& copy : {path, older, path}) {
    ASSERT_TRUE(store.take(copy));
    EXPECT_EQ(store.list()->front().measurements, count_of(run)) << copy;
    const auto loaded = store.load(kUuid);
    EXPECT_EQ(loaded->results.ended_because, "");
    for (const Measurement& one : loaded->results.directions[0].stimuli[0].measurements) EXPECT_NE(one.sequence, lost);
  }
  const auto whole = read_stored_run(path);
  EXPECT_EQ(whole->results.ended_because, "") << "the damaged lines were replaced";
  EXPECT_EQ(whole->replaced, 1U);
  EXPECT_EQ(whole->damaged, 0U);
}

TEST_P(Store, MeasurementsFetchedAfterAKillAreKept) {
  const RunResults run = run_with(kUuid);
  const auto path = write_run(run, "run", 1, false);
  RunStore store = open();
  auto journal = RunJournal::resume(path, *test::read_journal(path), {3});
  ASSERT_TRUE(store.take(path));
  ASSERT_TRUE(journal->append(End::a, "M1", test::scored(2, 3.5)));
  ASSERT_TRUE(store.take(path));
  EXPECT_EQ(store.list()->front().measurements, 2U);
}

TEST_P(Store, ARunWithoutAUuidIsNamedByItsHeader) {
  const RunResults run = run_with("");
  RunStore store = open();
  const auto path = write_run(run, "old");
  const auto first = store.take(path);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_THAT(first->uuid, SizeIs(36));
  EXPECT_EQ(store.take(path)->uuid, first->uuid);
  EXPECT_THAT(*store.list(), SizeIs(1));
}

TEST_P(Store, ListingFiltersByTagsDateAndCampaign) {
  RunStore store = open();
  const std::string uuids[] = {"aaaaaaaa-2222-3333-4444-555555555555", "aabbbbbb-2222-3333-4444-555555555555",
                               "cccccccc-2222-3333-4444-555555555555"};
  ASSERT_TRUE(store.take(write_run(run_with(uuids[0], "2026-11-20T10:00:00Z", "north"), "1")));
  ASSERT_TRUE(store.take(write_run(run_with(uuids[1], "2026-11-21T10:00:00Z", "south"), "2")));
  ASSERT_TRUE(store.take(write_run(run_with(uuids[2], "2026-11-19T10:00:00Z", "north"), "3")));
  const auto found = [&](const RunFilter& filter) {
    std::vector<std::string> first;
    const auto runs = store.list(filter);
    for (const StoredRunInfo& run : *runs) first.push_back(run.uuid.substr(0, 8));
    return first;
  };
  EXPECT_THAT(found({}), ElementsAre("cccccccc", "aaaaaaaa", "aabbbbbb"));
  EXPECT_THAT(found({.tags = {{"site", "north"}}, .campaign = "", .since_utc = "", .until_utc = ""}),
              ElementsAre("cccccccc", "aaaaaaaa"));
  EXPECT_THAT(found({.tags = {}, .campaign = "", .since_utc = "2026-11-20", .until_utc = ""}),
              ElementsAre("aaaaaaaa", "aabbbbbb"));
  EXPECT_THAT(found({.tags = {}, .campaign = "", .since_utc = "", .until_utc = "2026-11-20"}),
              ElementsAre("cccccccc", "aaaaaaaa"));
  EXPECT_THAT(found({.tags = {{"site", "x' OR '1'='1"}}, .campaign = "", .since_utc = "", .until_utc = ""}), IsEmpty());
  EXPECT_THAT(found({.tags = {}, .campaign = "summer", .since_utc = "", .until_utc = ""}), IsEmpty());
  EXPECT_THAT(store.load("aa").error().message, HasSubstr("several"));
  EXPECT_THAT(store.load("99").error().message, HasSubstr("no run"));
  EXPECT_FALSE(store.load("%"));
}

TEST_P(Store, EqualNotesAreStoredOnce) {
  const auto path = write_run(run_with(kUuid), "run");
  const OperatorNote note{End::a, 1, true, "a click, l'été", "2026-11-20T10:05:00Z"};
  ASSERT_TRUE(append_note(path, note));
  RunStore store = open();
  ASSERT_TRUE(store.take(path));
  ASSERT_TRUE(store.take(path));
  const auto notes = store.load(kUuid)->results.notes;
  ASSERT_THAT(notes, SizeIs(1));
  EXPECT_EQ(notes[0].text, note.text);
  EXPECT_TRUE(notes[0].sounds_different);
}

TEST_P(Store, RecordingsAreStoredByDigestAndNamedByTheRun) {
  RunResults run = run_with(kUuid);
  Measurement& first = run.directions[0].stimuli[0].measurements[0];
  first.recording = "recordings/one.flac";
  const auto path = write_run(run, "run");
  std::filesystem::create_directories(path / "recordings");
  ASSERT_TRUE(write_audio(path / first.recording, {std::vector<float>(800, 0.1F), 8000}, AudioFormat::flac16));
  auto archive = RecordingArchive::open(folder() / "archive", {});
  ASSERT_TRUE(archive);
  RunStore store = open();
  ASSERT_TRUE(store.take(path));
  const auto taken = store.take(path, &*archive);
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_EQ(taken->recordings, 1U);
  EXPECT_EQ(store.take(path, &*archive)->recordings, 0U);
  const auto loaded = store.load(kUuid);
  const std::string digest = loaded->results.directions[0].stimuli[0].measurements[0].recording;
  ASSERT_THAT(digest, SizeIs(64));
  EXPECT_TRUE(archive->find(digest));
}

TEST_P(Store, AReplacedRecordingIsReportedAndNotTaken) {
  RunResults run = run_with(kUuid);
  keep_one_recording(run);
  std::filesystem::create_directories(folder() / "run" / "recordings");
  const auto file = folder() / "run" / "recordings" / "one.flac";
  ASSERT_TRUE(write_audio(file, {std::vector<float>(800, 0.1F), 8000}, AudioFormat::flac16));
  const auto path = write_run(run, "run", 1000, true, false);
  ASSERT_TRUE(write_audio(file, {std::vector<float>(800, 0.2F), 8000}, AudioFormat::flac16));
  auto archive = RecordingArchive::open(folder() / "archive", {});
  RunStore store = open();
  const auto changed = store.take(path, &*archive);
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->left_out, 1U);
  EXPECT_THAT(changed->why_left_out, HasSubstr("not what the run received"));
  EXPECT_EQ(archive->bytes(), 0U);
  ASSERT_TRUE(write_audio(file, {std::vector<float>(800, 0.1F), 8000}, AudioFormat::flac16));
  EXPECT_EQ(store.take(path, &*archive)->recordings, 1U);
}

TEST_P(Store, ARecordingOutsideTheRunsFolderIsReportedAndNotTaken) {
  RunResults run = run_with(kUuid);
  keep_one_recording(run);
  const auto path = write_run(run, "run");
  std::filesystem::create_directories(path / "recordings");
  const auto secret = folder() / "secret.flac";
  ASSERT_TRUE(write_audio(secret, {std::vector<float>(800, 0.1F), 8000}, AudioFormat::flac16));
  std::filesystem::create_symlink(secret, path / "recordings" / "one.flac");
  auto archive = RecordingArchive::open(folder() / "archive", {});
  ASSERT_TRUE(archive);
  RunStore store = open();
  const auto taken = store.take(path, &*archive);
  ASSERT_TRUE(taken) << "the measurements are still taken: " << taken.error().message;
  EXPECT_GT(taken->measurements, 0U);
  EXPECT_EQ(taken->recordings, 0U);
  EXPECT_EQ(taken->left_out, 1U);
  EXPECT_THAT(taken->why_left_out, HasSubstr("one.flac: is a symbolic link"));
  EXPECT_EQ(archive->bytes(), 0U);
  EXPECT_EQ(store.load(kUuid)->results.directions[0].stimuli[0].measurements[0].recording, "");
}

TEST_P(Store, AnOlderSchemaIsUpgradedAndKeepsItsRuns) {
  QStringList statements{"CREATE TABLE vqas_schema (version INTEGER NOT NULL)",
                         "INSERT INTO vqas_schema (version) VALUES (1)"};
  for (const QString& statement : store::migrations()[0]) statements << statement;
  statements << QString(
                    "INSERT INTO runs VALUES ('%1', '2026-01-01T00:00:00Z', '', '', 'sim:', 'vqas-nb-1', '', '', '')")
                    .arg(kUuid);
  execute(statements);
  RunStore store = open();
  ASSERT_THAT(*store.list(), SizeIs(1));
  const auto path = write_run(run_with("22222222-2222-3333-4444-555555555555"), "run");
  ASSERT_TRUE(append_note(path, {End::a, 1, false, "after the migration", "2026-11-20T10:05:00Z"}));
  ASSERT_TRUE(store.take(path));
  EXPECT_THAT(store.load("22222222")->results.notes, SizeIs(1));
}

TEST_P(Store, ANewerSchemaIsRefusedAndUnchanged) {
  execute({"CREATE TABLE vqas_schema (version INTEGER NOT NULL)", "INSERT INTO vqas_schema (version) VALUES (99)"});
  const auto store = RunStore::open(url_);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::bad_input);
  EXPECT_THAT(store.error().message, HasSubstr("99"));
}

TEST_P(Store, AFailedImportLeavesNothing) {
  RunStore store = open();
  const auto path = write_run(run_with(kUuid), "run");
  execute({"DROP TABLE notes"});
  ASSERT_TRUE(append_note(path, {End::a, 1, false, "no place for it", "2026-11-20T10:05:00Z"}));
  EXPECT_EQ(store.take(path).error().code, ErrorCode::io);
  EXPECT_THAT(*store.list(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Engines, Store, ::testing::Values(Engine::sqlite, Engine::postgres), [](const auto& engine) {
  return engine.param == Engine::sqlite ? std::string("SQLite") : std::string("PostgreSQL");
});

TEST(RunStore, AReadOnlyStoreIsReportedOnOpening) {
  test::TemporaryFolder folder;
  const auto file = folder.path() / "store.sqlite";
  ASSERT_TRUE(RunStore::open(file.string()));
  std::filesystem::permissions(file, std::filesystem::perms::owner_read | std::filesystem::perms::others_read);
  const auto open_as_user = [&file] {
    // Root may write to read-only files.
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(1);
    const auto store = RunStore::open(file.string());
    std::cerr << (store ? "it was opened" : store.error().message);
    ::_exit(!store && store.error().code == ErrorCode::io ? 7 : 2);
  };
  EXPECT_EXIT(open_as_user(), ::testing::ExitedWithCode(7), "readonly|read-only");
}

TEST(RunStore, AReadOnlyStoreCanBeRead) {
  test::TemporaryFolder folder;
  const auto file = folder.path() / "store.sqlite";
  ASSERT_TRUE(RunStore::open(file.string()));
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  std::filesystem::permissions(file, std::filesystem::perms(0444));
  const auto read_as_user = [&file] {
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(1);
    auto store = RunStore::open(file.string(), RunStore::Access::read);
    const auto runs = store ? store->list() : Result<std::vector<StoredRunInfo>>(store.error());
    if (!runs) std::cerr << runs.error().message;
    ::_exit(runs && runs->empty() ? 7 : 2);
  };
  EXPECT_EXIT(read_as_user(), ::testing::ExitedWithCode(7), "");
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
}

// Tests the tests: this program starts itself and is killed.
TEST(PostgresServer, EndsWithAKilledTestAndLeavesNothing) {
  QProcess killed;
  killed.start(QCoreApplication::applicationFilePath(), {kServe});
  ASSERT_TRUE(killed.waitForStarted());
  while (!killed.canReadLine())
    ASSERT_TRUE(killed.waitForReadyRead(180'000)) << killed.readAllStandardError().toStdString();
  const QList<QByteArray> told = killed.readLine().simplified().split(' ');
  ASSERT_THAT(told, SizeIs(2));
  const int server = told[0].toInt();
  const std::filesystem::path folder(told[1].toStdString());
  ASSERT_GT(server, 0);
  killed.kill();
  ASSERT_TRUE(killed.waitForFinished(60'000));
  // A process without a waiting parent stays a zombie if the machine has no init.
  const auto runs = [server] {
    QFile state(QString("/proc/%1/cmdline").arg(server));
    return state.open(QIODevice::ReadOnly) && !state.readAll().isEmpty();
  };
  EXPECT_TRUE(test::wait_until([&] { return !runs(); }));
  EXPECT_TRUE(std::filesystem::exists(folder));
  const test::PostgresServer next;
  EXPECT_EQ(next.error(), "");
  EXPECT_FALSE(std::filesystem::exists(folder));
}

}  // namespace

/// Runs only a server, until it is killed.
int serve() {
  const test::PostgresServer server;
  if (!server.error().empty()) {
    std::cerr << server.error() << '\n';
    return 1;
  }
  std::cout << server.process() << ' ' << server.folder().toStdString() << std::endl;
  return QCoreApplication::exec();
}

}  // namespace vqas

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  QCoreApplication application(argc, argv);
  if (argc > 1 && std::string(argv[1]) == vqas::kServe) return vqas::serve();
  return RUN_ALL_TESTS();
}
