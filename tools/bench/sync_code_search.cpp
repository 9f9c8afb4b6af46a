// Searches the hop codes of the sync marks: eight cells, one in each of eight overlapping sub-bands, every cell a chirp
// up or down. Prints the best four of a random search by the largest sidelobe and the largest cross-correlation.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <random>
#include <vector>

namespace {

constexpr int kCells = 8;
constexpr int kRate = 2000;      // complex baseband, enough for 840 Hz
constexpr int kCellLength = 34;  // 17 ms
constexpr int kLength = kCells * kCellLength;
constexpr double kLowest = 1150, kHighest = 1990, kCentre = 1570;
constexpr int kMainLobe = 4;  // 2 ms

using Wave = std::vector<std::complex<float>>;

struct Code {
  std::array<int, kCells> band{};
  std::array<int, kCells> direction{};
  Wave wave;
  double sidelobe = 0;
};

Wave synthesise(const Code& code, double width) {
  const double step = (kHighest - kLowest - width) / (kCells - 1);
  Wave wave;
  double phase = 0;
  for (int cell = 0; cell < kCells; ++cell) {
    const double centre = kLowest + width / 2 + step * code.band[cell] - kCentre;
    for (int n = 0; n < kCellLength; ++n) {
      const double frequency = centre + code.direction[cell] * width * ((n + 0.5) / kCellLength - 0.5);
      phase += 2 * std::numbers::pi * frequency / kRate;
      wave.push_back(std::polar(1.0F, static_cast<float>(phase)));
    }
  }
  return wave;
}

double largest_correlation(const Wave& a, const Wave& b, int from) {
  double largest = 0;
  for (int lag = -kLength + 1; lag < kLength; ++lag) {
    if (std::abs(lag) < from) continue;
    std::complex<float> sum = 0;
    for (int n = std::max(0, -lag); n < std::min(kLength, kLength - lag); ++n) sum += a[n + lag] * std::conj(b[n]);
    largest = std::max(largest, static_cast<double>(std::abs(sum)) / kLength);
  }
  return largest;
}

}  // namespace

int main(int argc, char** argv) {
  const int trials = argc > 1 ? std::atoi(argv[1]) : 20000;
  const double width = argc > 2 ? std::atof(argv[2]) : 190;
  std::mt19937_64 random(1998);
  std::vector<Code> pool;
  for (int trial = 0; trial < trials; ++trial) {
    Code code;
    for (int i = 0; i < kCells; ++i) code.band[i] = i, code.direction[i] = i % 2 ? 1 : -1;
    for (int i = kCells - 1; i > 0; --i) {
      std::swap(code.band[i], code.band[random() % (i + 1)]);
      std::swap(code.direction[i], code.direction[random() % (i + 1)]);
    }
    int coupling = 0;
    for (int i = 0; i < kCells; ++i) coupling += (2 * i - 7) * (2 * code.band[i] - 7);
    if (coupling != 0) continue;
    code.wave = synthesise(code, width);
    code.sidelobe = largest_correlation(code.wave, code.wave, kMainLobe);
    pool.push_back(code);
  }
  std::sort(pool.begin(), pool.end(), [](const Code& a, const Code& b) { return a.sidelobe < b.sidelobe; });
  std::printf("%zu codes without coupling of time and frequency, best sidelobe %.3f\n", pool.size(), pool[0].sidelobe);
  pool.resize(std::min<std::size_t>(pool.size(), 120));
  const std::size_t count = pool.size();
  std::vector<double> cross(count * count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      cross[i * count + j] = cross[j * count + i] = largest_correlation(pool[i].wave, pool[j].wave, 0);
    }
  }
  double best = 1;
  std::array<std::size_t, 4> chosen{};
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const double ab = std::max(cross[a * count + b], pool[a].sidelobe);
      if (ab >= best) continue;
      for (std::size_t c = 0; c < b; ++c) {
        const double abc = std::max({ab, cross[a * count + c], cross[b * count + c]});
        if (abc >= best) continue;
        for (std::size_t d = 0; d < c; ++d) {
          const double all = std::max({abc, cross[a * count + d], cross[b * count + d], cross[c * count + d]});
          if (all < best) best = all, chosen = {a, b, c, d};
        }
      }
    }
  }
  std::printf("four codes: largest sidelobe or cross-correlation %.3f\n", best);
  for (const std::size_t index : chosen) {
    std::printf("bands {");
    for (const int band : pool[index].band) std::printf("%d, ", band);
    std::printf("} directions {");
    for (const int direction : pool[index].direction) std::printf("%d, ", direction);
    std::printf("} sidelobe %.3f\n", pool[index].sidelobe);
  }
  return 0;
}
