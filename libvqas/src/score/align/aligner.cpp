#include "score/align/aligner.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "score/align/evidence.h"
#include "score/dsp/kernels.h"
#include "score/lattice/arrival_model.h"
#include "score/model/shared_numbers.h"

namespace vqas::scoring {

namespace {

constexpr double kSmallStep = 1;  // nats: searched, flat between 0.5 and 3

/// Losses begin and end as often as for what arrived, which goes by shorter steps.
PathCosts path_costs(const AlignmentModel& model, const DelayRange& range) {
  constexpr ArrivalModel arrival;
  PathCosts costs;
  costs.step = kAlike * cost_of_choice(range);
  costs.near_by = std::min(model.near_range, 2 * model.hop - 1);
  costs.near_step = std::min(costs.step, kAlike * cost_of_choice(2 * costs.near_by + 1));
  costs.small_by = model.near_by;
  costs.small_step = kSmallStep;
  costs.begin_loss = -std::log(-std::expm1(kFrameSteps * std::log1p(-arrival.lose)));
  costs.lost = -kFrameSteps * std::log1p(-arrival.regain);
  costs.end_loss = -std::log(-std::expm1(-costs.lost));
  costs.hop = model.hop;
  return costs;
}

}  // namespace

Aligner::Aligner(const AlignmentModel& model)
    : model_(model),
      blocks_(model),
      filter_(model),
      frames_(model),
      passed_frames_(model),
      pieces_(model),
      places_(model),
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
  const auto& peaks =
      envelopes_.peaks(reference_envelope_, degraded_envelope_,
                       {static_cast<int>(std::floor(range.lowest / hop)),
                        static_cast<int>(std::ceil(range.highest / hop)), model_.places, model_.block_steps(), false});
  const double first_peak = peaks.front().correlation;
  GlobalDelay best;
  double best_value = 0;
  bool found = false;
  for (const CorrelationPeak& peak : peaks) {
    if (peak.correlation < 0) continue;
    const GlobalDelay here = examine(peak.delay * model_.envelope_hop, degraded, range);
    const double value = here.either() + peak.correlation / std::max(first_peak, 1e-12);
    if (!found || value > best_value) {
      found = true;
      best_value = value;
      best = here;
    }
    if (here.either() >= model_.certain_correlation) break;
  }
  if (best.either() >= model_.waveform_search_below || first_peak >= model_.certain_correlation) return best;

  // Noise as loud as the speech hides the envelope, but not the waveform.
  if (static_cast<std::size_t>(reference_->size()) + static_cast<std::size_t>(degraded.size()) >
      model_.waveform_search_longest)
    return best;
  GlobalDelay here = examine(find_in_waveforms(degraded, range), degraded, range);
  here.from_waveform = true;
  return here.either() > best.either() ? here : best;
}

bool Aligner::one_delay_fits(int delay, const PaddedSignal& degraded, const DelayRange& range) {
  frames().correlate({&delay, 1}, degraded, alignment_.correlation);
  alignment_.one_delay_fits = one_delay_holds(alignment_.correlation, frames().weights(), range,
                                              is_passed_ ? kSameWaveform : model_.certain_correlation, loud_);
  return alignment_.one_delay_fits;
}

// Then its sign is the polarity, and no clock runs away.
bool Aligner::half_has_one_delay() {
  double sum = 0;
  int loud = 0;
  for (std::size_t j = 0; j < alignment_.correlation.size(); ++j) {
    if (frames().weights()[j] < kLoudAmplitude) continue;
    sum += alignment_.correlation[j];
    ++loud;
  }
  return sum > kCorrelated * loud;
}

// A period of the pitch away a steady voice is as good as a received one on a worse line. So what can be expected of
// the line must not be told from one delay alone.
bool Aligner::a_block_lies_elsewhere(int delay, const PaddedSignal& degraded, const DelayRange& range) {
  blocks_.choose(strongest_);
  delays_.assign(strongest_.size(), delay);
  const auto width = static_cast<std::size_t>(blocks_.lags());
  lags_.resize(strongest_.size() * width);
  blocks_.correlate_each(delays_, degraded, lags_);
  const int reach = model_.block_range;
  const int lowest = std::clamp(range.lowest - delay, -reach, 0);
  const int highest = std::clamp(range.highest - delay, 0, reach);
  const double frames = static_cast<double>(model_.block) / model_.hop;
  const double most = kChanges * cost_of_choice(range);
  const double least = kFaintShare * blocks_.energy(strongest_.front());
  for (std::size_t n = 0; n < strongest_.size(); ++n) {
    if (blocks_.energy(strongest_[n]) <= least) continue;
    const float* const middle = lags_.data() + n * width + reach;
    const auto units_at = [&](int by) {
      const double there = std::max(least, blocks_.block_energy(strongest_[n], delay + by, degraded));
      return units_of(middle[by] / std::sqrt(blocks_.energy(strongest_[n]) * there));
    };
    const int best = lowest + static_cast<int>(largest_of({middle + lowest, middle + highest + 1}));
    if (std::abs(best) > model_.near_by && gain_in_nats(frames, units_at(best), units_at(0)) > most) return true;
  }
  return false;
}

