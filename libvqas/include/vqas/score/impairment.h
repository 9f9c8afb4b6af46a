#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace vqas {

/// What is wrong with a line, in the classes that a technician looks for.
enum class Impairment {
  loss,             ///< packets lost or speech muted, in the middle
  noise,            ///< something added that is there in pauses too
  band_loss,        ///< the band is narrower than a telephone's
  clipping,         ///< peaks cut off: a gain is too high
  coding,           ///< coding distortion or bit errors: what is wrong comes with the speech
  level,            ///< the level moves: a switched gain or an automatic gain control
  delay_variation,  ///< the delay changes while somebody talks: jitter, play-out buffer
  cut,              ///< the beginning or the end is missing
};

inline constexpr std::array kAllImpairments{
    Impairment::loss,   Impairment::noise, Impairment::band_loss,       Impairment::clipping,
    Impairment::coding, Impairment::level, Impairment::delay_variation, Impairment::cut};

/// One thing found.
struct ImpairmentFinding {
  Impairment impairment = Impairment::loss;
  /// How far what was measured lies beyond what is named at all: 0.3 is just named, 3 is the most. No MOS.
  double strength = 0;
  /// What it costs, in MOS: so much a recording loses that is mended of all other impairments and scored again.
  /// Impairments that come together cost less than the sum. Nothing where that was not tried.
  std::optional<double> cost_mos = std::nullopt;
};

/// The name used in results, "loss" to "cut".
std::string_view to_string(Impairment impairment);
/// The impairment of that name, or nothing.
std::optional<Impairment> impairment_from_string(std::string_view name);
/// What to look for, in words: "speech lost or muted: look for packet loss and gates".
std::string_view advice(Impairment impairment);

}  // namespace vqas
