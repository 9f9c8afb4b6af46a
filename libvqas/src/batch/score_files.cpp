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

/// A row that cannot be read. The options that choose a channel choose it for all rows, so their cure is another one
/// than that of a pair; a row that is written stays.
Score unusable_row(const Error& error, const std::filesystem::path& path, int channel) {
  if (!needs_other_channel(path, channel)) return unusable(error.message);
  if (channel == 0) {
    return unusable(
        fmt::format("{0}: has several channels; make a mono file of the one that is wanted (ffmpeg -i "
                    "\"{0}\" -af \"pan=mono|c0=c0\" mono.wav; c0=c1 takes the second), name it in the "
                    "manifest and begin a new file of scores; --reference-channel and --degraded-channel "
                    "choose for all rows",
                    path.string()));
  }
  return unusable(
      fmt::format("{}: has no channel {}, which was chosen for all rows; choose none, make mono files of "
                  "the recordings with several channels (ffmpeg -i IN -af \"pan=mono|c0=c{}\" mono.wav), "
                  "name them in the manifest and begin a new file of scores",
                  path.string(), channel, channel - 1));
}

Score score_readable(Scorer& scorer, const RecordingPair& pair, ScoreColumns columns, ReadSpace& space) {
  Recording reference_file(pair.reference, pair.reference_channel);
  Recording degraded_file(pair.degraded, pair.degraded_channel);
  if (const auto fits = check_lengths(pair, reference_file.seconds(), degraded_file.seconds()); !fits)
    return unusable(fits.error().message);
  if (reference_file.seconds() >= kLongFromS) {
    const auto score = score_long_recording(scorer, pair);
    return score ? score->overall : unusable_row(score.error(), pair.degraded, pair.degraded_channel);
  }
  auto reference = reference_file.read(space.reference);
  if (!reference) return unusable_row(reference.error(), pair.reference, pair.reference_channel);
  auto degraded = degraded_file.read(space.degraded);
  if (!degraded) return unusable_row(degraded.error(), pair.degraded, pair.degraded_channel);
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
