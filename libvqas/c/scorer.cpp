#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "border.h"
#include "vqas/score/score.h"
#include "vqas/score/segments.h"
#include "vqas/score/unrecognised.h"

struct vqas_scorer {
  explicit vqas_scorer(vqas::ScoreMode mode) : scorer(mode) {}

  vqas::c::Message message;
  vqas::Scorer scorer;
  vqas::Score score;
  std::vector<vqas::SegmentScore> segments;
};

namespace {

using vqas::KnownPlacement;
using vqas::LongRecording;
using vqas::Result;
using vqas::Score;
using vqas::SegmentOptions;
using vqas::SegmentScore;
using vqas::Signal;
using vqas::SignalView;
using vqas::c::is_usable;
using vqas::c::Message;
using vqas::c::or_nan;
using vqas::c::within;

// The largest drift that the score corrects, and the farthest place that is a place in a recording at 1 MHz.
constexpr double kMostDriftPpm = 12500;
constexpr double kFarthestSample = VQAS_LONGEST_S * 1e6;

constexpr vqas_score_options kScoreDefaults{0, 0, 0, 0, KnownPlacement().uncertainty_s};

vqas_long_options long_defaults() {
  const SegmentOptions defaults;
  return {defaults.segment_s, defaults.search_s, defaults.uncertainty_s, nullptr, nullptr};
}

vqas_score in_c(const Score& score, std::size_t segments) {
  const auto& indices = score.indices;
  const auto index = [&](auto&& of) { return indices ? of(*indices) : vqas::c::kUndefined; };
  const auto noise = indices ? indices->noise : std::nullopt;
  vqas_score result{};
  result.outcome = static_cast<vqas_outcome>(score.outcome);
  result.diagnosed = indices ? 1 : 0;
  result.mos_lqo = or_nan(score.mos_lqo);
  result.auditory_distance = or_nan(score.auditory_distance);
  result.confidence = or_nan(score.confidence);
  result.delay_ms = or_nan(score.delay_ms);
  result.clock_drift_ppm = or_nan(score.clock_drift_ppm);
  result.level_difference_db = or_nan(score.level_difference_db);
  result.unrecognised_cost_mos = or_nan(unrecognised_cost(score));
  result.band_low_hz = index([](const auto& all) { return all.band_loss.low_hz; });
  result.band_high_hz = index([](const auto& all) { return all.band_loss.high_hz; });
  result.loudness_lost = index([](const auto& all) { return all.band_loss.loudness_lost; });
  result.missing_front_ms = index([](const auto& all) { return all.missing.front_ms; });
  result.missing_middle_ms = index([](const auto& all) { return all.missing.middle_ms; });
  result.missing_tail_ms = index([](const auto& all) { return all.missing.tail_ms; });
  result.speech_ms = index([](const auto& all) { return all.missing.speech_ms; });
  result.level_range_db = index([](const auto& all) { return all.level_track.range_db; });
  result.noise_dbm0p = noise ? noise->dbm0p : vqas::c::kUndefined;
  result.noise_cost_mos = noise ? or_nan(noise->cost_mos) : vqas::c::kUndefined;
  result.impairments = score.impairments.size();
  result.delay_pieces = score.delay_track.size();
  result.unused_sounds = score.unused_sound.size();
  result.segments = segments;
  return result;
}

vqas_segment in_c(const SegmentScore& segment) {
  const Score& score = segment.score;
  vqas_segment result{};
  result.start_s = segment.start_s;
  result.length_s = segment.length_s;
  result.outcome = static_cast<vqas_outcome>(score.outcome);
  for (const vqas::ImpairmentFinding& finding : score.impairments) {
    result.impairments |= 1U << static_cast<unsigned>(finding.impairment);
  }
  result.mos_lqo = or_nan(score.mos_lqo);
  result.auditory_distance = or_nan(score.auditory_distance);
  result.confidence = or_nan(score.confidence);
  result.delay_ms = or_nan(score.delay_ms);
  return result;
}

// A lower rate is refused by the score, with a reason.
vqas_status check_length(std::uint64_t count, int rate_hz, const char* name, Message& message) {
  if (count <= static_cast<std::uint64_t>(std::max(vqas::kLineRateHz, rate_hz)) * VQAS_LONGEST_S) return VQAS_OK;
  return invalid(
      message, fmt::format("the {} recording holds {} samples; at most {} s are allowed", name, count, VQAS_LONGEST_S));
}

vqas_status check(const vqas_recording* recording, const char* name, Message& message) {
  if (recording == nullptr || (recording->samples == nullptr && recording->count > 0)) {
    return invalid(message, fmt::format("the {} recording is missing", name));
  }
  return check_length(recording->count, recording->rate_hz, name, message);
}

SignalView view_of(const vqas_recording& recording) {
  return {{recording.samples, static_cast<std::size_t>(recording.count)}, recording.rate_hz};
}

vqas_status placement_of(const vqas_score_options& options, std::optional<KnownPlacement>& placement,
                         Message& message) {
  if (options.placed == 0) return VQAS_OK;
  if (!within(options.start_samples, -kFarthestSample, kFarthestSample)) {
    return invalid(message, "start_samples is not a place in a recording");
  }
  if (!within(options.clock_drift_ppm, -kMostDriftPpm, kMostDriftPpm)) {
    return invalid(message, fmt::format("clock_drift_ppm is {}; give -{} to {}", options.clock_drift_ppm, kMostDriftPpm,
                                        kMostDriftPpm));
  }
  if (!within(options.uncertainty_s, 0.001, 10)) {
    return invalid(message, fmt::format("uncertainty_s is {}; give 0.001 to 10", options.uncertainty_s));
  }
  placement = KnownPlacement{options.start_samples, options.clock_drift_ppm, options.uncertainty_s};
  return VQAS_OK;
}

vqas_status check_source(const vqas_source* source, const char* name, Message& message) {
  if (source == nullptr || source->read == nullptr) {
    return invalid(message, fmt::format("the {} recording has no read function", name));
  }
  if (source->rate_hz < vqas::kLineRateHz || source->rate_hz > 1000000) {
    return invalid(message, fmt::format("the {} recording's rate is {} Hz; give {} to 1000000", name, source->rate_hz,
                                        vqas::kLineRateHz));
  }
  return check_length(source->count, source->rate_hz, name, message);
}

/// Reads pieces through the caller's function, with silence outside the recording.
LongRecording in_pieces(const vqas_source& source, bool& failed) {
  const double rate = source.rate_hz;
  return {static_cast<double>(source.count) / rate,
          [source, rate, &failed](double start_s, double seconds) -> Result<Signal> {
            const auto start = std::llround(start_s * rate);
            const auto count = std::llround(std::max(0.0, seconds) * rate);
            Signal piece{std::vector<float>(static_cast<std::size_t>(count), 0.0F), source.rate_hz};
            const auto size = static_cast<long long>(source.count);
            const long long first = std::clamp(start, 0LL, size);
            const long long last = std::clamp(start + count, first, size);
            if (last > first &&
                source.read(source.user, static_cast<std::uint64_t>(first), static_cast<std::size_t>(last - first),
                            piece.samples.data() + (first - start)) != 0) {
              failed = true;
              return vqas::Error{vqas::ErrorCode::io, vqas_status_text(VQAS_READ_FAILED)};
            }
            return piece;
          }};
}

/// One element of a list into the caller's structure.
template <typename Struct, typename Elements, typename Convert>
vqas_status element(const Elements& elements, std::size_t number, Struct* to, std::size_t size, Convert&& convert) {
  if (number >= elements.size()) return VQAS_END;
  vqas::c::write<Struct>(convert(elements[number]), to, size);
  return VQAS_OK;
}

}  // namespace

