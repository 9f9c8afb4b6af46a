#include <fmt/format.h>

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "corpus/corpus_folder.h"
#include "results/stored_runs.h"
#include "terminal/command.h"
#include "vqas/corpus/corpus.h"
#include "vqas/score/score.h"
#include "vqas/signal/audio_file.h"

namespace vqas::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct RescoreOptions {
  StoreOptions store;
  std::string run, corpus;
  bool json = false;
};

/// One recording, as it was scored and as it is scored today.
struct Rescored {
  std::string from, to, stimulus;
  std::uint32_t sequence = 0;
  Outcome before = Outcome::scored, now = Outcome::scored;
  std::optional<double> mos_before, mos_now;
  std::optional<double> distance_before, distance_now;

  // Both are rounded where they are scored, so that equal ones are equal to the last bit.
  bool changed() const { return before != now || mos_before != mos_now || distance_before != distance_now; }
};

// Outcomes that the score gives. The others are judged by what is not in the recording (a device's gap, what the marks
// said, where the speech was due), and stay.
bool is_judged_by_score(Outcome outcome) {
  switch (outcome) {
    case Outcome::scored:
    case Outcome::not_aligned:
    case Outcome::no_speech:
    case Outcome::too_short:
      return true;
    default:
      return false;
  }
}

struct Totals {
  std::size_t recordings = 0, missing = 0, changed = 0;
  std::size_t kept = 0;         ///< have an outcome that is not the score's
  double sum = 0, largest = 0;  ///< of the changes, over those scored both times
  std::size_t both = 0;
};

// A recording begins that long before the speech, where a mark was found (vqas/sync/capture.h).
constexpr double kLead_s = 0.5;

// Runs of releases that did not keep the place have it to a sample by where the recording was cut.
std::optional<KnownPlacement> placement_of(const Measurement& one, bool kept) {
  if (kept || one.placement) return one.placement;
  if (one.marks_found == "none" || one.marks_found.empty()) return std::nullopt;
  KnownPlacement placement;
  placement.start = kLead_s * kLineRateHz;
  placement.clock_drift_ppm = one.clock_drift_ppm.value_or(0);
  return placement;
}

class Rescoring {
 public:
  Rescoring(const StoredRun& run, const Corpus& corpus, fs::path folder, std::optional<RecordingArchive> archive)
      : run_(run), corpus_(corpus), folder_(std::move(folder)), archive_(std::move(archive)) {
    for (const DirectionRun& direction : run_.results.directions) {
      for (const StimulusRun& stimulus : direction.stimuli) {
        keeps_places_ = keeps_places_ || std::ranges::any_of(stimulus.measurements, &has_place);
      }
    }
  }

  Status run() {
    for (const DirectionRun& direction : run_.results.directions) {
      for (const StimulusRun& stimulus : direction.stimuli) {
        const auto reference = corpus_.recording(stimulus.stimulus);
        if (!reference) return reference.error();
        for (const Measurement& one : stimulus.measurements) score(direction, stimulus.stimulus, *reference, one);
      }
    }
    return success();
  }

  std::vector<Rescored> changes;
  Totals totals;

 private:
  // A release that tells of steps keeps places; with a step the speech may have been searched for everywhere.
  static bool has_place(const Measurement& one) { return one.placement || one.delay_step_ms; }
  Result<fs::path> file_of(const Measurement& one) const {
    if (archive_) return archive_->find(one.recording);
    return folder_ / one.recording;
  }

  void score(const DirectionRun& direction, const std::string& stimulus, const Signal& reference,
             const Measurement& one) {
    if (one.recording.empty()) return;
    if (!is_judged_by_score(one.outcome)) {
      ++totals.kept;
      return;
    }
    const auto file = file_of(one);
    const auto recording = file ? read_audio(*file) : Result<Signal>(file.error());
    if (!recording) {
      ++totals.missing;
      return;
    }
    ++totals.recordings;
    const Score score = scorer_.score(reference, *recording, placement_of(one, keeps_places_));
    const Rescored now{direction.from, direction.to, stimulus,      one.sequence,          one.outcome,
                       score.outcome,  one.mos_lqo,  score.mos_lqo, one.auditory_distance, score.auditory_distance};
    if (now.mos_before && now.mos_now) {
      const double change = *now.mos_now - *now.mos_before;
      totals.sum += change;
      totals.largest = std::abs(change) > std::abs(totals.largest) ? change : totals.largest;
      ++totals.both;
    }
    if (!now.changed()) return;
    ++totals.changed;
    changes.push_back(now);
  }

