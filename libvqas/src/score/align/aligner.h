#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "score/align/block_correlator.h"
#include "score/align/delay_candidates.h"
#include "score/align/frame_correlator.h"
#include "score/align/full_correlator.h"
#include "score/align/lost_phrases.h"
#include "score/align/piece_places.h"
#include "score/align/piece_search.h"
#include "score/align/viterbi.h"
#include "score/dsp/padded_signal.h"
#include "score/model/model.h"
#include "score/prepare/envelope.h"

namespace vqas::scoring {

/// Where each frame of the reference lies in the degraded recording.
struct Alignment {
  std::vector<int> delay;                ///< samples, one a frame
  std::vector<float> correlation;        ///< of the waveforms at that delay, -1..1, one a frame
  std::vector<float> weight;             ///< what that correlation says, 0..1, one a frame
  std::vector<char> deleted;             ///< one a frame, 1 where a pause was taken out; empty where none was
  std::vector<char> lost;                ///< one a frame, 1 where speech was found nowhere; empty where all was
  LostPhrases::Unexplained unexplained;  ///< what is left over when everything was searched for
  bool inverted = false;                 ///< the recording was inverted before the delays were followed
};

/// Finds the delay track in five steps: peaks of the envelope correlation; the one that the waveform confirms; one
/// delay for all if it fits everywhere; else pieces of half a second; candidates to the sample; the best path over
/// frames. (The first two after S. Voran, "Perception-based bandwidth-efficient time delay estimation", 2004.) Holds
/// its work space and plans; for one thread.
class Aligner {
 public:
  explicit Aligner(const AlignmentModel& model);

  /// Takes what is known of a reference before anything is compared with it. It holds at least one frame, has mean 0,
  /// and stays alive and unchanged as long as it is used.
  void assign(const PaddedSignal& reference);
  /// `degraded` has mean 0 and similar power. One whose polarity is inverted is inverted: what comes of it is the
  /// same to the last bit, but for Alignment::inverted. The result stays valid until the next call.
  const Alignment& align(PaddedSignal& degraded, const DelayRange& range);
  /// As align(), for a recording that it has not found: follows a delay that creeps by steps of whole packets. Null
  /// where the places of the speech are no multiple of a packet apart.
  const Alignment* align_packets(PaddedSignal& degraded, const DelayRange& range);
  /// A straight line through the places of the reference's short pieces, after an align() that found no single delay.
  std::optional<PiecePlaces::Line> find_line(double steepest) { return piece_places_.find_line(steepest); }
  /// The reference's blocks as they were correlated last.
  BlockCorrelator& blocks() { return blocks_; }

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
  void invert_polarity(GlobalDelay& global, PaddedSignal& degraded);
  /// Whether the polarity is inverted, as the pieces of a recording say that no single delay fits; rough_ is theirs.
  bool pieces_are_inverted(const GlobalDelay& global, const PaddedSignal& degraded);
  void begin(const PaddedSignal& degraded);
  /// The delay of each block, roughly, by the envelopes alone.
  void follow_envelope(PieceSearch& search, const GlobalDelay& global, const DelayRange& range);
  void follow(const GlobalDelay& global, const PaddedSignal& degraded, const DelayRange& range);
  /// Where speech was found nowhere, follows the envelope once more from further away, and keeps what agrees better.
  void follow_from_afar(const GlobalDelay& global, const PaddedSignal& degraded, const DelayRange& range);
  /// The best path over frames around rough_, through `certain` and what else the blocks propose.
  void find_path(std::span<const int> certain, const PaddedSignal& degraded, const DelayRange& range);
  /// The same through these delays, of which those no more than `near_by` apart are near each other.
  void find_path(const std::vector<int>& candidates, int near_by, const Viterbi::Costs& costs,
                 const PaddedSignal& degraded);
  /// Takes for the rough track what lies at one of the delays of a known step.
  void follow_step(const std::pair<int, int>& step, const PaddedSignal& degraded, const DelayRange& range);
  /// The delay no more than a step of the grid away that fits the frames best that the path has at `delay`.
  int refined(int delay, const PaddedSignal& degraded, const DelayRange& range);
  /// Between phrases that lie nearer together than in the reference: what of the pause is gone.
  void mark_deleted_pauses();
  /// Whether phrases that were lost lie elsewhere; rough_ is theirs then.
  LostPhrases::Track track_of(const PaddedSignal& degraded, const DelayRange& range) const;
  bool find_lost(const PaddedSignal& degraded, const DelayRange& range);

  AlignmentModel model_;
  const PaddedSignal* reference_ = nullptr;
  FullCorrelator envelopes_;
  FullCorrelator waveforms_;
  BlockCorrelator blocks_;
  FrameCorrelator frames_;
  PieceSearch pieces_;
  PieceSearch wide_pieces_;
  LostPhrases lost_;
  DelayCandidates candidates_;
  PiecePlaces piece_places_;
  Viterbi viterbi_;

  std::vector<float> reference_envelope_, degraded_envelope_;
  std::vector<float> thin_reference_, thin_degraded_;
  std::vector<int> strongest_;
  std::vector<float> lags_;
  std::vector<int> rough_;
  std::vector<int> certain_, lattice_;
  std::vector<LostPhrases::Found> held_;
  std::vector<float> gains_;
  std::vector<double> loud_;
  std::vector<std::vector<int>> near_;
  std::vector<int> path_;
  Alignment alignment_, near_alignment_;
};

}  // namespace vqas::scoring
