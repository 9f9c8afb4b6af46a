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
  double gain_ripple_db = 0.1;       ///< 0..6; a new gain for each transmission, uniform within ± this
  /// Clocks: by how much each end's converter is fast against nominal, in ppm; -1000..1000.
  double sender_clock_ppm = 0;
  double receiver_clock_ppm = 0;
  /// A new sub-sample phase for each transmission, uniform within ± half a sample. Without it, without ripple and with
  /// equal clocks the path before the encoder is exact: only G.711 and bit errors act.
  bool fresh_phase = true;
  /// Digital silence that ends a transmission, in s, 0.1..2; phase and gain change after it. Longer than any silence
  /// within a transmission (end_silence_for_guard()) and shorter than the gap between two.
  double end_silence_s = 0.1;

  bool operator==(const LineConditions&) const = default;
};

/// The end_silence_s for transmissions with guard intervals of `guard_s`: 50 ms longer, and never below the default.
double end_silence_for_guard(double guard_s);

/// The longest delay_s, in seconds.
inline constexpr double kLongestDelay_s = 10;

/// The path's own latency, the smallest possible delay: 11.125 ms with the band limit, 3.125 ms without.
double shortest_delay_s(const LineConditions& conditions);

/// Fails with bad_input, naming the value out of range and the range.
Status validate(const LineConditions& conditions);

struct Profile;
class OctetChannel;
struct PacketCounters;

/// Carries a continuous stream from the sender's clock to the receiver's: sub-sample phase and clock conversion, gain,
/// automatic gain control, hum, clipping, band limit, G.711 encoder, bit errors and the rest of the digital part,
/// decoder or packets, echo, delay, circuit noise. Plain conditions have fewer of these. Everything from the gain on
/// runs by the receiver's clock. Sender and receiver both count from 0 at the same instant. A sample sent at sender
/// time t is heard at t + delay_s, rounded to a whole sample of the receiver and moved by the transmission's phase (at
/// most half a sample); filter latencies are part of the delay. Before that, and between transmissions, the receiver
/// hears idle noise. A transmission starts after end_silence_s of digital silence; phase and gain change as soon as the
/// silence has lasted this long. All randomness comes from `seed` and `stream`: bit errors as in RandomErrors(ber,
/// seed, stream), phase and gain by the number of the transmission, noise by the number of heard samples. The output
/// does not depend on block sizes. push() and pull() do not allocate and are real-time safe. For one thread.
class LineDirection {
 public:
  /// `conditions` must have passed validate().
  LineDirection(const LineConditions& conditions, std::uint64_t seed, std::uint64_t stream);
  /// With bit errors of another kind; `conditions.ber` is not used.
  LineDirection(const LineConditions& conditions, std::uint64_t seed, std::uint64_t stream,
                std::unique_ptr<ErrorProcess> errors);
  /// With all features of a profile (profile.h), which must have passed validate(Profile).
  LineDirection(const Profile& profile, std::uint64_t seed, std::uint64_t stream);
  ~LineDirection();
  LineDirection(LineDirection&&) noexcept;
  LineDirection& operator=(LineDirection&&) noexcept;

  /// Takes samples played by the sender's converter, at 8 kHz by its own clock; `sent.size()` <= room(), samples beyond
  /// it are lost.
  void push(std::span<const float> sent);
  /// Number of samples that push() can take before the next pull(); at least 8 s worth when everything available was
  /// pulled.
  std::size_t room() const;
  /// Number of samples, at the receiver's clock, that pull() can return now. With equal clocks, after n samples were
  /// pushed, n + (delay - shortest delay) have become available in total: a caller that pulls as much as it pushed
  /// never waits. The idle noise before the first sent sample is available immediately.
  std::size_t available() const;
  /// Returns the receiver's next samples, `heard.size()` <= available(); samples beyond it are set to 0.
  void pull(std::span<float> heard);

  /// Sets the digital silence that ends a transmission; 0.1..2 s. A silence that has ended one transmission ends no
  /// other.
  void set_end_silence_s(double end_silence_s);

  /// Length of the coded stream so far.
  std::uint64_t bits() const;
  std::uint64_t bit_errors() const;
  /// The same with ITU-T G.821 seconds and bursts.
  const ErrorCounters& counters() const;
  /// Inverts the next bits of the coded stream, in addition to the line's own errors. From any thread, as long as the
  /// line is not moved or destroyed.
  void inject_bit_errors(std::uint32_t count = 1);
  /// The digital part: its state, and its controls while the line runs.
  const OctetChannel& octets() const;
  OctetChannel& octets();
  /// Counters of the packets, if the profile has packets.
  const PacketCounters* packets() const;
  /// Transmissions started so far; the samples before the first silence count as one.
  std::uint64_t transmissions() const;

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