void Aligner::take_out_response(const PaddedSignal& degraded) {
  is_passed_ = filter_.run(*reference_, degraded, alignment_.delay, shows_line_, passed_);
  alignment_.taps = is_passed_ ? LineFilter::taps() : 0;
  if (is_passed_) passed_frames_.assign(passed_.samples());
  places_.forget_reference();
  alignment_.weight.assign(frames().weights().begin(), frames().weights().end());
}

std::optional<double> Aligner::find_slope(const PaddedSignal& degraded, const DelayRange& range, double steepest) {
  // align() does not listen to the pieces where one delay fits.
  if (!piece_places_.has_heard() && alignment_.one_delay_fits) {
    follow_envelope(static_cast<int>(std::lround(static_cast<double>(alignment_.delay.front()) / model_.envelope_hop)),
                    range);
    piece_places_.listen(rough_, degraded, 0);
  }
  return piece_places_.find_slope(steepest);
}

void Aligner::follow_envelope(int step, const DelayRange& range) {
  const auto& pieces = pieces_.run(reference_envelope_, degraded_envelope_, step, range);
  rough_.resize(static_cast<std::size_t>(blocks_.blocks()));
  for (int block = 0; block < blocks_.blocks(); ++block) {
    const double centre = (block + 0.5) * model_.block / model_.envelope_hop - model_.piece / 2.0;
    const int piece = static_cast<int>(std::nearbyint(centre / model_.block_steps()));
    rough_[block] = pieces[std::clamp(piece, 0, static_cast<int>(pieces.size()) - 1)] * model_.envelope_hop;
  }
}

bool Aligner::pieces_are_inverted(const GlobalDelay& global, const PaddedSignal& degraded) {
  // The blocks say little where the delay moves, the pieces where the envelope did not lead to them.
  const double pieces = static_cast<double>(strongest_.size()) * model_.block / PiecePlaces::kPiece;
  piece_places_.listen(rough_, degraded, pieces * (units_of(global.correlation) - units_of(global.inverted)));
  return piece_places_.polarity() < 0;
}

void Aligner::follow(const GlobalDelay& global, const PaddedSignal& degraded, const DelayRange& range) {
  candidates_.clear();
  far_.clear();
  costs_ = path_costs(model_, range);
  quality_ = 0;
  candidates_.add(global.delay);
  candidates_.ask(blocks_, degraded, rough_, range);
  if (range.step) propose_step(*range.step, degraded, range);
  find_path(degraded);
  if (is_one_delay_spread(degraded, range)) return;
  if (is_passed_) {
    quality_ = 0;
    find_path(degraded);
  }
  for (int round = 0; round < model_.rounds; ++round) {
    if (!propose_near(degraded, range) && !propose_far(degraded, range)) break;
    find_path(degraded);
    if (round + 1 == model_.rounds || !propose_far(degraded, range)) continue;
    find_path(degraded);
  }
  mark_skipped();
  tell_unexplained(degraded);
}

// A small step of the delay looks alike at first; behind a filter that must serve both of its delays less agrees.
bool Aligner::is_one_delay_spread(const PaddedSignal& degraded, const DelayRange& range) {
  const int middle = middle_delay();
  const auto is_near = [&](int delay) { return std::abs(delay - middle) <= model_.near_by; };
  if (!std::all_of(alignment_.delay.begin(), alignment_.delay.end(), is_near)) {
    take_out_response(degraded);
    return false;
  }
  const double stepped = evidence_of(alignment_, range);
  const std::vector<int> path = alignment_.delay;
  const std::vector<float> correlation = alignment_.correlation;
  std::fill(alignment_.delay.begin(), alignment_.delay.end(), middle);
  take_out_response(degraded);
  if (is_passed_ && one_delay_fits(middle, degraded, range) && evidence_of(alignment_, range) > stepped) return true;
  alignment_.one_delay_fits = false;
  alignment_.correlation = correlation;
  if (alignment_.delay == path) return false;  // the response is that of the path already
  alignment_.delay = path;
  take_out_response(degraded);
  return false;
}

