#include "score/align/aligner.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "score/align/evidence.h"
#include "score/dsp/kernels.h"

namespace vqas::scoring {

namespace {

AlignmentModel with_wide_pieces(AlignmentModel model) {
  model.piece_range = model.wide_range;
  return model;
}

}  // namespace

Aligner::Aligner(const AlignmentModel& model)
    : model_(model),
      blocks_(model),
      frames_(model),
      pieces_(model),
      wide_pieces_(with_wide_pieces(model)),
      lost_(model),
      candidates_(model),
      piece_places_(model) {}

// The best delay near `around` by the waveforms of the strongest blocks.
Aligner::GlobalDelay Aligner::examine(int around, const PaddedSignal& degraded, const DelayRange& range) {
  double reference_energy = 0;
  double degraded_energy = 0;
  for (const int block : strongest_) {
    reference_energy += blocks_.energy(block);
    degraded_energy += blocks_.seen_energy(block, around, degraded);
  }
  lags_.resize(static_cast<std::size_t>(blocks_.lags()));
  blocks_.correlate_sum(around, degraded, lags_);
  const int origin = around - model_.block_range;
  const int lowest = std::clamp(range.lowest - origin, 0, blocks_.lags() - 1);
  const int highest = std::clamp(range.highest - origin, lowest, blocks_.lags() - 1);
  const auto first = lags_.begin() + lowest;
  const auto last = lags_.begin() + highest + 1;
  const auto lag = std::max_element(first, last);
  const auto negative = std::min_element(first, last);
  const double norm = std::sqrt(reference_energy * degraded_energy) + 1e-12;
  const auto delay_of = [&](auto place) {
    return std::clamp(origin + static_cast<int>(place - lags_.begin()), range.lowest, range.highest);
  };
  GlobalDelay found;
  found.step = static_cast<int>(std::lround(static_cast<double>(around) / model_.envelope_hop));
  found.delay = delay_of(lag);
  found.correlation = *lag / norm;
  found.inverted_delay = delay_of(negative);
  found.inverted = -*negative / norm;
  return found;
}

int Aligner::find_in_waveforms(const PaddedSignal& degraded, const DelayRange& range) {
  // What stays below 500 Hz or so is most of a voice's power and the least of white noise's.
  const int step = model_.waveform_step;
  const auto take = [&](const PaddedSignal& from, std::vector<float>& to) {
    to.resize(static_cast<std::size_t>(from.size() / step));
    decimate(from.samples().data(), step, to);
    to.back() = 0;
  };
  take(*reference_, thin_reference_);
  take(degraded, thin_degraded_);
  const auto& peaks =
      waveforms_.peaks(thin_reference_, thin_degraded_, {range.lowest / step, range.highest / step, 1, 0, true});
  return peaks.front().delay * step;
}

Aligner::GlobalDelay Aligner::find_global_delay(const PaddedSignal& degraded, const DelayRange& range) {
  blocks_.choose(strongest_);
  // A range narrower than a step of the envelope still has its nearest step.
  const double hop = model_.envelope_hop;
  const auto& peaks = envelopes_.peaks(
      reference_envelope_, degraded_envelope_,
      {static_cast<int>(std::floor(range.lowest / hop)), static_cast<int>(std::ceil(range.highest / hop)),
       model_.global_peaks, model_.global_peak_distance, false});
  const double first_peak = peaks.front().correlation;
  GlobalDelay best;
  double best_value = 0;
  bool found = false;
  for (const CorrelationPeak& peak : peaks) {
    if (peak.correlation < 0) continue;
    const GlobalDelay here = examine(peak.delay * model_.envelope_hop, degraded, range);
    const double value = here.either() + model_.envelope_vote * peak.correlation / std::max(first_peak, 1e-12);
    if (!found || value > best_value) {
      found = true;
      best_value = value;
      best = here;
    }
    if (here.either() >= model_.certain_correlation) break;
  }
  if (best.either() >= model_.waveform_search_below || first_peak >= model_.envelope_certain) return best;

  // Noise as loud as the speech hides the envelope, but not the waveform.
  if (static_cast<std::size_t>(reference_->size()) + static_cast<std::size_t>(degraded.size()) >
      model_.waveform_search_longest)
    return best;
  GlobalDelay here = examine(find_in_waveforms(degraded, range), degraded, range);
  here.from_waveform = true;
  return here.either() > best.either() ? here : best;
}

bool Aligner::one_delay_fits(int delay, const PaddedSignal& degraded, const DelayRange& range) {
  frames_.correlate({&delay, 1}, degraded, alignment_.correlation);
  return one_delay_holds(alignment_.correlation, frames_.weights(), range, model_.certain_correlation, loud_);
}

void Aligner::follow_envelope(PieceSearch& search, const GlobalDelay& global, const DelayRange& range) {
  const auto& pieces = search.run(reference_envelope_, degraded_envelope_, global.step, range);
  rough_.resize(static_cast<std::size_t>(blocks_.blocks()));
  for (int block = 0; block < blocks_.blocks(); ++block) {
    const double centre = (block + 0.5) * model_.block / model_.envelope_hop - model_.piece_window / 2.0;
    const int piece = static_cast<int>(std::nearbyint(centre / model_.piece_hop));
    rough_[block] = pieces[std::clamp(piece, 0, static_cast<int>(pieces.size()) - 1)] * model_.envelope_hop;
  }
}

bool Aligner::pieces_are_inverted(const GlobalDelay& global, const PaddedSignal& degraded) {
  piece_places_.listen(rough_, degraded);
  // Where noise hides the envelope the pieces have not been found.
  if (global.from_waveform) return global.is_inverted();
  return piece_places_.polarity() < 0;
}

void Aligner::follow(const GlobalDelay& global, const PaddedSignal& degraded, const DelayRange& range) {
  certain_.clear();
  held_.clear();
  if (global.from_waveform) certain_.push_back(global.delay);
  if (range.step) follow_step(*range.step, degraded, range);
  find_path(certain_, degraded, range);
  for (int round = 0; round < model_.lost_rounds && find_lost(degraded, range); ++round) {
    find_path(certain_, degraded, range);
    mark_deleted_pauses();
  }
  alignment_.unexplained = lost_.unexplained(track_of(degraded, range), held_, alignment_.lost);
}

int Aligner::refined(int delay, const PaddedSignal& degraded, const DelayRange& range) {
  lattice_.clear();
  for (int near = delay - model_.step_grid + 1; near < delay + model_.step_grid; ++near) {
    if (range.holds(near)) lattice_.push_back(near);
  }
  const std::size_t count = lattice_.size();
  gains_.resize(count * alignment_.delay.size());
  frames_.correlate(lattice_, degraded, gains_);
  std::vector<double> sums(count);
  for (std::size_t j = 0; j < alignment_.delay.size(); ++j) {
    if (alignment_.delay[j] != delay) continue;
    for (std::size_t c = 0; c < count; ++c)
      sums[c] += static_cast<double>(alignment_.weight[j]) * gains_[j * count + c];
  }
  return lattice_[static_cast<std::size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin())];
}

