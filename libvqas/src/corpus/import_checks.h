#pragma once

#include <optional>
#include <string>
#include <vector>

#include "speech_edit.h"
#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"

namespace vqas::import_checks {

// Each threshold lies between the values of recorded speech (23 recordings of people, 24 of the project's corpus) and
// those of the sounds to refuse; doc/corpus.md gives both figures.

/// Lowest accepted active level, in dBov: 16-bit quantisation noise is at -101 dBov, 41 dB below the speech.
inline constexpr double kLowestLevelDbov = -60.0;
/// Least distance of the active level from the noise floor, in dB.
inline constexpr double kLeastSnrDb = 30.0;
/// Least distance between the loud (95 %) and the quiet (5 %) frames of speech, in dB.
inline constexpr double kLeastMovementDb = 15.0;
/// Least standard deviation, in dB, of the level above kColourCornerHz relative to the whole, among the loud frames:
/// the sounds of speech alternate, a tone or a shaped noise keeps its spectrum.
inline constexpr double kLeastColourDb = 4.0;
/// Divides the sounds of speech: first formants lie below, second formants and fricatives above.
inline constexpr int kColourCornerHz = 1000;
/// Corner above which the upper part of the telephone band lies (300 to 3400 Hz, ITU-T G.712).
inline constexpr int kUpperCornerHz = 3000;
/// Corner above which only a wide-band recording has speech. Above 4000 Hz, because above() also passes the transition
/// of the conversion, the last 9 % below the corner.
inline constexpr int kWideCornerHz = 4500;
/// Least level of a band's upper part relative to the whole, in dB.
inline constexpr double kLeastUpperBandDb = -45.0;
/// Least distance between the loud (95 %) and the quiet (5 %) frames of the upper band, in dB: noise alone has less.
inline constexpr double kLeastUpperMovementDb = 10.0;

/// The part of a recording above `corner_hz`, aligned with it: the recording minus itself converted to twice the corner
/// and back (the conversion has a linear phase and no delay). It rises from 91 to 100 % of the corner. Fails like
/// resample().
Result<Signal> above(const Signal& recording, int corner_hz);

/// True when `upper`, a part of `whole` by above(), holds speech and not only noise.
bool holds_speech(const Signal& upper, const Signal& whole);

/// Distance between the loud (95 %) and the quiet (5 %) levels, without digital silence, in dB.
double movement_db(const std::vector<double>& levels_dbov);

/// Standard deviation of the level of `upper` relative to `whole` over the loud frames of `whole`, in dB; 0 when there
/// are fewer than two.
double colour_movement_db(const Signal& upper, const Signal& whole);

}  // namespace vqas::import_checks
