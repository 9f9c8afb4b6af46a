#include "vqas/channel/g711.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace vqas {
namespace {

// CRC-32 as zlib computes it (IEEE 802.3, reflected).
std::uint32_t crc32(std::span<const std::uint8_t> bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const std::uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320 : 0);
  }
  return ~crc;
}

template <typename Value>
std::uint32_t crc32_of_words(const std::vector<Value>& values) {
  std::vector<std::uint8_t> bytes;
  for (const Value value : values) {
    const auto word = static_cast<std::uint16_t>(value);
    bytes.push_back(static_cast<std::uint8_t>(word & 0xFF));
    bytes.push_back(static_cast<std::uint8_t>(word >> 8));
  }
  return crc32(bytes);
}

std::vector<std::int16_t> every_sample() {
  std::vector<std::int16_t> ramp(65536);
  std::iota(ramp.begin(), ramp.end(), std::numeric_limits<std::int16_t>::min());
  return ramp;
}

std::vector<std::uint8_t> every_code() {
  std::vector<std::uint8_t> codes(256);
  std::iota(codes.begin(), codes.end(), std::uint8_t{0});
  return codes;
}

struct Expected {
  G711Law law;
  std::uint32_t codes_as_words;
  std::uint32_t codes_as_bytes;
  std::uint32_t decoded;
};

class G711 : public ::testing::TestWithParam<Expected> {
 protected:
  G711Law law() const { return GetParam().law; }
};

TEST_P(G711, CodesEverySampleAsTheItuToolDoes) {
  const auto ramp = every_sample();
  ASSERT_EQ(crc32_of_words(ramp), 0xC8BA7682U) << "the check sum itself is wrong";
  std::vector<std::uint8_t> codes(ramp.size());
  g711_encode(ramp, codes, law());
  EXPECT_EQ(crc32_of_words(codes), GetParam().codes_as_words);
  EXPECT_EQ(crc32(codes), GetParam().codes_as_bytes);
}

TEST_P(G711, DecodesEveryCodeAsTheItuToolDoes) {
  const auto ramp = every_sample();
  std::vector<std::uint8_t> codes(ramp.size());
  std::vector<std::int16_t> decoded(ramp.size());
  g711_encode(ramp, codes, law());
  g711_decode(codes, decoded, law());
  EXPECT_EQ(crc32_of_words(decoded), GetParam().decoded);
}

TEST_P(G711, FloatingPointEquals16BitSamplesScaledBy32768) {
  const auto ramp = every_sample();
  std::vector<float> scaled;
  for (const auto sample : ramp) scaled.push_back(static_cast<float>(sample) / 32768);
  std::vector<std::uint8_t> codes(ramp.size());
  std::vector<std::uint8_t> codes_of_floats(ramp.size());
  g711_encode(ramp, codes, law());
  g711_encode(scaled, codes_of_floats, law());
  EXPECT_EQ(codes, codes_of_floats);

  std::vector<std::int16_t> decoded(256);
  std::vector<float> decoded_floats(256);
  g711_decode(every_code(), decoded, law());
  g711_decode(every_code(), decoded_floats, law());
  for (std::size_t i = 0; i < 256; ++i) EXPECT_EQ(decoded_floats[i], static_cast<float>(decoded[i]) / 32768) << i;
}

TEST_P(G711, FloatingPointIsRoundedToTheNearest) {
  const auto ramp = every_sample();
  std::vector<std::uint8_t> codes(ramp.size());
  g711_encode(ramp, codes, law());
  int borders = 0;
  for (std::size_t i = 1; i < ramp.size(); ++i) {
    if (codes[i] == codes[i - 1]) continue;
    ++borders;
    const float border = ramp[i];
    const std::vector<float> beside = {(border - 0.6F) / 32768, (border - 0.4F) / 32768};
    std::vector<std::uint8_t> rounded(2);
    g711_encode(beside, rounded, law());
    EXPECT_EQ(rounded[0], codes[i - 1]) << ramp[i];
    EXPECT_EQ(rounded[1], codes[i]) << ramp[i];
  }
  EXPECT_GE(borders, 254);
}

TEST_P(G711, FloatingPointIsClipped) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> samples = {2.0F, -2.0F, 1e30F, -1e30F, kInfinity, -kInfinity, 1.0F};
  const std::vector<std::int16_t> rounded = {32767, -32768, 32767, -32768, 32767, -32768, 32767};
  std::vector<std::uint8_t> codes(samples.size());
  std::vector<std::uint8_t> expected(samples.size());
  g711_encode(samples, codes, law());
  g711_encode(rounded, expected, law());
  EXPECT_EQ(codes, expected);

  const std::vector<float> broken = {std::numeric_limits<float>::quiet_NaN()};
  std::vector<std::uint8_t> code(1);
  g711_encode(broken, code, law());
  EXPECT_EQ(code[0], expected[0]);
}

TEST_P(G711, EncodingDecodedSamplesRestoresTheCodes) {
  std::vector<std::int16_t> decoded(256);
  std::vector<std::int16_t> again(256);
  std::vector<std::uint8_t> codes(256);
  g711_decode(every_code(), decoded, law());
  g711_encode(decoded, codes, law());
  g711_decode(codes, again, law());
  EXPECT_EQ(decoded, again);
}

INSTANTIATE_TEST_SUITE_P(BothLaws, G711,
                         ::testing::Values(Expected{G711Law::mu, 0xCD170E15, 0x6399D432, 0x63641C01},
                                           Expected{G711Law::a, 0x74719FE4, 0x9133796E, 0xABCEAA69}),
                         [](const auto& tested) { return tested.param.law == G711Law::mu ? "Mu" : "A"; });

}  // namespace
}  // namespace vqas
