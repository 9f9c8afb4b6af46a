#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <numbers>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "score/planted_faults.h"
#include "score/recipes.h"
#include "vqas/channel/g711.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/signal.h"

namespace vqas::test {

/// A recording whose alignment with its reference is known. Frames have 256 samples and lie 128 apart.
struct PlantedPair {
  Signal reference, degraded;
  std::vector<double> delay;    ///< samples, one a frame; NaN where less than half of the frame arrived
  std::vector<double> at;       ///< samples, one a sample of the reference; NaN where it did not arrive
  std::vector<double> arrived;  ///< share of the samples, one a frame
  std::vector<char> active;     ///< one a frame: somebody talks
  bool is_true = true;          ///< the recording holds the reference
};

/// The recordings of 1.5 to 7 s in a folder, by name.
inline std::vector<Signal> sentences_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Signal> result;
  for (const auto& file : files) {
    auto read = read_audio(file, {.rate_hz = kLineRateHz});
    if (read && read->seconds() > 1.5 && read->seconds() < 7) result.push_back(*std::move(read));
  }
  return result;
}

/// Makes recordings with faults whose alignment is known. Each sample of a recording carries its place in the
/// reference, so that every edit moves both.
class AlignmentPlanter {
 public:
  static constexpr int kFrame = 256, kHop = 128;
  static constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();

  /// Of at least four recordings at 8 kHz.
  AlignmentPlanter(std::vector<Signal> speech, std::uint64_t seed) : speech_(std::move(speech)), random_(seed) {}

  /// `kind`: one of kinds(), or several of them with a + between. A line (noise, codec, band) comes before an edit of
  /// the time, whatever their order.
  PlantedPair plant(std::string_view kind) {
    PlantedPair pair;
    said_.clear();
    x_ = sentences(kind.find("swapped") != kind.npos ? 2 : 0);
    std::vector<std::string> faults = parts_of(kind);
    if (kind == "mix") faults = {pick(edits()), pick(lines()), pick(edits())};
    y_ = x_;
    place_.resize(x_.size());
    for (std::size_t n = 0; n < place_.size(); ++n) place_[n] = static_cast<double>(n);
    for (const std::string& fault : faults) pass_line(fault);
    for (const std::string& fault : faults) edit_time(fault);
    const auto delay = static_cast<std::size_t>(random_.between(0, 1.5 * kLineRateHz));
    y_.insert(y_.begin(), delay, 0.0);
    place_.insert(place_.begin(), delay, kNowhere);
    if (kind == "other" || kind == "reversed" || kind == "noise") {
      pair.is_true = false;
      const std::vector<double> reference = x_;
      y_ = kind == "other" ? sentences(1) : std::vector<double>(reference.rbegin(), reference.rend());
      if (kind == "noise") std::generate(y_.begin(), y_.end(), [this] { return 0.05 * random_.normal(); });
      x_ = reference;
      place_.assign(y_.size(), kNowhere);
    }
    for (double& sample : y_) sample += 2e-4 * random_.normal();  // -74 dBov
    pair.reference = signal_of(x_);
    pair.degraded = signal_of(y_);
    tell_truth(pair);
    return pair;
  }

  static std::vector<std::string> lines() {
    return {"mu",      "ber1e-3",  "ber1e-2", "white20",   "white10", "white0", "mnru",   "mnru8",  "clipped", "band",
            "high800", "high1100", "wow",     "displaced", "noisy10", "noisy0", "clicks", "bursts", "hum"};
  }
  static std::vector<std::string> edits() {
    return {"step_speech", "step_pause", "steps",    "loss_zero", "loss_repeat",  "left_out",
            "cut_front",   "cut_middle", "cut_tail", "muted",     "pause_longer", "pause_shorter"};
  }
  static std::vector<std::string> kinds() {
    std::vector<std::string> all = lines();
    for (const std::string& edit : edits()) all.push_back(edit);
    for (const char* more : {"single", "swapped", "mix", "other", "reversed", "noise"}) all.emplace_back(more);
    return all;
  }

