// Listens to audio files (any rate) for the marks of both ends where none are, clean and through a mu-law line with bit
// errors, and prints the marks that were found and how high the correlation came. usage: sync_false_marks FILE…
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "sync/limiter.h"
#include "sync/matched_filter.h"
#include "sync_impairments.h"
#include "vqas/signal/audio_file.h"
#include "vqas/sync/detector.h"

namespace {

using namespace vqas;
using sync::MatchedFilter;

// How many places reach 0.20, 0.25 … of the correlation, highest within 68 ms.
using Counts = std::array<int, 17>;

void count_peaks(std::span<const float> samples, End end, Counts& counts, double& highest) {
  sync::Limiter limiter;
  std::vector<float> limited(MatchedFilter::kGuard, 0.0F);
  limiter.push(samples, limited);
  MatchedFilter filter(end);
  std::array<float, 2> best{};
  std::array<int, 2> age{};
  for (std::size_t at = 0; at + MatchedFilter::kBlock <= limited.size(); at += MatchedFilter::kHop) {
    filter.run(std::span(limited).subspan(at, MatchedFilter::kBlock));
    for (const MarkKind kind : {MarkKind::leading, MarkKind::trailing}) {
      const auto k = static_cast<std::size_t>(kind);
      for (const float score : filter.scores(kind)) {
        if (score > best[k]) best[k] = score, age[k] = 0;
        if (++age[k] < 136) continue;
        const double correlation = std::sqrt(double{best[k]});
        highest = std::max(highest, correlation);
        for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += correlation >= 0.2 + 0.05 * static_cast<double>(i);
        best[k] = 0, age[k] = 0;
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::mt19937_64 random(98);
  const std::array<bench::Impairment, 2> lines = {bench::gain(0), bench::mu_law(1e-3)};
  Counts counts{};
  double hours = 0, highest = 0;
  int marks = 0, with_data = 0;
  for (int i = 1; i < argc; ++i) {
    auto file = read_audio(argv[i], {1, kLineRateHz, 3600.0 * 24});
    if (!file) return std::fprintf(stderr, "%s\n", file.error().message.c_str()), 2;
    for (const bench::Impairment& line : lines) {
      bench::Travelling heard{file->samples, {}};
      line(heard, random);
      hours += static_cast<double>(heard.samples.size()) / kLineRateHz / 3600;
      for (const End end : {End::a, End::b}) {
        double here = 0;
        count_peaks(heard.samples, end, counts, here);
        highest = std::max(highest, here);
        MarkDetector detector(end);
        for (const FoundMark& mark : detector.push(heard.samples)) {
          ++marks;
          with_data += mark.data.has_value();
          std::printf("%s at %.3f s: kind %d, confidence %.3f, data %d\n", argv[i], mark.position / kLineRateHz,
                      static_cast<int>(mark.kind), mark.confidence, mark.data.has_value());
        }
      }
    }
  }
  std::printf("%.2f hours, both ends and kinds: %d marks, %d with data, highest correlation %.3f\n", hours, marks,
              with_data, highest);
  for (std::size_t i = 0; i < counts.size(); ++i)
    std::printf("  >= %.2f: %d\n", 0.2 + 0.05 * static_cast<double>(i), counts[i]);
  return 0;
}
