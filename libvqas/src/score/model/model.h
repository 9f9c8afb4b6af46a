#pragma once

#include <cstddef>
#include <vector>

#include "score/model/calibration_table.h"
#include "score/model/shared_numbers.h"
#include "vqas/score/mode.h"

namespace vqas::scoring {

// Sources of the constants. Where a line names no paper, the value was found by a search for the smallest error against
// narrowband P.862.1; libvqas/doc/record/calibration.md says on which pairs, and what each part buys.

/// Lower edges of bands of equal width on Traunmueller's Bark scale (JASA 88(1), 1990) from 107 Hz on, and the end of
/// the last, which holds `to_hz`; in bins of a frame. The same of both models, which have the same frames and bins.
std::vector<int> band_layout(double to_hz);

/// The perceptual part: what a listener notices of the difference between two aligned recordings.
/// Immutable; another rate or band layout is another value of this struct.
struct PerceptualModel {
  int rate_hz = kAlignedRateHz;
  int frame = kAlignedFrame;
  int hop = kAlignedHop;
  /// Band i holds the bins edges[i]..edges[i+1]-1 of rate/frame each: 90..3720 Hz. See band_layout().
  std::vector<int> band_edges = band_layout(kTelephoneToHz);

  double level_from_hz = kTelephoneFromHz;  ///< bands between these set the level
  double level_to_hz = kTelephoneToHz;      ///< and up to here
  double handset_hz = kTelephoneFromHz;     ///< what a handset's receiver loses: corner of a high-pass
  /// A frame is active above this share of the mean power.
  double active_ratio = kQuietAmplitude * kQuietAmplitude;
  double loud_ratio = kLoudShare;  ///< a louder frame shows the level

  double loudness_floor = 5.011872336272725e-8 / 16;  ///< power per Bark under loud speech = 1, -73 dB over 16 Bark
  double loudness_exponent = 0.1527;                  ///< loudness grows with power to this
  double response_limit = 1 / kGoneShare;             ///< not tuned: the line's response is forgiven by ±20 dB
  double gain_floor = kSilentShare;                   ///< below it the gain is not followed
  double gain_lowest = 0.01;                          ///< -20 dB: noise in a pause is no softer speech
  double gain_highest = 3.9810717055349722;           ///< +6 dB: a muted frame cannot be lifted
  double raised_ratio = 7.943282347242816;            ///< 9 dB: a cell raised by more counts as added sound
  double raised_norm = 3.5;                           ///< power mean over the bands of what was raised
  double raised_floor = 2.5118864315095823e-7;        ///< -66 dB in a band: sound below it raises nothing, searched
  /// The loudness floor is that of a band at 1 kHz; the others have it as the threshold of hearing lies.
  bool floor_is_threshold = false;

  /// A recording that is the reference at another gain, rounded to 16 bits, is the reference: the steps are the file's,
  /// not the line's.
  bool rounding_forgiven = true;

  double frame_weight_exponent = 0.04;      ///< not tuned: that of P.862; quiet frames count a little more
  double frame_weight_floor = kSoundShare;  ///< quieter frames count as such a one
  /// Of the speech's power, the mean weighted with itself: what lies before the first louder frame of the reference and
  /// behind the last is silence around what was sent, and no part of it. P.862 leaves such ends out, too.
  double silent_ratio = kSilentShare;
  int window = 20;              ///< frames over which the worst is taken, 0.3 s; each overlaps half of the next
  double time_exponent = 1.85;  ///< power mean over the windows
  /// What the worst of a window comes near to and never reaches: speech that is gone cannot be worse than gone. P.862
  /// limits the disturbance of a frame, too. Searched together with the exponent of the bend; wideband has limits of
  /// its own. The table is in libvqas/doc/record/window-limit.md.
  double most_changed = 0.45;  ///< without a limit pairs 0.179, with 0.5 and bend 3 0.175
  double most_raised = 0.18;   ///< 0.2 before silence at the ends was left out: libvqas/doc/record/silent-ends.md
  double most_bend = 5;        ///< how late it bends: 3 bends small distances, too; 0.174 to 0.172

