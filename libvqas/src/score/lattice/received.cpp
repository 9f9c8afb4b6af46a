#include "score/lattice/received.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "score/dsp/kernels.h"
#include "score/lattice/arrival_model.h"
#include "score/lattice/arrival_table.h"
#include "score/lattice/shared_power.h"
#include "score/model/shared_numbers.h"
#include "vqas/signal/median.h"

namespace vqas::scoring {
namespace {

constexpr ArrivalModel kModel;
// Floors that are tried: none, and from that of a pause to below that of loud speech.
constexpr std::size_t kFloors = [] {
  std::size_t count = 1;
  for (double floor = kPauseShare; floor < kLoudShare; floor *= kClearlyOver) ++count;
  return count;
}();
const double kMostDecades = -std::log10(kFaintShare);  // of power: what is weaker is silence

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
  return std::copysign(std::min(-std::log1p(-std::min(r * r, 0.99)), kMostUnits), r);
}

// Clicks are cut, as one sample of full scale hides a step of speech.
void take_out_clicks(std::span<const float> from, AlignedVector<float>& to) {
  std::vector<float> median((from.size() + kModel.around - 1) / kModel.around);
  std::size_t part = 0;
  for (; (part + kLanes) * kModel.around <= from.size(); part += kLanes)
    median_magnitudes(from.data() + part * kModel.around, kModel.around, median.data() + part);
  std::vector<float> magnitudes;
  for (; part < median.size(); ++part) {
    const auto rest = from.subspan(part * kModel.around, std::min(kModel.around, from.size() - part * kModel.around));
    magnitudes.assign(rest.begin(), rest.end());
    for (float& value : magnitudes) value = std::abs(value);
    const auto middle = magnitudes.begin() + static_cast<std::ptrdiff_t>(magnitudes.size() / 2);
    std::nth_element(magnitudes.begin(), middle, magnitudes.end());
    median[part] = *middle;
  }
  to.resize(from.size());
  for (std::size_t k = 0; k < median.size(); ++k) {
    const float around = std::max({median[k > 0 ? k - 1 : 0], median[k], median[std::min(k + 1, median.size() - 1)]});
    const float most = static_cast<float>(kModel.click) * around + 1e-6F;
    const std::size_t begin = k * kModel.around;
    limit_magnitudes(from.subspan(begin, std::min(kModel.around, from.size() - begin)), most, to.data() + begin);
  }
}

class Chain {
 public:
  Chain(const ReceivedSteps& steps, ReceivedWork& work) : steps_(steps), seen_(steps.gain.size()) { look(work); }

  std::vector<float> run() {
    std::vector<float> received(seen_.size());
    all_.resize(seen_.size());
    for (std::size_t k = 0; k < seen_.size(); ++k) all_.set(k, seen_[k]);
    measure_decades();
    for (std::size_t k = 0; k < seen_.size(); ++k)
      received[k] = steps_.active[k] != 0 && decades_[k] > -1 ? 1.0F : 0.0F;
    expect(received);
    return posterior();
  }

  /// After run().
  std::vector<ArrivalTerms> terms() const {
    std::vector<ArrivalTerms> all;
    if (!kept_) return all;
    for (std::size_t k = 0; k < seen_.size(); ++k) all.push_back(steps_.active[k] != 0 ? terms_of(k) : ArrivalTerms{});
    return all;
  }

