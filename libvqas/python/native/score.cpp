#include "vqas/score/score.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>

#include "batch/score_columns.h"
#include "batch/score_files.h"
#include "common.h"
#include "json.h"
#include "score/long_text.h"
#include "score/score_text.h"
#include "vqas/batch/long_recording.h"
#include "vqas/score/explanation.h"
#include "vqas/score/mode.h"
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
  std::variant<std::monostate, SamplesOf<float>, SamplesOf<double>, SamplesOf<std::int16_t>, SamplesOf<std::int32_t>>
      samples;
  int rate_hz = 0;

  bool is_file() const { return samples.index() == 0; }
  double seconds() const;
  /// The samples as they are in NumPy's memory, or in `space`, whose memory is used again.
  Result<SignalView> view(Signal& space) const;
  Result<LongRecording> in_pieces(Signal& space) const;
};

template <typename T>
Recording from_array(const SamplesOf<T>& samples, int rate) {
  return {"", 0, samples, rate};
}

// By full scale. Rounded once at most: a float holds 16 bits exactly, a double 32.
float in_full_scale(double sample) {
  return static_cast<float>(sample);
}
float in_full_scale(std::int16_t sample) {
  return static_cast<float>(sample) * 0x1p-15F;
}
float in_full_scale(std::int32_t sample) {
  return static_cast<float>(static_cast<double>(sample) * 0x1p-31);
}

double Recording::seconds() const {
  if (is_file()) {
    const auto reader = AudioReader::open(name, channel);
    return reader ? reader->seconds() : 0;
  }
  const auto size = [](const auto& array) -> std::size_t {
    if constexpr (std::is_same_v<decltype(array), const std::monostate&>)
      return 0;
    else
      return array.size();
  };
  return rate_hz > 0 ? static_cast<double>(std::visit(size, samples)) / rate_hz : 0;
}

Result<SignalView> Recording::view(Signal& space) const {
  if (const auto* floats = std::get_if<SamplesOf<float>>(&samples)) {
    return SignalView({floats->data(), floats->size()}, rate_hz);
  }
  if (is_file()) {
    auto read = read_audio(name, {.channel = channel});
    if (!read) return read.error();
    space = std::move(read).value();
    return SignalView(space);
  }
  std::visit(
      [&](const auto& array) {
        if constexpr (!std::is_same_v<decltype(array), const std::monostate&>) {
          space.samples.resize(array.size());
          std::transform(array.data(), array.data() + array.size(), space.samples.begin(),
                         [](auto sample) { return in_full_scale(sample); });
        }
      },
      samples);
  space.rate_hz = rate_hz;
  return SignalView(space);
}

Result<LongRecording> Recording::in_pieces(Signal& space) const {
  if (!is_file()) {
    const auto seen = view(space);
    if (!seen) return seen.error();
    return as_long_recording(*seen);
  }
  auto opened = AudioReader::open(name, channel);
  if (!opened) return opened.error();
  const auto reader = std::make_shared<AudioReader>(std::move(opened).value());
  return LongRecording{reader->seconds(),
                       [reader](double start_s, double seconds) { return reader->read(start_s, seconds); }};
}

/// A scorer of each model that was asked for, with room for the samples of its pair, so that no memory is taken for
/// each pair.
struct Workspace {
  Scorer& scorer(ScoreMode mode) {
    auto& own = scorers[static_cast<std::size_t>(mode)];
    if (!own) own.emplace(mode);
    return *own;
  }
  std::array<std::optional<Scorer>, 2> scorers;  // by ScoreMode
  Signal reference, degraded;
  batch::ReadSpace files;  // of row()
};

/// By the name, or by the rates for any other. A file that cannot be read has rate 0, and then fails to be scored.
ScoreMode mode_of(const std::string& name, const Recording& reference, const Recording& degraded) {
  const auto rate_of = [](const Recording& recording) {
    if (!recording.is_file()) return recording.rate_hz;
    const auto reader = AudioReader::open(recording.name, recording.channel);
    return reader ? reader->rate_hz() : 0;
  };
  if (const auto mode = score_mode_from_string(name)) return *mode;
  return mode_for_rates(rate_of(reference), rate_of(degraded));
}

ScoreColumns columns_of(bool impairments) {
  return impairments ? ScoreColumns::all : ScoreColumns::without_impairments;
}

enum class Depth { score, diagnosis, explanation };

/// A recording that cannot be used has an outcome, as every other one that cannot be scored.
Json unusable(const Error& error, const Recording& reference, const Recording& degraded, ScoreMode mode) {
  if (error.code != ErrorCode::bad_input) raise(error);
  Score score;
  score.mode = mode;
  score.outcome = Outcome::bad_input;
  score.reason = error.message;
  return cli::to_json(score, reference.name, degraded.name);
}

using Place = std::optional<std::tuple<double, double, double>>;  // start, drift in ppm, uncertainty in s

std::optional<KnownPlacement> placement_of(const Place& place) {
  if (!place) return std::nullopt;
  return KnownPlacement{std::get<0>(*place), std::get<1>(*place), std::get<2>(*place)};
}

