#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "score/align/best_path.h"
#include "score/align/block_correlator.h"
#include "score/align/delay_candidates.h"
#include "score/align/frame_correlator.h"
#include "score/align/full_correlator.h"
#include "score/align/line_filter.h"
#include "score/align/phrase_places.h"
#include "score/align/piece_places.h"
#include "score/align/piece_search.h"
#include "score/dsp/padded_signal.h"
#include "score/model/model.h"
#include "score/prepare/envelope.h"

namespace vqas::scoring {

/// Seconds of the reference's speech that were not found, and seconds of received sound that match no speech. Where
/// both are long, the sound may or may not be that speech. `sound_s` is 0 where no speech is lost.
struct Unexplained {
  double lost_s = 0;
  double sound_s = 0;
  /// Seconds of the lost speech that arrived in another order, at a place that no other speech takes.
  double elsewhere_s = 0;
};

/// Where each frame of the reference lies in the degraded recording.
struct Alignment {
  std::vector<int> delay;          ///< samples, one a frame
  std::vector<float> correlation;  ///< of the waveforms at that delay, -1..1, one a frame
  std::vector<float> weight;       ///< what that correlation says, 0..1, one a frame
  std::vector<char> skipped;       ///< one a frame, 1 where a step left out what was there; empty where none was
  std::vector<char> deleted;       ///< one a frame, 1 where a pause was taken out; empty where none was
  std::vector<char> lost;          ///< one a frame, 1 where its speech was not found; empty where all was found
  Unexplained unexplained;         ///< what is left over when everything was searched for
  bool inverted = false;           ///< the recording was inverted before the delays were followed
  int taps = 0;                    ///< of the line's filter that the correlations are behind
  bool one_delay_fits = false;     ///< one delay fits everywhere, so that no other was looked for
};

/// Finds the delay track: peaks of the envelope correlation; the one that the waveform confirms; one delay for all if
/// it fits everywhere (the first two after S. Voran, "Perception-based bandwidth-efficient time delay estimation",
/// 2004); else delays to the sample that the blocks propose, near by first and from anywhere for speech that has no
/// place, and the likeliest path over the frames. Holds its work space and plans; for one thread.
class Aligner {
 public:
  explicit Aligner(const AlignmentModel& model);

  /// Takes what is known of a reference before anything is compared with it. It holds at least one frame, has mean 0,
  /// and stays alive and unchanged as long as it is used.
  void assign(const PaddedSignal& reference);
  /// `degraded` has mean 0 and similar power. One whose polarity is inverted is inverted: what comes of it is the
  /// same to the last bit, but for Alignment::inverted. The result stays valid until the next call.
  const Alignment& align(PaddedSignal& degraded, const DelayRange& range);
  /// Of a straight line through the places of the reference's short pieces, in the recording that was aligned last,
  /// within the same range.
  std::optional<double> find_slope(const PaddedSignal& degraded, const DelayRange& range, double steepest);
  /// The reference's blocks as they were correlated last.
  BlockCorrelator& blocks() { return blocks_; }
  /// The phase that the line gives each bin of a frame; empty where the last alignment did without.
  std::span<const Complex> line_phase() const { return is_passed_ ? filter_.phase() : std::span<const Complex>{}; }

