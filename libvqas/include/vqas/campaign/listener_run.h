#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "vqas/campaign/run_recorder.h"

namespace vqas {

/// The run of a listener over the line alone, in its folder.
struct ListenerRun {
  RunRecorder recorder;
  std::optional<RunResults> earlier;  ///< results of an earlier listener in this folder, which is resumed
  std::uint32_t last_sequence = 0;    ///< the last number that it gave, even if the measurement is lost
  std::string notice;                 ///< as in ClaimedRun
};

/// Makes the folder ready; with `resume` it must hold the run of a listener with the same corpus. `command` makes the
/// same run, for the report. Fails as prepare_run_folder() or claim_run().
Result<ListenerRun> prepare_listener_run(const std::filesystem::path& folder, bool resume, bool force,
                                         const std::string& corpus_digest, const std::string& command);

}  // namespace vqas
