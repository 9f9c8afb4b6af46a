#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace vqas {

/// The channel's source of randomness: xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number
/// generators", ACM TOMS 47, 2021; period 2^256 - 1). `seed`, `stream` and `substream` are hashed into the state by the
/// finaliser of splitmix64 (Steele, Lea and Flood, OOPSLA 2014), so that any two triples give unrelated sequences: two
/// of them share a state with a probability of about 2^-64. The same triple gives the same sequence on every machine. A
/// small value; real-time safe; for one thread.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed, std::uint64_t stream = 0, std::uint64_t substream = 0) {
    std::uint64_t key = mixed(seed + kGolden);
    key = mixed((key ^ stream) + kGolden);
    key = mixed((key ^ substream) + kGolden);
    for (std::uint64_t& word : state_) word = mixed(key += kGolden);
  }

  /// Starts from a given state, not all 0: the generator as published, without the hash.
  static constexpr Random from_state(const std::array<std::uint64_t, 4>& state) {
    Random random(0);
    random.state_ = state;
    return random;
  }

  /// The next 64 bits.
  constexpr std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// Uniform over the odd multiples of 2^-64: never 0, and as fine near 0 as 64 bits allow; near 1 it is rounded to a
  /// double and may be 1.
  constexpr double next_open_unit() {
    // Signed conversion, because converting an unsigned 64-bit integer needs a branch on x86-64.
    return (2.0 * static_cast<double>(static_cast<std::int64_t>(next() >> 1)) + 1.0) * 0x1p-64;
  }

  /// Uniform over the multiples of 2^-53 in [0, 1).
  constexpr double next_unit() { return static_cast<double>(static_cast<std::int64_t>(next() >> 11)) * 0x1p-53; }

 private:
  static constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio, splitmix64's step

  static constexpr std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

  std::array<std::uint64_t, 4> state_{};
};

}  // namespace vqas
