#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "vqas/line/simulator.h"

namespace vqas {

/// One direction of a simulated line, at the line's rate: samples of the sender's clock in, samples of the receiver's
/// out, as LineDirection says. For one thread.
class SimulatedPath {
 public:
  virtual ~SimulatedPath() = default;
  SimulatedPath() = default;
  SimulatedPath(const SimulatedPath&) = delete;
  SimulatedPath& operator=(const SimulatedPath&) = delete;

  /// A block of the line.
  virtual void push(std::span<const float> sent) = 0;
  virtual std::size_t available() const = 0;
  /// A block of the line, which must be available.
  virtual void pull(std::span<float> heard) = 0;
  virtual void set_end_silence_s(double end_silence_s) = 0;
};

/// The path of a line that passed validate(); `conditions` are those of the direction, `stream` its randomness.
std::unique_ptr<SimulatedPath> make_path(const SimulatedLine& line, const LineConditions& conditions,
                                         std::uint64_t stream);

/// The latency of the gateway's two filters, in s: at 16 kHz 2 ms to the narrowband path, 2 ms from it.
double gateway_delay_s();

}  // namespace vqas
