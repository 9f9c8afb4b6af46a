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
/// Level of the room noise under every stimulus, in dBov: 49 dB below the speech, and 6 16-bit steps rms. So no pause
/// is digital zero, which gates and comfort noise treat differently from a real line signal.
inline constexpr double kRoomNoiseDbov = -75.0;
/// Highest sample of a stimulus, in dBov of a square wave (full scale is 0).
inline constexpr double kHighestPeakDbov = -1.0;

/// Samples [begin, end).
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Least distance of speech from the noise floor, in dB. Frames of stationary noise reach 3 dB above their 5 %
/// quantile, those of a room 6 dB (measured: white noise; `long_silence`).
inline constexpr double kAboveFloorDb = 10.0;

/// Levels of 10 ms frames in dBov. Quieter frames get kDigitalSilenceDbov, 9 dB below 16-bit quantisation: only digital
/// zeros and a filter's decay into them are below.
inline constexpr double kFrameS = 0.010;
inline constexpr double kDigitalSilenceDbov = -110.0;
std::vector<double> frame_levels_dbov(const Signal& signal);

/// The `share` (0..1) quantile of the values without digital silence; kDigitalSilenceDbov when there are no others.
double level_quantile(std::vector<double> levels_dbov, double share);

/// Share of frames taken as the noise floor: the quietest 5 %, which in running speech are the closures of plosives.
inline constexpr double kFloorShare = 0.05;

/// Position of the speech, to 10 ms: from the first to the last 30 ms in a row that lie above both the loudest frame
/// minus 45 dB and the noise floor plus 10 dB, widened by 20 ms before and 40 ms after to keep weak onsets and decays.
/// Empty (begin == end) when there is no speech.
Span find_speech(const Signal& signal);

/// Room noise: Gaussian (sum of twelve uniform values), falling by 6 dB an octave above 300 Hz, similar to noise in
/// rooms (Hoth's spectrum falls by about 5 dB). The same seed gives the same samples.
Signal room_noise(std::size_t count, int rate_hz, double level_dbov, std::uint64_t seed);

/// FNV-1a of a text (64 bit): gives each stimulus its own noise, the same in every build.
std::uint64_t seed_of(const std::string& text);

/// The speech with `kLeadS` and `kTailS` around it. At most `natural_s` of the recording's own sound is kept before and
/// after the span; the rest is filled with room noise of `fill_dbov`. Joins are faded over 10 ms.
Signal with_pauses(const Signal& signal, Span speech, double natural_s, double fill_dbov, std::uint64_t seed);

/// Removes rumble, which neither lines nor talkers produce: second-order Butterworth high-pass at 60 Hz. Changes the
/// phase near its corner, so it is only for the output of a synthesiser.
Signal without_rumble(Signal signal);

/// The same for people's recordings, without changing the phase: removes DC, then applies a second-order Butterworth
/// high-pass at 40 Hz forwards and backwards (-6 dB at 40 Hz, -0.5 dB at 80 Hz, the lowest male voices).
Signal without_offset(Signal signal);

/// First-order shelf: 0 dB at low frequencies, rising from `from_hz` to `to_hz` by their ratio.
Signal brighter(Signal signal, double from_hz, double to_hz);

/// The recording at -26 dBov active level (P.56) with room noise under it. Fails with bad_input when no level can be
/// measured or a peak would be above kHighestPeakDbov.
Result<Signal> levelled(Signal signal, std::uint64_t seed);

/// Sets the level to -26 dBov within 0.001 dB. Fails like levelled().
Result<Signal> to_nominal_level(Signal signal);

}  // namespace vqas::speech_edit
