#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "node/controller/line_told.h"
#include "node/controller/node_client.h"

namespace vqas {

class RunEngine;

/// The links to the two nodes: connecting, pairing, holding the nodes by a lease, and reconnecting after a failure.
/// Nodes keep their measurements, so a link that returns within the plan's patience costs nothing. For one thread.
class NodeLinks {
 public:
  using Clock = std::chrono::steady_clock;

  explicit NodeLinks(RunEngine& run) : run_(run) {}

  /// Connects and pairs; RunEngine::begin_rounds() follows, or the end of the run.
  void connect();
  /// Both nodes are held: from here on a lost link is reconnected.
  void begin_run();
  bool paired() const { return paired_; }
  void close();

  /// Requests to a node that is out of reach are not queued; they are made anew, in another way, when it is back.
  void ask(std::size_t node, const std::string& method, const Json& params, NodeClient::Reply reply);
  /// Sends the same message to the operators at both nodes.
  void tell_operators(const Json& params);
  /// The node violated the protocol: it counts as lost.
  void refuse(std::size_t node, const Error& why) { at(node).client->give_up(why); }
  /// The node no longer holds the session.
  void session_ended(std::size_t node) { at(node).session_open = false; }
  void tell_there_again(std::size_t node, bool lost_the_round);

  const std::string& name(std::size_t node) const { return at(node).client->name(); }
  bool gone(std::size_t node) const { return at(node).gone; }
  bool any_gone() const { return at(0).gone || at(1).gone; }
  /// Time since which one of them is out of reach; nothing when both are connected.
  std::optional<Clock::time_point> gone_since() const;
  /// Whether the nodes begin a turn by themselves when the previous one is over.
  bool take_turns() const { return at(0).takes_turns && at(1).takes_turns; }
  /// The highest round number of the nodes when they were paired.
  std::uint64_t last_round() const { return std::max(at(0).last_round, at(1).last_round); }
  /// The highest sequence number that the nodes know of the session in the direction from `sender`; 0: none.
  std::uint32_t last_sequence(std::size_t sender) const {
    return std::max(at(sender).last_sent, at(1 - sender).last_measured);
  }

 private:
  struct Link {
    std::unique_ptr<NodeClient> client;
    std::string hello;         // its description of itself, as text (destroying Json may throw); empty: nothing yet
    bool takes_turns = false;  // by itself, as it reports
    std::uint64_t last_round = 0;
    std::uint32_t last_sent = 0, last_measured = 0;  // sequence numbers
    bool session_open = false;
    bool gone = false;  // its connection is closed
    std::optional<Clock::time_point> gone_since;
    bool gone_told = false;  // to the operators, that it is out of reach
    int tries = 0;           // attempts to reach it again
  };
  Link& at(std::size_t node) { return links_.at(node); }
  const Link& at(std::size_t node) const { return links_.at(node); }

  void open_client(std::size_t node);
  bool waits_for_start(std::size_t node, const Error& error);
  bool waits_at_door(std::size_t node, const Error& error);
  void lost(std::size_t node, const Error& error);
  void reach_again(std::size_t node);
  void tell_out_of_reach(std::size_t node, const std::string& why);
  void came_back(std::size_t node);

  // node_pairing.cpp
  void hello(std::size_t node);
  void pair();
  std::array<NodeHello, 2> hellos() const;
  std::uint32_t choose_run_id() const;
  void open_sessions();
  Json session_params() const;

  RunEngine& run_;
  std::array<Link, 2> links_;
  std::vector<std::unique_ptr<NodeClient>> buried_;  // lost clients, whose callbacks may still run
  bool paired_ = false;
};

}  // namespace vqas
