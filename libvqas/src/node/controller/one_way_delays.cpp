#include "node/controller/one_way_delays.h"

#include <fmt/format.h>

#include <cmath>

#include "run/measurement_limits.h"

namespace vqas {

// Departure and arrival, by each machine's own clock: these do not include samples that a device lost. The clock offset
// reported after the transmission is better than the one before.
std::int64_t left_by_machine_ns(const TransmissionParts& parts) {
  const bool told = parts.played && parts.played->clock_offset_ns;
  return parts.left->left_at_ns + (told ? *parts.played->clock_offset_ns : parts.left->clock_offset_ns);
}

namespace {

std::int64_t arrived_ns(const ReceivedMeasurement& received) {
  return *received.arrived_at_ns + received.clock_offset_ns;
}

double sender_step_ms(const TransmissionParts& parts) {
  return parts.played ? parts.played->clock_step_ms : 0;
}

double step_ms(const TransmissionParts& parts) {
  return parts.received->clock_step_ms + sender_step_ms(parts);
}

bool has_times(const TransmissionParts& parts) {
  return parts.received && parts.left && parts.received->arrived_at_ns;
}

}  // namespace

std::optional<double> OneWayDelays::delay_ms(std::size_t direction, std::int64_t left_ns,
                                             const ReceivedMeasurement& received) const {
  const bool comparable =
      basis_ == DelayBasis::virtual_time || basis_ == DelayBasis::same_clock || basis_ == DelayBasis::synchronised;
  if (!comparable || !received.arrived_at_ns) return std::nullopt;
  const std::int64_t apart_ns = directions_[direction].clocks_apart_ns;
  return static_cast<double>(arrived_ns(received) - left_ns + apart_ns) * 1e-6;
}

std::optional<double> OneWayDelays::delay_ms(std::size_t direction, const TransmissionParts& parts) const {
  if (!has_times(parts)) return std::nullopt;
  return delay_ms(direction, left_by_machine_ns(parts), *parts.received);
}

// Half of the round trip, in which the clocks' offset cancels. The closer in time the two ways are measured, the less
// the offset has changed.
void OneWayDelays::add_half_round_trip(std::size_t direction, bool from_a, const TransmissionParts& parts,
                                       Measurement& measurement) {
  constexpr double kCrystals_ppm = 200;  // two of 100 ppm, which are not compared
  const std::int64_t arrived = arrived_ns(*parts.received), left = left_by_machine_ns(parts);
  const Apparent there{static_cast<double>(arrived - left) * 1e-6, from_a ? left : arrived, step_ms(parts)};
  directions_[direction].apparent = there;
  const auto back = directions_.size() == 2 ? directions_[1 - direction].apparent : std::nullopt;
  if (!back) return;
  const double apart_ms = std::abs(static_cast<double>(there.at_a_ns - back->at_a_ns)) * 1e-6;
  measurement.delay_ms = (there.delay_ms + back->delay_ms) / 2;
  measurement.delay_basis = DelayBasis::half_round_trip;
  measurement.delay_uncertainty_ms =
      (apart_ms * kCrystals_ppm * 1e-6 + clock_uncertainty_ms_ + there.step_ms + back->step_ms) / 2 +
      device_uncertainty_ms_;
}

// One way, if both ends have one clock or follow a common one; else by the round trip.
std::string OneWayDelays::add(std::size_t direction, bool from_a, const TransmissionParts& parts,
                              Measurement& measurement) {
  // Where the step lies among the transmission's samples is unknown, so the times may be wrong by as much.
  if (basis_ != DelayBasis::unknown && has_times(parts) && step_ms(parts) > uncertainty_ms()) {
    return fmt::format(
        "no delay is given: the samples of a sound device and its machine's clock moved against each other, by {:.1f} "
        "ms at the sender and {:.1f} ms at the receiver",
        sender_step_ms(parts), parts.received->clock_step_ms);
  }
  measurement.delay_ms = delay_ms(direction, parts);
  if (measurement.delay_ms) {
    measurement.delay_basis = basis_;
    measurement.delay_uncertainty_ms = uncertainty_ms() + step_ms(parts);
  }
  if (basis_ == DelayBasis::half_round_trip && has_times(parts))
    add_half_round_trip(direction, from_a, parts, measurement);
  const double delay = measurement.delay_ms.value_or(0);
  const bool before_it_left = delay < -measurement.delay_uncertainty_ms.value_or(0);
  // An impossible delay is dropped; the score comes from the recording and stays.
  if (std::abs(delay) <= kLongestDelay_ms && !before_it_left) return {};
  const DelayBasis basis = measurement.delay_basis;
  measurement.delay_ms.reset();
  measurement.delay_uncertainty_ms.reset();
  measurement.delay_basis = DelayBasis::unknown;
  if (basis != DelayBasis::synchronised) {
    return before_it_left
               ? fmt::format("no delay is given: by the clocks it would be {:.1f} ms, which is impossible", delay)
               : std::string();
  }
  return fmt::format(
      "no delay is given: by the two clocks, reported as synchronised to {:.3g} ms, it would be {:.1f} ms; check them",
      clock_uncertainty_ms_, delay);
}

}  // namespace vqas
