#include <fmt/format.h>

#include <QCoreApplication>
#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "corpus/corpus_folder.h"
#include "results/stored_runs.h"
#include "terminal/command.h"
#include "vqas/campaign/rescore.h"
#include "vqas/score/score.h"

namespace vqas::cli {
namespace {

using Json = nlohmann::ordered_json;

struct RescoreOptions {
  StoreOptions store;
  std::string run, corpus;
  bool json = false;
};

std::string words_of(Outcome outcome, const std::optional<double>& mos) {
  return mos ? fmt::format("{:.4f}", *mos) : std::string(to_string(outcome));
}

/// Sum and largest of the changes, over the recordings scored both times.
struct Change {
  double sum = 0, largest = 0;
  std::size_t both = 0;
};

Change change_of(const RescoredRun& rescored) {
  Change all;
  for (const RescoredRecording& one : rescored.recordings) {
    if (!one.mos_before || !one.mos_now) continue;
    const double change = *one.mos_now - *one.mos_before;
    all.sum += change;
    all.largest = std::abs(change) > std::abs(all.largest) ? change : all.largest;
    ++all.both;
  }
  return all;
}

void print(const RescoredRun& rescored, const StoredRun& run) {
  const auto changes = rescored.changes();
  for (const RescoredRecording& one : changes)
    std::cout << fmt::format("{} {:>5}  {:<8} {} -> {}\n", direction_words(one.from), one.sequence, one.stimulus,
                             words_of(one.before, one.mos_before), words_of(one.now, one.mos_now));
  std::cout << fmt::format("{} recordings by {} (before: {}): {} changed", rescored.recordings.size(),
                           score_version(run.results.mode), run.provenance.score_version, changes.size());
  const Change change = change_of(rescored);
  if (change.both > 0)
    std::cout << fmt::format(", {:+.4f} MOS on average, {:+.4f} at most", change.sum / static_cast<double>(change.both),
                             change.largest);
  if (rescored.not_by_score > 0)
    std::cout << fmt::format("; {} were not judged by the score and stay", rescored.not_by_score);
  if (rescored.removed > 0)
    std::cout << fmt::format("; {} were removed by the rules of the campaign's plan", rescored.removed);
  std::cout << (rescored.missing > 0 ? fmt::format("; {} are gone or damaged\n", rescored.missing) : "\n");
}

void print_json(const RescoredRun& rescored, const StoredRun& run) {
  const auto mos = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
  Json changes = Json::array();
  for (const RescoredRecording& one : rescored.changes()) {
    changes.push_back({{"from", name_of(one.from)},
                       {"to", name_of(other_end(one.from))},
                       {"stimulus", one.stimulus},
                       {"sequence", one.sequence},
                       {"outcome_before", to_string(one.before)},
                       {"outcome_now", to_string(one.now)},
                       {"mos_lqo_before", mos(one.mos_before)},
                       {"mos_lqo_now", mos(one.mos_now)},
                       {"auditory_distance_before", mos(one.distance_before)},
                       {"auditory_distance_now", mos(one.distance_now)}});
  }
  const Json json{{"score_before", run.provenance.score_version},
                  {"score_now", score_version(run.results.mode)},
                  {"recordings", rescored.recordings.size()},
                  {"missing", rescored.missing},
                  {"removed_by_rule", rescored.removed},
                  {"not_judged_by_score", rescored.not_by_score},
                  {"changed", changes}};
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
  // Before the archive is opened, which would create it.
  if (const Status same = check_corpus_of(*run, *corpus); !same) return report_error(same.error());
  const auto recordings = RunRecordings::of(options.run, options.store);
  if (!recordings) return report_error(recordings.error());
  const auto rescored = vqas::rescore(*run, *corpus, *recordings);
  if (!rescored) return report_error(rescored.error());
  options.json ? print_json(*rescored, *run) : print(*rescored, *run);
  return rescored->missing > 0 || rescored->recordings.empty() ? kNotMeasured : kOk;
}

}  // namespace

void add_rescore_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<RescoreOptions>();
  CLI::App* const command = app.add_subcommand(
      "rescore", "score a run's archived recordings with this release and show what differs; changes no files");
  command->add_option("RUN", options->run, "folder of a run, or its uuid in the store")->required();
  add_corpus_option(*command, options->corpus);
  add_store_options(*command, options->store);
  command->add_flag("--json", options->json, "print JSON");
  command->footer("Example: vqas rescore results/");
  command->callback([&action, options] { action = [options] { return rescore(*options); }; });
}

}  // namespace vqas::cli
