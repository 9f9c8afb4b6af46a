#include "batch/score_files.h"

#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <utility>

#include "vqas/signal/audio_file.h"
#include "vqas/signal/audio_reader.h"

namespace vqas::batch {
namespace {

/// A recording that is opened once; what cannot be read piece by piece is read whole.
class Recording {
 public:
  Recording(const std::filesystem::path& path, int channel)
      : path_(path), channel_(channel), reader_(AudioReader::open(path, channel)) {}

  /// According to the header; 0 where it does not tell.
  double seconds() const { return reader_ ? reader_->seconds() : 0; }
  Result<Signal> read(Signal& space) {
    return reader_ ? reader_->read_all(std::move(space)) : read_audio(path_, {.channel = channel_});
  }

 private:
  const std::filesystem::path& path_;
  int channel_;
  Result<AudioReader> reader_;
};

Score score_readable(Scorer& scorer, const RecordingPair& pair, ScoreColumns columns, ReadSpace& space) {
  Recording reference_file(pair.reference, pair.reference_channel);
  Recording degraded_file(pair.degraded, pair.degraded_channel);
  if (const auto fits = check_lengths(pair, reference_file.seconds(), degraded_file.seconds()); !fits)
    return unusable(fits.error().message);
  if (reference_file.seconds() >= kLongFromS) {
    const auto score = score_long_recording(scorer, pair);
    return score ? score->overall : unusable(score.error().message);
  }
  auto reference = reference_file.read(space.reference);
  if (!reference) return unusable(reference.error().message);
  auto degraded = degraded_file.read(space.degraded);
  if (!degraded) return unusable(degraded.error().message);
  space = {*std::move(reference), *std::move(degraded)};
  if (columns == ScoreColumns::without_impairments) return scorer.score(space.reference, space.degraded);
  // The columns hold names, not costs.
  return scorer.name_impairments(space.reference, space.degraded);
}

}  // namespace

Score unusable(std::string reason) {
  Score score;
  score.outcome = Outcome::bad_input;
  score.reason = std::move(reason);
  return score;
}

Score score_files(Scorer& scorer, const RecordingPair& pair, ScoreColumns columns, ReadSpace& space) {
  try {
    return score_readable(scorer, pair, columns, space);
  } catch (const std::exception& fault) {
    return unusable(fmt::format("this pair could not be handled ({}); score it alone", fault.what()));
  }
}

}  // namespace vqas::batch
