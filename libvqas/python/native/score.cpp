#include "vqas/score/score.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <string>
#include <tuple>

#include "common.h"
#include "score/long_text.h"
#include "score/score_text.h"
#include "vqas/batch/long_recording.h"
#include "vqas/score/explanation.h"
#include "vqas/score/segments.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/audio_reader.h"

namespace vqas::python {
namespace {

using Map = nb::ndarray<nb::numpy, float, nb::ndim<2>>;
using Maps =
    std::tuple<std::tuple<double, double, Map>, std::tuple<double, double, Map>, std::tuple<double, double, Map>>;

/// Samples that NumPy owns, or a file that is read when it is needed.
struct Recording {
  std::string name;  // of the file; empty without one
  int channel = 0;
  std::optional<Samples> samples;
  int rate_hz = 0;

  double seconds() const {
    if (samples) return rate_hz > 0 ? static_cast<double>(samples->size()) / rate_hz : 0;
    const auto reader = AudioReader::open(name, channel);
    return reader ? reader->seconds() : 0;
  }
  /// All samples into `signal`, whose memory is used again. A Signal owns its samples, so they are copied.
  Status into(Signal& signal) const {
    if (samples) {
      signal.samples.assign(samples->data(), samples->data() + samples->size());
      signal.rate_hz = rate_hz;
      return success();
    }
    auto read = read_audio(name, {.channel = channel});
    if (!read) return read.error();
    signal = std::move(read).value();
    return success();
  }
  Result<LongRecording> in_pieces(Signal& signal) const {
    if (samples) {
      if (const auto taken = into(signal); !taken) return taken.error();
      return as_long_recording(std::as_const(signal));
    }
    auto opened = AudioReader::open(name, channel);
    if (!opened) return opened.error();
    const auto reader = std::make_shared<AudioReader>(std::move(opened).value());
    return LongRecording{reader->seconds(),
                         [reader](double start_s, double seconds) { return reader->read(start_s, seconds); }};
  }
};

/// A scorer with the samples of its pair, so that no memory is taken for each pair.
struct Workspace {
  Scorer scorer;
  Signal reference, degraded;
};

enum class Depth { score, diagnosis, explanation };

std::string json_of(const Score& score, const Recording& reference, const Recording& degraded) {
  return cli::to_json_text(ExplainedScore{score, {}}, reference.name, degraded.name);
}

/// A recording that cannot be used has an outcome, as every other one that cannot be scored.
std::string unusable(const Error& error, const Recording& reference, const Recording& degraded) {
  if (error.code != ErrorCode::bad_input) raise(error);
  Score score;
  score.outcome = Outcome::bad_input;
  score.reason = error.message;
  return json_of(score, reference, degraded);
}

using Place = std::optional<std::tuple<double, double, double>>;  // start, drift in ppm, uncertainty in s

std::optional<KnownPlacement> placement_of(const Place& place) {
  if (!place) return std::nullopt;
  return KnownPlacement{std::get<0>(*place), std::get<1>(*place), std::get<2>(*place)};
}

std::string score_long(Workspace& space, const Recording& reference, const Recording& degraded) {
  const auto from = reference.in_pieces(space.reference);
  if (!from) return unusable(from.error(), reference, degraded);
  const auto to = degraded.in_pieces(space.degraded);
  if (!to) return unusable(to.error(), reference, degraded);
  const auto score = score_in_segments(space.scorer, *from, *to);
  if (!score) return unusable(score.error(), reference, degraded);
  return cli::to_json_text(*score, reference.name, degraded.name);
}

/// As the command does it: long references in segments, others whole.
std::string score_pair(Workspace& space, const Recording& reference, const Recording& degraded, Depth depth,
                       const Place& place) {
  const double reference_s = reference.seconds();
  if (reference_s >= kLongFromS && !place) return score_long(space, reference, degraded);
  if (!reference.samples && !degraded.samples) {
    const RecordingPair pair{reference.name, reference.channel, degraded.name, degraded.channel};
    if (const auto fits = check_lengths(pair); !fits) return unusable(fits.error(), reference, degraded);
  }
  if (const auto taken = reference.into(space.reference); !taken) return unusable(taken.error(), reference, degraded);
  if (const auto taken = degraded.into(space.degraded); !taken) return unusable(taken.error(), reference, degraded);
  const Signal &from = space.reference, &to = space.degraded;
  const auto placement = placement_of(place);
  switch (depth) {
    case Depth::score:
      return json_of(space.scorer.score(from, to, placement), reference, degraded);
    case Depth::diagnosis:
      return json_of(space.scorer.diagnose(from, to, placement), reference, degraded);
    case Depth::explanation:
      break;
  }
  return cli::to_json_text(space.scorer.explain(from, to, placement), reference.name, degraded.name);
}

std::tuple<double, double, Map> map_of(const TimeFrequency& map) {
  auto owned = std::make_unique<std::vector<float>>(map.values);
  float* const data = owned->data();
  nb::capsule owner(owned.get(), [](void* vector) noexcept { delete static_cast<std::vector<float>*>(vector); });
  owned.release();
  return {map.frame_s, map.hz.empty() ? 0.0 : map.hz.back(), Map(data, {map.frames(), map.columns()}, owner)};
}

}  // namespace

void add_score(nb::module_& module) {
  using namespace nb::literals;
  module.attr("SCORE_VERSION") = kScoreVersion;
  nb::enum_<Depth>(module, "Depth")
      .value("SCORE", Depth::score)
      .value("DIAGNOSIS", Depth::diagnosis)
      .value("EXPLANATION", Depth::explanation);

  nb::class_<Recording>(module, "Recording", "An array, which must not change while it is scored, or a file.")
      .def(nb::new_([](const Samples& samples, int rate) {
             return Recording{"", 0, samples, rate};
           }),
           "samples"_a.noconvert(), "rate"_a)
      .def(nb::new_([](const std::string& path, int channel) {
             return Recording{path, channel, {}};
           }),
           "path"_a, "channel"_a);

  nb::class_<Workspace>(module, "Scorer", "Work space of scores; for one thread at a time.")
      .def(nb::init<>())
      .def(
          "score",
          [](Workspace& space, const Recording& reference, const Recording& degraded, Depth depth, const Place& place) {
            const nb::gil_scoped_release released;
            return score_pair(space, reference, degraded, depth, place);
          },
          "reference"_a, "degraded"_a, "depth"_a, "place"_a = nb::none(), "The score as the JSON of `vqas score`.")
      .def(
          "maps",
          [](Workspace& space, const Recording& reference, const Recording& degraded) -> std::optional<Maps> {
            std::optional<Explanation> why;
            {
              const nb::gil_scoped_release released;
              if (reference.into(space.reference) && degraded.into(space.degraded)) {
                why = space.scorer.explain(space.reference, space.degraded).explanation;
              }
            }
            if (!why) return std::nullopt;
            return Maps{map_of(why->reference), map_of(why->degraded), map_of(why->distance)};
          },
          "reference"_a, "degraded"_a,
          "Reference, degraded recording and distance, each (seconds a row, highest Hz, values); None without.");

  module.def(
      "read_audio",
      [](const std::string& path, int channel, int rate) -> std::tuple<NewArray, int> {
        Result<Signal> read = Error{};
        {
          const nb::gil_scoped_release released;
          read = read_audio(path, {.channel = channel, .rate_hz = rate});
        }
        Signal signal = value_or_raise(std::move(read));
        return {array_of(std::move(signal.samples)), signal.rate_hz};
      },
      "path"_a, "channel"_a = 0, "rate"_a = 0);
}

}  // namespace vqas::python
