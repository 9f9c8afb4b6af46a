#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "score/compare/frame_sums.h"
#include "score/compare/measurements.h"
#include "score/compare/step_places.h"
#include "score/dsp/kernels.h"
#include "score/dsp/lane_fft.h"
#include "score/dsp/padded_signal.h"
#include "score/model/model.h"
#include "signal/aligned.h"

namespace vqas::scoring {

/// Frames that follow each other.
struct FrameStretch {
  std::size_t begin = 0, frames = 0;
};

/// The perceptual transform and the comparison of two aligned recordings, both behind a handset. Holds its plan and
/// work space; the loop over frames allocates nothing. For one thread.
class Perception {
 public:
  explicit Perception(const PerceptualModel& model);

  /// Takes the band powers of the reference, of at least one frame, which is compared until another one is assigned.
  void assign(const PaddedSignal& reference);
  /// Band powers of the degraded recording, frame by frame, each at its delay; where the delay jumps nearby, also at
  /// the delay on the jump's other side. `delay` has one value for each frame of the reference. waveform_match() needs
  /// `is_matched`.
  void transform(const PaddedSignal& degraded, std::span<const int> delay, const NotReceived& not_received = {},
                 bool is_matched = true);

  /// The phase that the line gives each bin of a frame, of size 1: what follows matches waveforms without it. Empty:
  /// the line has none. Kept until the next one or another reference is taken.
  void take_phase(std::span<const Complex> phase);

  /// Compares what transform() left. `least_degraded_power` is the mean level power of a degraded frame (before any
  /// normalisation) below which it is not lifted to the reference's level: what is quieter has not arrived. `line`, in
  /// this recording's scale, gives the level and the response of a longer recording that this one is a part of. The
  /// silence at the ends of a segment is a pause of that recording.
  Measurements compare(std::span<const int> delay, double least_degraded_power, const FrameSums* line = nullptr,
                       bool is_segment = false);
  /// What compare() would have found if steps of the delay by more than so many samples cost nothing: neither the delay
  /// that they insert nor what is heard beside them. Nothing where there is no such step with speech that was found on
  /// either side. After compare() with the same delays, before pattern_match(); leaves the cells as they are.
  std::optional<Measurements> without_steps(std::span<const int> delay, int longer_than);
  /// This pair's share of such a `line`. After transform(), before compare().
  FrameSums frame_sums() const;
  /// Loudness of the degraded minus that of the reference in every cell, as compare() heard it: band by band, frames()
  /// values each; near a jump on the side of the frame's own delay. After compare(), before pattern_match().
  std::vector<float> loudness_difference() const;

  /// How much of the reference's pattern over time and frequency is found in the degraded recording: correlation of the
  /// loudness over bands and active frames, means over time and over bands removed; -1..1. After compare(); overwrites
  /// the cells.
  double pattern_match();

  /// Weighted mean of the frames' waveform correlation between 300 and 1800 Hz; -1..1. Frames in a
  /// segment of steady delay that is shorter than half a second count less: a voice of steady pitch agrees with any
  /// other sentence for a moment. Frames that were lost (as in transform()) agree with nothing. After transform() with
  /// the same delays.
  double waveform_match(std::span<const int> delay, std::span<const char> lost = {}) const;

  int frames() const { return frames_; }
  /// The frames that the distance is made of; after compare().
  const FrameStretch& compared() const { return compared_; }
  /// Mean power of a frame of the reference's sound, without the silence around it, in the bands that set the level,
  /// before normalisation; after assign().
  double reference_power() const { return mean_of_sound(reference_level_); }
  /// The same of the degraded recording, in the same frames; after transform().
  double degraded_power() const { return mean_of_sound(degraded_level_); }
  /// 1 for each active frame of the reference; after assign().
  std::span<const char> active() const { return active_; }
  /// Standard deviation of the active frames' level of the reference, in dB; after assign().
  double level_variation_db() const;
  int active_frames() const { return active_count_; }
  /// Power of the degraded recording's frames where the reference is active above that of the others, in dB, at most
  /// 60; 60 where there are no others. After transform().
  double speech_to_pause_db() const;
  /// Sound that steps of the delay put between two frames, seconds: louder than a share of the recording's mean, and
  /// than what the line sends in pauses. It is compared with silence. After transform().
  double sound_between_s() const;
  /// How far pauses that last longer or shorter have moved speech, as StepPlaces. After assign().
  double moved_by_pauses(std::span<const int> delay, std::span<const char> lost = {}) const {
    return steps_.moved_by_pauses(delay, active_, lost);
  }
  /// By how much speech was stretched or shrunk where it was most, as StepPlaces. After assign().
  double stretched(std::span<const int> delay, std::span<const char> lost = {}) const {
    return steps_.stretched(delay, active_, lost);
  }
  /// Largest share of one band in the degraded recording's power per Bark where the reference is not active, 0..1: near
  /// 1 for a tone, 0.1 to 0.4 for most noises and echoes of speech. After transform().
  double largest_pause_band() const;

