#include "score/align/lost_phrases.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "score/dsp/kernels.h"
#include "score/model/shared_numbers.h"

namespace vqas::scoring {
namespace {

enum State : char { kQuiet, kHere, kLost };

constexpr double kSilentShare = 1e-3;      // of the mean energy: what is quieter correlates with nothing
constexpr double kClaimedAroundS = 0.096;  // beside what was found: its beginning and its end

}  // namespace

const RealFft& LostPhrases::plan(std::size_t size) {
  return plans_.try_emplace(size, size).first->second;
}

void LostPhrases::take(const PaddedSignal& from, std::vector<float>& to) const {
  to.resize(static_cast<std::size_t>(from.size() / model_.waveform_step));
  // Behind the end there is silence.
  decimate(from.samples().data(), model_.waveform_step, to);
}

// Each frame is quiet, or found where the track has it, or lost, by the frames around it.
void LostPhrases::find_lost(const Track& track) {
  const int frames = static_cast<int>(track.delay.size());
  const int half = model_.lost_window / 2;
  state_.assign(static_cast<std::size_t>(frames), kQuiet);
  // Both up to each frame: a window is a difference.
  weight_.assign(static_cast<std::size_t>(frames) + 1, 0);
  sum_.assign(static_cast<std::size_t>(frames) + 1, 0);
  for (int j = 0; j < frames; ++j) {
    weight_[j + 1] = weight_[j] + track.weight[j];
    sum_[j + 1] = sum_[j] + static_cast<double>(track.weight[j]) * track.correlation[j];
  }
  const auto window = [&](const std::vector<double>& up_to, int j) {
    return up_to[std::min(frames, j + half)] - up_to[std::max(0, j - half)];
  };
  double largest = 0;
  for (int j = 0; j < frames; ++j) largest = std::max(largest, window(weight_, j));
  for (int j = 0; j < frames; ++j) {
    const double weight = window(weight_, j);
    if (weight <= model_.lost_asked * largest) continue;
    state_[j] = window(sum_, j) < model_.lost_below * weight ? kLost : kHere;
  }
  phrases_.clear();
  for (int first = 0; first < frames;) {
    if (state_[first] != kLost) {
      ++first;
      continue;
    }
    int last = first;
    int gap = 0;
    for (int j = first; j < frames && state_[j] != kHere && gap < model_.lost_gap; ++j) {
      if (state_[j] == kLost) {
        last = j + 1;
        gap = 0;
      } else {
        ++gap;
      }
    }
    const int parts = (last - first + model_.lost_longest - 1) / model_.lost_longest;
    for (int part = 0; part < parts; ++part) {
      Phrase phrase{first + (last - first) * part / parts, first + (last - first) * (part + 1) / parts, 0, {}};
      for (int j = phrase.first; j < phrase.last; ++j) phrase.weight += track.weight[j];
      if (phrase.weight >= model_.lost_least_weight) phrases_.push_back(phrase);
    }
    first = last;
  }
}

// A phrase lies behind what was found before it and in front of what was found after it.
void LostPhrases::bound(const Track& track) {
  const int frames = static_cast<int>(track.delay.size());
  const int hop = model_.hop;
  const int slack = model_.lost_slack;
  std::vector<std::pair<int, int>> here;
  for (int first = 0; first < frames; ++first) {
    if (state_[first] != kHere) continue;
    int last = first + 1;
    while (last < frames && state_[last] == kHere) ++last;
    double weight = 0;
    double sum = 0;
    for (int j = first; j < last; ++j) {
      weight += track.weight[j];
      sum += static_cast<double>(track.weight[j]) * track.correlation[j];
    }
    if (last - first >= model_.lost_anchor && sum >= kAnchorCorrelation * weight) here.emplace_back(first, last);
    first = last;
  }
  if (here.empty()) {
    phrases_.clear();
    return;
  }
  for (Phrase& phrase : phrases_) {
    phrase.range = track.range;
    for (const auto& [first, last] : here) {
      if (last <= phrase.first) {
        const int end = last * hop + track.delay[last - 1];
        phrase.range.lowest = std::max(phrase.range.lowest, end - slack - phrase.first * hop);
      } else if (first >= phrase.last) {
        const int begin = first * hop + track.delay[first];
        phrase.range.highest = std::min(phrase.range.highest, begin + slack - phrase.last * hop);
        break;
      }
    }
  }
}

void LostPhrases::take_degraded(const PaddedSignal& degraded) {
  take(degraded, thin_degraded_);
  energy_.resize(thin_degraded_.size() + 1);
  double sum = 0;
  for (std::size_t n = 0; n < thin_degraded_.size(); ++n) {
    energy_[n] = sum;
    sum += static_cast<double>(thin_degraded_[n]) * thin_degraded_[n];
  }
  energy_.back() = sum;
  const auto longest = static_cast<std::size_t>(model_.lost_longest * model_.hop / model_.waveform_step);
  size_ = std::bit_ceil(thin_degraded_.size() + longest + 1);
  const RealFft& fft = plan(size_);
  samples_.assign(size_, 0.0F);
  std::copy(thin_degraded_.begin(), thin_degraded_.end(), samples_.begin());
  degraded_spectrum_.resize(fft.bins());
  spectrum_.resize(fft.bins());
  product_.resize(fft.bins());
  fft.forward(samples_.data(), degraded_spectrum_.data());
}

LostPhrases::Match LostPhrases::search(const Phrase& phrase) {
  const int step = model_.waveform_step;
  const int begin = phrase.first * model_.hop / step;
  const int length =
      std::min((phrase.last - phrase.first) * model_.hop / step, static_cast<int>(thin_reference_.size()) - begin);
  const int size = static_cast<int>(thin_degraded_.size());
  const RealFft& fft = plan(size_);
  std::fill(samples_.begin(), samples_.end(), 0.0F);
  double own = 0;
  for (int n = 0; n < length; ++n) {
    samples_[n] = thin_reference_[begin + n];
    own += static_cast<double>(samples_[n]) * samples_[n];
  }
  fft.forward(samples_.data(), spectrum_.data());
  conjugate_product(spectrum_.data(), degraded_spectrum_.data(), fft.bins(), product_.data());
  fft.inverse(product_.data(), samples_.data());

  // A quarter may hang over an end.
  const int over = length / 4;
  const int lowest = std::max(phrase.range.lowest / step, -over - begin);
  const int highest = std::min(phrase.range.highest / step, size - length + over - begin);
  const double floor = kSilentShare * energy_.back() / size * length;
  const auto value = [&](int delay) {
    const int at = begin + delay;
    const double there = energy_[std::clamp(at + length, 0, size)] - energy_[std::clamp(at, 0, size)];
    const float product = samples_[at < 0 ? at + static_cast<int>(size_) : at];
    return product / static_cast<double>(size_) / std::sqrt(own * (there + floor) + 1e-30);
  };
  Match match{0, -1, -1};
  for (int delay = lowest; delay <= highest; ++delay) {
    if (const double here = value(delay); here > match.correlation) match = {delay, here, -1};
  }
  const int apart = model_.lost_apart / step;
  for (int delay = lowest; delay <= highest; ++delay) {
    if (std::abs(delay - match.delay) > apart) match.next = std::max(match.next, value(delay));
  }
  match.delay *= step;
  return match;
}

LostPhrases::Unexplained LostPhrases::unexplained(const Track& track, std::span<const Found> held,
                                                  std::vector<char>& lost_frames) {
  lost_frames.clear();
  find_lost(track);
  for (const Found& phrase : held) std::fill(state_.begin() + phrase.first, state_.begin() + phrase.last, kHere);
  Unexplained result;
  if (std::find(state_.begin(), state_.end(), kLost) == state_.end()) return result;
  const int hop = model_.hop;
  const double hop_s = static_cast<double>(hop) / model_.rate_hz;
  const PaddedSignal& degraded = *track.degraded;
  const int hops = degraded.size() / hop;
  claimed_.assign(static_cast<std::size_t>(hops), 0);
  const int claimed_around = static_cast<int>(std::lround(kClaimedAroundS / hop_s));
  lost_frames.assign(state_.size(), 0);
  int lost = 0;
  bool any = false;
  for (int j = 0; j < static_cast<int>(state_.size()); ++j) {
    if (state_[j] == kLost) {
      ++lost;
      lost_frames[j] = 1;
      continue;
    }
    any = any || state_[j] == kHere;
    const int at = (j * hop + track.delay[j]) / hop;
    const int last = std::min(hops - 1, at + claimed_around + 1);
    for (int k = std::max(0, at - claimed_around); k <= last; ++k) claimed_[k] = 1;
  }
  if (!any) return result;
  hop_energy_.resize(static_cast<std::size_t>(hops));
  for (int k = 0; k < hops; ++k) hop_energy_[k] = degraded.energy(k * hop, hop);
  const double total = std::accumulate(hop_energy_.begin(), hop_energy_.end(), 0.0);
  int sound = 0;
  for (int k = 0; k < hops; ++k) {
    if (claimed_[k] == 0 && hop_energy_[k] * hops > kSoundShare * total) ++sound;
  }
  result.lost_s = lost * hop_s;
  result.sound_s = sound * hop_s;
  return result;
}

const std::vector<LostPhrases::Found>& LostPhrases::run(const Track& track) {
  found_.clear();
  find_lost(track);
  bound(track);
  const int reach = model_.piece_range * model_.envelope_hop;
  std::erase_if(phrases_, [&](const Phrase& phrase) {
    const int delay = track.delay[(phrase.first + phrase.last) / 2];
    return phrase.range.lowest >= delay - reach && phrase.range.highest <= delay + reach;
  });
  if (phrases_.empty()) return found_;
  if (thin_reference_.empty()) take(*track.reference, thin_reference_);
  if (thin_degraded_.empty()) take_degraded(*track.degraded);
  for (const Phrase& phrase : phrases_) {
    const Match match = search(phrase);
    if (match.correlation < model_.lost_found || match.next > model_.lost_next * match.correlation) continue;
    found_.push_back({phrase.first, phrase.last, match.delay});
  }
  return found_;
}

}  // namespace vqas::scoring
