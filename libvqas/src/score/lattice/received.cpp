#include "score/lattice/received.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "score/dsp/kernels.h"
#include "score/lattice/arrival_table.h"
#include "score/lattice/shared_power.h"
#include "vqas/signal/median.h"

namespace vqas::scoring {
namespace {

// A bias towards received, nats, set by hand: what a step says is less its own where the correlation wavers.
constexpr double kBias = 2.4;
constexpr double kWavering = 1.3;  // for each nat by which it does
// Where the waveform is not kept: nats, and nats for each decade that a step is too weak. By hand: there only what is
// 27 dB too weak speaks against having arrived.
constexpr std::array<double, 2> kLevel = {8, -3};
// The rest is set by hand.
constexpr double kLose = 0.003;          // chance of a step to begin a loss: one in 1.3 s
constexpr double kRegain = 0.08;         // chance of a step to end one: after 50 ms
constexpr double kMostEvidence = 8;      // nats of one step: none decides alone against a long run
constexpr double kMostInformation = 4;   // of u and q: above a correlation of 0.99 nothing more is said
constexpr double kMostDecades = 3;       // of power: 30 dB weaker is silence
constexpr int kRounds = 2;               // of expectation and chain
constexpr double kKept = 1.4;            // of u in loud speech, r 0.87: below it, as behind vocoders, the level speaks
constexpr double kLost = 3;              // nats of a step that the alignment did not find: takes the bias back
constexpr double kLittle = 0.1;          // of q: what noise hides says nothing
constexpr double kLeak = 1e-3;           // of the power in the line's band: a filter's stop band is predicted to -30 dB
constexpr double kClick = 4;             // times the median magnitude around: more is a click of a bit error
constexpr std::size_t kAround = 128;     // samples, 16 ms, in which that median is taken
constexpr std::size_t kWavers = 6;       // samples either side that a speed of +-0.5 % moves a place within a second
constexpr std::size_t kExcessReach = 7;  // steps either side, 60 ms: twice a packet and more
constexpr double kLoud = 0.1;            // share of the mean power from which a step tells the line's quality
constexpr int kFloors = 12;              // floors of noise that are tried, beside none
constexpr std::size_t kFloorEvery = 3;   // steps: a third of them tells the floor
constexpr double kFloorStep = 2.5;       // from one to the next, 4 dB
constexpr double kLowestFloor = 1e-5;    // of the mean power of speech: -50 dB
constexpr double kTiny = 1e-12;          // against a division by zero

/// Of one step: how alike, how loud and how far from what was expected.
struct Seen {
  double expected = 0;     // power of the prediction with the gain
  double correlation = 0;  // r, -1..1
  double information = 0;  // u = -log(1 - r^2) with the sign of r
  double power = 0;        // of what arrived
  double leak = 0;         // power that the prediction may be wrong by where a filter passes little
  double excess = 0;       // power around that is more than was expected: noise that comes and goes
};

double information_of(double r) {
  return std::copysign(std::min(-std::log1p(-std::min(r * r, 0.99)), kMostInformation), r);
}

// Clicks are cut, as one sample of full scale hides a step of speech.
std::vector<float> without_clicks(std::span<const float> from) {
  std::vector<float> median((from.size() + kAround - 1) / kAround);
  std::size_t part = 0;
  for (; (part + kLanes) * kAround <= from.size(); part += kLanes)
    median_magnitudes(from.data() + part * kAround, kAround, median.data() + part);
  std::vector<float> magnitudes;
  for (; part < median.size(); ++part) {
    const auto rest = from.subspan(part * kAround, std::min(kAround, from.size() - part * kAround));
    magnitudes.assign(rest.begin(), rest.end());
    for (float& value : magnitudes) value = std::abs(value);
    const auto middle = magnitudes.begin() + static_cast<std::ptrdiff_t>(magnitudes.size() / 2);
    std::nth_element(magnitudes.begin(), middle, magnitudes.end());
    median[part] = *middle;
  }
  std::vector<float> to(from.begin(), from.end());
  for (std::size_t k = 0; k < median.size(); ++k) {
    const float around = std::max({median[k > 0 ? k - 1 : 0], median[k], median[std::min(k + 1, median.size() - 1)]});
    const float most = static_cast<float>(kClick) * around + 1e-6F;
    limit_magnitudes(most, std::span(to).subspan(k * kAround, std::min(kAround, to.size() - k * kAround)));
  }
  return to;
}

class Chain {
 public:
  explicit Chain(const ReceivedSteps& steps) : steps_(steps), seen_(steps.gain.size()) { look(); }

