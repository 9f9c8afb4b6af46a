#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "vqas/channel/line_codec.h"
#include "vqas/channel/line_direction.h"
#include "vqas/channel/profile.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Smallest delay of a simulated line between two processes, in seconds. An end receives a block while the other end's
/// block of the same time may still be in transit. So the line must hold more than one block (20 ms) besides the path's
/// own latency (shortest_delay_s(), at most 11.125 ms) and a block of skew between the ends' clocks.
inline constexpr double kSimulatorShortestDelay_s = 0.05;

/// The line that a simulator puts between two ends.
struct SimulatedLine {
  LineConditions a_to_b, b_to_a;
  std::uint64_t seed = 1;
  /// Further effects, in both directions, each with its own randomness. Its `line` is not used: the conditions of each
  /// direction replace it.
  std::optional<Profile> profile;
  /// With g722 and l16 there is no profile and no band limit, and with l16 there are no bit errors.
  LineCodec codec = LineCodec::g711;
};

/// The profile of one direction of a line: `a_to_b` or `b_to_a` with the line's profile, if it has one.
Profile direction_profile(const SimulatedLine& line, const LineConditions& conditions);

/// A line with the same profile in both directions, between converters that are fast by these ppm. A delay below
/// kSimulatorShortestDelay_s or below the profile's own latency is refused by validate().
SimulatedLine profiled_line(const Profile& profile, double clock_a_ppm, double clock_b_ppm, std::uint64_t seed);

/// The same conditions in both directions, between converters that are fast by these ppm.
SimulatedLine symmetric_line(const LineConditions& conditions, double clock_a_ppm, double clock_b_ppm,
                             std::uint64_t seed);

/// Fails with bad_input when a value is out of range, naming it, or when the two directions disagree on the clocks.
Status validate(const SimulatedLine& line);

/// The conditions as JSON text, as sent by the simulator to each end; and back. Parsing fails with protocol.
std::string simulated_conditions_json(const SimulatedLine& line);
Result<SimulatedLine> parse_simulated_conditions(const std::string& json);

/// A line between two processes, in virtual time or paced by a clock (go_by()). Listens on loopback, accepts one end
/// "a" and one end "b", and carries their blocks in lockstep (simulated-line.md). When an end leaves,
/// the other end's line is lost too. Then both may connect again, to a new line whose randomness continues from the
/// same seed.
class SimulatorServer {
 public:
  /// Listens on 127.0.0.1; port 0 takes a free one. A connection without a hello after `patience` is closed. Fails with
  /// bad_input (validate()) or io.
  static Result<std::unique_ptr<SimulatorServer>> listen(const SimulatedLine& line, std::uint16_t port,
                                                         std::chrono::milliseconds patience = std::chrono::seconds(5));
  ~SimulatorServer();
  SimulatorServer(const SimulatorServer&) = delete;
  SimulatorServer& operator=(const SimulatorServer&) = delete;

  std::uint16_t port() const;  ///< the one it listens on, never 0
  /// Also ends run() when this descriptor reads end of file; before run().
  void end_with(int descriptor);
  /// Limits the line's clock to this one, in ns, which must not decrease; before run(). Without it the line runs as
  /// fast as the two ends. The received samples are the same, and the clock stands still between two rounds as before.
  void go_by(std::function<std::int64_t()> clock_ns);
  /// Serves until stop(); one thread. Fails with io when the system cannot wait.
  Status run();
  /// From any thread or from a signal handler.
  void stop();

 private:
  struct Engine;
  explicit SimulatorServer(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
