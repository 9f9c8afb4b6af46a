#pragma once

#include <array>
#include <string_view>

namespace vqas::report {

/// Name of a range of MOS, with a pale colour. The names are those of ITU-T P.800. A range begins halfway to the name
/// below it; "excellent" begins halfway between "good" and 4.55, the end of the scale.
struct QualityBand {
  double from = 1;
  std::string_view word, colour;
};
inline constexpr std::array<QualityBand, 5> kQualityBands{{{4.275, "excellent", "#dff1e7"},
                                                           {3.5, "good", "#edf7ee"},
                                                           {2.5, "fair", "#fdf8e1"},
                                                           {1.5, "poor", "#fcefe1"},
                                                           {1, "bad", "#fae5e2"}}};

constexpr const QualityBand& quality_of(double mos) {
  for (const QualityBand& band : kQualityBands) {
    if (mos >= band.from) return band;
  }
  return kQualityBands.back();
}

}  // namespace vqas::report
