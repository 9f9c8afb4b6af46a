#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "results/stored_runs.h"
#include "terminal/command.h"
#include "vqas/report/findings.h"
#include "vqas/report/report.h"
#include "vqas/report/summary.h"
#include "vqas/signal/audio_file.h"

namespace vqas::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ResultsOptions {
  StoreOptions store;
  std::vector<std::string> tags, runs;
  RunFilter filter;
  std::string keep = "all", page;
  double cap_mb = 0, confidence = 0.99;
  bool json = false, unlike = false, pairs = false;
};

void print(const Json& json) {
  std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

Json number(double value) {
  return std::isfinite(value) ? Json(std::round(value * 1e4) / 1e4) : Json(nullptr);
}

Json half_width(double value) {
  return number(std::max(value, kMosStep));
}

int list(ResultsOptions options) {
  const StoreApplication application;
  if (const Status since = check_time("--since", options.filter.since_utc); !since) return report_error(since.error());
  if (const Status until = check_time("--until", options.filter.until_utc); !until) return report_error(until.error());
  for (const std::string& tag : options.tags) {
    if (const Status taken = add_tag(tag, options.filter); !taken) return report_error(taken.error());
  }
  auto store = open_store_to_read(options.store);
  if (!store) return report_error(store.error());
  const auto runs = store->list(options.filter);
  if (!runs) return report_error(runs.error());
  if (options.json) {
    Json json = Json::array();
    for (const StoredRunInfo& run : *runs) {
      Json means = Json::array();
      for (const StoredMean& one : run.means)
        means.push_back(
            {{"from", name_of(one.from)}, {"to", name_of(other_end(one.from))}, {"mos_lqo", number(one.mos_lqo)}});
      json.push_back({{"uuid", run.uuid},
                      {"started_utc", run.started_utc},
                      {"finished_utc", run.finished_utc},
                      {"campaign", run.campaign},
                      {"line", run.line},
                      {"tags", run.tags},
                      {"score_version", run.score_version},
                      {"measurements", run.measurements},
                      {"scored", run.scored},
                      {"means", means},
                      {"ended_because", run.ended_because}});
    }
    print(json);
    return kOk;
  }
  if (runs->empty()) {
    const auto all = store->list(RunFilter());
    if (!all) return report_error(all.error());
    std::cout << (all->empty() ? "The store " + store_url(options.store) +
                                     " is empty; \"vqas results take DIR\" puts runs into it.\n"
                               : "No such run in " + store_url(options.store) + ".\n");
  }
  for (const StoredRunInfo& run : *runs) {
    std::string tags;
    for (const auto& [name, value] : run.tags) {
      if (!value.empty()) tags += fmt::format(" {}={}", name, value);
    }
    std::string means;
    for (const StoredMean& one : run.means)
      means += fmt::format("{}{} {:.2f}",
                           !means.empty()      ? ", "
                           : run.is_wideband() ? "MOS-LQOW "
                                               : "MOS ",
                           direction_words(one.from), one.mos_lqo);
    std::cout << fmt::format("{}  {:<20}  {:>4} of {:>4} scored  {:<26}  {}{}{}\n", run.uuid.substr(0, 8),
                             run.started_utc, run.scored, run.measurements, means.empty() ? "no score" : means,
                             run.campaign.empty() ? "-" : run.campaign, tags,
                             run.ended_because.empty() ? "" : "  (" + run.ended_because + ")");
  }
  return kOk;
}

int take(const ResultsOptions& options) {
  const StoreApplication application;
  auto store = open_store(options.store);
  if (!store) return report_error(store.error());
  const auto keep = keep_recordings_from_string(options.keep);
  auto archive =
      RecordingArchive::open(archive_folder(options.store),
                             {keep.value_or(KeepRecordings::all), static_cast<std::uint64_t>(options.cap_mb * 1e6)});
  if (!archive) return report_error(archive.error());
  std::vector<std::filesystem::path> folders;
  for (const std::string& named : options.runs) {
    const auto found = run_folders(named);
    if (!found) return report_error(found.error());
    folders.insert(folders.end(), found->begin(), found->end());
  }
  Json json = Json::array();
  for (const std::filesystem::path& folder : folders) {
    const auto taken = store->take(folder, &*archive);
    if (!taken) return report_error(taken.error());
    json.push_back({{"folder", folder.string()},
                    {"uuid", taken->uuid},
                    {"new", taken->measurements},
                    {"known", taken->known},
                    {"recordings", taken->recordings},
                    {"recordings_left_out", taken->left_out},
                    {"recordings_removed_by_rule", taken->removed},
                    {"journal", taken->damage}});
    tell_left_out(folder, *taken);
    if (taken->removed > 0)
      std::cerr << fmt::format("vqas: {}: {} recordings were removed by the rules of its plan before.\n",
                               folder.string(), taken->removed);
    if (!options.json)
      std::cout << fmt::format("{}: run {}, {} new measurements, {} known, {} recordings\n", folder.string(),
                               taken->uuid.substr(0, 8), taken->measurements, taken->known, taken->recordings);
    if (!taken->damage.empty())
      std::cerr << fmt::format("vqas: {}: {}: {}.\n", folder.string(), kJournalFile, taken->damage);
  }
  if (options.json) print(json);
  if (archive->removed() > 0)
    std::cerr << fmt::format("vqas: {} of the oldest recordings were removed to stay below the cap.\n",
                             archive->removed());
  return kOk;
}

/// A broken-off run, or one with a damaged journal, has fewer measurements than were planned.
void warn_of_incomplete(const std::string& name, const RunResults& run) {
  if (run.ended_because.empty()) return;
  std::cerr << fmt::format("vqas: warning: the run {} is not complete: {}.\n", name, run.ended_because);
}

Json to_json(const Comparison& one) {
  Json stimuli = Json::array();
  for (const StimulusDifference& stimulus : one.stimuli) {
    stimuli.push_back({{"stimulus", stimulus.stimulus},
                       {"difference", number(stimulus.difference)},
                       {"half_width", half_width(stimulus.half_width)},
                       {"simultaneous_half_width", half_width(stimulus.simultaneous)}});
  }
  const std::string why_not = not_compared_in_words(one);
  return {{"first", one.first},
          {"second", one.second},
          {"difference", one.stimuli.empty() ? Json(nullptr) : number(one.difference)},
          {"half_width", half_width(one.half_width)},
          {"simultaneous_half_width", half_width(one.simultaneous)},
          {"confidence", one.confidence},
          {"degrees_of_freedom", number(one.degrees)},
          {"p", why_not.empty() ? number(one.probability) : Json(nullptr)},
          {"p_holm", why_not.empty() ? number(one.adjusted) : Json(nullptr)},
          {"differ", why_not.empty() ? Json(one.differ()) : Json(nullptr)},
          {"not_compared", why_not.empty() ? Json(nullptr) : Json(why_not)},
          {"conditional", one.conditional},
          {"share_unscored", {one.first_unscored, one.second_unscored}},
          {"bounds",
           {one.first_bound ? number(*one.first_bound) : Json(nullptr),
            one.second_bound ? number(*one.second_bound) : Json(nullptr)}},
          {"omitted", one.omitted},
          {"stimuli", stimuli}};
}

void print_comparison(const Comparison& one, ScoreMode mode) {
  const std::string percent = fmt::format("{:.4g} %", 100 * one.confidence);
  std::cout << fmt::format("{} less {}:\n", one.second, one.first);
  for (const StimulusDifference& stimulus : one.stimuli)
    std::cout << fmt::format("  {:<10} {} {}, all stimuli together {}\n", stimulus.stimulus,
                             difference_text(stimulus.difference), half_width_text(stimulus.half_width, mode),
                             half_width_text(stimulus.simultaneous, mode));
  const std::string why_not = not_compared_in_words(one);
  if (one.stimuli.empty()) {
    std::cout << "  cannot be compared: " << why_not << "\n";
  } else if (!why_not.empty()) {
    std::cout << fmt::format("  {:<10} {}; cannot be compared: {}\n", "mean", difference_text(one.difference), why_not);
  } else {
    std::cout << fmt::format("  {:<10} {} {}, all pairs together {} ({}); {} (p {}, Holm)\n", "mean",
                             difference_text(one.difference), half_width_text(one.half_width, mode),
                             half_width_text(one.simultaneous, mode), percent, difference_in_words(one),
                             one.adjusted < 1e-4 ? "< 0.0001" : fmt::format("= {:.4f}", one.adjusted));
  }
  if (one.conditional) std::cout << "  " << conditional_in_words(one) << "\n";
  if (!one.omitted.empty())
    std::cout << fmt::format("  left out, scored on one only: {}\n", fmt::join(one.omitted, ", "));
}

void print_ranks(const std::vector<RankedChannel>& ranks, ScoreMode mode) {
  for (const RankedChannel& one : ranks)
    std::cout << fmt::format(
        "{:>3}  {:<24} {}  {}\n", one.rank > 0 ? fmt::format("{}.", one.rank) : "–", one.name,
        one.mean ? fmt::format("{:.2f} {}", *one.mean, half_width_text(one.half_width, mode)) : std::string("no score"),
        one.against_the_one_before);
}

int compare_runs(const ResultsOptions& options) {
  const StoreApplication application;
  const auto runs = find_runs(options.runs, options.store);
  if (!runs) return report_error(runs.error());
  for (std::size_t n = 0; n < runs->size(); ++n) warn_of_incomplete(options.runs[n], (*runs)[n].results);
  if (const Status same = check_one_scale(*runs, options.runs); !same) return report_error(same.error());
  if (const Status alike = check_comparable(*runs, options.runs); !alike) {
    if (!options.unlike)
      return report_error({alike.error().code, alike.error().message +
                                                   "; a difference between them need not be the line's: measure them "
                                                   "again by one release, or compare them as they are with --unlike"});
    std::cerr << "vqas: warning: " << alike.error().message << ".\n";
  }
  const auto compared = compare(channels_of(*runs, options.runs), options.confidence);
  if (!compared) return report_error(compared.error());
  if (!options.page.empty()) {
    if (const Status written = write_campaign_page(options.page, *runs, options.runs, options.unlike); !written)
      return report_error(written.error());
  }
  if (options.json) {
    Json json = Json::array();
    for (const Comparison& one : *compared) json.push_back(to_json(one));
    print(json);
    return kOk;
  }
  const ScoreMode mode = runs->front().results.mode;  // of all: check_one_scale()
  if (options.pairs) {
    for (const Comparison& one : *compared) print_comparison(one, mode);
    std::cout << "\n";
  }
  print_ranks(rank_channels(*runs, options.runs, *compared), mode);
  return kOk;
}

}  // namespace

