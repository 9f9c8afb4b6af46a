#pragma once

#include <string>
#include <vector>

#include "vqas/node/controller.h"

namespace vqas {

/// What a plan's corpus holds of its stimuli.
struct PlannedCorpus {
  std::string digest;
  std::vector<std::string> stimuli;
  std::vector<double> line_seconds;  ///< of one transmission of each, gap and marks included
};

/// Checks what can be known of a plan before a node is asked, and reads its corpus. Fails with bad_input, and as
/// Corpus::load() does.
Result<PlannedCorpus> check_plan(const RunPlan& plan);

/// Whether a run that is continued had this corpus. Fails with bad_input.
Status check_same_corpus(const RunPlan& plan, const std::string& digest);

/// Makes the folder of the run's recordings. Fails with io.
Status make_run_folder(const std::filesystem::path& folder);

/// A session of its own: an id, a key of 244 random bits, and what the plan shapes.
SessionRecord new_session(const RunPlan& plan);

}  // namespace vqas