 private:
  static std::vector<std::string> parts_of(std::string_view kind) {
    std::vector<std::string> parts;
    for (std::size_t from = 0; from <= kind.size();) {
      const std::size_t end = std::min(kind.find('+', from), kind.size());
      parts.emplace_back(kind.substr(from, end - from));
      from = end + 1;
    }
    return parts;
  }
  std::string pick(const std::vector<std::string>& from) { return from[whole(from.size())]; }
  std::size_t whole(std::size_t below) {
    return std::min(below - 1, static_cast<std::size_t>(random_.uniform() * static_cast<double>(below)));
  }
  static Signal signal_of(const std::vector<double>& samples) {
    Signal signal{{}, kLineRateHz};
    for (const double sample : samples) signal.samples.push_back(static_cast<float>(std::clamp(sample, -1.0, 1.0)));
    return signal;
  }

  // One to three recordings that are not yet said, with pauses of 0.3 to 1 s; `count` 0: drawn.
  std::vector<double> sentences(std::size_t count) {
    if (count == 0) count = 1 + whole(3);
    std::vector<double> joined;
    split_ = 0;
    for (std::size_t k = 0; k < count; ++k) {
      std::size_t which = whole(speech_.size());
      while (std::find(said_.begin(), said_.end(), which) != said_.end()) which = (which + 1) % speech_.size();
      said_.push_back(which);
      if (k > 0) {
        const auto pause = static_cast<std::size_t>(random_.between(0.3, 1.0) * kLineRateHz);
        split_ = joined.size() + pause / 2;
        joined.insert(joined.end(), pause, 0.0);
      }
      const double gain = 0.05 / rms(speech_[which]);
      for (const float sample : speech_[which].samples) joined.push_back(gain * sample);
    }
    return joined;
  }

  static double power_near(const std::vector<double>& x, std::size_t at, std::size_t reach) {
    double sum = 0;
    const std::size_t from = at > reach ? at - reach : 0;
    const std::size_t to = std::min(x.size(), at + reach);
    for (std::size_t n = from; n < to; ++n) sum += x[n] * x[n];
    return sum / static_cast<double>(2 * reach);
  }
  double mean_power() const {
    double sum = 0;
    for (const double sample : y_) sum += sample * sample;
    return sum / static_cast<double>(std::max<std::size_t>(1, y_.size()));
  }
  std::size_t speech_moment() {
    const double least = 0.1 * mean_power();
    for (int trial = 0; trial < 200; ++trial) {
      const auto at = static_cast<std::size_t>(random_.between(0.15, 0.85) * static_cast<double>(y_.size()));
      if (power_near(y_, at, 200) > least) return at;
    }
    return y_.size() / 2;
  }
  std::size_t pause_moment() {
    std::size_t best = y_.size() / 2;
    double least = 1e9;
    for (std::size_t at = y_.size() / 10; at < y_.size() * 9 / 10; at += 80) {
      const double here = power_near(y_, at, 600);
      if (here >= least) continue;
      least = here;
      best = at;
    }
    return best;
  }

  // `count` samples more (silent or repeated) or fewer from `at` on.
  void change(std::size_t at, std::ptrdiff_t count) {
    const auto from = static_cast<std::ptrdiff_t>(at);
    if (count < 0) {
      const auto to = std::min(from - count, static_cast<std::ptrdiff_t>(y_.size()));
      y_.erase(y_.begin() + from, y_.begin() + to);
      place_.erase(place_.begin() + from, place_.begin() + to);
      return;
    }
    std::vector<double> added(static_cast<std::size_t>(count), 0.0);
    if (random_.uniform() < 0.5 && from >= count) std::copy_n(y_.begin() + from - count, count, added.begin());
    y_.insert(y_.begin() + from, added.begin(), added.end());
    place_.insert(place_.begin() + from, added.size(), kNowhere);
  }

  void change_delay(bool in_speech) {
    constexpr int kSizesMs[] = {2, 5, 10, 20, 40, 60, 100, 300};
    const int size = kSizesMs[whole(std::size(kSizesMs))] * 8 * (random_.uniform() < 0.5 ? -1 : 1);
    change(in_speech ? speech_moment() : pause_moment(), size);
  }

  void lose_packets(const std::string& kind) {
    constexpr std::size_t kPacket = 160;
    const double share = random_.uniform() < 0.5 ? 0.03 : 0.1;
    std::vector<double> out, place;
    for (std::size_t from = 0; from + kPacket <= y_.size(); from += kPacket) {
      const bool is_lost = random_.uniform() < share;
      if (is_lost && kind == "left_out") continue;
      for (std::size_t n = from; n < from + kPacket; ++n) {
        const double repeated = out.size() >= kPacket ? out[out.size() - kPacket] : 0;
        out.push_back(!is_lost ? y_[n] : kind == "loss_repeat" ? repeated : 0);
        place.push_back(is_lost ? kNowhere : place_[n]);
      }
    }
    y_ = out;
    place_ = place;
  }