  int jump_from = kJumpFrom;
  int jump_largest = 800;  ///< samples: a larger one costs no more
  int long_step = 2400;    ///< samples, 0.3 s: no pair that the constants were found on has a longer step
  /// Frames either side that are heard at both delays, of which the worse one counts, and that say whether somebody was
  /// talking.
  int jump_reach = 3;

  /// not tuned: floor of the loudness whose pattern says whether both recordings hold the same sentence, per Bark.
  double pattern_floor = kPauseShare / 16;

  /// Between these the waveforms are compared to see whether both hold the same speech: above the voice's fundamental,
  /// which another sentence shares, below most of the noise.
  double match_from_hz = 400;
  double match_to_hz = 1800;
  int match_run = kToldFrames;    ///< frames: shorter segments of steady delay count less
  int match_steady = kSameDelay;  ///< from frame to frame
  /// The same speech is there when the waveforms match by this much, or the patterns by that much. Set between true
  /// pairs at their worst and false ones at their best; libvqas/doc/record/recognition.md has both distributions.
  double match_waveform = 0.28;
  double match_pattern = 0.68;
  /// AD of speech that did not arrive: where the place is known and neither match is reached, no AD is below it.
  double nothing_arrived = 5.0;

  double weight_changed = calibrated::kChanged;
  double weight_stepped = calibrated::kStepped;
  double weight_raised = calibrated::kRaised;
  double weight_inserted = calibrated::kInserted;

  // Confidence: what is added to the logarithm of the scale of AD's error. All are fitted.
  double trust_scale = calibrated::kTrustScale;
  double trust_shortness = calibrated::kTrustShortness;
  double trust_steps = calibrated::kTrustSteps;
  double trust_drift = calibrated::kTrustDrift;
  double trust_tone = calibrated::kTrustTone;
  double trust_pattern = calibrated::kTrustPattern;
  double trust_foreign = calibrated::kTrustForeign;
  double trust_noise = calibrated::kTrustNoise;
  double trust_stretch = calibrated::kTrustStretch;
  double trust_ends = calibrated::kTrustEnds;
  double trust_taken = calibrated::kTrustTaken;
  /// not tuned: longer than what belongs to a sound on its two sides. If so many seconds of speech were not found, and
  /// as many seconds of sound lie where no speech was laid, the sound is most often that speech.
  double unplaced_ambiguous_s = 2 * kAroundSoundS;
  /// Two readings of a recording, of which the score takes one: as likely as not.
  double trust_either = 0.5;  // not tuned
  /// With so many seconds of speech not found, and so many of sound that matches none, the sound may be that speech
  /// or not. Of 126 such pairs 97 were within 0.5 of the label; more is not given.
  double ambiguous_s = kToldS;
  double trust_ambiguous = 0.75;
  /// Seconds. In each second by which pauses move speech P.862 may lose its way with the same chance, and then counts
  /// what the score does not. Searched on pauses of 0.4 to 4 s: libvqas/doc/record/pauses-and-ends.md.
  double put_in_s = 2;
};

/// The alignment: where each frame of the reference lies in the degraded recording. Lengths are in samples unless said.
struct AlignmentModel {
  int rate_hz = kAlignedRateHz;
  int frame = kAlignedFrame;
  int hop = kAlignedHop;

  int envelope_hop = hop / 2;          ///< not tuned: 125 envelope values a second (Voran 2004)
  float envelope_preemphasis = 0.9F;   ///< by hand: flattens the spectrum of a voice
  float envelope_floor = kPauseShare;  ///< of the mean power
  float envelope_exponent = 0.3F;      ///< not tuned: loudness by S. Stevens (JASA 27, 1955)
  int places = 4;                      ///< of a recording by its envelope, or of a phrase, that are examined
  int global_blocks = 12;              ///< strongest blocks that decide between them
  /// A peak whose waveform correlates so well is the right one: no other sentence and no other place of this one does.
  /// Where the envelopes do, the delay changes on the way, and no single one of the whole waveforms is sought: another
  /// place of a sentence that is spoken twice may fit them better.
  double certain_correlation = kCertain;