int Aligner::middle_delay() {
  taken_.clear();
  for (std::size_t j = 0; j < shows_line_.size(); ++j)
    if (shows_line_[j] != 0) taken_.push_back(alignment_.delay[j]);
  if (taken_.empty()) return alignment_.delay[alignment_.delay.size() / 2];
  const auto middle = taken_.begin() + static_cast<std::ptrdiff_t>(taken_.size() / 2);
  std::nth_element(taken_.begin(), middle, taken_.end());
  return *middle;
}

// At each place the delay that the whole recording speaks for. Blocks alone may propose a place one period of the pitch
// away, where the speech is louder.
void Aligner::propose_step(const std::pair<int, int>& step, const PaddedSignal& degraded, const DelayRange& range) {
  for (const int place : {step.first, step.second}) {
    delays_.clear();
    for (int delay = place - model_.near_by; delay <= place + model_.near_by; ++delay) {
      if (range.holds(delay)) delays_.push_back(delay);
    }
    if (delays_.empty()) continue;
    const std::size_t count = delays_.size();
    correlation_.resize(count * alignment_.delay.size());
    frames().correlate(delays_, degraded, correlation_);
    std::vector<double> sums(count);
    for (std::size_t n = 0; n < correlation_.size(); ++n)
      sums[n % count] += frames().weights()[n / count] * units_of(correlation_[n]);
    candidates_.add(delays_[static_cast<std::size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin())]);
  }
}

void Aligner::correlate_delays(const PaddedSignal& degraded) {
  correlation_.resize(delays_.size() * frames().weights().size());
  frames().correlate(delays_, degraded, correlation_);
}

void Aligner::weigh_delays() {
  units_.resize(correlation_.size());
  evidence_.resize(correlation_.size());
  to_units(correlation_, units_);
  weigh_evidence(units_, frames().weights(), quality_, evidence_);
}

void Aligner::find_path(const PaddedSignal& degraded) {
  delays_.assign(candidates_.delays().begin(), candidates_.delays().end());
  const auto weights = frames().weights();
  const std::size_t frames = weights.size();
  const std::size_t count = delays_.size();
  correlate_delays(degraded);
  shows_line_.resize(frames);
  if (quality_ == 0) {
    best_of_frame_.resize(frames);
    for (std::size_t j = 0; j < frames; ++j)
      best_of_frame_[j] = *std::max_element(correlation_.begin() + j * count, correlation_.begin() + (j + 1) * count);
    quality_ = quality_of(best_of_frame_, weights, loud_).value_or(0);
  }
  weigh_delays();
  best_path_.run(evidence_, delays_, costs_);
  best_path_.settle(evidence_, {weights, model_.pause_weight});
  for (std::size_t j = 0; j < frames; ++j) {
    const auto c = static_cast<std::size_t>(best_path_.path()[j]);
    alignment_.delay[j] = delays_[c];
    alignment_.correlation[j] = correlation_[j * count + c];
    units_[j] = units_[j * count + c];
    shows_line_[j] = best_path_.fates()[j] == Fate::received && weights[j] >= kLoudAmplitude ? 1 : 0;
  }
  find_lost();
  quality_ = mean_units(std::span(units_).first(frames), shows_line_).value_or(quality_);
}

void Aligner::find_lost() {
  const auto weights = frames().weights();
  const auto fates = best_path_.fates();
  lost_.clear();
  unreceived_.clear();
  for (int first = 0; first < frames().frames();) {
    if (fates[first] == Fate::received) {
      ++first;
      continue;
    }
    int end = first;
    while (end < frames().frames() && fates[end] != Fate::received) ++end;
    unreceived_.emplace_back(first, end);
    const int parts = (end - first + model_.phrase - 1) / model_.phrase;
    for (int part = 0; part < parts; ++part) {
      const int from = first + (end - first) * part / parts;
      const int to = first + (end - first) * (part + 1) / parts;
      if (expected_evidence(weights.subspan(from, to - from), quality_) > costs_.step) lost_.emplace_back(from, to);
    }
    first = end;
  }
}

void Aligner::keep_taken() {
  taken_.clear();
  for (const int c : best_path_.path()) taken_.push_back(delays_[c]);
  std::sort(taken_.begin(), taken_.end());
  taken_.erase(std::unique(taken_.begin(), taken_.end()), taken_.end());
  candidates_.keep(taken_);
}

