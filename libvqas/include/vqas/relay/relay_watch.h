#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
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

/// Watches a running relay by its control socket, and changes what it does to all calls, those to come too. Lives in
/// one thread with a Qt event loop.
class RelayWatch : public QObject {
  Q_OBJECT
 public:
  /// `address` is "ws://127.0.0.1:PORT".
  explicit RelayWatch(const std::string& address, QObject* parent = nullptr);
  ~RelayWatch() override;

  /// Once; seen() or lost() follow, seen() five times a second.
  void start();
  void change(const RelayChange& change);
  /// Inverts the next bits, 1..1e6, of this direction of every call, or of all directions.
  void inject(std::optional<End> from, std::uint32_t bits);

 signals:
  void seen(std::vector<vqas::RelayedFigures> calls);
  /// The relay refused a change, which it says; nothing was changed. Without a full stop.
  void refused(QString why);
  /// The last one: `why` says what happened and what to do, without a full stop.
  void lost(QString why);

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
