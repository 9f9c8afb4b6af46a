#include "vqas/sync/mark.h"

#include <gtest/gtest.h>

#include <complex>
#include <map>
#include <set>

#include "streams.h"
#include "sync/convolutional_code.h"
#include "sync/mark_payload.h"
#include "sync/symbol_shaping.h"
#include "vqas/signal/level.h"

namespace vqas {
namespace {

using namespace test;

std::vector<std::vector<float>> all_marks() {
  MarkData of_b = some_data();
  of_b.sender = End::b;
  return {make_leading_mark(some_data()), make_leading_mark(of_b), make_trailing_mark(End::a),
          make_trailing_mark(End::b)};
}

/// Share of a frequency in the energy of 15 ms pieces (Hann window).
double share_at(std::span<const float> piece, double frequency_hz) {
  std::complex<double> sum = 0;
  double energy = 0;
  for (std::size_t n = 0; n < piece.size(); ++n) {
    const double window = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(n) / 120);
    sum += piece[n] * window *
           std::polar(1.0, -2 * std::numbers::pi * frequency_hz / kLineRateHz * static_cast<double>(n));
    energy += piece[n] * piece[n];
  }
  return energy == 0 ? 0 : std::norm(sum) / (energy * 120 * 0.375 / 2);
}

TEST(Mark, BothMarksAndTheShortestGuardsTakeAtMostSevenTenthsOfASecond) {
  EXPECT_LE(static_cast<double>(transmission_layout(0, {}).total) / kLineRateHz, 0.7);
  EXPECT_EQ(make_leading_mark(some_data()).size(), leading_mark_length());
  EXPECT_EQ(make_trailing_mark(End::b).size(), trailing_mark_length());
}

TEST(Mark, HasMinus20DbovAndStaysFarBelowFullScale) {
  for (const auto& mark : all_marks()) {
    EXPECT_NEAR(rms_dbov(mark), -20, 0.5);
    for (const float sample : mark) ASSERT_LT(std::abs(sample), 0.35F);
  }
}

TEST(Mark, LiesBetween1000And2000Hz) {
  for (const auto& mark : all_marks()) {
    double inside = 0, all = 0;
    for (double frequency = 0; frequency < 4000; frequency += 2) {
      std::complex<double> sum = 0;
      for (std::size_t n = 0; n < mark.size(); ++n) {
        sum += static_cast<double>(mark[n]) *
               std::polar(1.0, -2 * std::numbers::pi * frequency / kLineRateHz * static_cast<double>(n));
      }
      all += std::norm(sum);
      if (frequency >= 1100 && frequency <= 2040) inside += std::norm(sum);
    }
    EXPECT_GT(inside / all, 0.99);
  }
}

TEST(Mark, HitsSignallingTonesForAtMost15Ms) {
  for (const auto& mark : all_marks()) {
    for (const double tone : {1100.0, 2100.0, 2280.0, 2400.0, 2600.0}) {
      int held = 0, longest = 0;
      for (std::size_t at = 0; at + 120 <= mark.size(); at += 20) {
        double share = 0;
        for (double f = tone - 40; f <= tone + 40; f += 20) {
          share = std::max(share, share_at(std::span(mark).subspan(at, 120), f));
        }
        held = share > 0.5 ? held + 20 : 0;
        longest = std::max(longest, held);
      }
      EXPECT_LE(longest, 120) << tone;
    }
  }
}

TEST(MarkPayload, GivesBackEveryField) {
  for (const MarkData& data : {MarkData{End::a, 0, 0, 0, 0}, MarkData{End::b, 0xFFFFFF, 255, 65535, 65535},
                               MarkData{End::a, 0x800001, 0x81, 0x8001, 0x7FFE}}) {
    EXPECT_EQ(sync::unpack(sync::pack(data)), data);
  }
}

TEST(MarkPayload, ChecksumRefusesUpToThreeWrongBits) {
  const sync::PayloadBits right = sync::pack(some_data());
  const auto flip = [](sync::PayloadBits& bits, int i) { bits[static_cast<std::size_t>(i)] ^= 1; };
  for (int i = 0; i < sync::kPayloadBits; ++i) {
    sync::PayloadBits bits = right;
    flip(bits, i);
    ASSERT_FALSE(sync::unpack(bits)) << i;
    for (int j = i + 1; j < sync::kPayloadBits; ++j) {
      flip(bits, j);
      ASSERT_FALSE(sync::unpack(bits)) << i << ' ' << j;
      for (int k = j + 1; k < sync::kPayloadBits; ++k) {
        flip(bits, k);
        ASSERT_FALSE(sync::unpack(bits)) << i << ' ' << j << ' ' << k;
        flip(bits, k);
      }
      flip(bits, j);
    }
  }
}

TEST(MarkPayload, ChecksumLetsOneOf65536RandomPayloadsPass) {
  std::mt19937_64 random(5);
  int passed = 0;
  for (int trial = 0; trial < 1000000; ++trial) {
    const std::uint64_t word = random(), more = random();
    sync::PayloadBits bits{};
    for (std::size_t i = 0; i < bits.size(); ++i) {
      bits[i] = static_cast<std::uint8_t>(((i < 64 ? word >> i : more >> (i - 64)) & 1U) != 0);
    }
    // A valid version, so that only the checksum decides.
    bits[0] = bits[1] = bits[2] = 0;
    bits[3] = 1;
    if (sync::unpack(bits)) ++passed;
  }
  // 15.3 are expected; 99.9 % of a Poisson variable lie in 5..29.
  EXPECT_GE(passed, 5);
  EXPECT_LE(passed, 29);
}

TEST(ConvolutionalCode, HasTheFreeDistance24) {
  const sync::CodedBits zero = sync::encode(sync::PayloadBits{});
  std::size_t least = sync::kCodedBits;
  for (unsigned pattern = 1; pattern < 4096; pattern += 2) {
    sync::PayloadBits bits{};
    for (std::size_t i = 0; i < 12; ++i) bits[i + 20] = static_cast<std::uint8_t>((pattern >> i) & 1U);
    const sync::CodedBits coded = sync::encode(bits);
    std::size_t distance = 0;
    for (std::size_t i = 0; i < coded.size(); ++i) distance += coded[i] != zero[i] ? 1U : 0U;
    least = std::min(least, distance);
  }
  EXPECT_EQ(least, 24U);
}

TEST(ConvolutionalCode, IsDecodedWithAFifthErasedAndOneInSixteenWrong) {
  std::mt19937_64 random(11);
  sync::ViterbiDecoder decoder;
  int wrong = 0;
  for (std::uint16_t trial = 0; trial < 500; ++trial) {
    const sync::PayloadBits bits = sync::pack(some_data(trial));
    const sync::CodedBits coded = sync::encode(bits);
    sync::SoftBits soft{};
    for (std::size_t i = 0; i < soft.size(); ++i) {
      const std::uint64_t draw = random() % 40;
      soft[i] = draw < 8 ? 0.0F : (coded[i] != 0) != (draw < 10) ? -1.0F : 1.0F;
    }
    if (decoder.decode(soft) != bits) ++wrong;
  }
  EXPECT_EQ(wrong, 0);
}

TEST(SymbolShaping, SpreadsTheErasuresOfA20MsGapOverTheWholeCode) {
  // Each coded bit alone shows its position.
  std::map<int, std::set<int>> bits_in_gap;
  const sync::Symbols base = sync::to_symbols(sync::CodedBits{}, End::a);
  for (int i = 0; i < sync::kCodedBits; ++i) {
    sync::CodedBits coded{};
    coded[static_cast<std::size_t>(i)] = 1;
    const sync::Symbols symbols = sync::to_symbols(coded, End::a);
    for (int k = 0; k < sync::kSymbols; ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (symbols[at] != base[at]) bits_in_gap[static_cast<int>(sync::symbol_time(k)) / 160].insert(i);
    }
  }
  // A gap holds up to 26 bits of the code; only a few of them may be among the 36 that one information bit affects.
  constexpr int kReached = sync::kConstraint * sync::kOutputs;
  for (const auto& [gap, bits] : bits_in_gap) {
    for (int first = 0; first + kReached <= sync::kCodedBits; ++first) {
      const auto hit = std::distance(bits.lower_bound(first), bits.lower_bound(first + kReached));
      EXPECT_LE(hit, 4) << "gap " << gap << ", bits from " << first;
    }
  }
}

TEST(SymbolShaping, GivesBackEveryBitForBothEnds) {
  std::mt19937_64 random(3);
  sync::CodedBits coded{};
  for (auto& bit : coded) bit = static_cast<std::uint8_t>(random() & 1U);
  for (const End end : {End::a, End::b}) {
    const sync::SoftBits soft = sync::to_soft_bits(sync::to_symbols(coded, end), end);
    for (std::size_t i = 0; i < coded.size(); ++i) ASSERT_EQ(soft[i] < 0, coded[i] != 0);
  }
}

TEST(Transmission, HasEverythingWhereItsLayoutSays) {
  const Signal stimulus = babble(1.3, 4);
  for (const double guard_s : {0.05, 0.6, 1.0}) {
    const TransmissionOptions options{guard_s, -25};
    const Transmission t = compose_transmission(stimulus, some_data(), options);
    const auto guard = static_cast<std::size_t>(std::llround(guard_s * kLineRateHz));
    EXPECT_EQ(t.layout.speech_start, leading_mark_length() + guard);
    EXPECT_EQ(t.layout.speech_length, stimulus.size());
    EXPECT_EQ(t.layout.trailing_start, t.layout.speech_start + stimulus.size() + guard);
    EXPECT_EQ(t.layout.total, t.layout.trailing_start + trailing_mark_length());
    ASSERT_EQ(t.signal.size(), t.layout.total);
    const std::span<const float> samples = t.signal.samples;
    EXPECT_TRUE(std::equal(stimulus.samples.begin(), stimulus.samples.end(),
                           samples.begin() + static_cast<std::ptrdiff_t>(t.layout.speech_start)));
    EXPECT_NEAR(rms_dbov(samples.first(leading_mark_length())), -25, 0.5);
    EXPECT_NEAR(rms_dbov(samples.last(trailing_mark_length())), -25, 0.5);
    for (std::size_t n = leading_mark_length(); n < t.layout.speech_start; ++n) ASSERT_EQ(samples[n], 0.0F);
  }
}

TEST(Transmission, NeverExceedsTheLevelThatALineAllows) {
  const Transmission t = compose_transmission(babble(1, 4), some_data(), {0.05, 0});
  EXPECT_LE(rms_dbov(std::span(t.signal.samples).first(leading_mark_length())), -19.1);
}

}  // namespace
}  // namespace vqas
