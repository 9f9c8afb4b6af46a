#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace vqas {

/// Impairments of a line, in the classes that a technician looks for.
enum class Impairment {
  loss,             ///< packets lost or speech muted, in the middle
  noise,            ///< added sound that is present in pauses too
  band_loss,        ///< the band is narrower than a telephone's
  clipping,         ///< peaks cut off: a gain is too high
  coding,           ///< coding distortion or bit errors: the impairment accompanies the speech
  level,            ///< varying level: a switched gain or an automatic gain control
  delay_variation,  ///< the delay changes during speech: jitter, play-out buffer
  cut,              ///< the beginning or the end is missing
};

inline constexpr std::array kAllImpairments{
    Impairment::loss,   Impairment::noise, Impairment::band_loss,       Impairment::clipping,
    Impairment::coding, Impairment::level, Impairment::delay_variation, Impairment::cut};

/// From here on an impairment is named whatever it costs. By hand.
inline constexpr double kToldStrength = 0.3;

/// One impairment found.
struct ImpairmentFinding {
  Impairment impairment = Impairment::loss;
  /// 0.3 times what was measured over its limit, 3 at most; that of loss comes near to 3. 0.3 at least of a jump of the
  /// delay, a narrow band and noise above a good circuit's. Not in MOS.
  double strength = 0;
  /// Below its limit, and named by what it costs. Of coding: no more than a healthy coder, as G.711, makes of this
  /// voice.
  bool is_faint() const { return strength < kToldStrength; }
  /// Cost in MOS: what the score loses by this impairment when all others are removed from the recording. Simultaneous
  /// impairments cost less than the sum. Nothing if the cost was not measured.
  std::optional<double> cost_mos = std::nullopt;
  /// It was seen, and the score lost nothing by it: a clock that differs, a level that moves beside clipped peaks. A
  /// fact of the line, and not the cause of a loss.
  bool costs_nothing() const { return cost_mos && *cost_mos <= 0; }
};

/// A part of what a score lost against the highest one.
struct LossPart {
  /// Nothing: what no impairment that was named explains, and what impairments cost only together.
  std::optional<Impairment> impairment = std::nullopt;
  double mos = 0;  ///< >= 0, rounded to 1e-2
};

/// The name in results, "loss" to "cut".
std::string_view to_string(Impairment impairment);
/// The impairment with that name, or nothing.
std::optional<Impairment> impairment_from_string(std::string_view name);
/// Below this, in ms, missing speech is shown as 0 ms.
inline constexpr double kLeastMissing_ms = 0.5;
/// What to look for, in words: "speech is lost or muted; look for packet loss, handovers and gates". Speech that was
/// replaced by other sound counts as loss, too: with `missing_ms` of missing speech below kLeastMissing_ms the words
/// say that.
std::string_view advice(Impairment impairment, double missing_ms);

}  // namespace vqas
