#pragma once

#include <QDateTime>
#include <QString>
#include <array>
#include <filesystem>
#include <optional>
#include <vector>

#include "vqas/campaign/folder_state.h"
#include "vqas/report/summary.h"

namespace vqas::app {

/// A run as a list of runs shows it: in its folder, or in a store. Or a campaign with repeats that can be resumed.
struct KeptRun {
  std::filesystem::path folder;  ///< empty for a run of a store
  QString store, uuid;           ///< address of that store, and the run's key in it; empty for a run of a folder
  QDateTime started;             ///< invalid when it is not known
  QString line;                  ///< as the run names it, or the conditions of a simulated one in English
  QString site, circuit;
  QString notes;  ///< of its plan, and those that an operator wrote while it was measured
  std::array<std::optional<DirectionSummary>, 2> directions;  ///< from A, from B; empty: not measured
  std::size_t measured = 0, scored = 0;
  std::size_t slots_over = 0, slots_in_all = 0;  ///< of a campaign; 0 in all: a run
  FolderState state = FolderState::empty;
  QString state_words;  ///< "complete", "being measured", "broken off, can be resumed", or what is damaged; in English
  bool in_progress = false;  ///< a program measures it now
  bool resumable = false;
  bool has_report = false;
  ScoreMode mode = ScoreMode::narrowband;
};

/// The run itself, from its folder or its store. Fails as load_run(), RunStore::open() or RunStore::load(). Re-entrant.
Result<StoredRun> load_kept(const KeptRun& run);

/// The runs in this folder and in those below it, the newest first; none if it holds none. Reads whole journals. Writes
/// nothing. Re-entrant.
std::vector<KeptRun> read_kept_runs(const std::filesystem::path& folder);

/// What a person calls a run: "Exeter, trunk 7, 2026-01-31 12:00" by local time; its folder's name if nothing else is
/// known. Pure.
QString run_name(const KeptRun& run, const QString& date_format = QStringLiteral("yyyy-MM-dd HH:mm"));

/// Writes a page that compares these runs and gives its file, in `folder`. Runs of other stimuli or another score
/// version are compared all the same, and the page says so. The page calls them by run_name(), and by the folder too
/// where two have the same name. Fails with bad_input or io.
Result<std::filesystem::path> write_comparison(const std::vector<KeptRun>& runs, const std::filesystem::path& folder);

}  // namespace vqas::app