  const StoredRun& run_;
  bool keeps_places_ = false;
  const Corpus& corpus_;
  fs::path folder_;
  std::optional<RecordingArchive> archive_;
  Scorer scorer_;
};

std::string words_of(Outcome outcome, const std::optional<double>& mos) {
  return mos ? fmt::format("{:.4f}", *mos) : std::string(to_string(outcome));
}

void print(const Rescoring& rescoring, const StoredRun& run) {
  for (const Rescored& one : rescoring.changes)
    std::cout << fmt::format("{} to {} {:>5}  {:<8} {} -> {}\n", one.from, one.to, one.sequence, one.stimulus,
                             words_of(one.before, one.mos_before), words_of(one.now, one.mos_now));
  const Totals& totals = rescoring.totals;
  std::cout << fmt::format("{} recordings by {} (before: {}): {} changed", totals.recordings, kScoreVersion,
                           run.provenance.score_version, totals.changed);
  if (totals.both > 0)
    std::cout << fmt::format(", {:+.4f} MOS on average, {:+.4f} at most", totals.sum / static_cast<double>(totals.both),
                             totals.largest);
  if (totals.kept > 0) std::cout << fmt::format("; {} were not judged by the score and stay", totals.kept);
  std::cout << (totals.missing > 0 ? fmt::format("; {} are gone or damaged\n", totals.missing) : "\n");
}

void print_json(const Rescoring& rescoring, const StoredRun& run) {
  const auto mos = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
  Json changes = Json::array();
  for (const Rescored& one : rescoring.changes) {
    changes.push_back({{"from", one.from},
                       {"to", one.to},
                       {"stimulus", one.stimulus},
                       {"sequence", one.sequence},
                       {"outcome_before", to_string(one.before)},
                       {"outcome_now", to_string(one.now)},
                       {"mos_lqo_before", mos(one.mos_before)},
                       {"mos_lqo_now", mos(one.mos_now)},
                       {"auditory_distance_before", mos(one.distance_before)},
                       {"auditory_distance_now", mos(one.distance_now)}});
  }
  const Json json{{"score_before", run.provenance.score_version}, {"score_now", kScoreVersion},
                  {"recordings", rescoring.totals.recordings},    {"missing", rescoring.totals.missing},
                  {"not_judged_by_score", rescoring.totals.kept}, {"changed", changes}};
  std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

int rescore(const RescoreOptions& options) {
  int count = 1;
  char name[] = "vqas";
  char* arguments[] = {name, nullptr};
  const QCoreApplication application(count, arguments);
  const auto run = find_run(options.run, options.store);
  if (!run) return report_error(run.error());
  const auto place = corpus_folder(options.corpus);
  if (!place) return report_error(place.error());
  const auto corpus = Corpus::load(*place);
  if (!corpus) return report_error(corpus.error());
  if (corpus->digest() != run->results.corpus_digest)
    return report_error(
        {ErrorCode::bad_input,
         fmt::format("the corpus {} is not the one of the run (digest {}, there {}); name that one with "
                     "--corpus",
                     place->string(), corpus->digest(), run->results.corpus_digest)});
  std::error_code failed;
  std::optional<RecordingArchive> archive;
  if (!fs::is_directory(options.run, failed)) {
    auto opened = RecordingArchive::open(archive_folder(options.store), {});
    if (!opened) return report_error(opened.error());
    archive = *std::move(opened);
  }
  Rescoring rescoring(*run, *corpus, options.run, std::move(archive));
  if (const Status done = rescoring.run(); !done) return report_error(done.error());
  if (options.json) {
    print_json(rescoring, *run);
  } else {
    print(rescoring, *run);
  }
  return rescoring.totals.recordings > 0 ? kOk : kNotMeasured;
}

}  // namespace

void add_rescore_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<RescoreOptions>();
  CLI::App* const command = app.add_subcommand(
      "rescore", "score a run's archived recordings by today's score and show what changed; changes nothing");
  command->add_option("RUN", options->run, "folder of a run, or its uuid in the store")->required();
  add_corpus_option(*command, options->corpus);
  add_store_options(*command, options->store);
  command->add_flag("--json", options->json, "print JSON");
  command->footer("Example: vqas rescore results/");
  command->callback([&action, options] { action = [options] { return rescore(*options); }; });
}

}  // namespace vqas::cli
