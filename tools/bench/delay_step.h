#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <random>
#include <set>
#include <vector>

#include "vqas/channel/bit_error_stream.h"
#include "vqas/channel/g711.h"
#include "vqas/signal/audio_file.h"

// Shared by the benches of delay steps (sync_delay_steps.cpp, sync_lost_marks.cpp).
namespace vqas::bench {

inline double power(const std::vector<float>& samples, std::size_t from, std::size_t count) {
  double sum = 0;
  for (std::size_t n = from; n < std::min(from + count, samples.size()); ++n) sum += double{samples[n]} * samples[n];
  return sum;
}

/// The position of the quietest 200 ms in the middle half.
inline std::size_t pause(const std::vector<float>& speech) {
  constexpr std::size_t kLength = 1600, kHop = 80;
  std::size_t best = speech.size() / 4;
  for (std::size_t n = best; n + kLength < 3 * speech.size() / 4; n += kHop) {
    if (power(speech, n, kLength) < power(speech, best, kLength)) best = n;
  }
  return best + kLength / 2;
}

/// Inserts silence, or deletes the same number of samples before and after the position.
inline void step(std::vector<float>& line, std::size_t at, int samples) {
  const auto place = line.begin() + static_cast<std::ptrdiff_t>(at);
  if (samples > 0) {
    line.insert(place, static_cast<std::size_t>(samples), 0.0F);
  } else {
    line.erase(place + samples / 2, place + samples / 2 - samples);
  }
}

/// Idle noise of -74 dBov, mu-law and bit errors.
inline void carry(std::vector<float>& line, double ber, std::mt19937_64& random) {
  for (float& one : line) one += static_cast<float>(3.5e-4 * (2 * std::ldexp(double(random() >> 11), -53) - 1));
  std::vector<std::uint8_t> octets(line.size());
  g711_encode(line, octets, G711Law::mu);
  BitErrorStream(std::make_unique<RandomErrors>(ber, random())).process(octets);
  g711_decode(octets, line, G711Law::mu);
}

/// The stimuli of corpus/8k by name.
inline Result<std::vector<Signal>> stimuli() {
  namespace fs = std::filesystem;
  std::set<fs::path> files;
  for (const auto& one : fs::directory_iterator(fs::path(VQAS_SOURCE_DIR) / "corpus" / "8k")) {
    if (one.path().extension() == ".wav") files.insert(one.path());
  }
  std::vector<Signal> signals;
  for (const fs::path& one : files) {
    auto signal = read_audio(one);
    if (!signal) return signal.error();
    signals.push_back(std::move(signal).value());
  }
  return signals;
}

}  // namespace vqas::bench
