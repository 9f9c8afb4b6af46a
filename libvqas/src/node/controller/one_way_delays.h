#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "node/controller/direction_ledger.h"
#include "vqas/run/run.h"

namespace vqas {

/// The departure by its machine's own clock, in ns; it must have been reported.
std::int64_t left_by_machine_ns(const TransmissionParts& parts);

/// The delays of a run's transmissions, by the clocks of its two ends. For one thread.
class OneWayDelays {
 public:
  explicit OneWayDelays(std::size_t directions) : directions_(directions) {}

  /// The clock of departures and arrivals; `unknown`: they cannot be compared.
  void set_basis(DelayBasis basis) { basis_ = basis; }
  DelayBasis basis() const { return basis_; }
  /// Value to add to arrival less departure, by the machines' own clocks, in this direction: for synchronised ones.
  void set_clocks_apart_ns(std::size_t direction, std::int64_t value) {
    directions_[direction].clocks_apart_ns = value;
  }
  /// Largest error of a delay by the two ends' clocks.
  void set_clock_uncertainty_ms(double value) { clock_uncertainty_ms_ = value; }
  /// Of a one-way delay, caused by uncalibrated sound devices.
  void set_device_uncertainty_ms(double value) { device_uncertainty_ms_ = value; }

  /// Nothing unless departure and arrival are known and their clocks can be compared.
  std::optional<double> delay_ms(std::size_t direction, const TransmissionParts& parts) const;
  /// The same of an arrival if it left then (left_by_machine_ns()).
  std::optional<double> delay_ms(std::size_t direction, std::int64_t left_ns,
                                 const ReceivedMeasurement& received) const;
  /// Of a delay by the two ends' clocks, in ms.
  double uncertainty_ms() const { return clock_uncertainty_ms_ + device_uncertainty_ms_; }
  /// Enters delay, basis and uncertainty if known; else returns the reason, or an empty text. A sound device whose
  /// clock and samples moved against each other meanwhile makes the delay less certain by as much; by more than the
  /// rest of the uncertainty, none is given. `from_a`: the direction's sender is end a.
  std::string add(std::size_t direction, bool from_a, const TransmissionParts& parts, Measurement& measurement);

 private:
  // Arrival less departure by two unrelated clocks.
  struct Apparent {
    double delay_ms = 0;
    std::int64_t at_a_ns = 0;  // by the machine's clock of end a
    double step_ms = 0;        // of both ends' clocks against their samples meanwhile
  };
  struct Direction {
    std::int64_t clocks_apart_ns = 0;
    std::optional<Apparent> apparent;  // the last one
  };
  void add_half_round_trip(std::size_t direction, bool from_a, const TransmissionParts& parts,
                           Measurement& measurement);

  std::vector<Direction> directions_;
  DelayBasis basis_ = DelayBasis::unknown;
  double clock_uncertainty_ms_ = 0;
  double device_uncertainty_ms_ = 0;
};

}  // namespace vqas
