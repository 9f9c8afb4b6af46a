#include "vqas/batch/long_recording.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "batch/score_files.h"
#include "vqas/signal/audio_reader.h"

namespace vqas {
namespace {

LongRecording as_long_recording(AudioReader reader) {
  const auto shared = std::make_shared<AudioReader>(std::move(reader));
  return {shared->seconds(), [shared](double start_s, double seconds) { return shared->read(start_s, seconds); }};
}

double seconds_of(const std::filesystem::path& recording, int channel) {
  const auto reader = AudioReader::open(recording, channel);
  return reader ? reader->seconds() : 0;
}

}  // namespace

ScoreMode mode_for(const RecordingPair& pair, const std::optional<ScoreMode>& wanted) {
  if (wanted) return *wanted;
  const auto rate_of = [](const std::filesystem::path& recording, int channel) {
    const auto reader = AudioReader::open(recording, channel);
    return reader ? reader->rate_hz() : 0;
  };
  return mode_for_rates(rate_of(pair.reference, pair.reference_channel), rate_of(pair.degraded, pair.degraded_channel));
}

double reference_seconds(const RecordingPair& pair) {
  return seconds_of(pair.reference, pair.reference_channel);
}

Status batch::check_lengths(const RecordingPair& pair, double reference_s, double degraded_s) {
  if (reference_s == 0 || reference_s >= kLongFromS || degraded_s <= kLongestForShortS) return success();
  return Error{ErrorCode::bad_input,
               fmt::format("{} lasts {:.0f} s: a reference of less than {:.0f} s is searched for in at most {:.0f} s, "
                           "because the search holds "
                           "all of it in memory; cut out the part that should hold {}, or give everything that was "
                           "sent as the reference",
                           pair.degraded.string(), degraded_s, kLongFromS, kLongestForShortS, pair.reference.string())};
}

Status check_lengths(const RecordingPair& pair) {
  return batch::check_lengths(pair, reference_seconds(pair), seconds_of(pair.degraded, pair.degraded_channel));
}

Result<LongScore> score_long_recording(Scorer& scorer, const RecordingPair& pair, const SegmentEvents& events) {
  auto from = AudioReader::open(pair.reference, pair.reference_channel);
  if (!from) return from.error();
  auto to = AudioReader::open(pair.degraded, pair.degraded_channel);
  if (!to) return to.error();
  return score_in_segments(scorer, as_long_recording(*std::move(from)), as_long_recording(*std::move(to)), {}, events);
}

}  // namespace vqas
