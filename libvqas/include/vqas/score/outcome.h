#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace vqas {

/// How a measurement ended. A closed list: only `scored` carries a MOS, every other one carries a reason.
enum class Outcome {
  scored,
  not_found,      ///< no mark and no speech found
  not_aligned,    ///< something was received, but it cannot be aligned with the reference
  no_speech,      ///< reference or received recording holds no speech
  too_short,      ///< shorter than a score requires
  clipped_input,  ///< the receiver's own input was overdriven, or the reference is clipped
  bad_input,      ///< a file or a sample is not usable
  audio_fault,    ///< the sound device lost, inserted or zeroed samples
  line_lost,      ///< the call or the other end went away
  cancelled,      ///< a stop was requested
};

inline constexpr std::array kAllOutcomes{
    Outcome::scored,        Outcome::not_found, Outcome::not_aligned, Outcome::no_speech, Outcome::too_short,
    Outcome::clipped_input, Outcome::bad_input, Outcome::audio_fault, Outcome::line_lost, Outcome::cancelled};

/// The name in results, "scored" to "cancelled".
std::string_view to_string(Outcome outcome);
/// The outcome with that name, or nothing.
std::optional<Outcome> outcome_from_string(std::string_view name);

}  // namespace vqas
