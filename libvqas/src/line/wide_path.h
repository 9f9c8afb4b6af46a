#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "channel/circuit_noise.h"
#include "channel/sample_queue.h"
#include "channel/transmission_reader.h"
#include "line/media/g722.h"
#include "line/simulated_path.h"
#include "vqas/channel/octet_channel.h"

namespace vqas {

/// A path at 16 kHz: clock conversion and phase, gain, G.722 with bit errors on its octets or plain 16-bit samples,
/// delay, circuit noise. Order and randomness are those of LineDirection. Circuit noise has the same power per hertz as
/// at 8 kHz, and reaches up to 8 kHz.
class WidePath final : public SimulatedPath {
 public:
  /// Only the profile's plain conditions are used; `codec` is g722 or l16.
  WidePath(LineCodec codec, const Profile& profile, std::uint64_t seed, std::uint64_t stream);

  void push(std::span<const float> sent) override;
  std::size_t available() const override { return queue_.size(); }
  void pull(std::span<float> heard) override;
  void set_end_silence_s(double end_silence_s) override;

  /// Latency of its parts, in s.
  static double shortest_delay_s(LineCodec codec);

 private:
  void carry(float sample);
  void code_pair();

  TransmissionReader reader_;
  std::optional<G722> codec_;
  OctetChannel octets_;
  CircuitNoise noise_;
  SampleQueue queue_;
  std::array<float, 2> pair_{};  // an octet of G.722
  std::size_t waiting_ = 0;      // in the pair
};

}  // namespace vqas
