#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace vqas {

/// ITU-T G.722 at 64 kbit/s by spandsp, both ways: an octet is 125 µs. Samples have 16 kHz, two for an octet; or 8 kHz,
/// one for an octet, which are the lower sub-band alone: no filter bank, and what is sent has an empty upper sub-band.
/// For one thread.
class G722 {
 public:
  explicit G722(int rate_hz);
  ~G722();
  G722(G722&&) noexcept;
  G722& operator=(G722&&) noexcept;

  /// As many octets as the samples need; at 16 kHz an even number of samples.
  void encode(std::span<const std::int16_t> samples, std::span<std::uint8_t> octets);
  void decode(std::span<const std::uint8_t> octets, std::span<std::int16_t> samples);

  /// Delay of encoder and decoder together at 16 kHz, in samples: two filters of 24 taps (G.722, table 4).
  static constexpr std::size_t kDelay = 22;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vqas
