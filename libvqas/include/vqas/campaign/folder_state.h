#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "vqas/run/session_record.h"
#include "vqas/store/journal.h"

namespace vqas {

/// What the folder of a run holds.
enum class FolderState {
  empty,      ///< it is missing, or has no file: a new run may begin
  begun,      ///< only files of a run that ended before its first measurement: a new run may begin
  resumable,  ///< a run with something left to measure, and everything that resuming it needs
  complete,   ///< a run that ended as planned
  damaged,    ///< a run that cannot be resumed, because a file of it is missing or damaged
  foreign,    ///< files that are not of a run
};

/// Whether files of a run are there that holds, or may hold, measurements.
constexpr bool holds_a_run(FolderState state) {
  return state == FolderState::resumable || state == FolderState::complete || state == FolderState::damaged;
}

/// A folder's state, and the run that gives it.
struct FolderSurvey {
  FolderState state = FolderState::empty;
  std::optional<StoredRun> run;          ///< of resumable and complete; of damaged if it can be read
  std::optional<SessionRecord> session;  ///< of a run between two nodes; a listener's run has none
  std::string why;                       ///< damaged: what is missing or damaged, without a full stop

  /// A complete run is resumed all the same if an operator's note says that a measurement sounds different.
  bool asks_for_more() const;
};

/// Reads what is in the folder. Every program decides by it whether a run may begin there, be resumed or be replaced.
/// `besides` is the name of an entry that does not count. Reads a run's whole journal; takes no lock, so that the state
/// may change while another process holds the folder's RunLock. Re-entrant.
FolderSurvey survey_folder(const std::filesystem::path& folder, const std::filesystem::path& besides = {});

}  // namespace vqas