// A phrase is as long as it may be for the path to tell its place; a longer one may have several.
bool Aligner::propose_near(const PaddedSignal& degraded, const DelayRange& range) {
  keep_taken();
  const int longest = model_.block / model_.hop;
  const auto frames = static_cast<int>(alignment_.delay.size());
  for (const auto& [first, last] : unreceived_) {
    // Between what lies before and behind it, or near either.
    const int before = alignment_.delay[first > 0 ? first - 1 : std::min(frames - 1, last)];
    const int behind = alignment_.delay[last < frames ? last : std::max(0, first - 1)];
    for (int from = first; from < last; from += longest) {
      const int to = std::min(last, from + longest);
      if (expected_evidence(this->frames().weights().subspan(from, to - from), quality_) < costs_.near_step) continue;
      const PhrasePlaces::Phrase phrase{from * model_.hop, (to - from + 1) * model_.hop};
      const double share = static_cast<double>(from + to - 2 * first) / (2 * (last - first));
      const int between = before + static_cast<int>(share * (behind - before));
      const auto propose = [&](int delay) {
        for (const int place : places_.near(heard_reference(), degraded, phrase, delay, range)) propose_delay(place);
      };
      propose(between);
      for (const int delay : {before, behind}) {
        if (std::abs(delay - between) > model_.near_range) propose(delay);
      }
    }
  }
  return is_new();
}

bool Aligner::propose_far(const PaddedSignal& degraded, const DelayRange& range) {
  const auto samples = static_cast<std::size_t>(reference_->size()) + static_cast<std::size_t>(degraded.size());
  if (samples > model_.waveform_search_longest) return false;
  keep_taken();
  for (const auto& [first, last] : lost_) {
    const PhrasePlaces::Phrase phrase{first * model_.hop, (last - first + 1) * model_.hop};
    for (const int place : places_.far(heard_reference(), degraded, phrase, range)) {
      propose_delay(place);
      far_.push_back({first, last, place});
    }
  }
  return is_new();
}

void Aligner::propose_delay(int delay) {
  if ((candidates_.delays().size() + 1) * alignment_.delay.size() <= model_.most_cells) candidates_.add(delay);
}

bool Aligner::is_new() const {
  const auto now = candidates_.delays();
  return !std::includes(delays_.begin(), delays_.end(), now.begin(), now.end());
}

void Aligner::mark_skipped() {
  const auto fates = best_path_.fates();
  const auto weights = frames().weights();
  const auto frames = static_cast<int>(alignment_.delay.size());
  for (int first = 0; first < frames;) {
    if (fates[first] != Fate::skipped) {
      ++first;
      continue;
    }
    int last = first;
    while (last < frames && fates[last] == Fate::skipped) ++last;
    alignment_.skipped.resize(static_cast<std::size_t>(frames));
    std::fill(alignment_.skipped.begin() + first, alignment_.skipped.begin() + last, 1);
    // Smaller ones are heard at both delays, which the weights of the distance were fitted with.
    if ((last - first) * model_.hop >= model_.piece * model_.envelope_hop) {
      alignment_.deleted.resize(static_cast<std::size_t>(frames));
      for (int j = first; j < last; ++j) alignment_.deleted[j] = weights[j] < model_.pause_weight ? 1 : 0;
    }
    first = last;
  }
}

void Aligner::tell_unexplained(const PaddedSignal& degraded) {
  alignment_.lost.clear();
  alignment_.unexplained = {};
  if (lost_.empty()) return;
  alignment_.lost.resize(alignment_.delay.size());
  for (const auto& [first, last] : lost_) std::fill(alignment_.lost.begin() + first, alignment_.lost.begin() + last, 1);
  const int hop = model_.hop;
  const double hop_s = static_cast<double>(hop) / model_.rate_hz;
  const int hops = degraded.size() / hop;
  claimed_.assign(static_cast<std::size_t>(hops), 0);
  const int around = model_.block / hop;  // beside what was found: its beginning and its end
  int lost = 0;
  for (int j = 0; j < static_cast<int>(alignment_.delay.size()); ++j) {
    if (alignment_.lost[j] != 0) {
      lost += frames().weights()[j] >= model_.pause_weight ? 1 : 0;
      continue;
    }
    const int at = (j * hop + alignment_.delay[j]) / hop;
    const int last = std::min(hops - 1, at + around + 1);
    for (int k = std::max(0, at - around); k <= last; ++k) claimed_[k] = 1;
  }
  hop_energy_.resize(static_cast<std::size_t>(hops));
  energies(degraded.samples().data(), hop, hop_energy_);
  const double total = std::accumulate(hop_energy_.begin(), hop_energy_.end(), 0.0);
  int sound = 0;
  for (int k = 0; k < hops; ++k) {
    const double energy = hop_energy_[k];
    sound += claimed_[k] == 0 && energy * hops > kSoundShare * total ? 1 : 0;
  }
  alignment_.unexplained = {lost * hop_s, sound * hop_s, found_elsewhere_s(degraded)};
}