  std::vector<float> run() {
    std::vector<float> received(seen_.size());
    for (std::size_t k = 0; k < seen_.size(); ++k)
      received[k] = steps_.active[k] != 0 && decades(seen_[k]) > -1 ? 1.0F : 0.0F;
    for (int round = 0; round < kRounds; ++round) {
      expect(received);
      received = posterior();
    }
    return received;
  }

  /// After run().
  std::vector<ArrivalTerms> terms() const {
    std::vector<ArrivalTerms> all;
    if (!kept_) return all;
    for (std::size_t k = 0; k < seen_.size(); ++k)
      all.push_back(steps_.active[k] != 0 ? terms_of(seen_[k]) : ArrivalTerms{});
    return all;
  }

 private:
  void look() {
    const std::vector<float> degraded = without_clicks(steps_.degraded);
    const std::vector<float> predicted = without_clicks(steps_.predicted);
    const auto length = static_cast<std::size_t>(steps_.step);
    std::vector<SharedPower> shared(seen_.size());
    shared_powers(predicted, degraded, steps_.step, shared);
    const std::vector<double> sums = sums_of_steps(degraded);
    double mean = 0;
    int active = 0;
    for (std::size_t k = 0; k < seen_.size(); ++k) {
      const double y = sums[k];
      mean += shared[k].yy / static_cast<double>(seen_.size());
      const double gain = steps_.gain[k];
      seen_[k].expected = gain * gain * shared[k].bb;
      // A constant that a recording brings with it stays where its speech is cut.
      seen_[k].power = std::max(0.0, shared[k].yy - y * y / steps_.step);
      if (steps_.active[k] == 0) continue;
      speech_ += seen_[k].expected;
      ++active;
    }
    speech_ /= std::max(1, active);
    const double passed = most_passed();
    if (steps_.waveform_kept) find_excess();
    for (std::size_t k = 0; k < seen_.size(); ++k) {
      Seen& seen = seen_[k];
      seen.leak = kLeak * passed * steps_.sent[k];
      if (!steps_.waveform_kept || steps_.active[k] == 0) continue;
      // Beside a gap by itself; else with its neighbours, so that a fraction of a sample can be told and is no loss.
      SharedPower around = shared[k];
      if (k > 0) around.add(shared[k - 1]);
      if (k + 1 < seen_.size()) around.add(shared[k + 1]);
      const double floor = 1e-4 * mean + kTiny;
      const double alone = shared[k].yb / std::sqrt((shared[k].bb + kTiny) * (shared[k].yy + floor));
      const double filtered = std::copysign(std::sqrt(around.explained() / (around.yy + 3 * floor)), around.yb);
      const double norm = std::sqrt((around.bb + kTiny) * (around.yy + 3 * floor));
      seen.correlation = std::max({alone, filtered, moved(predicted, degraded, k, length, norm)});
      seen.information = information_of(seen.correlation);
    }
    kept_ = steps_.waveform_kept && usual_information() >= kKept;
  }

  // The median of loud steps: what was replaced is less than half of them.
  double usual_information() const {
    std::vector<double> loud;
    for (std::size_t k = 0; k < seen_.size(); ++k) {
      if (steps_.active[k] != 0 && seen_[k].expected >= kLoud * speech_) loud.push_back(seen_[k].information);
    }
    return loud.empty() ? 0 : upper_median(loud);
  }

