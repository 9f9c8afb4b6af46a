#include "sync_impairments.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vqas/channel/bit_error_stream.h"
#include "vqas/channel/g711.h"
#include "vqas/signal/level.h"

namespace vqas::bench {
namespace {

constexpr double kRate = kLineRateHz;

void convolve_centred(std::vector<float>& samples, const std::vector<double>& taps) {
  const auto half = static_cast<std::ptrdiff_t>(taps.size() / 2);
  const auto size = static_cast<std::ptrdiff_t>(samples.size());
  std::vector<float> out(samples.size());
  for (std::ptrdiff_t n = 0; n < size; ++n) {
    double sum = 0;
    for (std::ptrdiff_t i = std::max<std::ptrdiff_t>(-half, n - size + 1); i <= std::min(half, n); ++i) {
      sum += taps[static_cast<std::size_t>(i + half)] * samples[static_cast<std::size_t>(n - i)];
    }
    out[static_cast<std::size_t>(n)] = static_cast<float>(sum);
  }
  samples = std::move(out);
}

// Second-order sections of a Butterworth low or high pass (bilinear transform), order 8.
void butterworth(std::vector<float>& samples, double cut_hz, bool high) {
  const double warped = std::tan(std::numbers::pi * cut_hz / kRate);
  for (int section = 0; section < 4; ++section) {
    const double q = 1 / (2 * std::cos(std::numbers::pi * (2 * section + 1) / 16));
    const double norm = 1 / (1 + warped / q + warped * warped);
    const double b0 = (high ? 1 : warped * warped) * norm, b1 = (high ? -2 : 2) * b0, b2 = b0;
    const double edge = high ? norm : warped * warped * norm;
    const double a1 = 2 * (warped * warped - 1) * norm, a2 = (1 - warped / q + warped * warped) * norm;
    double x1 = 0, x2 = 0, y1 = 0, y2 = 0;
    for (float& sample : samples) {
      const double x = sample;
      const double y = edge * (x + (high ? -2 : 2) * x1 + x2) - a1 * y1 - a2 * y2;
      x2 = x1, x1 = x, y2 = y1, y1 = y;
      sample = static_cast<float>(y);
    }
    (void)b1, (void)b2;
  }
}

void through_g711(Travelling& line, G711Law law, const std::function<void(std::span<std::uint8_t>)>& errors) {
  std::vector<std::uint8_t> octets(line.samples.size());
  g711_encode(std::span<const float>(line.samples), octets, law);
  errors(octets);
  g711_decode(octets, std::span<float>(line.samples), law);
}

Impairment g711(G711Law law, double ber) {
  return [=](Travelling& line, std::mt19937_64& random) {
    BitErrorStream stream(std::make_unique<RandomErrors>(ber, random()));
    through_g711(line, law, [&](std::span<std::uint8_t> octets) { stream.process(octets); });
  };
}

}  // namespace

double unit(std::mt19937_64& random) {
  return std::ldexp(static_cast<double>(random() >> 11) + 0.5, -53);
}

double normal(std::mt19937_64& random) {
  const double radius = std::sqrt(-2 * std::log(unit(random)));
  return radius * std::cos(2 * std::numbers::pi * unit(random));
}

Impairment gain(double db) {
  return [=](Travelling& line, std::mt19937_64&) {
    for (float& sample : line.samples) sample *= static_cast<float>(db_to_amplitude(db));
  };
}

Impairment noise(double dbov) {
  return [=](Travelling& line, std::mt19937_64& random) {
    const double amplitude = db_to_amplitude(dbov);
    for (float& sample : line.samples) sample += static_cast<float>(amplitude * normal(random));
  };
}

Impairment band(double low_hz, double high_hz) {
  return [=](Travelling& line, std::mt19937_64&) {
    std::vector<double> taps(255);
    for (int i = -127; i <= 127; ++i) {
      const double window = 0.54 + 0.46 * std::cos(std::numbers::pi * i / 127);
      const double t = i == 0 ? 1e-9 : i;
      taps[static_cast<std::size_t>(i + 127)] =
          window *
          (std::sin(2 * std::numbers::pi * high_hz / kRate * t) - std::sin(2 * std::numbers::pi * low_hz / kRate * t)) /
          (std::numbers::pi * t);
    }
    convolve_centred(line.samples, taps);
  };
}

Impairment steep_band(double low_hz, double high_hz) {
  return [=](Travelling& line, std::mt19937_64&) {
    butterworth(line.samples, low_hz, true);
    butterworth(line.samples, high_hz, false);
  };
}

Impairment agc() {
  return [](Travelling& line, std::mt19937_64&) {
    double envelope = 0.05;
    for (float& sample : line.samples) {
      const double size = std::abs(sample);
      envelope += (size - envelope) * (size > envelope ? 1 / (0.005 * kRate) : 1 / (0.5 * kRate));
      sample *= static_cast<float>(std::min(10.0, 0.05 / std::max(envelope, 1e-4)));
    }
  };
}

Impairment clip(double dbov) {
  return [=](Travelling& line, std::mt19937_64&) {
    const auto limit = static_cast<float>(db_to_amplitude(dbov));
    for (float& sample : line.samples) sample = std::clamp(sample, -limit, limit);
  };
}

Impairment echo(double db, double delay_s) {
  return [=](Travelling& line, std::mt19937_64&) {
    const auto delay = static_cast<std::size_t>(delay_s * kRate);
    const auto amplitude = static_cast<float>(db_to_amplitude(db));
    const std::vector<float> direct = line.samples;
    for (std::size_t n = delay; n < direct.size(); ++n) line.samples[n] += amplitude * direct[n - delay];
  };
}

Impairment clock(double ppm) {
  return [=](Travelling& line, std::mt19937_64&) {
    const double ratio = 1 + ppm * 1e-6;
    constexpr int kReach = 24;
    std::vector<float> out(static_cast<std::size_t>(static_cast<double>(line.samples.size()) * ratio));
    for (std::size_t n = 0; n < out.size(); ++n) {
      const double at = static_cast<double>(n) / ratio;
      const auto first = static_cast<std::ptrdiff_t>(at) - kReach + 1;
      // From tap to tap sin(pi·(at - i)) only changes its sign.
      const double sine = std::sin(std::numbers::pi * (at - static_cast<double>(first)));
      double sum = 0;
      for (int i = 0; i < 2 * kReach; ++i) {
        const std::ptrdiff_t index = first + i;
        if (index < 0 || index >= static_cast<std::ptrdiff_t>(line.samples.size())) continue;
        const double t = at - static_cast<double>(index);
        const double window = 0.5 + 0.5 * std::cos(std::numbers::pi * t / kReach);
        const double sinc = std::abs(t) < 1e-9 ? 1 : (i % 2 == 0 ? sine : -sine) / (std::numbers::pi * t);
        sum += sinc * window * line.samples[static_cast<std::size_t>(index)];
      }
      out[n] = static_cast<float>(sum);
    }
    line.samples = std::move(out);
    for (double& place : line.places) place *= ratio;
  };
}

Impairment losses(double share, bool concealed) {
  return [=](Travelling& line, std::mt19937_64& random) {
    constexpr std::size_t kFrame = 160;
    const std::size_t phase = random() % kFrame;
    float decay = 1;
    for (std::size_t start = phase + kFrame; start + kFrame <= line.samples.size(); start += kFrame) {
      if (unit(random) >= share) {
        decay = 1;
        continue;
      }
      decay *= concealed ? 0.8F : 0.0F;
      for (std::size_t n = start; n < start + kFrame; ++n) line.samples[n] = decay * line.samples[n - kFrame];
    }
  };
}

Impairment mu_law(double ber) {
  return g711(G711Law::mu, ber);
}
Impairment a_law(double ber) {
  return g711(G711Law::a, ber);
}

Impairment bursts(double background, double inside, double length_s, double gap_s) {
  return [=](Travelling& line, std::mt19937_64& random) {
    BitErrorStream quiet(std::make_unique<RandomErrors>(background, random()));
    BitErrorStream loud(std::make_unique<RandomErrors>(inside, random()));
    const auto length = static_cast<std::size_t>(length_s * kRate), gap = static_cast<std::size_t>(gap_s * kRate);
    std::size_t phase = random() % (length + gap);
    through_g711(line, G711Law::mu, [&](std::span<std::uint8_t> octets) {
      while (!octets.empty()) {
        const bool burst = phase < length;
        const std::size_t count = std::min(octets.size(), (burst ? length : length + gap) - phase);
        (burst ? loud : quiet).process(octets.first(count));
        octets = octets.subspan(count);
        phase = (phase + count) % (length + gap);
      }
    });
  };
}

Impairment delay_step(double seconds) {
  return [=](Travelling& line, std::mt19937_64&) {
    const auto step = static_cast<std::ptrdiff_t>(seconds * kRate);
    std::ptrdiff_t moved = 0;
    for (std::size_t i = 1; i < line.places.size(); i += 2) {
      line.places[i - 1] += static_cast<double>(moved);
      // Half a second before the second place, in the speech.
      const auto at = line.samples.begin() + static_cast<std::ptrdiff_t>(line.places[i]) + moved - 4000;
      if (step > 0) {
        line.samples.insert(at, static_cast<std::size_t>(step), 0.0F);
      } else {
        line.samples.erase(at, at - step);
      }
      moved += step;
      line.places[i] += static_cast<double>(moved);
    }
  };
}

}  // namespace vqas::bench
