#include "results/trend_options.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "results/stored_runs.h"
#include "terminal/command.h"
#include "vqas/signal/audio_file.h"
#include "vqas/trend/site.h"

namespace vqas::cli {
namespace {

namespace fs = std::filesystem;

double now_s() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// A store that outlives the sources which refer to it.
struct OpenSources {
  std::optional<RunStore> store;
  TrendSources sources;
};

Result<OpenSources> open_sources(const TrendCommand& options, const std::vector<std::string>& folders) {
  OpenSources open;
  open.sources.filter = options.filter;
  open.sources.folders.assign(folders.begin(), folders.end());
  if (const Status since = check_time("--since", options.filter.since_utc); !since) return since.error();
  if (const Status until = check_time("--until", options.filter.until_utc); !until) return until.error();
  for (const std::string& tag : options.tags) {
    if (const Status taken = add_tag(tag, open.sources.filter); !taken) return taken.error();
  }
  if (!folders.empty() && !options.with_store) return open;
  auto store = open_store_to_read(options.store);
  if (!store) return store.error();
  open.store = *std::move(store);
  return open;
}

void tell_left_out_runs(std::size_t left_out, const std::string& why) {
  if (left_out == 0) return;
  std::cerr << fmt::format("vqas: {} run{} left out. The first: {}.\n", left_out, left_out == 1 ? " was" : "s were",
                           why);
}

int write_one(const TrendCommand& options, const TrendSources& sources, const TrendOptions& how, bool json) {
  auto collected = collect_runs(sources);
  if (!collected) return report_error(collected.error());
  tell_left_out_runs(collected->left_out, collected->why_left_out);
  if (!options.mode.empty()) {
    std::erase_if(collected->runs, [&](const RunOfTrend& run) { return to_string(scale_of(run)) != options.mode; });
  }
  std::set<Circuit> circuits;
  for (const RunOfTrend& run : collected->runs) circuits.insert(circuit_of(run));
  if (circuits.size() != 1) {
    std::string names;
    for (const Circuit& one : circuits) names += (names.empty() ? ": " : ", ") + shown_name(one);
    return report_error(
        {ErrorCode::bad_input, circuits.empty()
                                   ? std::string("--trend: no run was found")
                                   : fmt::format("--trend shows one circuit, but these runs are of {}{}; choose one "
                                                 "with --tag or --mode, or write a page for each with --site",
                                                 circuits.size(), names)});
  }
  TrendOptions at_once = how;
  at_once.now_s = now_s();
  const CircuitTrend trend =
      trend_of(std::move(collected->runs), at_once, std::move(collected->missed[*circuits.begin()]));
  const fs::path file = options.page;
  const TrendPage place{.page_folder = file.parent_path().string(), .index = {}, .json = {}, .now_s = at_once.now_s};
  const std::string text = file.extension() == ".json" ? trend_json(trend) : trend_html(trend, place);
  if (const Status written = write_file_atomically(file, text); !written) return report_error(written.error());
  if (json) {
    std::cout << trend_json(trend);
  } else {
    std::cout << fmt::format("{}: {} runs\ntrend: {}\n", trend.name, trend.runs.size(), file.string());
  }
  return kOk;
}

int write_all(const TrendCommand& options, const TrendSources& sources, const TrendOptions& how, bool json) {
  const auto site = write_site(options.site, sources, {how, now_s()});
  if (!site) return report_error(site.error());
  tell_left_out_runs(site->left_out, site->why_left_out);
  if (json) {
    const nlohmann::ordered_json figures{
        {"index", site->index.string()}, {"circuits", site->circuits},    {"runs", site->runs}, {"read", site->read},
        {"left_out", site->left_out},    {"files_written", site->written}};
    std::cout << figures.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
  } else {
    if (site->runs == 0)
      std::cerr << (sources.folders.empty()
                        ? "vqas: the store holds no run that fits: name folders of runs, or let a store take them "
                          "(vqas results take, or [store] in a plan).\n"
                        : "vqas: no run in these folders fits.\n");
    std::cout << fmt::format(
        "{} circuit{}, {} run{}, {} of them read anew; {} files were new or have changed\nsite: {}\n", site->circuits,
        site->circuits == 1 ? "" : "s", site->runs, site->runs == 1 ? "" : "s", site->read, site->written,
        site->index.string());
  }
  return kOk;
}

}  // namespace

void add_trend_options(CLI::App& command, TrendCommand& options, CLI::Option& alone) {
  CLI::Option* const page =
      command.add_option("--trend", options.page, "write the trend of one circuit to this file, .html or .json")
          ->check(CLI::Validator(
              [](const std::string& file) {
                const fs::path ending = fs::path(file).extension();
                return ending == ".html" || ending == ".json" ? std::string() : "the file ends in .html or .json";
              },
              ""));
  CLI::Option* const site =
      command.add_option("--site", options.site,
                         "write a static site of all circuits into this folder; it may be written again at any time");
  site->excludes(page);
  command.add_option("--mode", options.mode, "with --trend, only runs on this scale: nb (MOS-LQON) or wb (MOS-LQOW)")
      ->check(CLI::IsMember({"nb", "wb"}))
      ->needs(page);
  for (CLI::Option* const one : {page, site}) one->excludes(&alone);
  command.add_option("--time-zone", options.zone, "of the pages, such as Europe/Berlin; default: this computer's");
  CLI::Option* const store =
      command.add_option("--store", options.store.url,
                         "also read this store where folders are named: a file or postgresql://USER@HOST/DATABASE");
  command.add_option("--tag", options.tags, "only runs with this tag, such as site=north; repeatable");
  command.add_option("--campaign", options.filter.campaign, "only runs of this campaign");
  command.add_option("--since", options.filter.since_utc, "only runs begun then or later, such as 2026-11-20");
  command.add_option("--until", options.filter.until_utc, "only runs begun then or earlier, such as 2026-11");
  store->each([&options](const std::string&) { options.with_store = true; });
}

int write_trends(const TrendCommand& options, const std::vector<std::string>& folders, bool json) {
  const StoreApplication application;
  const auto local = LocalTime::of_zone(options.zone);
  if (!local) return report_error({local.error().code, "--time-zone: " + local.error().message});
  auto open = open_sources(options, folders);
  if (!open) return report_error(open.error());
  if (open->store) open->sources.store = &*open->store;
  const TrendOptions how{*local, {}};
  return options.page.empty() ? write_all(options, open->sources, how, json)
                              : write_one(options, open->sources, how, json);
}

}  // namespace vqas::cli
