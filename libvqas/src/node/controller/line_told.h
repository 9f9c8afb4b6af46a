#pragma once

#include <array>
#include <string>

#include "node/controller/run_ledger.h"
#include "node/wire/rpc.h"
#include "vqas/node/controller.h"

namespace vqas {

/// The two nodes' description of the line between them.
struct ToldLine {
  bool virtual_time = true;  ///< its clock waits for the controller
  bool real = false;         ///< samples pass through devices, in real time
  std::string notice;        ///< a note on its delays for the operator; empty: none
};

/// A node's description of itself, and its name for people.
struct NodeHello {
  std::string name;
  Json said;
};

/// Checks that two nodes are those of the plan and of this release, and that their lines can carry what is scored in
/// `mode`. Fails with protocol and bad_input.
Status check_pair(const std::array<NodeHello, 2>& nodes, const std::string& corpus_digest, ScoreMode mode);

/// Checks that a resumed run is measured over the line that it began with, `before`. Fails with bad_input.
Status check_line(const std::array<NodeHello, 2>& nodes, const RunPlan& plan, const RunResults& before);

/// Enters the nodes' description of their line into the results, and that of its clocks into the ledger.
ToldLine describe_line(const std::array<NodeHello, 2>& nodes, const RunPlan& plan, RunLedger& ledger);

/// Index of the direction of a run in which a node sends, among the measured ones.
std::optional<std::size_t> direction_from(const RunPlan& plan, std::size_t sender);

}  // namespace vqas