 private:
  struct GlobalDelay {
    int step = 0;                // in envelope steps
    int delay = 0;               // in samples
    int inverted_delay = 0;      // in samples, where the inverted recording agrees best
    double correlation = 0;      // with the recording as it is,
    double inverted = 0;         // and with the inverted one
    bool from_waveform = false;  // the envelopes did not show it
    double either() const { return std::max(correlation, inverted); }
    bool is_inverted() const { return inverted > correlation; }
    void invert_polarity() {
      std::swap(delay, inverted_delay);
      std::swap(correlation, inverted);
    }
  };
  GlobalDelay find_global_delay(const PaddedSignal& degraded, const DelayRange& range);
  /// The best delay of the whole waveforms, both low-passed and thinned.
  int find_in_waveforms(const PaddedSignal& degraded, const DelayRange& range);
  GlobalDelay examine(int around, const PaddedSignal& degraded, const DelayRange& range);
  bool one_delay_fits(int delay, const PaddedSignal& degraded, const DelayRange& range);
  /// Whether loud frames correlate by half in the mean, after one_delay_fits().
  bool half_has_one_delay();
  /// Whether one of the strongest blocks would pay for the steps to another delay nearby and back.
  bool a_block_lies_elsewhere(int delay, const PaddedSignal& degraded, const DelayRange& range);
  /// Takes the line's response out of what follows, as the frames that were chosen show it at the delays of the track.
  void take_out_response(const PaddedSignal& degraded);
  /// Whether the path has small steps because the line spreads one delay over frequency: one delay, behind the line's
  /// filter, then has more evidence. Leaves that alignment, else the path with the line's response at its delays.
  bool is_one_delay_spread(const PaddedSignal& degraded, const DelayRange& range);
  /// Of the loud frames that were received.
  int middle_delay();
  void invert_polarity(GlobalDelay& global, PaddedSignal& degraded);
  /// Whether the polarity is inverted, as the pieces of a recording say that no single delay fits; rough_ is theirs.
  bool pieces_are_inverted(const GlobalDelay& global, const PaddedSignal& degraded);
  /// After a path in one polarity: keeps the one that more evidence speaks for.
  void follow_either_polarity(GlobalDelay& global, PaddedSignal& degraded, const DelayRange& range);
  void begin(const PaddedSignal& degraded);
  /// What a path leaves behind. Envelopes, and what the pieces said, are the same in either polarity.
  void forget_path();
  /// The reference, as the line passes it on where that is known, and its frames.
  const PaddedSignal& heard_reference() const { return is_passed_ ? passed_ : *reference_; }
  FrameCorrelator& frames() { return is_passed_ ? passed_frames_ : frames_; }
  /// The delay of each block, roughly, by the envelopes alone.
  void follow_envelope(int step, const DelayRange& range);
  void follow(const GlobalDelay& global, const PaddedSignal& degraded, const DelayRange& range);
  /// Of every frame at each of delays_: to correlation_, and from there to units_ and evidence_.
  void correlate_delays(const PaddedSignal& degraded);
  void weigh_delays();
  /// The likeliest path through the candidates; writes the track.
  void find_path(const PaddedSignal& degraded);
  /// Proposes the two delays of a known step, to the sample.
  void propose_step(const std::pair<int, int>& step, const PaddedSignal& degraded, const DelayRange& range);
  /// Proposes places for speech that has none, near its neighbours' or anywhere. False when nothing new came of it.
  bool propose_near(const PaddedSignal& degraded, const DelayRange& range);
  bool propose_far(const PaddedSignal& degraded, const DelayRange& range);
  /// Forgets all candidates but those on the path.
  void keep_taken();
  /// Adds a candidate, unless the path would grow beyond its bound.
  void propose_delay(int delay);
  /// Whether there are candidates that the path has not seen.
  bool is_new() const;
  /// Speech without a place that would have been found if it were anywhere: frames, half open, of the longest phrase at
  /// most.
  void find_lost();
  /// What the path skipped, and pauses of half a second or more in it, where nothing is compared.
  void mark_skipped();
  /// What is left over of both recordings.
  void tell_unexplained(const PaddedSignal& degraded);
  /// Seconds of lost speech whose evidence at a place proposed for it would pay for two steps. Only its order kept the
  /// path from that place.
  double found_elsewhere_s(const PaddedSignal& degraded);

  AlignmentModel model_;
  const PaddedSignal* reference_ = nullptr;
  FullCorrelator envelopes_;
  FullCorrelator waveforms_;
  BlockCorrelator blocks_;
  LineFilter filter_;
  PaddedSignal passed_;  // the reference as the line passes it on
  FrameCorrelator frames_, passed_frames_;
  PieceSearch pieces_;
  PhrasePlaces places_;
  DelayCandidates candidates_;
  PiecePlaces piece_places_;
  BestPath best_path_;
  PathCosts costs_;

  std::vector<float> reference_envelope_, degraded_envelope_;
  std::vector<float> thin_reference_, thin_degraded_;
  std::vector<int> strongest_;
  std::vector<float> lags_;
  std::vector<int> rough_;
  std::vector<int> delays_, taken_;
  std::vector<float> correlation_, units_, evidence_, best_of_frame_;
  std::vector<double> loud_;
  std::vector<char> shows_line_;                        // frames that tell the line's response
  bool is_passed_ = false;                              // whether passed_ stands for the reference
  std::vector<std::pair<int, int>> unreceived_, lost_;  // frames, half open
  struct FarPlace {
    int first, last;  // frames of a phrase, half open
    int delay;
  };
  std::vector<FarPlace> far_;  // all that were proposed
  std::vector<char> claimed_;  // of each hop of the degraded recording
  std::vector<float> hop_energy_;
  double quality_ = 0;  // of the line, as the path has it
  Alignment alignment_;
};

}  // namespace vqas::scoring
