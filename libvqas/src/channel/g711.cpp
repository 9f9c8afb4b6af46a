#include "vqas/channel/g711.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

#include "channel/g711_tables.h"

namespace vqas {
namespace {

using namespace g711;

constexpr auto kEncodeMu = make_encode_table<kMuShift, encode_mu>();
constexpr auto kEncodeA = make_encode_table<kAShift, encode_a>();
template <typename Sample>
constexpr auto kDecodeMu = make_decode_table<Sample, decode_mu>();
template <typename Sample>
constexpr auto kDecodeA = make_decode_table<Sample, decode_a>();

// Samples rounded at a time, small enough for the first-level cache.
constexpr std::size_t kChunk = 512;

template <int Shift, std::size_t Size>
void encode_by_table(std::span<const std::int16_t> samples, std::uint8_t* octets,
                     const std::array<std::uint8_t, Size>& table) {
  static_assert(Size == std::size_t{1} << (16 - Shift));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto from_bottom = static_cast<std::uint16_t>(samples[i] ^ 0x8000);
    octets[i] = table[from_bottom >> Shift];
  }
}

// Rounds without a library call, so that the compiler can vectorise it: a float of 1.5·2^23 has a last place of 1, so
// adding it rounds (to nearest, ties to even) and leaves the integer in the low bits.
void round_to_int16(std::span<const float> samples, std::int16_t* rounded) {
  constexpr float kUnitLastPlace = 0x1.8p23F;
  constexpr auto kItsBits = std::bit_cast<std::int32_t>(kUnitLastPlace);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    float scaled = samples[i] * 32768.0F;
    scaled = scaled < 32767.0F ? scaled : 32767.0F;
    scaled = scaled > -32768.0F ? scaled : -32768.0F;
    rounded[i] = static_cast<std::int16_t>(std::bit_cast<std::int32_t>(scaled + kUnitLastPlace) - kItsBits);
  }
}

template <typename Sample>
void decode_by_table(std::span<const std::uint8_t> octets, Sample* samples, const std::array<Sample, 256>& table) {
  for (std::size_t i = 0; i < octets.size(); ++i) samples[i] = table[octets[i]];
}

template <typename Sample>
void decode(std::span<const std::uint8_t> octets, std::span<Sample> samples, G711Law law) {
  assert(samples.size() == octets.size());
  decode_by_table(octets, samples.data(), law == G711Law::mu ? kDecodeMu<Sample> : kDecodeA<Sample>);
}

}  // namespace

void g711_encode(std::span<const std::int16_t> samples, std::span<std::uint8_t> octets, G711Law law) {
  assert(samples.size() == octets.size());
  if (law == G711Law::mu) {
    encode_by_table<kMuShift>(samples, octets.data(), kEncodeMu);
  } else {
    encode_by_table<kAShift>(samples, octets.data(), kEncodeA);
  }
}

void g711_encode(std::span<const float> samples, std::span<std::uint8_t> octets, G711Law law) {
  assert(samples.size() == octets.size());
  std::array<std::int16_t, kChunk> rounded;
  for (std::size_t start = 0; start < samples.size(); start += kChunk) {
    const std::size_t count = std::min(kChunk, samples.size() - start);
    round_to_int16(samples.subspan(start, count), rounded.data());
    g711_encode(std::span<const std::int16_t>(rounded).first(count), octets.subspan(start, count), law);
  }
}

void g711_decode(std::span<const std::uint8_t> octets, std::span<float> samples, G711Law law) {
  decode(octets, samples, law);
}

void g711_decode(std::span<const std::uint8_t> octets, std::span<std::int16_t> samples, G711Law law) {
  decode(octets, samples, law);
}

}  // namespace vqas