  /// Where the blocks' correlation stays below this, the whole waveforms are searched too. In white noise at 0 dB the
  /// median correlation along the track was 0.20 without this search (22 recordings) and 0.67 with it (34).
  double waveform_search_below = kCorrelated;
  int waveform_step = kSameDelay;                 ///< samples: what is searched is averaged over twice as many
  std::size_t waveform_search_longest = 1 << 21;  ///< not tuned: samples of both together, some 50 MB

  int piece = 64;              ///< envelope steps, 512 ms: a piece, and the farthest that it is sought on either side
  double piece_change = 0.25;  ///< cost of a change of delay from one piece to the next
  double piece_step = 0.06;    ///< cost of a change by one step

  // Speech that has no place there is searched for in the whole recording.
  int phrase = static_cast<int>(kShortestS * rate_hz / hop);  ///< frames: a longer phrase is searched for in parts
  int near_range = frame;                                     ///< samples, 32 ms: a packet of 20 ms and more
  std::size_t most_cells = 1 << 22;  ///< not tuned: frames times delays, some 200 MB of the path
  int rounds = 2;  ///< searches at most: each may find the next of several steps, or the rest of a drift
  double pause_weight = kQuietAmplitude;

  int block = 768;  ///< 96 ms; so far apart pieces begin, and peaks lie at least
  int block_steps() const { return block / envelope_hop; }   ///< of the envelope
  int block_fft() const { return block + 2 * block_range; }  ///< samples
  int block_range = hop;                                     ///< samples either side: two steps of the envelope
  int candidates = 16;                                       ///< delays at most, by hand

  /// Samples: a change of the delay by no more is a small one, as a drift makes it. The delays of a known step are
  /// sought within as much: clocks that differ by 200 ppm move a place by 10.
  int near_by = kJumpFrom - kSameDelay;
};

/// From auditory distance to MOS: bottom + 4/(1 + exp(AD - K)), K such that identity gets `top`.
struct MosScale {
  double bottom = 1;  ///< not tuned: the lowest of P.862.1's scale
  double top = 4.55;  ///< not tuned: what P.862.1 gives to the best that it can express

  double mos_of(double auditory_distance) const;
  /// The inverse; `mos` is above `bottom` and at most `top`.
  double distance_of(double mos) const;
};

/// One model of the score, as a value: all that makes its scores.
struct ScoreModel {
  ScoreMode mode = ScoreMode::narrowband;
  MosScale scale;
  /// What aligns, recognises and diagnoses: telephone band at 8 kHz in every mode.
  AlignmentModel alignment;
  PerceptualModel recognition;
  /// What hears the difference that is scored. Its rate is a multiple of that of `recognition`, its frames lie at the
  /// same times.
  PerceptualModel listening;

  /// No confidence above this is stated. Below 1 where no circumstance tells apart a part of the scores of which 99 in
  /// 100 are within 0.5 of the label.
  double most_confidence = 1;  // not tuned: no bound

  /// A model that listens at another rate tells a band that ends below the one or begins above the other, in Hz: below
  /// AMR-WB's 6.4 kHz, and where a wideband telephone must have begun (ITU-T P.341).
  double band_told_below_hz = 5500;
  double band_told_above_hz = 250;
  double band_whole_to_hz = 7000;  ///< not tuned: where P.862.2 ends. One that ends below it is told if it costs enough

  /// Samples that are heard for each one that is aligned: 1 or 2.
  int heard_samples() const { return listening.rate_hz / recognition.rate_hz; }
};

MosScale scale_of(ScoreMode mode);
ScoreModel score_model(ScoreMode mode);

}  // namespace vqas::scoring
