#include "store/database/schema.h"

namespace vqas::store {

const std::vector<std::vector<QString>>& migrations() {
  static const std::vector<std::vector<QString>> all{
      {
          "CREATE TABLE runs (uuid TEXT PRIMARY KEY, started_utc TEXT NOT NULL, finished_utc TEXT NOT NULL, "
          "campaign TEXT NOT NULL, line TEXT NOT NULL, score_version TEXT NOT NULL, ended_because TEXT NOT NULL, "
          "header TEXT NOT NULL, ending TEXT NOT NULL)",
          "CREATE TABLE tags (run TEXT NOT NULL REFERENCES runs(uuid), name TEXT NOT NULL, value TEXT NOT NULL, "
          "PRIMARY KEY (run, name))",
          "CREATE TABLE measurements (run TEXT NOT NULL REFERENCES runs(uuid), from_end TEXT NOT NULL, "
          "to_end TEXT NOT NULL, sequence BIGINT NOT NULL, stimulus TEXT NOT NULL, outcome TEXT NOT NULL, "
          "mos_lqo DOUBLE PRECISION, line TEXT NOT NULL, PRIMARY KEY (run, from_end, to_end, sequence))",
          "CREATE INDEX runs_by_start ON runs (started_utc)",
      },
      {
          "CREATE TABLE notes (run TEXT NOT NULL REFERENCES runs(uuid), from_end TEXT NOT NULL, to_end TEXT NOT NULL, "
          "sequence BIGINT NOT NULL, sounds_different INTEGER NOT NULL, text TEXT NOT NULL, "
          "written_utc TEXT NOT NULL, PRIMARY KEY (run, from_end, to_end, sequence, written_utc, text))",
          "ALTER TABLE measurements ADD COLUMN recording TEXT NOT NULL DEFAULT ''",
      },
      {
          // How often the run had ended or been resumed, by the journal that was taken: the higher count is the later
          // copy.
          "ALTER TABLE runs ADD COLUMN parts INTEGER NOT NULL DEFAULT 0",
          "UPDATE runs SET parts = 1 WHERE ending <> ''",
          "CREATE TABLE replaced (run TEXT NOT NULL REFERENCES runs(uuid), from_end TEXT NOT NULL, "
          "to_end TEXT NOT NULL, sequence BIGINT NOT NULL, PRIMARY KEY (run, from_end, to_end, sequence))",
      },
  };
  return all;
}

}  // namespace vqas::store