 private:
  /// Cells of band and frame, and what is computed from them. A row is one band over all frames, filled up with zeros
  /// to a multiple of kLanes.
  struct Cells {
    AlignedVector<float> reference, degraded;
    AlignedVector<float> reference_sum, degraded_sum, gain, changed, raised;
    int frames = 0;
    std::size_t stride = 0;

    /// The cells keep what they held.
    void reset(int count, int bands);
    std::span<float> row(AlignedVector<float>& cells, int band) const {
      return {cells.data() + static_cast<std::size_t>(band) * stride, static_cast<std::size_t>(frames)};
    }
    std::span<const float> row(const AlignedVector<float>& cells, int band) const {
      return {cells.data() + static_cast<std::size_t>(band) * stride, static_cast<std::size_t>(frames)};
    }
  };
  const float* samples_at(const PaddedSignal& signal, int position) const;
  LoudnessLaw law_of(int band) const;
  LaneSums sums() const;
  static void put(std::span<const float> values, std::size_t first, AlignedVector<float>& to);
  /// The bands of the frames that were transformed, to the rows of a table of bands and `frames` frames.
  void put_bands(std::size_t first, std::size_t frames, std::size_t stride, AlignedVector<float>& cells) const;
  void sum_levels(const AlignedVector<float>& cells, std::size_t stride, AlignedVector<float>& level) const;
  /// Bands of `count` frames of the degraded recording that begin at `place(n)`.
  template <typename Place>
  void transform_apart(const PaddedSignal& degraded, std::size_t count, Cells& to, const Place& place);
  void transform_between(const PaddedSignal& degraded);
  void hear(Cells& cells) const;
  void hear_other_sides();
  void hear_between();
  void find_least_sound();
  void find_sound();
  void find_activity();
  double mean_of_sound(const AlignedVector<float>& level) const;
  void normalise(double least_degraded_power, const FrameSums* line);
  void forgive_response(const FrameSums* line);
  void weigh_frames();
  std::size_t half_window() const { return static_cast<std::size_t>(model_.window / 2); }
  /// `most`: what the distance of one window comes near to.
  double sum_of_worst(std::span<const float> distance, double most) const;
  double worst_over_time(std::span<const float> frames, std::span<const float> between, double most) const;
  double changed_over_time() const { return worst_over_time(cells_.changed, between_.changed, model_.most_changed); }
  /// Of the frames as they are weighed; inserted delay counts up to steps of `longest`.
  Measurements measure(std::span<const int> delay, int longest);
  double mean_where(const AlignedVector<float>& chosen, int count, std::span<const float> cells) const;

  PerceptualModel model_;
  int bands_;
  std::vector<double> width_bark_;
  std::vector<double> loudness_floor_;  // power of a band that is just not heard
  std::vector<float> bin_weight_;
  std::vector<char> sets_level_;
  std::vector<double> band_weight_;  // 1 in sum
  LaneFft fft_;
  int match_from_ = 0, match_to_ = 0;  // bins, half open

  int frames_ = 0;
  int active_count_ = 0;
  int loud_count_ = 0;
  FrameStretch sound_;     // of the reference, without silence at its ends
  FrameStretch compared_;  // what the distance is made of
  double reference_scale_ = 0, degraded_scale_ = 0;
  Cells cells_;
  Cells others_;   // the other sides of jumps
  Cells between_;  // what a step put between two frames
  StepPlaces steps_;
  std::vector<int> between_place_;      // of each frame of between_: its first sample
  AlignedVector<float> between_level_;  // as degraded_level_
  /// Of a frame between two others that holds a sound, the least level: louder than a share of the recording's mean,
  /// and than what the line sends in pauses.
  double least_sound_ = 0;
  std::vector<float> pause_level_;
  std::vector<int> deleted_;  // frames
  /// A frame beside a step, and what it hears.
  struct BesideStep {
    int frame = 0;
    float changed = 0, raised = 0;
  };
  std::vector<BesideStep> beside_steps_, beside_long_steps_;
  /// Nothing is heard beside steps by more than so many samples between speech that was found, or with -1 beside all
  /// steps; what was heard there goes to `heard`.
  void silence_beside_steps(int longer_than, std::vector<BesideStep>& heard);
  void hear_again(std::span<const BesideStep> heard);
  AlignedVector<float> reference_level_, degraded_level_;
  std::vector<char> active_;
  AlignedVector<float> is_active_, is_pause_;  // as factors, filled up with zeros
  AlignedVector<float> frame_weight_;
  AlignedVector<float> cross_, match_reference_, match_degraded_;
  AlignedVector<float> reference_bands_;  // as a row of cells each
  AlignedVector<float> match_spectrum_;   // of the reference, where it is matched, batch by batch
  AlignedVector<float> turned_spectrum_;  // the same with the phase of the line,
  bool is_turned_ = false;                // where it has one
};

}  // namespace vqas::scoring