  std::vector<double> sums_of_steps(std::span<const float> samples) const {
    const auto length = static_cast<std::size_t>(steps_.step);
    std::vector<double> sums(seen_.size());
    std::size_t k = 0;
    for (; k + kLanes <= sums.size(); k += kLanes) step_sums(samples.data() + k * length, steps_.step, &sums[k]);
    for (; k < sums.size(); ++k) {
      for (std::size_t n = k * length; n < (k + 1) * length; ++n) sums[k] += samples[n];
    }
    return sums;
  }

  // The median around, as a packet that was replaced is less than half of the steps there.
  void find_excess() {
    const auto excess_of = [this](std::size_t k) { return seen_[k].power - seen_[k].expected; };
    // The values around, in order: one goes and one comes from step to step.
    std::array<double, 2 * kExcessReach + 1> window{};
    std::size_t count = 0;
    for (std::size_t k = 0; k < seen_.size() + kExcessReach; ++k) {
      if (k > 2 * kExcessReach) {
        const auto end = window.begin() + static_cast<std::ptrdiff_t>(count--);
        const auto gone = std::find(window.begin(), end, excess_of(k - 2 * kExcessReach - 1));
        std::copy(gone + 1, end, gone);
      }
      if (k < seen_.size()) {
        const double come = excess_of(k);
        std::size_t at = count++;
        for (; at > 0 && window[at - 1] > come; --at) window[at] = window[at - 1];
        window[at] = come;
      }
      if (k >= kExcessReach) seen_[k - kExcessReach].excess = std::max(0.0, window[count / 2]);
    }
  }

  // The correlation of a step and its neighbours where the speed wavers: at the best of the delays near by.
  static double moved(std::span<const float> predicted, std::span<const float> degraded, std::size_t k,
                      std::size_t length, double norm) {
    const std::size_t from = (k - 1) * length;
    if (k == 0 || from < kWavers || from + 3 * length + kWavers >= predicted.size()) return 0;
    std::array<float, 2 * kWavers + 1> sums;
    sliding_products(degraded.data() + from, predicted.data() + from - kWavers, static_cast<int>(3 * length), sums);
    return *std::max_element(sums.begin(), sums.end()) / norm;
  }

  // Of the power that was sent, by the steps of which the line passes most.
  double most_passed() const {
    std::vector<double> shares;
    for (std::size_t k = 0; k < seen_.size(); ++k) {
      if (steps_.active[k] != 0) shares.push_back(seen_[k].expected / (steps_.sent[k] + kTiny));
    }
    if (shares.empty()) return 0;
    const auto high = shares.begin() + static_cast<std::ptrdiff_t>(shares.size() * 9 / 10);
    std::nth_element(shares.begin(), high, shares.end());
    return *high;
  }

  // What a received step of this power is like: errors that come with the speech (`share_`) and noise that does not
  // (`floor_`). The floor under which the steps fit best is taken.
  void expect(const std::vector<float>& received) {
    double sum = 0;
    double weight = 1e-9;
    for (std::size_t k = 0; k < seen_.size(); ++k) {
      if (steps_.active[k] == 0 || seen_[k].expected < kLoud * speech_) continue;
      const double w = received[k] * std::min(1.0, seen_[k].expected / speech_);
      sum += w * seen_[k].information;
      weight += w;
    }
    const double error = 1 / std::expm1(std::clamp(sum / weight, 0.02, kMostInformation));
    double best = -1;
    double floor = 0;
    const double mean = speech_ + kTiny;
    double all = 1e-9;
    for (std::size_t k = 0; k < seen_.size(); k += kFloorEvery) all += steps_.active[k] != 0 ? received[k] : 0;
    for (int n = 0; n <= kFloors; ++n, floor = std::max(kFloorStep * floor, kLowestFloor * speech_)) {
      const double share = std::max(error - floor / mean, 0.25 * error);
      double off = 0;
      for (std::size_t k = 0; k < seen_.size(); k += kFloorEvery) {
        if (steps_.active[k] == 0) continue;
        off += received[k] * std::abs(seen_[k].information - expectation(seen_[k], share, floor));
        // It only grows.
        if (best >= 0 && off / all >= best) break;
      }
      off /= all;
      if (best >= 0 && off >= best) continue;
      best = off;
      wavering_ = off;
      share_ = share;
      floor_ = floor;
    }
  }
  double expectation(const Seen& seen, double share, double floor) const {
    const double error = seen.expected * share + std::max(floor, seen.excess) + seen.leak;
    return std::min(std::log1p(seen.expected / (error + 1e-9 * speech_ + kTiny)), kMostInformation);
  }