  void edit_time(const std::string& kind) {
    const auto size = static_cast<double>(y_.size());
    const auto length = static_cast<std::size_t>(std::min(random_.between(0.2, 2.5) * kLineRateHz, 0.5 * size));
    if (kind == "step_speech" || kind == "step_pause") {
      change_delay(kind == "step_speech");
    } else if (kind == "steps") {
      const std::size_t count = 2 + whole(5);
      for (std::size_t k = 0; k < count; ++k) change_delay(random_.uniform() < 0.5);
    } else if (kind == "loss_zero" || kind == "loss_repeat" || kind == "left_out") {
      lose_packets(kind);
    } else if (kind == "cut_front") {
      change(0, -static_cast<std::ptrdiff_t>(length));
    } else if (kind == "cut_tail") {
      change(y_.size() - length, -static_cast<std::ptrdiff_t>(length));
    } else if (kind == "cut_middle" || kind == "muted") {
      const auto at = static_cast<std::size_t>(random_.between(0.15 * size, 0.85 * size - static_cast<double>(length)));
      if (kind == "cut_middle") {
        change(at, -static_cast<std::ptrdiff_t>(length));
      } else {
        std::fill_n(y_.begin() + static_cast<std::ptrdiff_t>(at), length, 0.0);
        std::fill_n(place_.begin() + static_cast<std::ptrdiff_t>(at), length, kNowhere);
      }
    } else if (kind == "pause_longer") {
      const std::size_t at = pause_moment();
      y_.insert(y_.begin() + static_cast<std::ptrdiff_t>(at), length, 0.0);
      place_.insert(place_.begin() + static_cast<std::ptrdiff_t>(at), length, kNowhere);
    } else if (kind == "pause_shorter") {
      const std::size_t at = pause_moment();
      const double quiet = 1e-4 * mean_power();
      std::size_t first = at;
      std::size_t last = at;
      while (first > 80 && power_near(y_, first - 80, 40) < quiet) first -= 80;
      while (last + 80 < y_.size() && power_near(y_, last + 80, 40) < quiet) last += 80;
      change(first, -static_cast<std::ptrdiff_t>(last - first) * 2 / 3);
    } else if (kind == "swapped") {
      std::rotate(y_.begin(), y_.begin() + static_cast<std::ptrdiff_t>(split_), y_.end());
      std::rotate(place_.begin(), place_.begin() + static_cast<std::ptrdiff_t>(split_), place_.end());
    }
  }

  void take(const Signal& passed) {
    for (std::size_t n = 0; n < y_.size(); ++n) y_[n] = n < passed.size() ? passed.samples[n] : 0;
  }