// Once with both delays at hand, then with those that were taken, to the sample. The blocks alone may propose a place
// one period of the pitch away, where the speech is louder.
void Aligner::follow_step(const std::pair<int, int>& step, const PaddedSignal& degraded, const DelayRange& range) {
  const std::size_t before = certain_.size();
  for (int off = -model_.step_reach; off <= model_.step_reach; off += model_.step_grid) {
    for (const int delay : {step.first + off, step.second + off}) {
      if (range.holds(delay)) certain_.push_back(delay);
    }
  }
  find_path(certain_, degraded, range);
  certain_.resize(before);
  const auto at_step = [&](int delay) {
    return std::min(std::abs(delay - step.first), std::abs(delay - step.second)) <= model_.step_reach;
  };
  std::vector<int> taken;
  for (const int delay : alignment_.delay) {
    if (at_step(delay) && std::find(taken.begin(), taken.end(), delay) == taken.end()) taken.push_back(delay);
  }
  for (const int delay : taken) certain_.push_back(refined(delay, degraded, range));
  for (std::size_t block = 0; block < rough_.size(); ++block) {
    const auto frame = std::min(alignment_.delay.size() - 1, block * model_.block / model_.hop);
    const int delay = alignment_.delay[frame];
    if (at_step(delay)) rough_[block] = delay;
  }
}

