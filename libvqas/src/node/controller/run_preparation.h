#pragma once

#include <string>
#include <vector>

#include "vqas/node/controller.h"

namespace vqas {

/// The stimuli of a plan's corpus.
struct PlannedCorpus {
  std::string digest;
  std::vector<std::string> stimuli;
  std::vector<double> line_seconds;  ///< of one transmission of each, gap and marks included
};

/// Checks a plan before any node is asked, and reads its corpus. Fails with bad_input, and as Corpus::load() does.
Result<PlannedCorpus> check_plan(const RunPlan& plan);

/// The part of it without the nodes' addresses.
Result<PlannedCorpus> check_planned_corpus(const RunPlan& plan);

/// Checks that a continued run had this corpus and mode. Fails with bad_input.
Status check_continuation(const RunPlan& plan, const std::string& digest);

/// Creates the folder of the run's recordings. Fails with io.
Status make_run_folder(const std::filesystem::path& folder);

/// A new session: an id, a key of 244 random bits, and the plan members that shape it.
SessionRecord new_session(const RunPlan& plan);

}  // namespace vqas
