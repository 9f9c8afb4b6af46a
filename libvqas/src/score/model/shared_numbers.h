#pragma once

#include <cmath>

#include "vqas/score/impairment.h"

namespace vqas::scoring {

// Numbers that more than one part of the score uses; each has one meaning and one place.

inline constexpr int kAlignedRateHz = 8000;  // not tuned: the telephone's
inline constexpr int kAlignedFrame = 256;    // not tuned: 32 ms, the resolution of hearing in time of PSQM and PESQ
inline constexpr int kAlignedHop = 128;      // not tuned: half a frame

inline constexpr int kStep = 32;  // samples, 4 ms: fine enough for a packet of 10 ms, long enough for a level
inline constexpr double kStepMs = 1000.0 * kStep / kAlignedRateHz;  // not tuned: 4
inline constexpr int kFrameSteps = kAlignedHop / kStep;  // not tuned: from a frame of the alignment to the next

inline constexpr int kPacketSteps = 5;  // not tuned: 20 ms, the packet of most codecs
// 40 ms: a pause that parts phrases, a cut that is told, a loss of a packet or two.
inline constexpr int kTwoPackets = 2 * kPacketSteps;

inline constexpr double kLargestDriftPpm = 20000;  // not tuned: more is no clock, but another speed
inline constexpr double kTiny = 1e-20;             // not tuned: of a power, against a division by zero

inline constexpr double kShortestS = 1;  // three windows of 0.3 s, over which the distance takes the worst: a shorter
                                         // recording is not scored. A choice.

inline constexpr double kTelephoneFromHz = 300;  // not tuned: what every telephone line passes (ITU-T G.712)
inline constexpr double kTelephoneToHz = 3600;   // and what the best do

inline constexpr int kSameDelay = 4;  // samples: what drift and rounding move a delay that does not change
inline constexpr int kJumpFrom = 16;  // samples: a smaller change of the delay is not heard as a jump, and may be drift
inline constexpr int kHangoverMs = 200;  // not tuned: a shorter pause belongs to the speech (ITU-T P.56, method B)

inline constexpr double kQuietAmplitude = 0.075;               // of the mean, -22.5 dB: a quieter frame is a pause
inline constexpr double kActiveShare = 0.00316;                // of the mean power, -25 dB: less is a pause
inline constexpr double kPauseShare = 1e-4;                    // of the speech, -40 dB: nothing is expected there
inline constexpr double kSilentShare = 3.9810717055349695e-5;  // of speech, -44 dB: in narrowband quieter is silence
inline constexpr int kPauseMargin = 3;         // steps of 4 ms on either side of a pause: ringing of a filter
inline constexpr double kSoundShare = 0.03;    // of the mean power, -15 dB: quieter is no speech that anybody misses
inline constexpr double kLoudAmplitude = 0.5;  // of the mean, -6 dB: a vowel, which tells the line
inline constexpr double kLoudShare = kLoudAmplitude * kLoudAmplitude;  // not tuned: the same of the mean power
inline constexpr float kLeastGain = 1e-4F;  // not tuned: -80 dB, what a level may be divided by

inline constexpr double kAroundSoundS = 0.048;  // beside a sound: its beginning and its end are softer
inline constexpr double kToldS = 0.5;           // a word: so much lost speech, or unused sound, is acted on and told
inline constexpr int kToldFrames = static_cast<int>(kToldS * kAlignedRateHz / kAlignedHop);
inline constexpr double kNoDistance = 5e-5;  // not tuned: of an auditory distance, rounded it is 0

inline constexpr double kCloseMos = 0.5;  // not tuned: the confidence is the chance that a score is so near its label
inline constexpr double kCertain = 0.7;   // correlation of what was found for certain: no other place is as good
inline constexpr double kSameWaveform = 0.9;  // correlation of what was only rounded, or passed a known filter. By hand
inline constexpr double kCorrelated = 0.5;    // another sentence, another place and what does not follow stay below
/// -log(1 - r^2) of one frame or step at most, r 0.99: nothing is that well known.
inline constexpr double kMostUnits = 4;
inline constexpr double kWaveformKept =
    0.8;  // share of the power that the prediction explains where a coder kept the waveform
inline constexpr double kBestTenth = 0.9;  // share of what is worse than what tells how good a line can be
inline constexpr double kGoneShare =
    0.01;  // -20 dB of what was expected: weaker did not arrive; of the mean: no speech
inline constexpr double kFaintShare = 1e-3;  // of a power, -30 dB: beside it nothing is told of what is weaker
inline constexpr double kClearlyOver = 4;    // of a power, 6 dB: no longer what a line sends in pauses
inline const double kClearlyOverDb = 10 * std::log10(kClearlyOver);  // not tuned: the same
inline constexpr double kOverUsual = 10;       // of a coder's usual error, 10 dB: what is more is something else
inline constexpr float kPeakShare = 0.9F;      // of the highest sample: what is taken for a peak that was clipped
inline constexpr double kClippedPeaks = 0.08;  // loss of the peaks from which clipping is told,
inline constexpr double kFaintPeaks = 0.03;    // and from which they are repaired, named or not
inline constexpr double kToldLevelDb = 3.5;    // by which a level moves that is told
inline constexpr double kMostStrength = 10 * kToldStrength;  // not tuned: a fault that is stronger leaves nothing

inline constexpr int kFewest = 8;  // blocks or frames: fewer may agree by chance

}  // namespace vqas::scoring
