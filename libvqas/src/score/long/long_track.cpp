#include "score/long/long_track.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>

#include "score/model/shared_numbers.h"
#include "vqas/signal/median.h"

namespace vqas::scoring {
namespace {

constexpr int kWindow = EnvelopeMatch::kWindow;
constexpr double kRoundingS = 1e-6;  // not tuned: the same instant, added up in two ways

/// Steps in which somebody talks, short pauses included.
std::vector<char> talk_of(std::span<const float> power) {
  const double sum = std::accumulate(power.begin(), power.end(), 0.0);
  const double least = kActiveShare * sum / std::max<double>(1, static_cast<double>(power.size()));
  std::vector<char> talk(power.size(), 0);
  int last = -kHangover - 1;
  for (int n = 0; n < static_cast<int>(power.size()); ++n) {
    if (power[n] <= least) continue;
    std::fill(talk.begin() + (n - last <= kHangover ? last + 1 : n), talk.begin() + n + 1, 1);
    last = n;
  }
  return talk;
}

}  // namespace

LongTrack::LongTrack(LongEnvelope reference, LongEnvelope degraded, double reach_s, bool is_bounded, const GoOn& go_on)
    : sent_(std::move(reference.loudness)),
      received_(std::move(degraded.loudness)),
      talk_(talk_of(reference.power)),
      power_(std::move(degraded.power)) {
  const int reach = static_cast<int>(std::ceil(reach_s / kEnvelopeStepS));
  places_ = LongPath(sent_, received_, reach, is_bounded).run(go_on);
  sound_from_ = kSoundShare * mean_power();
  // What was not found lies where what was found before it does.
  const auto first = std::find(places_.found.begin(), places_.found.end(), 1);
  if (first == places_.found.end()) return;
  int delay = places_.delay[static_cast<std::size_t>(first - places_.found.begin())];
  for (std::size_t w = 0; w < places_.delay.size(); ++w) {
    if (places_.found[w] != 0) delay = places_.delay[w];
    places_.delay[w] = delay;
  }
}

void LongTrack::forget() {
  std::fill(places_.found.begin(), places_.found.end(), 0);
  std::fill(places_.delay.begin(), places_.delay.end(), 0);
  cuts_.clear();
  sound_from_ = kSoundShare * mean_power();
}

int LongTrack::window_of(double at_s) const {
  int window =
      std::clamp(static_cast<int>(at_s / kWindowS), 0, std::max(0, static_cast<int>(places_.found.size()) - 1));
  // A window that holds a cut has a delay on one side of it alone.
  for (const Cut& cut : cuts_) {
    const bool is_before = at_s < cut.at_s - kRoundingS;
    window = is_before ? std::min(window, std::max(cut.before, cut.behind - 1)) : std::max(window, cut.behind);
  }
  return window;
}

/// Of what lies just before an instant.
int LongTrack::window_until(double to_s) const {
  return window_of(to_s - 2 * kRoundingS);
}

std::optional<double> LongTrack::cut_at_step(double from_s, double to_s, double most_s) {
  if (!is_found()) return std::nullopt;
  const int first = window_of(from_s);
  // What a window holds most of may lie a window behind its beginning.
  const int last = window_of(to_s + kWindowS);
  int before = first;
  for (int w = first; w <= last; ++w) {
    if (places_.found[w] == 0) continue;
    if ((places_.delay[w] - places_.delay[first]) * kEnvelopeStepS > most_s) {
      const auto is_known = [&](const Cut& cut) { return cut.behind == w; };
      const auto known = std::find_if(cuts_.begin(), cuts_.end(), is_known);
      if (known != cuts_.end()) return known->at_s;
      cuts_.push_back({best_cut_s(before, w, from_s + kShortestS), before, w});
      return cuts_.back().at_s;
    }
    before = w;
  }
  return std::nullopt;
}

/// Where what lies before it is most like what was received at the delay of the one window, and what lies behind it at
/// that of the other.
double LongTrack::best_cut_s(int before, int behind, double from_s) const {
  const int size = static_cast<int>(sent_.size());
  const int first =
      std::clamp(std::max(before * kWindow, static_cast<int>(std::ceil(from_s / kEnvelopeStepS))), 0, size);
  const int last = std::clamp((behind + 1) * kWindow, first, size);
  const auto received_at = [&](int step) {
    return step >= 0 && step < static_cast<int>(received_.size()) ? received_[static_cast<std::size_t>(step)] : 0.0F;
  };
  const int delay_before = places_.delay[before];
  const int delay_behind = places_.delay[behind];
  // Either envelope is that of a mean of 1, and silence is only in one of them.
  double product = 0;
  double square = kTiny;
  for (int n = before * kWindow; n < last; ++n) {
    if (n >= (before + 1) * kWindow && n < behind * kWindow) continue;
    const double received = received_at(n + (n < behind * kWindow ? delay_before : delay_behind));
    product += sent_[n] * received;
    square += received * received;
  }
  const double gain = product / square;
  const auto error = [&](int n, int delay) {
    const double difference = sent_[n] - gain * received_at(n + delay);
    return difference * difference;
  };
  double sum = 0;
  double most = 0;
  int best = first;
  for (int n = first; n < last; ++n) {
    sum += error(n, delay_behind) - error(n, delay_before);
    if (sum < most) continue;
    most = sum;
    best = n + 1;
  }
  return std::round(100 * best * kEnvelopeStepS) / 100;  // 10 ms are whole samples at the usual rates
}

bool LongTrack::is_found() const {
  return std::find(places_.found.begin(), places_.found.end(), 1) != places_.found.end();
}

bool LongTrack::is_all_found(double from_s, double to_s) const {
  if (!is_found()) return false;
  for (int w = window_of(from_s); w <= window_until(to_s); ++w) {
    if (places_.found[w] == 0 && places_.silent[w] == 0) return false;
  }
  return true;
}

double LongTrack::delay_s(double at_s) const {
  return places_.delay.empty() ? 0 : places_.delay[window_of(at_s)] * kEnvelopeStepS;
}

std::pair<double, double> LongTrack::delays_s(double from_s, double to_s) const {
  if (places_.delay.empty()) return {0, 0};
  const auto [least, most] =
      std::minmax_element(places_.delay.begin() + window_of(from_s), places_.delay.begin() + window_until(to_s) + 1);
  return {*least * kEnvelopeStepS, *most * kEnvelopeStepS};
}

double LongTrack::end_before_s(double at_s) const {
  if (!is_found()) return 0;
  const int w = window_of(at_s);
  if (places_.found[w] != 0) return at_s + places_.delay[w] * kEnvelopeStepS;
  return end_before(w);
}

double LongTrack::end_before(int window) const {
  while (window-- > 0) {
    if (places_.found[window] != 0) return (window + 1) * kWindowS + places_.delay[window] * kEnvelopeStepS;
  }
  return 0;
}

double LongTrack::begin_from_s(double at_s) const {
  if (!is_found()) return begin_from(0);
  const int w = window_of(at_s);
  if (places_.found[w] != 0) return std::max(at_s, w * kWindowS) + places_.delay[w] * kEnvelopeStepS;
  return begin_from(w);
}

double LongTrack::begin_from(int window) const {
  for (int w = window; w < static_cast<int>(places_.found.size()); ++w) {
    if (places_.found[w] != 0) return w * kWindowS + places_.delay[w] * kEnvelopeStepS;
  }
  return static_cast<double>(power_.size()) * kEnvelopeStepS;
}

MissingSpeech LongTrack::missing(double from_s, double to_s) const {
  MissingSpeech result;
  const auto last = std::min<std::ptrdiff_t>(std::ssize(talk_), std::lround(to_s / kEnvelopeStepS));
  bool any_arrived = false;
  for (std::ptrdiff_t n = std::lround(from_s / kEnvelopeStepS); n < last; ++n) {
    if (talk_[n] == 0) continue;
    result.speech_ms += 1000 * kEnvelopeStepS;
    if (places_.found[window_of((static_cast<double>(n) + 0.5) * kEnvelopeStepS)] == 0) {
      result.tail_ms += 1000 * kEnvelopeStepS;
      continue;
    }
    // What was missing so far has speech behind it.
    (any_arrived ? result.middle_ms : result.front_ms) += result.tail_ms;
    result.gaps += any_arrived && result.tail_ms > 0 ? 1 : 0;
    result.tail_ms = 0;
    any_arrived = true;
  }
  if (!any_arrived) std::swap(result.front_ms, result.tail_ms);
  return result;
}

LongAmbiguity LongTrack::ambiguity(double from_s, double to_s) const {
  LongAmbiguity all;
  const int end = std::min(window_until(to_s) + 1, static_cast<int>(places_.found.size()));
  for (int w = window_of(from_s); w < end;) {
    LongAmbiguity here;
    const int first = w;
    for (; w < end && places_.found[w] == 0; ++w) here.lost_s += lost_s(w);
    if (w == first) {
      ++w;
      continue;
    }
    // Of a window beside it a part may be lost, too.
    here.sound_s = sound_s(end_before(first) + kWindowS, begin_from(w) - kWindowS);
    if (!here.is_told()) continue;
    all.lost_s += here.lost_s;
    all.sound_s += here.sound_s;
  }
  return all;
}

double LongTrack::lost_s(int window) const {
  const auto end = std::min<std::ptrdiff_t>(std::ssize(talk_), std::ptrdiff_t{kWindow} * (window + 1));
  int steps = 0;
  for (std::ptrdiff_t n = std::ptrdiff_t{kWindow} * window; n < end; ++n) steps += talk_[n];
  return steps * kEnvelopeStepS;
}

double LongTrack::sound_over_pauses_s(double from_s, double to_s, double begin_s, double border_s, double end_s) const {
  const auto before = pause_power(begin_s, border_s);
  const auto behind = pause_power(border_s, end_s);
  const double pause = std::min(before.value_or(behind.value_or(0)), behind.value_or(before.value_or(0)));
  return sound_s(from_s, to_s, std::max(sound_from_, kClearlyOver * pause));
}

// The median, as in a shorter recording: some of what is taken for a pause may be what was put in.
std::optional<double> LongTrack::pause_power(double from_s, double to_s) const {
  std::vector<float> pauses;
  const auto last = std::min<std::ptrdiff_t>(std::ssize(talk_), std::lround(to_s / kEnvelopeStepS));
  for (std::ptrdiff_t n = std::lround(from_s / kEnvelopeStepS); n < last; ++n) {
    const int window = window_of((static_cast<double>(n) + 0.5) * kEnvelopeStepS);
    const std::ptrdiff_t at = n + places_.delay[window];
    if (talk_[n] != 0 || places_.found[window] == 0 || at < 0 || at >= std::ssize(power_)) continue;
    pauses.push_back(power_[at]);
  }
  if (pauses.empty()) return std::nullopt;
  return upper_median(pauses);
}

double LongTrack::sound_s(double from_s, double to_s, double least_power) const {
  const auto step_at = [&](double at_s) {
    return std::clamp<std::ptrdiff_t>(std::lround(at_s / kEnvelopeStepS), 0, std::ssize(power_));
  };
  int steps = 0;
  for (std::ptrdiff_t n = step_at(from_s); n < step_at(to_s); ++n) steps += power_[n] > least_power ? 1 : 0;
  return steps * kEnvelopeStepS;
}

/// Of what was found; of all where nothing was.
double LongTrack::mean_power() const {
  const auto size = std::ssize(power_);
  double sum = 0;
  std::ptrdiff_t count = 0;
  const auto add = [&](std::ptrdiff_t from, std::ptrdiff_t to) {
    from = std::clamp<std::ptrdiff_t>(from, 0, size);
    to = std::clamp<std::ptrdiff_t>(to, from, size);
    sum = std::accumulate(power_.begin() + from, power_.begin() + to, sum);
    count += to - from;
  };
  for (int w = 0; w < static_cast<int>(places_.found.size()); ++w) {
    const std::ptrdiff_t at = std::ptrdiff_t{w} * kWindow + places_.delay[w];
    if (places_.found[w] != 0) add(at, at + kWindow);
  }
  if (count == 0) add(0, size);
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

}  // namespace vqas::scoring