Json score_long(Workspace& space, const Recording& reference, const Recording& degraded, ScoreMode mode) {
  const auto from = reference.in_pieces(space.reference);
  if (!from) return unusable(from.error(), reference, degraded, mode);
  const auto to = degraded.in_pieces(space.degraded);
  if (!to) return unusable(to.error(), reference, degraded, mode);
  const auto score = score_in_segments(space.scorer(mode), *from, *to);
  if (!score) return unusable(score.error(), reference, degraded, mode);
  return cli::to_json(*score, reference.name, degraded.name);
}

/// As the command does it: long references in segments, others whole.
Json score_pair(Workspace& space, const Recording& reference, const Recording& degraded, Depth depth,
                const Place& place, ScoreMode mode) {
  const double reference_s = reference.seconds();
  if (reference_s >= kLongFromS && !place) return score_long(space, reference, degraded, mode);
  if (reference.is_file() && degraded.is_file()) {
    const RecordingPair pair{reference.name, reference.channel, degraded.name, degraded.channel};
    if (const auto fits = check_lengths(pair); !fits) return unusable(fits.error(), reference, degraded, mode);
  }
  const auto from = reference.view(space.reference);
  if (!from) return unusable(from.error(), reference, degraded, mode);
  const auto to = degraded.view(space.degraded);
  if (!to) return unusable(to.error(), reference, degraded, mode);
  const auto placement = placement_of(place);
  Scorer& scorer = space.scorer(mode);
  switch (depth) {
    case Depth::score:
      return cli::to_json(scorer.score(*from, *to, placement), reference.name, degraded.name);
    case Depth::diagnosis:
      return cli::to_json(scorer.diagnose(*from, *to, placement), reference.name, degraded.name);
    case Depth::explanation:
      break;
  }
  return own_json(cli::to_json_text(scorer.explain(*from, *to, placement), reference.name, degraded.name));
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
      .def(nb::new_(&from_array<float>), "samples"_a.noconvert(), "rate"_a)
      .def(nb::new_(&from_array<double>), "samples"_a.noconvert(), "rate"_a)
      .def(nb::new_(&from_array<std::int16_t>), "samples"_a.noconvert(), "rate"_a)
      .def(nb::new_(&from_array<std::int32_t>), "samples"_a.noconvert(), "rate"_a)
      .def(nb::new_([](const std::string& path, int channel) {
             return Recording{path, channel, {}};
           }),
           "path"_a, "channel"_a);

  nb::class_<Workspace>(module, "Scorer", "Work space of scores; for one thread at a time.")
      .def(nb::init<>())
      .def(
          "score",
          [](Workspace& space, const Recording& reference, const Recording& degraded, Depth depth, const Place& place,
             const std::string& mode) -> Dict {
            Json found;
            {
              const nb::gil_scoped_release released;
              found = score_pair(space, reference, degraded, depth, place, mode_of(mode, reference, degraded));
            }
            return nb::cast<nb::dict>(object_of(found));
          },
          "reference"_a, "degraded"_a, "depth"_a, "place"_a = nb::none(), "mode"_a = "nb",
          "The members of the JSON of `vqas score`.")
      .def(
          "row",
          [](Workspace& space, const std::string& reference, int reference_channel, const std::string& degraded,
             int degraded_channel, bool impairments) {
            const nb::gil_scoped_release released;
            const RecordingPair pair{reference, reference_channel, degraded, degraded_channel};
            const ScoreColumns columns = columns_of(impairments);
            const Score score = batch::score_files(space.scorer(ScoreMode::narrowband), pair, columns, space.files);
            return batch::score_fields(score, columns);
          },
          "reference"_a, "reference_channel"_a, "degraded"_a, "degraded_channel"_a, "impairments"_a,
          "The fields of score_columns() but made_from.")
      .def(
          "maps",
          [](Workspace& space, const Recording& reference, const Recording& degraded,
             const std::string& mode) -> std::optional<Maps> {
            std::optional<Explanation> why;
            {
              const nb::gil_scoped_release released;
              const auto from = reference.view(space.reference);
              const auto to = degraded.view(space.degraded);
              Scorer& scorer = space.scorer(mode_of(mode, reference, degraded));
              if (from && to) why = scorer.explain(*from, *to).explanation;
            }
            if (!why) return std::nullopt;
            return Maps{map_of(why->reference), map_of(why->degraded), map_of(why->distance)};
          },
          "reference"_a, "degraded"_a, "mode"_a = "nb",
          "Reference, degraded recording and distance, each (seconds a row, highest Hz, values); None without.");

  module.def(
      "score_columns", [](bool impairments) { return batch::score_columns(columns_of(impairments)); }, "impairments"_a,
      "What `vqas score --manifest` puts behind a manifest's columns.");
  module.def(
      "bad_row",
      [](const std::string& reason, bool impairments) {
        return batch::score_fields(batch::unusable(reason), columns_of(impairments));
      },
      "reason"_a, "impairments"_a, "As Scorer.row(), of a pair that cannot be read.");
  module.def(
      "made_from",
      [](const std::string& reference, int reference_channel, const std::string& degraded, int degraded_channel) {
        return batch::made_from({reference, reference_channel, degraded, degraded_channel});
      },
      "reference"_a, "reference_channel"_a, "degraded"_a, "degraded_channel"_a);
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
