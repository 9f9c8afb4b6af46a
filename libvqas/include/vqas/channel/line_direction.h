#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "vqas/channel/error_counters.h"
#include "vqas/channel/error_process.h"
#include "vqas/channel/g711.h"
#include "vqas/signal/result.h"

namespace vqas {

/// One direction of a 64 kb/s G.711 line.
struct LineConditions {
  G711Law law = G711Law::mu;
  double ber = 0;                    ///< random bit error ratio, 0 or 1e-12..0.5
  double delay_s = 0.25;             ///< shortest_delay_s()..10; the default is a satellite's one-way delay
  double gain_db = 0;                ///< -40..40
  bool band_limit = true;            ///< 300..3400 Hz (ITU-T G.712); response: libvqas/doc/channel.md
  double circuit_noise_dbm0p = -68;  ///< psophometric, added where the line is heard; -120..-20, or -infinity: none
  double gain_ripple_db = 0.1;       ///< 0..6; a fresh gain for each transmission, uniform within ± this
  /// Clocks: by how much each end's converter is fast against nominal, in ppm; -1000..1000.
  double sender_clock_ppm = 0;
  double receiver_clock_ppm = 0;
  /// A fresh sub-sample phase for each transmission, uniform within ± half a sample. Without it, without ripple and
  /// with equal clocks the path in front of the encoder is exact: plain G.711 and bit errors.
  bool fresh_phase = true;
  /// Digital silence that ends a transmission, in s, 0.1..2; phase and gain change after it. Longer than any silence
  /// inside a transmission (end_silence_for_guard()) and shorter than the gap between two.
  double end_silence_s = 0.1;

  bool operator==(const LineConditions&) const = default;
};

/// The end_silence_s that fits transmissions with `guard_s` of silence between their marks and speech: 50 ms longer,
/// and never below the default.
double end_silence_for_guard(double guard_s);

/// The longest delay_s, in seconds.
inline constexpr double kLongestDelay_s = 10;

/// The path's own latency, which is the smallest delay that these conditions can have: 11.125 ms with the band limit,
/// 3.125 ms without.
double shortest_delay_s(const LineConditions& conditions);

/// Fails with bad_input, naming the value that is out of range and the range.
Status validate(const LineConditions& conditions);

struct Profile;
class OctetChannel;
struct PacketCounters;

/// Carries a continuous stream from the sender's clock to the receiver's: sub-sample phase and clock conversion, gain,
/// automatic gain control, hum, clipping, band limit, G.711 encoder, bit errors and the rest of the digital part,
/// decoder or packets, echo, delay, circuit noise; plain conditions have fewer of these. Everything from the gain on
/// runs by the receiver's clock. Sender and receiver both count from 0 at the same instant; what was sent at sender
/// time t is heard at t + delay_s, rounded to a whole sample of the receiver and moved by the transmission's phase (at
/// most half a sample); filter latencies are part of the delay. A receiver hears idle noise until then, and whenever
/// nobody talks. A transmission is what follows end_silence_s of digital silence; phase and gain change as soon as the
/// silence has lasted for this long. All randomness comes from `seed` and `stream`: bit errors as BitErrorInjector(ber,
/// seed, stream), phase and gain by the number of the transmission, noise by the count of heard samples. The output
/// does not depend on block sizes. push() and pull() do not allocate and are real-time safe. For one thread.
class LineDirection {
 public:
  /// `conditions` have passed validate().
  LineDirection(const LineConditions& conditions, std::uint64_t seed, std::uint64_t stream);
  /// With bit errors of another kind; `conditions.ber` is not used.
  LineDirection(const LineConditions& conditions, std::uint64_t seed, std::uint64_t stream,
                std::unique_ptr<ErrorProcess> errors);
  /// With all that a profile can do (profile.h), which has passed validate(Profile).
  LineDirection(const Profile& profile, std::uint64_t seed, std::uint64_t stream);
  ~LineDirection();
  LineDirection(LineDirection&&) noexcept;
  LineDirection& operator=(LineDirection&&) noexcept;

  /// Takes what the sender's converter played, at 8 kHz by its own clock; `sent.size()` <= room(), what is beyond is
  /// lost.
  void push(std::span<const float> sent);
  /// Samples that push() can take before the next pull(); at least 8 s worth when everything available was pulled.
  std::size_t room() const;
  /// Samples at the receiver's clock that can be taken by pull() now. With equal clocks, after n samples were pushed,
  /// n + (delay - shortest delay) have become available in all: who pulls as much as was pushed never waits. The idle
  /// noise before the first sent sample is available at once.
  std::size_t available() const;
  /// Gives what the receiver's converter hears next, `heard.size()` <= available(); what is beyond is set to 0.
  void pull(std::span<float> heard);

  /// From now on so much digital silence ends a transmission; 0.1..2 s. A silence that has ended one ends no other.
  void set_end_silence_s(double end_silence_s);

  /// Of the coded stream so far.
  std::uint64_t bits() const;
  std::uint64_t bit_errors() const;
  /// The same with ITU-T G.821 seconds and bursts.
  const ErrorCounters& counters() const;
  /// Inverts the next bits of the coded stream, besides the errors that come by themselves. From any thread, as long as
  /// the line is not moved or destroyed.
  void inject_bit_errors(std::uint32_t count = 1);
  /// The digital part: what it did so far, and what can be done to it while the line runs.
  const OctetChannel& octets() const;
  OctetChannel& octets();
  /// Of the packets, when the profile has such.
  const PacketCounters* packets() const;
  /// Transmissions begun so far; what comes before the first silence counts as one.
  std::uint64_t transmissions() const;

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
