#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "vqas/campaign/run_recorder.h"

namespace vqas {

/// The run of a listener over the line alone, in its folder.
struct ListenerRun {
  RunRecorder recorder;
  std::optional<RunResults> earlier;  ///< results of an earlier listener in this folder, which is resumed
};

/// Makes the folder ready; with `resume` it may hold the run of a listener with the same corpus. `command` makes the
/// same run, for the report. Fails with bad_input, also where the earlier run does not say which transmissions it has
/// counted or was scored by another version, or io.
Result<ListenerRun> prepare_listener_run(const std::filesystem::path& folder, bool resume, bool force,
                                         const std::string& corpus_digest, const std::string& command);

/// The recording's name within the folder of its run.
std::string recording_name(const DirectionRun& direction, const std::string& stimulus, std::uint32_t sequence);

}  // namespace vqas