 private:
  void look(ReceivedWork& work) {
    take_out_clicks(steps_.degraded, work.degraded);
    take_out_clicks(steps_.predicted, work.predicted);
    const std::span<const float> degraded = work.degraded;
    const std::span<const float> predicted = work.predicted;
    const auto length = static_cast<std::size_t>(steps_.step);
    std::vector<SharedPower>& shared = work.shared;
    shared.resize(seen_.size());
    shared_powers(predicted, degraded, steps_.step, shared);
    const double mean = take_powers(shared, sums_of_steps(degraded));
    const double passed = most_passed();
    if (steps_.waveform_kept) {
      find_excess();
      // Beside a gap by itself; else with its neighbours, so that a fraction of a sample can be told and is no loss.
      for (auto* row : {&work.correlation, &work.norm}) row->resize(seen_.size());
      correlate_steps(shared, 1e-4 * mean + kTiny, work.correlation, work.norm);
    }
    for (std::size_t k = 0; k < seen_.size(); ++k) {
      Seen& seen = seen_[k];
      seen.leak = kFaintShare * passed * steps_.sent[k];
      if (!steps_.waveform_kept || steps_.active[k] == 0) continue;
      seen.correlation = work.correlation[k];
      // Beyond the most that a step may say it says nothing more.
      if (seen.correlation * seen.correlation < 0.99)
        seen.correlation = std::max(seen.correlation, moved(predicted, degraded, k, length, work.norm[k]));
      seen.information = information_of(seen.correlation);
    }
    // Behind vocoders the level speaks.
    kept_ = steps_.waveform_kept && is_usually_told(-std::log1p(-kWaveformKept));
  }

  // Returns the mean power of what arrived. Not inlined: beside the calls of look() its sums would lie in memory.
  [[gnu::noinline]] double take_powers(std::span<const SharedPower> shared, const std::vector<double>& sums) {
    double mean = 0;
    double speech = 0;
    int active = 0;
    for (std::size_t k = 0; k < seen_.size(); ++k) {
      const double y = sums[k];
      mean += shared[k].yy / static_cast<double>(seen_.size());
      const double gain = steps_.gain[k];
      seen_[k].expected = gain * gain * shared[k].bb;
      // A constant that a recording brings with it stays where its speech is cut.
      seen_[k].power = std::max(0.0, shared[k].yy - y * y / steps_.step);
      if (steps_.active[k] == 0) continue;
      speech += seen_[k].expected;
      ++active;
    }
    speech_ = speech / std::max(1, active);
    return mean;
  }

  // Whether the upper median of loud steps reaches so much information: what was replaced is less than half of them.
  bool is_usually_told(double information) const {
    std::size_t loud = 0;
    std::size_t below = 0;
    for (std::size_t k = 0; k < seen_.size(); ++k) {
      if (steps_.active[k] == 0 || seen_[k].expected < kLoudShare * speech_) continue;
      ++loud;
      below += seen_[k].information < information ? 1 : 0;
    }
    return loud > 0 && below <= loud / 2;
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
    constexpr std::size_t kReach = kMedianOf / 2;  // not tuned: steps either side, 60 ms
    const std::size_t count = seen_.size();
    std::vector<double> excess(count);
    for (std::size_t k = 0; k < count; ++k) excess[k] = seen_[k].power - seen_[k].expected;
    std::vector<double> medians(count);
    if (count >= kMedianOf) running_medians(excess, std::span(medians).subspan(kReach, count - 2 * kReach));
    std::vector<double> window;
    for (std::size_t k = 0; k < count; ++k) {
      const bool is_whole = k >= kReach && k + kReach < count;
      if (!is_whole) {
        window.assign(excess.begin() + static_cast<std::ptrdiff_t>(k - std::min(k, kReach)),
                      excess.begin() + static_cast<std::ptrdiff_t>(std::min(count, k + kReach + 1)));
        medians[k] = upper_median(window);
      }
      seen_[k].excess = std::max(0.0, medians[k]);
    }
  }

  // The correlation of a step and its neighbours where the speed wavers: at the best of the delays near by.
  static double moved(std::span<const float> predicted, std::span<const float> degraded, std::size_t k,
                      std::size_t length, double norm) {
    const std::size_t from = (k - 1) * length;
    if (k == 0 || from < kModel.wavers || from + 3 * length + kModel.wavers >= predicted.size()) return 0;
    std::array<float, 2 * kModel.wavers + 1> sums;
    sliding_products(degraded.data() + from, predicted.data() + from - kModel.wavers, static_cast<int>(3 * length),
                     sums);
    return *std::max_element(sums.begin(), sums.end()) / norm;
  }

