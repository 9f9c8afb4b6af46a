// Plants faults in recordings and prints the impairments that the score reports: the confusion table of
// libvqas/doc/record/impairments.md.
// usage: vqas-impairment-bench SPEECH_DIR [SEED] [--verbose] [--alone] [--clean]
//     --verbose   also prints correct reports, and the indices
//     --alone     no pairs of faults
//     --clean     only clean lines, and faults of the time or the polarity
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "score/planted_faults.h"
#include "vqas/score/score.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/level.h"

namespace {

using namespace vqas;
namespace fs = std::filesystem;

std::vector<std::pair<std::string, Signal>> recordings(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::pair<std::string, Signal>> result;
  for (const fs::path& file : files) {
    auto read = read_audio(file, {.rate_hz = kLineRateHz});
    if (!read || file.stem() == "long_silence") continue;
    const auto level = measure_speech_level(read->samples, read->rate_hz);
    if (!level) continue;
    const double gain = db_to_amplitude(kNominalSpeechLevelDbov - level->active_level_dbov);
    for (float& sample : read->samples) sample = static_cast<float>(sample * gain);
    result.emplace_back(file.stem().string(), *std::move(read));
  }
  return result;
}

std::string names(const Score& score) {
  std::string text;
  for (const ImpairmentFinding& finding : score.impairments)
    text += fmt::format(" {}:{:.2f}", to_string(finding.impairment), finding.strength);
  return text;
}

struct Count {
  int all = 0;
  int first = 0;
  int top_three = 0;
  std::map<std::string, int> named_first;
};

void print_index(const Score& score) {
  if (!score.indices) return;
  const Indices& i = *score.indices;
  fmt::print("   band {:.0f}..{:.0f} lost {:.3f} missing {:.0f}/{:.0f}/{:.0f} of {:.0f} gaps {} level {:.1f}\n",
             i.band_loss.low_hz, i.band_loss.high_hz, i.band_loss.loudness_lost, i.missing.front_ms,
             i.missing.middle_ms, i.missing.tail_ms, i.missing.speech_ms, i.missing.gaps, i.level_track.range_db);
}

/// Faults of the time or the polarity, which cost the score little.
struct TimeFault {
  std::string name;
  std::function<Signal(const Signal&)> plant;
};

std::vector<TimeFault> time_faults() {
  std::vector<TimeFault> faults{{"polarity flips", test::with_flip}};
  for (const double percent : {0.05, 0.2, 0.5}) {
    faults.push_back({fmt::format("wow {} %, 1 Hz", percent),
                      [percent](const Signal& s) { return test::with_wow(s, percent / 100, 1); }});
  }
  for (const double ppm : {100.0, 300.0, 3000.0}) {
    faults.push_back({fmt::format("clock drift {:.0f} ppm", ppm),
                      [ppm](const Signal& s) { return test::resampled_by_clock(s, ppm, 500); }});
  }
  return faults;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print("usage: vqas-impairment-bench SPEECH_DIR [SEED] [--verbose] [--alone] [--clean]\n");
    return 2;
  }
  const std::uint64_t seed = argc > 2 ? std::stoull(argv[2]) : 1;
  const std::vector<std::string_view> options(argv + std::min(argc, 3), argv + argc);
  const auto is_asked = [&](std::string_view name) {
    return std::find(options.begin(), options.end(), name) != options.end();
  };
  const bool verbose = is_asked("--verbose");
  const auto speech = recordings(argv[1]);
  Scorer scorer;
  std::map<std::string, Count> table;
  std::map<std::string, Count> clean_table;
  std::map<std::string, Count> others;
  Count clean;
  Count pairs;
  std::map<std::string, Count> pair_table;
  const auto faults = test::planted_faults();
  std::uint64_t number = seed * 1000;
  for (const auto& [name, reference] : speech) {
    for (const auto& line : test::clean_lines()) {
      const Score score = scorer.diagnose(reference, line.carry(reference, ++number));
      Count& count = clean_table[line.name];
      ++count.all;
      ++clean.all;
      if (score.impairments.empty() && score.mos_lqo) continue;
      ++count.first;
      ++clean.first;
      fmt::print("clean {} {} {}: mos {:.2f}{} {}\n", line.name, name, number, score.mos_lqo.value_or(0), names(score),
                 score.reason);
      print_index(score);
    }
    for (const auto& other : time_faults()) {
      const Score score = scorer.diagnose(reference, test::over_clean_line(other.plant(reference), ++number));
      Count& count = others[other.name];
      ++count.all;
      ++count.named_first[score.impairments.empty() ? "none"
                                                    : std::string(to_string(score.impairments.front().impairment))];
      for (const ImpairmentFinding& finding : score.impairments)
        count.first += finding.impairment == Impairment::clipping ? 1 : 0;
      if (verbose)
        fmt::print("{} {} {}: mos {:.2f}{}\n", other.name, name, number, score.mos_lqo.value_or(0), names(score));
    }
    if (is_asked("--clean")) continue;
    for (const auto& fault : faults) {
      for (const double strength : fault.strengths) {
        ++number;
        const Signal line = test::over_clean_line(fault.plant(reference, strength, number), number);
        const Score score = scorer.diagnose(reference, line);
        const bool index = fault.impairment == Impairment::band_loss || fault.impairment == Impairment::cut ||
                           fault.impairment == Impairment::level;
        if (!score.mos_lqo || (*score.mos_lqo > 4.2 && !index)) continue;
        Count& count = table[fault.name];
        ++count.all;
        const std::string first =
            score.impairments.empty() ? "none" : std::string(to_string(score.impairments.front().impairment));
        ++count.named_first[first];
        const bool right = first == to_string(fault.impairment);
        count.first += right ? 1 : 0;
        if (!verbose && right) continue;
        fmt::print("{} {} {}: mos {:.2f}{}\n", fault.name, strength, name, *score.mos_lqo, names(score));
        print_index(score);
      }
    }
    if (is_asked("--alone")) continue;
    for (std::size_t a = 0; a < faults.size(); ++a) {
      for (std::size_t b = a + 1; b < faults.size(); ++b) {
        if (faults[a].impairment == faults[b].impairment) continue;
        ++number;
        const bool swap = test::is_swapped(faults[a], faults[b]);
        const auto& one = faults[swap ? b : a];
        const auto& two = faults[swap ? a : b];
        const Signal line = test::over_clean_line(
            two.plant(one.plant(reference, one.strengths[1], number), two.strengths[1], number + 1), number);
        const Score score = scorer.diagnose(reference, line);
        if (!score.mos_lqo) continue;
        bool has_a = false;
        bool has_b = false;
        for (std::size_t k = 0; k < std::min<std::size_t>(3, score.impairments.size()); ++k) {
          has_a = has_a || score.impairments[k].impairment == faults[a].impairment;
          has_b = has_b || score.impairments[k].impairment == faults[b].impairment;
        }
        if (verbose && !(has_a && has_b)) {
          fmt::print("pair {} {} {}: mos {:.2f}{}\n", one.name, two.name, name, *score.mos_lqo, names(score));
          print_index(score);
        }
        ++pairs.all;
        pairs.top_three += has_a && has_b ? 1 : 0;
        Count& count =
            pair_table[fmt::format("{} + {}", to_string(faults[a].impairment), to_string(faults[b].impairment))];
        ++count.all;
        count.top_three += has_a && has_b ? 1 : 0;
      }
    }
  }
  fmt::print("\nclean: {} of {} with an impairment\n", clean.first, clean.all);
  for (const auto& [name, count] : clean_table) fmt::print("  {}: {} of {}\n", name, count.first, count.all);
  for (const auto& [name, count] : others) {
    fmt::print("| {} | clipping in {} of {} |", name, count.first, count.all);
    for (const auto& [impairment, n] : count.named_first) fmt::print(" {} {}", impairment, n);
    fmt::print(" |\n");
  }
  if (is_asked("--clean")) return 0;
  int all = 0;
  int right = 0;
  for (const auto& fault : faults) {
    const Count& count = table[fault.name];
    all += count.all;
    right += count.first;
    fmt::print("| {} | {} | {} of {} |", fault.name, to_string(fault.impairment), count.first, count.all);
    for (const auto& [impairment, n] : count.named_first) fmt::print(" {} {}", impairment, n);
    fmt::print(" |\n");
  }
  fmt::print("first named right: {} of {}\npairs, both among three: {} of {}\n", right, all, pairs.top_three,
             pairs.all);
  for (const auto& [name, count] : pair_table) fmt::print("  {}: {} of {}\n", name, count.top_three, count.all);
}
