#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "node/wire/rpc.h"
#include "vqas/signal/result.h"

namespace vqas {

class RunEngine;

/// A round that cannot continue is abandoned: what its receivers have of it counts, and the rest is sent again under
/// new numbers. So is the round that an earlier controller left at the nodes. For one thread.
class RoundBreak {
 public:
  using Clock = std::chrono::steady_clock;

  explicit RoundBreak(RunEngine& run) : run_(run) {}

  /// The round is abandoned; what the nodes have of it is being fetched.
  bool under_way() const { return breaking_; }
  /// The round cannot continue. Ends the run at once without patience, or when nothing has come for as long as it
  /// lasts.
  void broken(const Error& why);
  /// The same for a reason that says nothing of the links.
  void begin_soon(const std::string& why);
  /// What was under way when an earlier controller broke off: the nodes say what became of it.
  void take_up();
  /// The run ends: nothing is waited for.
  void cancel() { breaking_ = false; }
  /// Ends where all is there that will come; the next round follows.
  void end();

  /// Something came: there is no trouble any more.
  void news() { trouble_since_.reset(); }
  void node_lost(std::size_t node) { nodes_.at(node).listing = false; }
  /// It is connected and holds the session again.
  void node_came_back(std::size_t node, std::optional<Clock::time_point> away_since);
  /// A node is there again, and was asked what it has.
  bool any_listing() const { return nodes_[0].listing || nodes_[1].listing; }

 private:
  struct ListingNode {
    bool listing = false;  // it is there again, and was asked what it has
    bool listed = false;   // since the round was broken off, it told all that it has
  };
  void begin();
  void ask_nodes();
  void list_results(std::size_t node);
  void synchronise(std::size_t node, const Json& listed);
  Status take_listed(std::size_t node, const Json& listed);
  void lose_what_left();
  void enter_what_came();

  RunEngine& run_;
  std::array<ListingNode, 2> nodes_;
  bool breaking_ = false;
  bool taking_up_ = false;                          // what an earlier controller left at the nodes
  bool line_failed_ = false;                        // by what a node tells of a round that it had then
  std::optional<Clock::time_point> trouble_since_;  // nothing has come since
  std::string because_;                             // the last round that was abandoned
};

}  // namespace vqas
