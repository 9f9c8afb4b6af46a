#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "vqas/channel/line_direction.h"
#include "vqas/channel/profile.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Smallest delay of a simulated line between two processes, in seconds. An end hears a block while the other one's
/// block of the same time may still be on its way, so the line must hold more than one block (20 ms) besides the path's
/// own latency (shortest_delay_s(), at most 11.125 ms) and a block of skew between the ends' clocks.
inline constexpr double kSimulatorShortestDelay_s = 0.05;

/// The line that a simulator puts between two ends.
struct SimulatedLine {
  LineConditions a_to_b, b_to_a;
  std::uint64_t seed = 1;
  /// What happens besides, in both directions, each with its own randomness. Its `line` is not used: the conditions of
  /// each direction take its place.
  std::optional<Profile> profile;
};

/// The profile that one direction of a line carries out: `a_to_b` or `b_to_a` with the line's profile, if it has one.
Profile direction_profile(const SimulatedLine& line, const LineConditions& conditions);

/// A line that does the same in both directions, between converters that are fast by these ppm. What a profile does not
/// reach because it is below kSimulatorShortestDelay_s or its own latency is refused by validate().
SimulatedLine profiled_line(const Profile& profile, double clock_a_ppm, double clock_b_ppm, std::uint64_t seed);

/// The same conditions in both directions, between converters that are fast by these ppm.
SimulatedLine symmetric_line(const LineConditions& conditions, double clock_a_ppm, double clock_b_ppm,
                             std::uint64_t seed);

/// Fails with bad_input when a value is out of range, naming it, or when the two directions disagree on the clocks.
Status validate(const SimulatedLine& line);

/// The conditions as JSON text, as the simulator tells them to whoever connects; and back. Parsing fails with protocol.
std::string simulated_conditions_json(const SimulatedLine& line);
Result<SimulatedLine> parse_simulated_conditions(const std::string& json);

/// A line between two processes, in virtual time or paced by a clock (go_by()): listens on loopback, lets one end "a"
/// and one end "b" connect, and carries their blocks in lockstep (simulated-line.md). When an end
/// leaves, the other one's line is lost too; then both may connect again, to a fresh line whose randomness goes on from
/// the same seed.
class SimulatorServer {
 public:
  /// Listens on 127.0.0.1; port 0 takes a free one. Whoever connects and has not said hello after `patience` is sent
  /// away. Fails with bad_input (validate()) or io.
  static Result<std::unique_ptr<SimulatorServer>> listen(const SimulatedLine& line, std::uint16_t port,
                                                         std::chrono::milliseconds patience = std::chrono::seconds(5));
  ~SimulatorServer();
  SimulatorServer(const SimulatorServer&) = delete;
  SimulatorServer& operator=(const SimulatorServer&) = delete;

  std::uint16_t port() const;
  /// Also ends run() when this descriptor reads end of file; before run().
  void end_with(int descriptor);
  /// The line's clock goes no faster than this one, in ns, which must not fall; before run(). Without one it goes as
  /// fast as the two ends do. What is heard is the same, and the clock stands still between two rounds as before.
  void go_by(std::function<std::int64_t()> clock_ns);
  /// Serves until stop(); one thread. Fails with io when the system refuses to wait.
  Status run();
  /// From any thread or from a signal handler.
  void stop();

 private:
  struct Engine;
  explicit SimulatorServer(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
