#include "score/plot_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "score/score_text.h"
#include "vqas/score/unrecognised.h"
#include "vqas/signal/rounding.h"

namespace vqas::cli {
namespace {

constexpr std::size_t kMostImpairments = 3;

double missing_ms(const Score& score) {
  return score.indices ? score.indices->missing.total_ms() : 0;
}

std::string headline(const Score& score) {
  std::string text = fmt::format("{} {:.2f}  model error ±{:.2f} (1 σ)", scale_name(score.mode), *score.mos_lqo,
                                 model_error(score.mode).mos);
  if (const auto confidence = shown_confidence(score)) text += fmt::format("  confidence {:.2f}", *confidence);
  // The reason, a sentence or more, has no room in a picture; the text gives it.
  if (!score.reason.empty()) text += "  ambiguous";
  return text;
}

std::string figures(const Score& score) {
  std::string text = fmt::format("auditory distance {:.2f}", *score.auditory_distance);
  if (score.delay_ms) text += fmt::format("    delay {:.1f} ms", rounded_to(*score.delay_ms, 0.1));
  if (score.clock_drift_ppm) text += fmt::format("    clock drift {:.0f} ppm", rounded_to(*score.clock_drift_ppm, 1));
  if (score.level_difference_db)
    text += fmt::format("    level {:+.1f} dB", rounded_to(*score.level_difference_db, 0.1));
  if (score.indices) {
    const Indices& indices = *score.indices;
    text += fmt::format("    band {:.0f} to {:.0f} Hz    missing {:.0f} ms    level moves by {:.1f} dB",
                        indices.band_loss.low_hz, indices.band_loss.high_hz, missing_ms(score),
                        indices.level_track.range_db);
  }
  return text;
}

std::string impairments(const Score& score) {
  std::string text;
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : " · ") + words; };
  for (std::size_t k = 0; k < std::min(kMostImpairments, score.impairments.size()); ++k) {
    const ImpairmentFinding& finding = score.impairments[k];
    const auto words = advice(finding.impairment, missing_ms(score));
    add(std::string(words.substr(0, words.find(';'))) + cost_in_words(finding));
  }
  if (const auto noise = permitted_noise_cost(score)) add(permitted_noise_in_words(*noise, score.mode));
  return text.empty() ? "no impairment found" : text;
}

std::string loss(const Score& score) {
  const std::string parts = loss_in_words(score);
  if (parts.empty()) return "";
  const auto unrecognised = unrecognised_cost(score);
  return "lost " + parts +
         (unrecognised ? fmt::format(" · none that is named explains {:.1f} MOS", *unrecognised) : "");
}

}  // namespace

std::vector<std::string> verdict(const Score& score) {
  if (!score.mos_lqo) return {fmt::format("No score: {}", to_string(score.outcome)), score.reason};
  return {headline(score), figures(score), impairments(score), loss(score)};
}

std::string tick_label(double value) {
  return fmt::format("{:g}", rounded_to(value, 1e-3));
}

}  // namespace vqas::cli
