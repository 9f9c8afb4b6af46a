// The measuring stage of tools/calibrate: the library's measurements of every pair of a manifest, optionally with other
// values of the distance's constants, for a search.
// usage: vqas-calibration-measure nb|wb DIR [NAME=VALUE …] < pairs > measurements
//     pairs: one pair per line, two paths below DIR with a tab between them; the output has one line of measurements
//   for each,
//     in the same order.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "score/engine.h"
#include "vqas/score/score.h"
#include "vqas/signal/audio_file.h"

namespace {

using namespace vqas;

double power_of_db(double db) {
  return std::pow(10, db / 10);
}

// The constants that can be set, by name.
std::map<std::string, std::function<void(double)>, std::less<>> constants(scoring::PerceptualModel& p,
                                                                          scoring::AlignmentModel& a) {
  const auto plain = [](auto& field) {
    return [&field](double value) { field = static_cast<std::decay_t<decltype(field)>>(value); };
  };
  const auto db = [](double& field, double scale = 1) {
    return [&field, scale](double value) { field = power_of_db(value) * scale; };
  };
  return {
      {"gamma", plain(p.loudness_exponent)},
      {"floor_db", db(p.loudness_floor, 1.0 / 16)},
      {"handset_hz", plain(p.handset_hz)},
      {"raised_floor_db", db(p.raised_floor)},
      {"active_db", db(p.active_ratio)},
      {"loud_db", db(p.loud_ratio)},
      {"gain_floor_db", db(p.gain_floor)},
      {"gain_low_db", db(p.gain_lowest)},
      {"gain_high_db", db(p.gain_highest)},
      {"raised_db", db(p.raised_ratio)},
      {"raised_norm", plain(p.raised_norm)},
      {"response_limit", plain(p.response_limit)},
      {"frame_exponent", plain(p.frame_weight_exponent)},
      {"frame_floor", plain(p.frame_weight_floor)},
      {"silent_db", db(p.silent_ratio)},
      {"window", plain(p.window)},
      {"time_exponent", plain(p.time_exponent)},
      {"most_changed", plain(p.most_changed)},
      {"most_raised", plain(p.most_raised)},
      {"most_bend", plain(p.most_bend)},
      {"jump_from", plain(p.jump_from)},
      {"jump_reach", plain(p.jump_reach)},
      {"level_from_hz", plain(p.level_from_hz)},
      {"level_to_hz", plain(p.level_to_hz)},
      {"envelope_exponent", plain(a.envelope_exponent)},
      {"places", plain(a.places)},
      {"piece_change", plain(a.piece_change)},
      {"piece_step", plain(a.piece_step)},
      {"candidates", plain(a.candidates)},
      {"global_blocks", plain(a.global_blocks)},
      {"certain_correlation", plain(a.certain_correlation)},
      {"waveform_search_below", plain(a.waveform_search_below)},
      {"pause_weight", plain(a.pause_weight)},
      {"phrase", plain(a.phrase)},
      {"near_range", plain(a.near_range)},
      {"rounds", plain(a.rounds)},
      {"near_by", plain(a.near_by)},
      {"piece", plain(a.piece)},
      {"long_step", plain(p.long_step)},
      {"jump_largest", plain(p.jump_largest)},
  };
}

double jumps_per_s(const std::vector<int>& delay, const scoring::PerceptualModel& model) {
  int jumps = 0;
  for (std::size_t j = 1; j < delay.size(); ++j) jumps += std::abs(delay[j] - delay[j - 1]) > model.jump_from ? 1 : 0;
  return jumps / std::max(static_cast<double>(delay.size()) * model.hop / model.rate_hz, 1.0);
}

int usage(std::string_view why) {
  fmt::print(stderr, "{}\nusage: vqas-calibration-measure nb|wb DIR [NAME=VALUE …] < pairs\n", why);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return usage("DIR is missing");
  const auto mode = score_mode_from_string(argv[1]);
  if (!mode) return usage(fmt::format("{} is neither nb nor wb", argv[1]));
  const std::filesystem::path folder = argv[2];
  scoring::ScoreModel model = scoring::score_model(*mode);
  const auto known = constants(model.listening, model.alignment);
  for (int n = 3; n < argc; ++n) {
    const std::string_view word = argv[n];
    const auto equals = word.find('=');
    const auto constant = known.find(word.substr(0, equals));
    double value = 0;
    if (equals == word.npos || constant == known.end() ||
        std::from_chars(word.data() + equals + 1, word.data() + word.size(), value).ec != std::errc()) {
      return usage(fmt::format("{} is not NAME=VALUE with a known name", word));
    }
    constant->second(value);
  }
  // In narrowband what listens is what recognises.
  if (model.heard_samples() == 1) model.recognition = model.listening;
  scoring::Engine engine(model);
  std::map<std::string, Signal, std::less<>> references;
  fmt::print(
      "outcome,changed,stepped,raised,inserted,drift_ppm,waveform_match,noise,short,jumps,mos,lost_s,sound_s,tone,"
      "foreign_s,"
      "by_pattern,step_distance,long_step_distance,stretched,moved_by_pauses_s,ends_lost_s,taken,confidence\n");
  std::string line;
  while (std::getline(std::cin, line)) {
    const auto tab = line.find('\t');
    const std::string reference_name = line.substr(0, tab);
    if (!references.contains(reference_name)) {
      auto read = read_audio(folder / reference_name);
      if (!read) {
        fmt::print(stderr, "{}: {}\n", reference_name, read.error().message);
        return 3;
      }
      references.emplace(reference_name, *std::move(read));
    }
    const auto degraded = read_audio(folder / line.substr(tab + 1));
    if (!degraded) {
      fmt::print(stderr, "{}: {}\n", line, degraded.error().message);
      return 3;
    }
    std::optional<scoring::Engine::Evaluation> evaluation;
    const Score score =
        engine.score(references.at(reference_name), *degraded, {}, {.evaluation = &evaluation, .account = true});
    const bool measured = score.outcome == Outcome::scored || score.outcome == Outcome::not_aligned;
    const auto seen = evaluation.value_or(scoring::Engine::Evaluation{});
    const auto& trust = seen.circumstances;
    fmt::print(
        "{},{:.8g},{:.8g},{:.8g},{:.8g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.4f},{:.3f},{:.3f},{:.5g},{:.3f},{:d},{:."
        "5f},{:."
        "5f},{:.5f},{:.3f},{:.3f},{:.6g},"
        "{:.4f}\n",
        to_string(score.outcome), measured ? seen.measurements.changed : 0, measured ? seen.measurements.stepped : 0,
        measured ? seen.measurements.raised : 0, measured ? seen.measurements.inserted : 0, seen.corrected_drift_ppm,
        seen.waveform_match, trust.noise, trust.shortness, jumps_per_s(seen.delay, model.recognition),
        score.mos_lqo.value_or(1), trust.lost_s, trust.sound_s, trust.tone, trust.foreign_s, trust.by_pattern,
        trust.step_distance, trust.long_step_distance, trust.stretched, trust.moved_by_pauses_s, trust.ends_lost_s,
        trust.taken, score.confidence.value_or(0));
  }
  return 0;
}
