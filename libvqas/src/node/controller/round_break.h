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

/// Abandons a round that cannot continue: transmissions that its receivers have count, and the rest is sent again under
/// new numbers. Does the same for a round that an earlier controller left at the nodes. For one thread.
class RoundBreak {
 public:
  using Clock = std::chrono::steady_clock;

  explicit RoundBreak(RunEngine& run) : run_(run) {}

  /// The round is abandoned; the results at the nodes are being fetched.
  bool under_way() const { return breaking_; }
  /// The round cannot continue. Ends the run immediately without patience, or if nothing has arrived during the
  /// patience.
  void broken(const Error& why);
  /// The same for a reason unrelated to the links.
  void begin_soon(const std::string& why);
  /// Takes up transmissions in progress when an earlier controller was interrupted: the nodes report their results.
  void take_up();
  /// The run ends: waits for nothing.
  void cancel() { breaking_ = false; }
  /// Ends when everything that can arrive has arrived; the next round follows.
  void end();

  /// Something arrived: the trouble is over.
  void news() { trouble_since_.reset(); }
  void node_lost(std::size_t node) { nodes_.at(node).listing = false; }
  /// It is connected and holds the session again.
  void node_came_back(std::size_t node, std::optional<Clock::time_point> away_since);
  /// A node is back, and was asked for its results.
  bool any_listing() const { return nodes_[0].listing || nodes_[1].listing; }

 private:
  struct ListingNode {
    bool listing = false;  // it is back, and was asked for its results
    bool listed = false;   // it has reported all its results since the interruption
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
  bool taking_up_ = false;                          // rounds that an earlier controller left at the nodes
  bool line_failed_ = false;                        // by a node's report on the round it had then
  std::optional<Clock::time_point> trouble_since_;  // nothing has arrived since
  std::string because_;                             // reason of the last abandoned round
};

}  // namespace vqas
