#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"

namespace vqas::speech_edit {

/// Pause before and after the speech of a stimulus, in seconds. Long enough for a level meter's 0.2 s hangover (P.56)
/// and for a voice-activity gate to close, short enough to cost little line time.
inline constexpr double kLeadS = 0.30;
inline constexpr double kTailS = 0.35;
/// Level of the room noise under every stimulus, in dBov: 49 dB below the speech, and 6 steps of 16 bits rms, so that
/// no pause is digital zero, which gates and comfort noise treat unlike anything a line delivers.
inline constexpr double kRoomNoiseDbov = -75.0;
/// No sample of a stimulus is hotter than this, in dBov of a square wave (full scale is 0).
inline constexpr double kHighestPeakDbov = -1.0;

/// Samples [begin, end).
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Speech stands out from the noise floor by more than this, in dB. Frames of stationary noise reach 3 dB above their
/// 5 % quantile, those of a room 6 dB (measured: white noise; `long_silence`).
inline constexpr double kAboveFloorDb = 10.0;

/// Levels of 10 ms frames in dBov; a frame quieter than kDigitalSilenceDbov has that: 9 dB below the steps of 16 bits,
/// where only digital zeros and a filter's decay into them lie.
inline constexpr double kFrameS = 0.010;
inline constexpr double kDigitalSilenceDbov = -110.0;
std::vector<double> frame_levels_dbov(const Signal& signal);

/// The value below which the share `share` (0..1) of the values lies; digital silence is left out. kDigitalSilenceDbov
/// when nothing else is there.
double level_quantile(std::vector<double> levels_dbov, double share);

/// Share of frames taken as the noise floor: the quietest 5 %, which in running speech are the closures of stops.
inline constexpr double kFloorShare = 0.05;

/// Where the speech is, to 10 ms: from the first to the last 30 ms in a row that lie above both the loudest frame less
/// 45 dB and the noise floor plus 10 dB, widened by 20 ms before and 40 ms after, so that weak onsets and decays stay.
/// Empty (begin == end) when nothing does.
Span find_speech(const Signal& signal);

/// Room noise: Gaussian (sum of twelve uniform values), falling by 6 dB an octave above 300 Hz, as noise in rooms does
/// (Hoth's spectrum falls by about 5 dB). The same seed gives the same samples.
Signal room_noise(std::size_t count, int rate_hz, double level_dbov, std::uint64_t seed);

/// FNV-1a of a text (64 bit): the noise of each stimulus is its own, and the same in every build.
std::uint64_t seed_of(const std::string& text);

/// The speech with `kLeadS` and `kTailS` around it. At most `natural_s` of what the recording holds before and after
/// the span is kept on either side; the rest is filled with room noise of `fill_dbov`. Joins are faded over 10 ms.
Signal with_pauses(const Signal& signal, Span speech, double natural_s, double fill_dbov, std::uint64_t seed);

/// Takes out what no line carries and no talker makes: second-order Butterworth high-pass at 60 Hz. Bends phases near
/// its corner, so it is for a synthesiser's output only.
Signal without_rumble(Signal signal);

/// The same for people's recordings, without moving a phase: the mean is taken off, then a second-order Butterworth
/// high-pass at 40 Hz runs forwards and backwards (-6 dB at 40 Hz, -0.5 dB at 80 Hz, the lowest male voices).
Signal without_offset(Signal signal);

/// First-order shelf: 0 dB at low frequencies, rising from `from_hz` to `to_hz` by their ratio.
Signal brighter(Signal signal, double from_hz, double to_hz);

/// The recording at -26 dBov active level (P.56) with room noise under it. Fails with bad_input when no level can be
/// measured or a peak would be above kHighestPeakDbov.
Result<Signal> levelled(Signal signal, std::uint64_t seed);

/// Moves the level to -26 dBov to 0.001 dB. Fails as levelled() does.
Result<Signal> to_nominal_level(Signal signal);

}  // namespace vqas::speech_edit