  void pass_line(const std::string& kind) {
    const double level = std::sqrt(mean_power());
    if (kind == "mu" || kind.starts_with("ber")) {
      const double rate = kind == "mu" ? 0 : kind == "ber1e-3" ? 1e-3 : 1e-2;
      const Signal sent = signal_of(y_);
      std::vector<std::uint8_t> octets(sent.size());
      g711_encode(std::span<const float>(sent.samples), octets, G711Law::mu);
      for (std::uint8_t& octet : octets) {
        for (int bit = 0; rate > 0 && bit < 8; ++bit) {
          if (random_.uniform() < rate) octet = static_cast<std::uint8_t>(octet ^ (1 << bit));
        }
      }
      std::vector<float> received(sent.size());
      g711_decode(octets, std::span<float>(received), G711Law::mu);
      std::copy(received.begin(), received.end(), y_.begin());
    } else if (kind.starts_with("white")) {
      const double snr_db = kind == "white20" ? 20 : kind == "white10" ? 10 : 0;
      const double rms = level * std::pow(10, -snr_db / 20);
      for (double& sample : y_) sample += rms * random_.normal();
    } else if (kind.starts_with("noisy")) {
      const double rms = level * (kind == "noisy0" ? 1 : 0.32);
      for (std::size_t n = y_.size() * 2 / 5; n < y_.size() * 3 / 5; ++n) y_[n] += rms * random_.normal();
    } else if (kind == "clicks" || kind == "bursts") {
      // Three or eight milliseconds of noise as loud as the speech or louder, 20 times a second.
      const std::size_t length = kind == "clicks" ? 24 : 64;
      const double rms = kind == "clicks" ? 2 * level : level;
      for (int n = 0; n < 20 * static_cast<int>(y_.size()) / kLineRateHz; ++n) {
        const auto at = static_cast<std::size_t>(random_.between(0, static_cast<double>(y_.size() - length)));
        for (std::size_t k = at; k < at + length; ++k) y_[k] += rms * random_.normal();
      }
    } else if (kind == "hum") {
      for (std::size_t n = 0; n < y_.size(); ++n) {
        const double turn = 2 * std::numbers::pi * 50 * static_cast<double>(n) / kLineRateHz;
        y_[n] += level * (std::sin(turn) + 0.5 * std::sin(3 * turn) + 0.3 * std::sin(5 * turn));
      }
    } else if (kind == "mnru" || kind == "mnru8") {
      const double share = kind == "mnru" ? 0.3 : 0.4;
      for (double& sample : y_) sample *= 1 + share * random_.normal();
    } else if (kind == "high800" || kind == "high1100") {
      take(filtered(signal_of(y_), kind == "high800" ? 800 : 1100, true));
    } else if (kind == "wow") {
      take(with_wow(signal_of(y_), 0.004, 1));
    } else if (kind == "displaced") {
      const Signal before = signal_of(y_);
      const std::size_t third = y_.size() / 3;
      const Signal middle = displaced(before, 0.3);
      const Signal last = displaced(before, -0.25);
      for (std::size_t n = third; n < y_.size(); ++n) y_[n] = (n < 2 * third ? middle : last).samples[n];
    } else if (kind == "clipped") {
      for (double& sample : y_) sample = std::clamp(sample, -1.5 * level, 1.5 * level);
    } else if (kind == "band") {
      // One pole of a high-pass at 500 Hz twice, of a low-pass at 2500 Hz twice.
      for (int pass = 0; pass < 2; ++pass) {
        const double low = std::exp(-2 * std::numbers::pi * 500 / kLineRateHz);
        const double high = std::exp(-2 * std::numbers::pi * 2500 / kLineRateHz);
        double slow = 0;
        double smooth = 0;
        for (double& sample : y_) {
          slow = low * slow + (1 - low) * sample;
          smooth = high * smooth + (1 - high) * (sample - slow);
          sample = smooth;
        }
      }
    }
  }

  // The delay of a frame is the median of its samples that arrived, if half of them or more did.
  void tell_truth(PlantedPair& pair) const {
    std::vector<double> at(x_.size(), kNowhere);
    for (std::size_t n = y_.size(); n-- > 0;) {
      if (!std::isnan(place_[n])) at[static_cast<std::size_t>(place_[n])] = static_cast<double>(n) - place_[n];
    }
    pair.at = at;
    const std::size_t frames = (x_.size() - kFrame) / kHop + 1;
    std::vector<double> energy(frames);
    double mean = 0;
    for (std::size_t j = 0; j < frames; ++j) {
      for (std::size_t n = j * kHop; n < j * kHop + kFrame; ++n) energy[j] += x_[n] * x_[n];
      mean += energy[j] / static_cast<double>(frames);
    }
    for (std::size_t j = 0; j < frames; ++j) {
      std::vector<double> known;
      for (std::size_t n = j * kHop; n < j * kHop + kFrame; ++n) {
        if (!std::isnan(at[n])) known.push_back(at[n]);
      }
      const auto middle = known.begin() + static_cast<std::ptrdiff_t>(known.size() / 2);
      if (!known.empty()) std::nth_element(known.begin(), middle, known.end());
      pair.delay.push_back(known.size() * 2 >= kFrame ? *middle : kNowhere);
      pair.arrived.push_back(static_cast<double>(known.size()) / kFrame);
      pair.active.push_back(energy[j] > 0.01 * mean ? 1 : 0);
    }
  }

  std::vector<Signal> speech_;
  Random random_;
  std::vector<std::size_t> said_;  // of the pair
  std::size_t split_ = 0;
  std::vector<double> x_, y_, place_;
};

}  // namespace vqas::test
