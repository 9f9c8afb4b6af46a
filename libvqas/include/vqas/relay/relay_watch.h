#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vqas/signal/end.h"
#include "vqas/signal/result.h"

namespace vqas {

/// What a relay does to one direction of a call, and what it counted there (relay-control.md).
struct RelayedWay {
  End from = End::a;
  std::string profile;                 ///< its name
  std::optional<double> ber;           ///< that is asked for; empty: the profile has no single one
  double delay_ms = 0;                 ///< added by the relay
  std::optional<double> loss;          ///< share of packets to be lost; empty: there are no packets
  bool bypass = false;                 ///< nothing of all this is done
  std::uint64_t bits = 0, errors = 0;  ///< of G.711 that was passed on
  std::optional<double> measured_ber;  ///< empty before the first bit
  double ber_low_95 = 0, ber_high_95 = 0;
  std::uint64_t bursts = 0;              ///< of two wrong bits or more
  std::optional<std::uint64_t> packets;  ///< that came; empty: there are no packets
  std::optional<std::uint64_t> dropped;  ///< of these, by the relay; likewise
};

/// A call of a relay.
struct RelayedFigures {
  std::uint64_t call = 0;
  double age_s = 0;
  std::vector<RelayedWay> ways;  ///< by the ends where they start
};

/// Reads a call from LiveControl::calls_json(). Fails with protocol. Re-entrant.
Result<RelayedFigures> relayed_figures(const std::string& call_json);

/// A change of a relay's conditions; what is empty stays. A profile comes first and replaces all that is not named.
struct RelayChange {
  std::optional<End> from;             ///< the direction that starts there; empty: all directions
  std::optional<std::string> profile;  ///< a name
  std::optional<double> ber, delay_ms, loss;
};
/// As LiveControl::set() takes it.
std::string conditions_json(const RelayChange& change);

/// What a watch tells; each may be empty. None of them may destroy the watch.
struct RelayWatchEvents {
  std::function<void(std::vector<RelayedFigures> calls)> seen;
  /// The relay refused a change, which it says; nothing was changed. Without a full stop.
  std::function<void(const std::string& why)> refused;
  /// The last one: `why` says what happened and what to do, without a full stop.
  std::function<void(const std::string& why)> lost;
};

/// Watches a running relay by its control socket, and changes what it does to all calls, those to come too. From
/// start() on it lives in one thread with a Qt event loop, in which all events are called.
class RelayWatch {
 public:
  /// `address` is "ws://127.0.0.1:PORT".
  RelayWatch(std::string address, RelayWatchEvents events);
  ~RelayWatch();
  RelayWatch(const RelayWatch&) = delete;
  RelayWatch& operator=(const RelayWatch&) = delete;

  /// Once; seen() or lost() follow, seen() five times a second.
  void start();
  void change(const RelayChange& change);
  /// Inverts the next bits, 1..1e6, of this direction of every call, or of all directions.
  void inject(std::optional<End> from, std::uint32_t bits);

 private:
  struct Engine;
  const std::string address_;
  const RelayWatchEvents events_;
  std::unique_ptr<Engine> engine_;  // from start() on
};

}  // namespace vqas