vqas_status vqas_score_options_init(vqas_score_options* options, std::size_t size) {
  return vqas::c::init(kScoreDefaults, options, size);
}

vqas_status vqas_long_options_init(vqas_long_options* options, std::size_t size) {
  return vqas::c::init(long_defaults(), options, size);
}

vqas_status vqas_scorer_create(vqas_scorer** scorer) {
  return vqas_scorer_create_for(VQAS_NARROWBAND, scorer);
}

vqas_status vqas_scorer_create_for(vqas_mode mode, vqas_scorer** scorer) {
  const auto chosen = vqas::c::score_mode(mode);
  if (scorer == nullptr || !chosen) return VQAS_INVALID;
  Message message;
  return vqas::c::guarded(message, [&] {
    *scorer = new vqas_scorer(*chosen);
    return VQAS_OK;
  });
}

void vqas_scorer_destroy(vqas_scorer* scorer) {
  delete scorer;
}

vqas_status vqas_scorer_score(vqas_scorer* scorer, const vqas_recording* reference, const vqas_recording* degraded,
                              const vqas_score_options* options, std::size_t options_size, vqas_score* score,
                              std::size_t score_size) {
  if (scorer == nullptr) return VQAS_INVALID;
  Message& message = scorer->message;
  return vqas::c::guarded(message, [&] {
    if (!is_usable(scorer, score, score_size)) return invalid(message, "the structure for the score is too small");
    const auto chosen = vqas::c::options_or(kScoreDefaults, options, options_size);
    if (!chosen) return invalid(message, vqas::c::kBadOptions);
    std::optional<KnownPlacement> placement;
    if (const auto status = placement_of(*chosen, placement, message)) return status;
    if (const auto status = check(reference, "reference", message)) return status;
    if (const auto status = check(degraded, "degraded", message)) return status;
    const SignalView from = view_of(*reference), to = view_of(*degraded);
    Score result = chosen->diagnose != 0 ? scorer->scorer.diagnose(from, to, placement)
                                         : scorer->scorer.score(from, to, placement);
    vqas::c::write(in_c(result, 0), score, score_size);
    scorer->score = std::move(result);
    scorer->segments.clear();
    return VQAS_OK;
  });
}