void Aligner::mark_deleted_pauses() {
  auto& delay = alignment_.delay;
  const int frames = static_cast<int>(delay.size());
  const auto is_quiet = [&](int j) { return alignment_.weight[j] < model_.pause_weight; };
  alignment_.deleted.assign(delay.size(), 0);
  for (int j = 1; j < frames; ++j) {
    const int before = delay[j - 1];
    const int after = delay[j];
    // Smaller ones are heard at both delays, which the weights of the distance were fitted with.
    if (before - after <= model_.piece_range * model_.envelope_hop) continue;
    int first = j;
    int last = j;
    while (first > 0 && delay[first - 1] == before && is_quiet(first - 1)) --first;
    while (last < frames && delay[last] == after && is_quiet(last)) ++last;
    const int gone = std::min(last - first, (before - after) / model_.hop);
    const int kept = (last - first - gone) / 2;
    std::fill(delay.begin() + first, delay.begin() + first + kept + gone / 2, before);
    std::fill(delay.begin() + first + kept + gone / 2, delay.begin() + last, after);
    std::fill_n(alignment_.deleted.begin() + first + kept, gone, 1);
    j = std::max(j, last);
  }
}

LostPhrases::Track Aligner::track_of(const PaddedSignal& degraded, const DelayRange& range) const {
  return {reference_, &degraded, alignment_.delay, alignment_.correlation, alignment_.weight, range};
}

bool Aligner::find_lost(const PaddedSignal& degraded, const DelayRange& range) {
  const auto& found = lost_.run(track_of(degraded, range));
  for (const auto& phrase : found) {
    // Found again where the path could have taken it: a filter has changed the waveform, and chance speaks louder.
    const bool again = std::any_of(certain_.begin(), certain_.end(),
                                   [&](int delay) { return std::abs(delay - phrase.delay) <= model_.frame_step_size; });
    if (again) {
      held_.push_back(phrase);
    } else {
      certain_.push_back(phrase.delay);
    }
    const int first = phrase.first * model_.hop / model_.block;
    const int last = std::min(blocks_.blocks(), phrase.last * model_.hop / model_.block + 1);
    std::fill(rough_.begin() + first, rough_.begin() + last, phrase.delay);
  }
  return !found.empty();
}

void Aligner::find_path(std::span<const int> certain, const PaddedSignal& degraded, const DelayRange& range) {
  find_path(candidates_.run(blocks_, degraded, rough_, range, certain), model_.frame_step_size,
            {model_.frame_change, model_.frame_step}, degraded);
}

void Aligner::find_path(const std::vector<int>& candidates, int near_by, const Viterbi::Costs& costs,
                        const PaddedSignal& degraded) {
  const auto frames = static_cast<std::size_t>(frames_.frames());
  const std::size_t count = candidates.size();
  gains_.resize(count * frames);
  frames_.correlate(candidates, degraded, gains_);
  near_.resize(std::max(near_.size(), count));
  for (auto& near : near_) near.clear();
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t other = 0; other < count; ++other) {
      if (other != c && std::abs(candidates[c] - candidates[other]) <= near_by) {
        near_[c].push_back(static_cast<int>(other));
      }
    }
  }
  for (const auto& phrase : held_) {
    for (std::size_t c = 0; c < count; ++c) {
      if (std::abs(candidates[c] - phrase.delay) <= near_by) continue;
      for (int j = phrase.first; j < phrase.last; ++j) gains_[static_cast<std::size_t>(j) * count + c] = -1;
    }
  }
  viterbi_.run(gains_, frames_.weights(), static_cast<int>(count), costs, std::span(near_).first(count), path_);
  for (std::size_t j = 0; j < frames; ++j) {
    alignment_.delay[j] = candidates[path_[j]];
    alignment_.correlation[j] = gains_[j * count + path_[j]];
  }
}

void Aligner::assign(const PaddedSignal& reference) {
  reference_ = &reference;
  lost_.forget_reference();
  compute_envelope(reference, model_, reference_envelope_);
  blocks_.assign(reference.samples());
  strongest_.resize(static_cast<std::size_t>(blocks_.blocks()));
  std::iota(strongest_.begin(), strongest_.end(), 0);
  const auto kept = std::min(strongest_.size(), static_cast<std::size_t>(model_.global_blocks));
  std::stable_sort(strongest_.begin(), strongest_.end(),
                   [this](int a, int b) { return blocks_.energy(a) > blocks_.energy(b); });
  strongest_.resize(kept);
  frames_.assign(reference.samples());
  piece_places_.assign(reference);
}

