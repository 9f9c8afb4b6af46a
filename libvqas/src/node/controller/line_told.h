#pragma once

#include <array>
#include <string>

#include "node/controller/run_ledger.h"
#include "node/wire/rpc.h"
#include "vqas/node/controller.h"

namespace vqas {

/// What the two nodes say of the line between them.
struct ToldLine {
  bool virtual_time = true;  ///< its clock waits for the controller
  bool real = false;         ///< samples pass through devices, at the wall's pace
  std::string notice;        ///< what whoever stands at the line should know of its delays; empty: nothing
};

/// What a node says of itself, and its name for people.
struct NodeHello {
  std::string name;
  Json said;
};

/// Whether two nodes are those of the plan and of this release. Fails with protocol and bad_input.
Status check_pair(const std::array<NodeHello, 2>& nodes, const std::string& corpus_digest);

/// Enters what the nodes say of their line into the results, and of its clocks into the ledger.
ToldLine describe_line(const std::array<NodeHello, 2>& nodes, const RunPlan& plan, RunLedger& ledger);

/// The direction of a run in which a node sends, of the directions that are measured.
std::optional<std::size_t> direction_from(const RunPlan& plan, std::size_t sender);

}  // namespace vqas
