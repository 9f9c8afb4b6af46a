#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vqas/signal/end.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// An end's input when a transmission is due and its mark does not arrive.
struct IdleInput {
  enum class Kind : std::uint8_t {
    no_packets,       ///< a packet line on which none arrived
    digital_silence,  ///< every sample is the same
    quiet,            ///< noise below -60 dBov: a converter or an open circuit, no sender
    tone,             ///< call-progress tone (ITU-T E.180)
    noise,            ///< a louder signal that is no transmission
  };
  Kind kind = Kind::digital_silence;
  std::optional<double> level_dbov;   ///< rms; nothing for no_packets and digital_silence
  std::optional<double> level_dbm0p;  ///< as a psophometer reads it (ITU-T O.41), 0 dBm0 at -6.18 dBov; likewise
  double tone_hz = 0;                 ///< of a tone
};

/// Judges an input at 8 kHz by its last 10 s. `no_packets`: of a packet line on which none arrived meanwhile.
/// Re-entrant.
IdleInput judge_idle_input(const Signal& heard, bool no_packets);

/// Psophometrically weighted power of a signal at 8 kHz, in dB relative to full scale's square: ITU-T O.41, table 1;
/// nothing if it is too short or silent. Re-entrant.
std::optional<double> psophometric_dbov(const Signal& signal);

/// "digital silence (every sample is the same)", "noise at -48.2 dBov (-45.5 dBm0p)"
std::string in_words(const IdleInput& input);
/// What to check, one sentence part. `hearing` and `speaking` name the two ends, "b" and "a".
std::string what_to_look_at(const IdleInput& input, const std::string& hearing, const std::string& speaking);

/// One sentence part: what `hearing` hears instead of `speaking`, and what to check.
std::string nothing_heard(const IdleInput& input, const std::string& hearing, const std::string& speaking);

/// An end that waits for the first mark of the other end.
struct MarkWait {
  End from = End::a;    ///< the sending end; the other receives nothing from it
  double waited_s = 0;  ///< since the transmission left
  double left_s = 0;    ///< until the receiver abandons it
  IdleInput heard;
};
/// One sentence part with what to check.
std::string in_words(const MarkWait& wait);

}  // namespace vqas
