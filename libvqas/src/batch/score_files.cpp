#include "batch/score_files.h"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "vqas/signal/audio_file.h"

namespace vqas::batch {
namespace {

Score score_readable(Scorer& scorer, const RecordingPair& pair, ScoreColumns columns) {
  if (const auto fits = check_lengths(pair); !fits) return unusable(fits.error().message);
  if (reference_seconds(pair) >= kLongFromS) {
    const auto score = score_long_recording(scorer, pair);
    return score ? score->overall : unusable(score.error().message);
  }
  const auto reference = read_audio(pair.reference, {.channel = pair.reference_channel});
  if (!reference) return unusable(reference.error().message);
  const auto degraded = read_audio(pair.degraded, {.channel = pair.degraded_channel});
  if (!degraded) return unusable(degraded.error().message);
  if (columns == ScoreColumns::without_impairments) return scorer.score(*reference, *degraded);
  return scorer.diagnose(*reference, *degraded);
}

}  // namespace

Score unusable(std::string reason) {
  Score score;
  score.outcome = Outcome::bad_input;
  score.reason = std::move(reason);
  return score;
}

Score score_files(Scorer& scorer, const RecordingPair& pair, ScoreColumns columns) {
  try {
    return score_readable(scorer, pair, columns);
  } catch (const std::exception& fault) {
    return unusable(fmt::format("this pair could not be handled ({}); score it alone", fault.what()));
  }
}

}  // namespace vqas::batch