  // By which what arrived is stronger than speech and noise of this line.
  double decades(const Seen& seen) const {
    return std::log10((seen.power + 1e-3 * seen.expected + kTiny) /
                      (seen.expected + std::max(floor_, seen.excess) + seen.leak + kTiny));
  }

  double evidence(std::size_t k) const {
    if (steps_.active[k] == 0) return 0;
    const Seen& seen = seen_[k];
    if (!kept_) return kLevel[0] + kLevel[1] * std::clamp(-decades(seen), 0.0, kMostDecades);
    const ArrivalTerms terms = terms_of(seen);
    double sum = (arrival::kCertain + kBias + kWavering * wavering_) * terms.certain + arrival::kAlike * terms.alike +
                 arrival::kWeaker * terms.weaker + arrival::kStronger * terms.stronger +
                 arrival::kMissing * terms.missing;
    if (!steps_.lost.empty() && steps_.lost[k] != 0) sum -= kLost * terms.certain;
    return std::clamp(sum, -kMostEvidence, kMostEvidence);
  }

  ArrivalTerms terms_of(const Seen& seen) const {
    const double q = expectation(seen, share_, floor_);
    const double ratio = decades(seen);
    const double certain = q / (q + kLittle);
    return {certain, certain * seen.correlation, certain * std::clamp(-ratio, 0.0, kMostDecades),
            certain * std::clamp(ratio, 0.0, kMostDecades), certain * std::max(0.0, q - seen.information)};
  }

  // Forward and backward (L. Rabiner, Proc. IEEE 77(2), 1989), in odds of received against not.
  std::vector<float> posterior() const {
    const std::size_t count = seen_.size();
    std::vector<double> likelihood(count);  // of a received step against one that is not
    for (std::size_t k = 0; k < count; ++k) likelihood[k] = std::exp(evidence(k));
    std::vector<double> odds(count);  // of all that is known up to each step
    double before = kRegain / kLose;  // as over a long time
    for (std::size_t k = 0; k < count; ++k) {
      const double stay = before / (1 + before);
      const double here = stay * (1 - kLose) + (1 - stay) * kRegain;
      before = here / (1 - here) * likelihood[k];
      odds[k] = before;
    }
    std::vector<float> received(count);
    double received_after = 1;  // likelihood of all that follows, for either state
    double gone_after = 1;
    for (std::size_t k = count; k-- > 0;) {
      const double all = odds[k] * received_after / gone_after;
      received[k] = static_cast<float>(all / (1 + all));
      const double here = likelihood[k] * received_after;
      const double other = gone_after;
      received_after = (1 - kLose) * here + kLose * other;
      gone_after = kRegain * here + (1 - kRegain) * other;
      const double scale = 1 / (received_after + gone_after);
      received_after *= scale;
      gone_after *= scale;
    }
    return received;
  }

  const ReceivedSteps& steps_;
  std::vector<Seen> seen_;
  double speech_ = 0;  // mean power of the active steps, expected
  double share_ = 1, floor_ = 0;
  bool kept_ = true;     // the waveform says which steps were received
  double wavering_ = 0;  // d: mean distance of u from q
};

}  // namespace

std::vector<ArrivalTerms> arrival_terms(const ReceivedSteps& steps) {
  Chain chain(steps);
  chain.run();
  return chain.terms();
}

std::vector<float> received_probability(const ReceivedSteps& steps) {
  return Chain(steps).run();
}

}  // namespace vqas::scoring