double Aligner::found_elsewhere_s(const PaddedSignal& degraded) {
  const int hop = model_.hop;
  const auto weights = frames().weights();
  const int hops = degraded.size() / hop;
  claimed_.assign(static_cast<std::size_t>(hops), 0);
  const auto place_of = [&](int frame, int delay) { return (frame * hop + delay) / hop; };
  for (int j = 0; j < frames().frames(); ++j) {
    if (alignment_.lost[j] != 0 || weights[j] < model_.pause_weight) continue;
    const int at = place_of(j, alignment_.delay[j]);
    for (int k = std::max(0, at); k <= std::min(hops - 1, at + 1); ++k) claimed_[k] = 1;
  }
  // What was said twice and arrived once is found where it was received.
  const auto is_taken = [&](int frame, int delay) {
    const int at = place_of(frame, delay);
    return at < 0 || at >= hops || claimed_[at] != 0;
  };
  int elsewhere = 0;
  for (const auto& [first, last] : lost_) {
    double most = 0;
    delays_.clear();
    for (const FarPlace& far : far_) {
      if (far.first < last && first < far.last) delays_.push_back(far.delay);
    }
    if (delays_.empty()) continue;
    // Either round may have proposed a place.
    std::sort(delays_.begin(), delays_.end());
    delays_.erase(std::unique(delays_.begin(), delays_.end()), delays_.end());
    const std::size_t count = delays_.size();
    correlate_delays(degraded);
    weigh_delays();
    for (std::size_t n = 0; n < count; ++n) {
      double sum = 0;
      for (int j = first; j < last; ++j) {
        if (!is_taken(j, delays_[n])) sum += evidence_[static_cast<std::size_t>(j) * count + n];
      }
      most = std::max(most, sum);
    }
    if (most <= kChanges * costs_.step) continue;
    for (int j = first; j < last; ++j) elsewhere += weights[j] >= model_.pause_weight ? 1 : 0;
  }
  return elsewhere * static_cast<double>(hop) / model_.rate_hz;
}

void Aligner::assign(const PaddedSignal& reference) {
  reference_ = &reference;
  places_.forget_reference();
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
  piece_places_.forget();
  compute_envelope(degraded, model_, degraded_envelope_);
  alignment_.correlation.resize(static_cast<std::size_t>(frames_.frames()));
  alignment_.inverted = false;
  forget_path();
}

void Aligner::forget_path() {
  places_.forget_degraded();
  places_.forget_reference();
  alignment_.skipped.clear();
  alignment_.deleted.clear();
  alignment_.lost.clear();
  alignment_.unexplained = {};
  alignment_.weight.assign(frames_.weights().begin(), frames_.weights().end());
  alignment_.taps = 0;
  is_passed_ = false;
}

const Alignment& Aligner::align(PaddedSignal& degraded, const DelayRange& range) {
  begin(degraded);
  // No polarity is preferred anywhere, so that an inverted recording takes the same path.
  GlobalDelay global = find_global_delay(degraded, range);
  if (global.is_inverted()) invert_polarity(global, degraded);
  const auto frames = static_cast<std::size_t>(frames_.frames());
  alignment_.delay.assign(frames, global.delay);
  const bool fits = one_delay_fits(global.delay, degraded, range);
  const bool half_has_it = half_has_one_delay();
  alignment_.one_delay_fits = fits && half_has_it && !a_block_lies_elsewhere(global.delay, degraded, range);
  if (alignment_.one_delay_fits) return alignment_;
  follow_envelope(global.step, range);
  const bool is_inverted = !half_has_it && pieces_are_inverted(global, degraded);
  if (is_inverted) invert_polarity(global, degraded);
  follow(global, degraded, range);
  // Where the envelope did not lead to the place, the pieces may be as wrong as the blocks that they contradict.
  if (is_inverted && global.from_waveform) follow_either_polarity(global, degraded, range);
  return alignment_;
}

void Aligner::follow_either_polarity(GlobalDelay& global, PaddedSignal& degraded, const DelayRange& range) {
  const double found = evidence_of(alignment_, range);
  const auto follow_other = [&] {
    invert_polarity(global, degraded);
    forget_path();
    follow(global, degraded, range);
  };
  follow_other();
  if (evidence_of(alignment_, range) <= found) follow_other();
}

}  // namespace vqas::scoring
