// No constant of the score changes without its version. The hash covers the compiled values, in the order of the two
// structs, so another notation of the same number changes nothing.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <ranges>
#include <string>
#include <type_traits>
#include <vector>

#include "score/lattice/arrival_model.h"
#include "score/lattice/arrival_table.h"
#include "score/model/model.h"
#include "vqas/score/score.h"

namespace vqas {
namespace {

// The constants of this version.
constexpr const char* kVersion = "vqas-nb-32";
constexpr std::uint64_t kConstants = 0x64CA4C8FD8FC568D;
constexpr const char* kWidebandVersion = "vqas-wb-24";
constexpr std::uint64_t kWidebandConstants = 0x5A907EB9F48D1997;
// Of what arrived, in both.
constexpr std::uint64_t kArrivalConstants = 0x29423EB88293BE48;

constexpr const char* kWhatToDo =
    "A constant of the score differs from that of the version above. If this is intended: give kScoreVersion "
    "(libvqas/src/score/score.cpp) a new name and its history a line (libvqas/doc/record/score-versions.md), then "
    "write both the "
    "version "
    "and the hash found here into this test. Otherwise restore the constant.";

// FNV-1a over 64 bits (Fowler, Noll and Vo).
class Hash {
 public:
  void add(double value) { add_bits(std::bit_cast<std::uint64_t>(value)); }
  void add(const std::ranges::range auto& values) {
    add(static_cast<double>(values.size()));
    for (const auto value : values) add(static_cast<double>(value));
  }
  std::uint64_t value() const { return hash_; }

 private:
  void add_bits(std::uint64_t bits) {
    for (int byte = 0; byte < 8; ++byte) {
      hash_ = (hash_ ^ ((bits >> (8 * byte)) & 0xFFU)) * 0x100000001B3U;
    }
  }
  std::uint64_t hash_ = 0xCBF29CE484222325U;
};

// Integer members are far below 2^53, so a double holds them exactly.
template <typename... Members>
void add_all(Hash& hash, const Members&... members) {
  const auto add = [&hash](const auto& member) {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(member)>>) {
      hash.add(static_cast<double>(member));
    } else {
      hash.add(member);
    }
  };
  (add(members), ...);
}

// The structs are decomposed into all their members: a new member does not compile until it has a name here.
void add_members(Hash& hash, const scoring::PerceptualModel& model) {
  const auto& [p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18, p19, p20, p21, p22, p23,
               p24, p25, p26, p27, p28, p29, p30, p31, p32, p33, p34, p35, p36, p37, p38, p39, p40, p41, p42, p43, p44,
               p45, p46, p47, p48, p49, p50, p51, p52, p53, p54, p55, p56, p57, p58, p59, p60] = model;
  add_all(hash, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18, p19, p20, p21, p22,
          p23, p24, p25, p26, p27, p28, p29, p30, p31, p32, p33, p34, p35, p36, p37, p38, p39, p40, p41, p42, p43, p44,
          p45, p46, p47, p48, p49, p50, p51, p52, p53, p54, p55, p56, p57, p58, p59, p60);
}
void add_members(Hash& hash, const scoring::AlignmentModel& model) {
  const auto& [a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23,
               a24, a25] = model;
  add_all(hash, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22,
          a23, a24, a25);
}

void add_members(Hash& hash, const scoring::ArrivalModel& model) {
  const auto& [a1, a2, a3, a4, a5, a6, a7, a8, a9, a10] = model;
  add_all(hash, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10);
}

std::uint64_t hash_of(const scoring::ArrivalModel& arrival) {
  Hash hash;
  add_all(hash, scoring::arrival::kCertain, scoring::arrival::kAlike, scoring::arrival::kWeaker,
          scoring::arrival::kStronger, scoring::arrival::kMissing);
  add_members(hash, arrival);
  return hash.value();
}

std::uint64_t hash_of(const scoring::PerceptualModel& perceptual, const scoring::AlignmentModel& alignment) {
  Hash hash;
  add_members(hash, perceptual);
  add_members(hash, alignment);
  return hash.value();
}

TEST(ScoreVersion, MatchesTheCompiledConstants) {
  EXPECT_STREQ(kScoreVersion, kVersion) << "Write the new version into this test, and the hash that it finds.";
  EXPECT_EQ(hash_of({}, {}), kConstants) << kWhatToDo;
}

TEST(ScoreVersion, OfTheWidebandModelMatchesItsCompiledConstants) {
  EXPECT_STREQ(score_version(ScoreMode::wideband), kWidebandVersion);
  const scoring::ScoreModel model = scoring::score_model(ScoreMode::wideband);
  EXPECT_EQ(model.scale.top, 4.6439);
  EXPECT_EQ(model.scale.bottom, 1.0427);
  EXPECT_EQ(model.most_confidence, 0.89);
  // What recognises is what the narrowband model is.
  EXPECT_EQ(hash_of(model.recognition, model.alignment), kConstants) << kWhatToDo;
  EXPECT_EQ(hash_of(model.listening, model.alignment), kWidebandConstants) << kWhatToDo;
}

TEST(ScoreVersion, OfBothModelsMatchesTheConstantsOfWhatArrived) {
  EXPECT_EQ(hash_of(scoring::ArrivalModel()), kArrivalConstants) << kWhatToDo;
}

TEST(ScoreVersion, HashOfWhatArrivedChangesWithEachWeightSetByHand) {
  const auto differs = [](auto change) {
    scoring::ArrivalModel arrival;
    change(arrival);
    return hash_of(arrival) != hash_of(scoring::ArrivalModel());
  };
  EXPECT_TRUE(differs([](auto& arrival) { arrival.bias *= 1 + 1e-15; }));
  EXPECT_TRUE(differs([](auto& arrival) { arrival.wavering = 1.2; }));
  EXPECT_TRUE(differs([](auto& arrival) { arrival.level = -2; }));
}

TEST(ScoreVersion, HashOfTheConstantsChangesWithEachOfThem) {
  std::vector<std::uint64_t> hashes{hash_of({}, {})};
  const auto differs = [&hashes](auto change) {
    scoring::PerceptualModel perceptual;
    scoring::AlignmentModel alignment;
    change(perceptual, alignment);
    hashes.push_back(hash_of(perceptual, alignment));
    for (std::size_t n = 0; n + 1 < hashes.size(); ++n) EXPECT_NE(hashes[n], hashes.back());
  };
  differs([](auto& perceptual, auto&) { perceptual.rate_hz = 8001; });
  differs([](auto& perceptual, auto&) { perceptual.band_edges.back() += 1; });
  differs([](auto& perceptual, auto&) { perceptual.rounding_forgiven = false; });
  differs([](auto& perceptual, auto&) { perceptual.weight_changed *= 1 + 1e-15; });
  differs([](auto& perceptual, auto&) { perceptual.trust_ambiguous = 0.76; });
  differs([](auto& perceptual, auto&) { perceptual.raised_floor *= 2; });
  differs([](auto& perceptual, auto&) { perceptual.most_bend = 2; });
  differs([](auto& perceptual, auto&) { perceptual.floor_is_threshold = true; });
  differs([](auto&, auto& alignment) { alignment.envelope_exponent = 0.31F; });
  differs([](auto&, auto& alignment) { alignment.waveform_search_longest += 1; });
  differs([](auto&, auto& alignment) { alignment.near_by += 1; });
}

}  // namespace
}  // namespace vqas