void Aligner::invert_polarity(GlobalDelay& global, PaddedSignal& degraded) {
  degraded.invert_polarity();
  global.invert_polarity();
  alignment_.inverted = !alignment_.inverted;
}

void Aligner::begin(const PaddedSignal& degraded) {
  lost_.forget_degraded();
  piece_places_.forget();
  compute_envelope(degraded, model_, degraded_envelope_);
  const auto frames = static_cast<std::size_t>(frames_.frames());
  alignment_.correlation.resize(frames);
  alignment_.deleted.clear();
  alignment_.lost.clear();
  alignment_.unexplained = {};
  alignment_.weight.assign(frames_.weights().begin(), frames_.weights().end());
  alignment_.inverted = false;
}

const Alignment& Aligner::align(PaddedSignal& degraded, const DelayRange& range) {
  begin(degraded);
  // No polarity is preferred anywhere, so that an inverted recording takes the same path.
  GlobalDelay global = find_global_delay(degraded, range);
  if (global.is_inverted()) invert_polarity(global, degraded);
  const auto frames = static_cast<std::size_t>(frames_.frames());
  alignment_.delay.assign(frames, global.delay);
  if (one_delay_fits(global.delay, degraded, range)) return alignment_;
  if (global.inverted >= model_.other_polarity * global.correlation) {
    // Half a pitch period off speech correlates as well with its inverse: what fits everywhere decides.
    invert_polarity(global, degraded);
    alignment_.delay.assign(frames, global.delay);
    if (one_delay_fits(global.delay, degraded, range)) return alignment_;
    invert_polarity(global, degraded);
  }
  follow_envelope(pieces_, global, range);
  if (pieces_are_inverted(global, degraded)) invert_polarity(global, degraded);
  follow(global, degraded, range);
  follow_from_afar(global, degraded, range);
  return alignment_;
}

void Aligner::follow_from_afar(const GlobalDelay& global, const PaddedSignal& degraded, const DelayRange& range) {
  const int reach = model_.piece_range * model_.envelope_hop;
  const bool is_bounded = range.lowest >= global.delay - reach && range.highest <= global.delay + reach;
  // Where no sound is left over, what is lost is nowhere.
  const auto& left = alignment_.unexplained;
  if (is_bounded || std::min(left.lost_s, left.sound_s) <= model_.wide_lost_s) return;
  near_alignment_ = alignment_;
  alignment_.deleted.clear();
  follow_envelope(wide_pieces_, global, range);
  follow(global, degraded, range);
  // Of speech that is gone chance finds a little anywhere, and pays for each change of the delay.
  const auto& before = near_alignment_.unexplained;
  const bool is_found = left.lost_s < before.lost_s && left.sound_s < before.sound_s &&
                        evidence_of(alignment_, range) > evidence_of(near_alignment_, range);
  if (!is_found) std::swap(alignment_, near_alignment_);
}

const Alignment* Aligner::align_packets(PaddedSignal& degraded, const DelayRange& range) {
  begin(degraded);
  GlobalDelay global = find_global_delay(degraded, range);
  if (global.is_inverted()) invert_polarity(global, degraded);
  follow_envelope(wide_pieces_, global, range);
  if (pieces_are_inverted(global, degraded)) invert_polarity(global, degraded);
  const auto lattice = piece_places_.find_lattice(model_.packet);
  if (!lattice || lattice->share < model_.packet_share) return nullptr;
  const auto [least, most] = std::minmax_element(rough_.begin(), rough_.end());
  const auto count_to = [&](int delay) {
    return static_cast<int>(std::floor(static_cast<double>(delay - lattice->phase) / model_.packet));
  };
  const int first = count_to(*least) - 2;
  const int last = count_to(*most) + 3;
  if (last - first > model_.packet_delays) return nullptr;
  lattice_.clear();
  for (int k = first; k <= last; ++k) {
    const int delay = lattice->phase + k * model_.packet;
    if (range.holds(delay)) lattice_.push_back(delay);
  }
  if (lattice_.empty()) return nullptr;
  certain_.clear();
  held_.clear();
  alignment_.delay.resize(static_cast<std::size_t>(frames_.frames()));
  find_path(lattice_, model_.packet_step, {model_.frame_change, model_.packet_change}, degraded);
  alignment_.unexplained = lost_.unexplained(track_of(degraded, range), held_, alignment_.lost);
  return &alignment_;
}

}  // namespace vqas::scoring