void add_results_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ResultsOptions>();
  CLI::App* const results = app.add_subcommand("results", "runs of many campaigns: list, take into the store, compare");
  results->require_subcommand(1);

  CLI::App* const listing = results->add_subcommand("list", "list the store's runs, oldest first");
  listing->add_option("--tag", options->tags, "only runs with this tag, such as site=north; repeatable");
  listing->add_option("--campaign", options->filter.campaign, "only runs of this campaign");
  listing->add_option("--since", options->filter.since_utc, "only runs begun then or later, such as 2026-11-20");
  listing->add_option("--until", options->filter.until_utc, "only runs begun then or earlier, such as 2026-11");
  listing->footer("Example: vqas results list --tag site=north --since 2026-11-20");

  CLI::App* const taking =
      results->add_subcommand("take", "take runs from their folders into the store; known runs are not taken twice");
  taking->add_option("DIR", options->runs, "folders of runs, or of campaigns with runs below them")->required();
  taking->add_option("--keep", options->keep, "which recordings to keep")
      ->check(CLI::IsMember({"all", "failed", "none"}))
      ->capture_default_str();
  taking
      ->add_option("--cap-mb", options->cap_mb,
                   "largest size of the archive, in MB: beyond it the oldest recordings are removed; 0: no limit")
      ->check(CLI::Range(0.0, 1e9));
  taking->footer("Example: vqas results take results/ results-2/ --keep failed");

  CLI::App* const comparing =
      results->add_subcommand("compare", "rank channels, each compared with the next over the stimuli scored on both");
  comparing->add_option("RUN", options->runs, "folders of runs, or uuids in the store")->required();
  comparing->add_option("--confidence", options->confidence, "of the intervals and of Holm's test")
      ->check(CLI::Range(0.5, 0.9999))
      ->capture_default_str();
  comparing->add_flag("--unlike", options->unlike,
                      "also compare runs of other stimuli or another score version, which are refused otherwise");
  comparing->add_option("--page", options->page, "also write an HTML page on these runs to this file");
  comparing->add_flag("--pairs", options->pairs, "before the ranking, also print every pair, stimulus by stimulus");
  comparing->footer("Example: vqas results compare cable/ satellite/ --page comparison.html");

  for (CLI::App* const one : {listing, taking, comparing}) {
    add_store_options(*one, options->store);
    one->add_flag("--json", options->json, "print JSON");
  }
  listing->callback([&action, options] { action = [options] { return list(*options); }; });
  taking->callback([&action, options] { action = [options] { return take(*options); }; });
  comparing->callback([&action, options] { action = [options] { return compare_runs(*options); }; });
}

namespace {

struct ExportOptions {
  StoreOptions store;
  std::string run, format = "csv", out;
};

int export_run(const ExportOptions& options) {
  const StoreApplication application;
  const auto run = find_run(options.run, options.store);
  if (!run) return report_error(run.error());
  warn_of_incomplete(options.run, run->results);
  const std::string text =
      options.format == "csv" ? results_csv(run->results) : results_json(run->results, run->provenance);
  if (options.out.empty()) {
    std::cout << text;
    return kOk;
  }
  const Status written = write_file_atomically(options.out, text);
  return written ? kOk : report_error(written.error());
}

}  // namespace

void add_export_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* const command = app.add_subcommand("export", "write a run as CSV or JSON");
  command->add_option("RUN", options->run, "folder of a run, or its uuid in the store")->required();
  command->add_option("--format", options->format, "csv or json")
      ->check(CLI::IsMember({"csv", "json"}))
      ->capture_default_str();
  command->add_option("--out", options->out, "file; else standard output");
  add_store_options(*command, options->store);
  command->footer("Example: vqas export 3f2a --format csv --out run.csv");
  command->callback([&action, options] { action = [options] { return export_run(*options); }; });
}

}  // namespace vqas::cli
