#include "vqas/store/run_store.h"

#include <fmt/format.h>

#include <QUuid>
#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "run/about_json.h"
#include "run/run_json.h"
#include "store/database/database.h"
#include "store/database/schema.h"
#include "store/journal/rebuild.h"
#include "store/journal/recording_file.h"
#include "vqas/store/kept_recordings.h"
#include "vqas/store/notes.h"

namespace vqas {

using store::Json;

namespace {
struct JournalLines;
}

struct RunStore::Database {
  store::Connection connection;

  Result<Taken> take(const std::filesystem::path& folder, RecordingArchive* archive);
  Result<std::string> find(const std::string& uuid);
  Status keep_note(const std::string& uuid, const OperatorNote& note);
  Result<bool> knows_later(const JournalLines& copy);
  Status let_go(const std::string& uuid, const std::vector<store::MeasurementNumber>& lost);
};

namespace {

// Runs of versions without a uuid get one derived from their header.
const QUuid kOlderRuns("{5d0c6f0e-3f1b-4f37-9f0e-76716173aa01}");

QString text(const std::string& value) {
  return QString::fromStdString(value);
}

std::string text_of(const QSqlQuery& query, int column) {
  return query.value(column).toString().toStdString();
}

/// The usable lines of a journal, checked, and the run they make.
struct JournalLines {
  std::string header;  ///< with the goals and labels of the last resumption
  std::string ending;
  int parts = 0;                               ///< how often it had ended or been resumed
  std::vector<store::MeasurementNumber> lost;  ///< lost here and measured again; another copy may hold them
  std::vector<Json> measurements;
  StoredRun run;
};

// The first column, "from_end"; only checked lines are stored.
End end_in(const QSqlQuery& row) {
  return end_of_name(text_of(row, 0)).value_or(End::a);
}

bool is_of(const Json& line, const store::MeasurementNumber& number) {
  return line.at("from") == name_of(number.from) && line.at("measurement").at("sequence") == number.sequence;
}

Result<JournalLines> read_lines(const std::filesystem::path& folder) {
  JournalLines lines;
  Json header;
  bool changed = false;
  auto run = store::rebuild_run(folder, [&lines, &header, &changed](const std::string& line, const Json& json) {
    if (lines.header.empty()) {
      lines.header = line;
      header = json;
    } else if (json.contains("end")) {
      lines.ending = line;
      ++lines.parts;
    } else if (json.contains("resumed")) {
      ++lines.parts;
      lines.ending.clear();
      for (const char* const key : {"sampling", "about"}) {
        if (!json.at("resumed").contains(key)) continue;
        header[key] = json.at("resumed").at(key);
        changed = true;
      }
      for (const store::MeasurementNumber& one : store::lost_before(json)) {
        lines.lost.push_back(one);
        std::erase_if(lines.measurements, [&](const Json& before) { return is_of(before, one); });
      }
    } else {
      lines.measurements.push_back(json);
      // It was fetched after all.
      std::erase_if(lines.lost, [&](const store::MeasurementNumber& one) { return is_of(json, one); });
    }
  });
  if (!run) return run.error();
  lines.run = *std::move(run);
  std::string& uuid = lines.run.results.about.uuid;
  if (uuid.empty())
    uuid = QUuid::createUuidV5(kOlderRuns, text(lines.header)).toString(QUuid::WithoutBraces).toStdString();
  if (changed) lines.header = store::to_line(header);
  return lines;
}

// Journals of older versions have no digests of recordings.
std::string promised_digest(const Json& line) {
  const auto found = line.find(store::kRecordingDigest);
  return found != line.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Status keep_run(store::Connection& connection, const JournalLines& lines) {
  const RunResults& results = lines.run.results;
  const RunAbout& about = results.about;
  // A run taken before its end has no end yet; a run that had ended and was resumed has none again. Of two copies, the
  // one with more ends and resumptions is later; of two equal ones, the one without damage counts.
  auto kept = connection.run(
      "INSERT INTO runs (uuid, started_utc, finished_utc, campaign, line, score_version, ended_because, header, "
      "ending, parts) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (uuid) DO UPDATE SET finished_utc = excluded.finished_utc, "
      "ended_because = excluded.ended_because, header = excluded.header, ending = excluded.ending, parts = "
      "excluded.parts "
      "WHERE excluded.parts > runs.parts OR (excluded.parts = runs.parts AND ? = 0 AND "
      "(excluded.ending <> '' OR runs.ending = ''))",
      {text(about.uuid), text(results.started_utc), text(results.finished_utc), text(about.campaign),
       text(results.line), text(lines.run.provenance.score_version), text(results.ended_because), text(lines.header),
       text(lines.ending), lines.parts, static_cast<qulonglong>(lines.run.damaged)});
  if (!kept) return kept.error();
  for (const auto& [name, value] : about.tags) {
    auto tagged = connection.run("INSERT INTO tags (run, name, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                                 {text(about.uuid), text(name), text(value)});
    if (!tagged) return tagged.error();
  }
  return success();
}

}  // namespace

Status RunStore::Database::keep_note(const std::string& uuid, const OperatorNote& note) {
  auto kept = connection.run(
      "INSERT INTO notes (run, from_end, to_end, sequence, sounds_different, text, written_utc) "
      "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
      {text(uuid), text(name_of(note.from)), text(name_of(other_end(note.from))), note.sequence,
       note.sounds_different ? 1 : 0, text(note.text), text(note.written_utc)});
  return kept ? success() : Status(kept.error());
}

// Whether a later copy of this run was taken before.
Result<bool> RunStore::Database::knows_later(const JournalLines& copy) {
  auto found = connection.run("SELECT parts FROM runs WHERE uuid = ?", {text(copy.run.results.about.uuid)});
  if (!found) return found.error();
  const bool later = found->next() && found->value(0).toInt() > copy.parts;
  found->finish();
  return later;
}

// What a resumed run had lost and measured again does not count, in any copy.
Status RunStore::Database::let_go(const std::string& uuid, const std::vector<store::MeasurementNumber>& lost) {
  // What was lost may have been fetched since.
  if (auto anew = connection.run("DELETE FROM replaced WHERE run = ?", {text(uuid)}); !anew) return anew.error();
  for (const store::MeasurementNumber& one : lost) {
    const QVariantList number{text(uuid), text(name_of(one.from)), text(name_of(other_end(one.from))), one.sequence};
    auto gone = connection.run(
        "DELETE FROM measurements WHERE run = ? AND from_end = ? AND to_end = ? AND sequence = ?", number);
    if (!gone) return gone.error();
    auto noted = connection.run(
        "INSERT INTO replaced (run, from_end, to_end, sequence) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", number);
    if (!noted) return noted.error();
  }
  return success();
}

Result<Taken> RunStore::Database::take(const std::filesystem::path& folder, RecordingArchive* archive) {
  const auto lines = read_lines(folder);
  if (!lines) return lines.error();
  Taken taken;
  taken.uuid = lines->run.results.about.uuid;
  if (lines->run.damaged > 0) taken.damage = lines->run.results.ended_because;
  if (!lines->run.sealed) taken.damage += (taken.damage.empty() ? "" : "; ") + std::string(kUnsealedNotice);
  if (Status kept = keep_run(connection, *lines); !kept) return kept.error();
  const auto is_older = knows_later(*lines);
  if (!is_older) return is_older.error();
  if (!*is_older) {
    if (Status gone = let_go(taken.uuid, lines->lost); !gone) return gone.error();
  }
  const auto removed = read_kept_recordings(folder);
  for (const Json& line : lines->measurements) {
    const auto one = store::measurement_from_json(line.at("measurement"), kJournalFile);
    if (!one) return one.error();
    const auto name = [&](const char* key) { return text(line.at(key).get<std::string>()); };
    const QVariantList number{text(taken.uuid), name("from"), name("to"), one->sequence};
    auto replaced =
        connection.run("SELECT 1 FROM replaced WHERE run = ? AND from_end = ? AND to_end = ? AND sequence = ?", number);
    if (!replaced) return replaced.error();
    const bool made_again = replaced->next();
    replaced->finish();
    if (made_again) {
      ++taken.known;
      continue;
    }
    std::string digest;
    if (removed && removed->was_removed(one->recording)) {
      ++taken.removed;
    } else if (archive != nullptr && !one->recording.empty()) {
      bool added = false;
      auto archived = archive->take(folder, one->recording, one->outcome, added, promised_digest(line));
      if (!archived && archived.error().code == ErrorCode::io) return archived.error();
      // Without its recording the measurement is kept as it is.
      if (archived) {
        digest = *archived;
      } else if (taken.left_out++ == 0) {
        taken.why_left_out = archived.error().message;
      }
      taken.recordings += added ? 1 : 0;
    }
    // A measurement that was recorded as lost may have been fetched from its receiver when the run was resumed.
    auto kept = connection.run(
        "INSERT INTO measurements (run, from_end, to_end, sequence, stimulus, outcome, mos_lqo, line, recording) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run, from_end, to_end, sequence) DO UPDATE SET "
        "stimulus = excluded.stimulus, outcome = excluded.outcome, mos_lqo = excluded.mos_lqo, line = excluded.line, "
        "recording = excluded.recording WHERE measurements.outcome = 'line_lost' AND excluded.outcome <> 'line_lost'",
        {text(taken.uuid), name("from"), name("to"), one->sequence, name("stimulus"),
         text(std::string(to_string(one->outcome))), one->mos_lqo ? QVariant(*one->mos_lqo) : QVariant(),
         text(store::to_line(line)), text(digest)});
    if (!kept) return kept.error();
    const bool is_new = kept->numRowsAffected() > 0;
    ++(is_new ? taken.measurements : taken.known);
    if (is_new || digest.empty()) continue;
    auto named = connection.run(
        "UPDATE measurements SET recording = ? WHERE run = ? AND from_end = ? AND to_end = ? AND sequence = ?",
        {text(digest), text(taken.uuid), name("from"), name("to"), one->sequence});
    if (!named) return named.error();
  }
  for (const OperatorNote& note : read_notes(folder)) {
    if (Status kept = keep_note(taken.uuid, note); !kept) return kept.error();
  }
  return taken;
}

Result<std::string> RunStore::Database::find(const std::string& uuid) {
  // None of its characters is special in LIKE.
  const bool usable = !uuid.empty() && uuid.find_first_not_of("0123456789abcdef-") == std::string::npos;
  if (!usable)
    return Error{ErrorCode::bad_input, fmt::format("\"{}\" is not a run; \"vqas results list\" shows them", uuid)};
  auto found = connection.run("SELECT uuid FROM runs WHERE uuid LIKE ? ORDER BY uuid", {text(uuid + "%")});
  if (!found) return found.error();
  if (!found->next())
    return Error{ErrorCode::bad_input,
                 fmt::format("the store has no run \"{}\"; \"vqas results list\" shows its runs", uuid)};
  std::string whole = text_of(*found, 0);
  if (found->next())
    return Error{ErrorCode::bad_input, fmt::format("several runs begin with \"{}\"; give more of the uuid", uuid)};
  return whole;
}

RunStore::RunStore(std::unique_ptr<Database> database) : database_(std::move(database)) {}
RunStore::RunStore(RunStore&&) noexcept = default;
RunStore& RunStore::operator=(RunStore&&) noexcept = default;
RunStore::~RunStore() = default;

Result<RunStore> RunStore::open(const std::string& url, Access access) {
  auto connection = access == Access::read ? store::Connection::open_to_read(url) : store::Connection::open(url);
  if (!connection) return connection.error();
  return RunStore(std::make_unique<Database>(Database{*std::move(connection)}));
}

Result<Taken> RunStore::take(const std::filesystem::path& folder, RecordingArchive* archive) {
  if (Status begun = database_->connection.begin(); !begun) return begun.error();
  Result<Taken> taken = database_->take(folder, archive);
  if (!taken) {
    database_->connection.roll_back();
    return taken;
  }
  if (Status done = database_->connection.commit(); !done) return done.error();
  return taken;
}

Result<std::vector<StoredRunInfo>> RunStore::list(const RunFilter& filter) {
  QString statement =
      "SELECT uuid, campaign, line, score_version, started_utc, finished_utc, ended_because, "
      "(SELECT COUNT(*) FROM measurements WHERE run = uuid), "
      "(SELECT COUNT(*) FROM measurements WHERE run = uuid AND outcome = 'scored') FROM runs WHERE 1 = 1";
  QVariantList values;
  const auto add = [&](const char* condition, const std::string& value) {
    if (value.empty()) return;
    statement += condition;
    values << text(value);
  };
  add(" AND campaign = ?", filter.campaign);
  add(" AND started_utc >= ?", filter.since_utc);
  // "~" sorts after every character of a date, so the beginning of a date includes all times that start with it.
  add(" AND started_utc <= ?", filter.until_utc.empty() ? "" : filter.until_utc + "~");
  for (const auto& [name, value] : filter.tags) {
    statement += " AND EXISTS (SELECT 1 FROM tags WHERE run = uuid AND name = ? AND value = ?)";
    values << text(name) << text(value);
  }
  auto found = database_->connection.run(statement + " ORDER BY started_utc, uuid", values);
  if (!found) return found.error();
  std::vector<StoredRunInfo> runs;
  while (found->next()) {
    StoredRunInfo& run = runs.emplace_back();
    std::string* const fields[] = {&run.uuid,        &run.campaign,     &run.line,         &run.score_version,
                                   &run.started_utc, &run.finished_utc, &run.ended_because};
    for (int i = 0; i < 7; ++i) *fields[i] = text_of(*found, i);
    run.measurements = found->value(7).toULongLong();
    run.scored = found->value(8).toULongLong();
  }
  for (StoredRunInfo& run : runs) {
    auto tags = database_->connection.run("SELECT name, value FROM tags WHERE run = ?", {text(run.uuid)});
    if (!tags) return tags.error();
    while (tags->next()) run.tags[text_of(*tags, 0)] = text_of(*tags, 1);
    auto means = database_->connection.run(
        "SELECT from_end, to_end, AVG(mean), AVG(unscored), MAX(unscored) FROM (SELECT from_end, to_end, stimulus, "
        "AVG(CASE WHEN outcome = 'scored' THEN mos_lqo END) AS mean, "
        "AVG(CASE WHEN outcome = 'scored' THEN 0.0 ELSE 1.0 END) AS unscored FROM measurements "
        "WHERE run = ? AND outcome NOT IN ('cancelled', 'audio_fault') GROUP BY from_end, to_end, stimulus) AS "
        "by_stimulus GROUP BY from_end, to_end HAVING COUNT(mean) > 0 ORDER BY from_end, to_end",
        {text(run.uuid)});
    if (!means) return means.error();
    while (means->next())
      run.means.push_back(
          {end_in(*means), means->value(2).toDouble(), means->value(3).toDouble(), means->value(4).toDouble()});
  }
  return runs;
}

Result<StoredRun> RunStore::load(const std::string& uuid) {
  const auto whole = database_->find(uuid);
  if (!whole) return whole.error();
  const std::string where = "the store's run " + *whole;
  store::Rebuilder rebuilder;
  auto run = database_->connection.run("SELECT header, ending, ended_because FROM runs WHERE uuid = ?", {text(*whole)});
  if (!run) return run.error();
  if (!run->next()) return Error{ErrorCode::bad_input, where + " is gone"};
  const auto header = parse_json_text(text_of(*run, 0), where);
  const std::string ending = text_of(*run, 1), ended_because = text_of(*run, 2);
  run->finish();
  if (!header) return header.error();
  if (Status taken = rebuilder.header(*header, where); !taken) return taken.error();
  auto lines = database_->connection.run(
      "SELECT line, recording FROM measurements WHERE run = ? ORDER BY from_end, to_end, sequence", {text(*whole)});
  if (!lines) return lines.error();
  while (lines->next()) {
    auto json = parse_json_text(text_of(*lines, 0), where);
    if (json && json->is_object() && json->contains("measurement") && json->at("measurement").is_object()) {
      const std::string digest = text_of(*lines, 1);
      (*json)["measurement"]["recording"] = digest.empty() ? Json(nullptr) : Json(digest);
    }
    const Status taken = json ? rebuilder.line(*json, where) : Status(json.error());
    if (!taken) rebuilder.leave_out(taken.error());
  }
  if (!ending.empty()) {
    const auto json = parse_json_text(ending, where);
    const Status taken = json ? rebuilder.line(*json, where) : Status(json.error());
    if (!taken) rebuilder.leave_out(taken.error());
  }
  const bool whole_lines = rebuilder.left_out() == 0;
  StoredRun stored = rebuilder.finish();
  // Unreadable lines of the journal are not stored, but their number is.
  if (whole_lines) stored.results.ended_because = ended_because;
  stored.results.about.uuid = *whole;
  auto notes = database_->connection.run(
      "SELECT from_end, to_end, sequence, sounds_different, text, written_utc FROM notes WHERE run = ? "
      "ORDER BY written_utc, sequence",
      {text(*whole)});
  if (!notes) return notes.error();
  while (notes->next()) {
    stored.results.notes.push_back({end_in(*notes), notes->value(2).toUInt(), notes->value(3).toInt() != 0,
                                    text_of(*notes, 4), text_of(*notes, 5)});
  }
  return stored;
}

Result<std::vector<std::filesystem::path>> run_folders(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  constexpr int kDeepest = 3;  // a folder of campaigns, with a folder for each repeat
  std::error_code failed;
  if (fs::exists(folder / kJournalFile, failed)) return std::vector{folder};
  std::vector<fs::path> found;
  fs::recursive_directory_iterator below(folder, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && below != fs::recursive_directory_iterator(); below.increment(failed)) {
    std::error_code unknown;
    if (!below->is_directory(unknown) || below->is_symlink(unknown)) continue;
    const bool is_run = fs::exists(below->path() / kJournalFile, unknown);
    if (is_run) found.push_back(below->path());
    const bool in_bin = below->path().filename() == kRemovedRunsFolder;
    if (is_run || in_bin || below.depth() + 1 >= kDeepest) below.disable_recursion_pending();
  }
  if (found.empty())
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: no run is there or below it; give the folder of \"vqas measure --out\", which "
                             "contains a {} or folders with one",
                             folder.string(), kJournalFile)};
  std::ranges::sort(found);
  return found;
}

}  // namespace vqas
