#pragma once

#include <array>
#include <string_view>

namespace vqas::report {

/// What a MOS is called, with a pale colour for it. The names are those of ITU-T P.800; a name holds from halfway to
/// the one below it, and "excellent" from halfway between "good" and 4.55, where the scale ends.
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