vqas_status vqas_scorer_score_long(vqas_scorer* scorer, const vqas_source* reference, const vqas_source* degraded,
                                   const vqas_long_options* options, std::size_t options_size, vqas_score* score,
                                   std::size_t score_size) {
  if (scorer == nullptr) return VQAS_INVALID;
  Message& message = scorer->message;
  return vqas::c::guarded(message, [&] {
    if (!is_usable(scorer, score, score_size)) return invalid(message, "the structure for the score is too small");
    const auto chosen = vqas::c::options_or(long_defaults(), options, options_size);
    if (!chosen) return invalid(message, vqas::c::kBadOptions);
    if (const auto status = check_source(reference, "reference", message)) return status;
    if (const auto status = check_source(degraded, "degraded", message)) return status;
    vqas::SegmentEvents events;
    if (chosen->progress != nullptr) {
      events.on_progress = [&](double done) { return chosen->progress(chosen->user, done) == 0; };
    }
    bool failed = false;
    auto result = score_in_segments(scorer->scorer, in_pieces(*reference, failed), in_pieces(*degraded, failed),
                                    {chosen->segment_s, chosen->search_s, chosen->uncertainty_s}, events);
    if (!result) {
      message.set(result.error().message);
      if (failed) return VQAS_READ_FAILED;
      return result.error().code == vqas::ErrorCode::cancelled ? VQAS_CANCELLED : VQAS_INVALID;
    }
    vqas::c::write(in_c(result->overall, result->segments.size()), score, score_size);
    scorer->score = std::move(result->overall);
    scorer->segments = std::move(result->segments);
    return VQAS_OK;
  });
}

const char* vqas_scorer_reason(const vqas_scorer* scorer) {
  return scorer != nullptr ? scorer->score.reason.c_str() : nullptr;
}

vqas_status vqas_scorer_impairment(const vqas_scorer* scorer, std::size_t number, vqas_impairment_finding* finding,
                                   std::size_t size) {
  if (!is_usable(scorer, finding, size)) return VQAS_INVALID;
  return element(scorer->score.impairments, number, finding, size, [](const vqas::ImpairmentFinding& one) {
    return vqas_impairment_finding{static_cast<vqas_impairment>(one.impairment), one.strength, or_nan(one.cost_mos)};
  });
}

vqas_status vqas_scorer_loss_part(const vqas_scorer* scorer, std::size_t number, vqas_loss_part* part,
                                  std::size_t size) {
  if (!is_usable(scorer, part, size)) return VQAS_INVALID;
  return element(scorer->score.loss_parts, number, part, size, [](const vqas::LossPart& one) {
    const auto impairment = static_cast<vqas_impairment>(one.impairment.value_or(vqas::Impairment{}));
    return vqas_loss_part{one.impairment ? 1 : 0, impairment, one.mos};
  });
}

vqas_status vqas_scorer_delay_piece(const vqas_scorer* scorer, std::size_t number, vqas_delay_piece* piece,
                                    std::size_t size) {
  if (!is_usable(scorer, piece, size)) return VQAS_INVALID;
  return element(scorer->score.delay_track, number, piece, size, [](const vqas::DelayPiece& one) {
    return vqas_delay_piece{one.start_s, one.length_s, one.delay_ms};
  });
}

vqas_status vqas_scorer_unused_sound(const vqas_scorer* scorer, std::size_t number, vqas_unused_sound* sound,
                                     std::size_t size) {
  if (!is_usable(scorer, sound, size)) return VQAS_INVALID;
  return element(scorer->score.unused_sound, number, sound, size, [](const vqas::UnusedSound& one) {
    return vqas_unused_sound{one.start_s, one.length_s, or_nan(one.mos_lqo)};
  });
}

vqas_status vqas_scorer_segment(const vqas_scorer* scorer, std::size_t number, vqas_segment* segment,
                                std::size_t size) {
  if (!is_usable(scorer, segment, size)) return VQAS_INVALID;
  return element(scorer->segments, number, segment, size, [](const SegmentScore& one) { return in_c(one); });
}

const char* vqas_scorer_message(const vqas_scorer* scorer) {
  return scorer != nullptr ? scorer->message.text() : nullptr;
}