  // Of the power that was sent, by the steps of which the line passes most.
  double most_passed() const {
    std::vector<double> shares;
    shares.reserve(seen_.size());
    for (std::size_t k = 0; k < seen_.size(); ++k) {
      if (steps_.active[k] != 0) shares.push_back(seen_[k].expected / (steps_.sent[k] + kTiny));
    }
    if (shares.empty()) return 0;
    const auto high = shares.begin() + static_cast<std::ptrdiff_t>(kBestTenth * static_cast<double>(shares.size()));
    std::nth_element(shares.begin(), high, shares.end());
    return *high;
  }

  // What a received step of this power is like: errors that come with the speech (`share_`) and noise that does not
  // (`floor_`). The floor under which the steps fit best is taken.
  void expect(const std::vector<float>& received) {
    double sum = 0;
    double weight = 1e-9;
    for (std::size_t k = 0; k < seen_.size(); ++k) {
      if (steps_.active[k] == 0 || seen_[k].expected < kLoudShare * speech_) continue;
      const double w = received[k] * std::min(1.0, seen_[k].expected / speech_);
      sum += w * seen_[k].information;
      weight += w;
    }
    const double error = 1 / std::expm1(std::clamp(sum / weight, 0.02, kMostUnits));
    std::vector<float> weights(seen_.size());
    std::vector<float> information(seen_.size());
    Row told;
    told.resize(seen_.size());
    double all = 1e-9;
    std::size_t count = 0;
    for (std::size_t k = 0; k < seen_.size(); ++k) {
      if (steps_.active[k] == 0 || received[k] <= 0) continue;
      weights[count] = received[k];
      told.set(count, seen_[k]);
      information[count] = static_cast<float>(seen_[k].information);
      all += received[k];
      ++count;
    }
    told.resize(count);
    const double mean = speech_ + kTiny;
    const auto share_above = [&](double floor) { return std::max(error - floor / mean, 0.25 * error); };
    std::array<double, kFloors> floors{};
    for (std::size_t n = 1; n < kFloors; ++n) floors[n] = std::max(kClearlyOver * floors[n - 1], kPauseShare * mean);
    std::vector<float> expected(kFloors * count);
    for (std::size_t n = 0; n < kFloors; ++n)
      expect_information(told, share_above(floors[n]), floors[n], std::span(expected).subspan(n * count, count));
    // Under all floors at once: none of the sums waits for another.
    std::array<double, kFloors> off{};
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t n = 0; n < kFloors; ++n)
        off[n] += weights[k] * std::abs(information[k] - expected[n * count + k]);
    }
    for (double& one : off) one /= all;
    const auto best = static_cast<std::size_t>(std::min_element(off.begin(), off.end()) - off.begin());
    wavering_ = off[best];
    floor_ = floors[best];
    share_ = share_above(floor_);
    information_.resize(seen_.size());
    expect_information(all_, share_, floor_, information_);
    measure_decades();
  }

  /// Powers of several steps, side by side.
  struct Row {
    std::vector<float> expected, excess, leak, power;
    void resize(std::size_t count) {
      for (auto* column : {&expected, &excess, &leak, &power}) column->resize(count);
    }
    void set(std::size_t k, const Seen& seen) {
      expected[k] = static_cast<float>(seen.expected);
      excess[k] = static_cast<float>(seen.excess);
      leak[k] = static_cast<float>(seen.leak);
      power[k] = static_cast<float>(seen.power + kFaintShare * seen.expected + kTiny);
    }
  };
  /// log(1 + speech over error).
  void expect_information(const Row& row, double share, double floor, std::span<float> to) const {
    const auto least = static_cast<float>(1e-9 * speech_ + kTiny);
    error_ratios({row.expected, row.expected, row.excess, row.leak, static_cast<float>(share),
                  static_cast<float>(floor), least, 1},
                 to);
    to_log2(to);
    for (float& value : to) {
      value = std::min(std::numbers::ln2_v<float> * value, static_cast<float>(kMostUnits));
    }
  }
  /// By which what arrived is stronger than speech and noise of this line.
  void measure_decades() {
    decades_.resize(seen_.size());
    error_ratios({all_.power, all_.expected, all_.excess, all_.leak, 1, static_cast<float>(floor_),
                  static_cast<float>(kTiny), 0},
                 decades_);
    to_log2(decades_);
    for (float& value : decades_) value *= std::numbers::ln2_v<float> / std::numbers::ln10_v<float>;
  }

  double evidence(std::size_t k) const {
    if (steps_.active[k] == 0) return 0;
    if (!kept_) {
      const double decades = decades_[k];
      return kModel.most_evidence + kModel.level * std::clamp(-decades, 0.0, kMostDecades);
    }
    const ArrivalTerms terms = terms_of(k);
    double sum = (arrival::kCertain + kModel.bias + kModel.wavering * wavering_) * terms.certain +
                 arrival::kAlike * terms.alike + arrival::kWeaker * terms.weaker + arrival::kStronger * terms.stronger +
                 arrival::kMissing * terms.missing;
    // The alignment did not find it, which takes the bias back.
    if (!steps_.lost.empty() && steps_.lost[k] != 0) sum -= kModel.bias * terms.certain;
    return std::clamp(sum, -kModel.most_evidence, kModel.most_evidence);
  }

  ArrivalTerms terms_of(std::size_t k) const {
    const Seen& seen = seen_[k];
    const double q = information_[k];
    const double ratio = decades_[k];
    const double certain = q / (q + kModel.little);
    return {certain, certain * seen.correlation, certain * std::clamp(-ratio, 0.0, kMostDecades),
            certain * std::clamp(ratio, 0.0, kMostDecades), certain * std::max(0.0, q - seen.information)};
  }

  // Forward and backward (L. Rabiner, Proc. IEEE 77(2), 1989), in odds of received against not.
  std::vector<float> posterior() const {
    const std::size_t count = seen_.size();
    std::vector<float> likelihood(count);  // of a received step against one that is not
    for (std::size_t k = 0; k < count; ++k) likelihood[k] = static_cast<float>(evidence(k) * std::numbers::log2e);
    to_exp2(likelihood);
    // The odds of all that is known up to each step, and of all that follows it: neither waits for the other.
    const double stay = 1 - kModel.lose;
    const double stay_gone = 1 - kModel.regain;
    std::vector<double> odds(count);
    std::vector<double> odds_after(count);
    double before = kModel.regain / kModel.lose;  // as over a long time
    double after = 1;
    for (std::size_t k = 0, last = count; last-- > 0; ++k) {
      before = (stay * before + kModel.regain) / (kModel.lose * before + stay_gone) * likelihood[k];
      odds[k] = before;
      odds_after[last] = after;
      const double here = likelihood[last] * after;
      after = (stay * here + kModel.lose) / (kModel.regain * here + stay_gone);
    }
    std::vector<float> received(count);
    for (std::size_t k = 0; k < count; ++k) {
      const double all = odds[k] * odds_after[k];
      received[k] = static_cast<float>(all / (1 + all));
    }
    return received;
  }

  const ReceivedSteps& steps_;
  std::vector<Seen> seen_;
  Row all_;
  std::vector<float> information_, decades_;  // of each step: what is expected of it, and by how much it is stronger
  double speech_ = 0;                         // mean power of the active steps, expected
  double share_ = 1, floor_ = 0;
  bool kept_ = true;     // the waveform says which steps were received
  double wavering_ = 0;  // d: mean distance of u from q
};

}  // namespace

std::vector<ArrivalTerms> arrival_terms(const ReceivedSteps& steps) {
  ReceivedWork work;
  Chain chain(steps, work);
  chain.run();
  return chain.terms();
}

std::vector<float> received_probability(const ReceivedSteps& steps, ReceivedWork& work) {
  return Chain(steps, work).run();
}

}  // namespace vqas::scoring
