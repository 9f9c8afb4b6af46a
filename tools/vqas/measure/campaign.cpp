#include "measure/campaign.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "corpus/corpus_folder.h"
#include "measure/run_printer.h"
#include "results/stored_runs.h"
#include "terminal/command.h"
#include "terminal/event_loop.h"
#include "vqas/campaign/campaign.h"
#include "vqas/campaign/campaign_metrics.h"
#include "vqas/campaign/shell_words.h"
#include "vqas/report/report.h"

namespace vqas::cli {
namespace {

namespace fs = std::filesystem;

/// Prints a campaign; each of its runs has a RunPrinter.
class CampaignPrinter {
 public:
  CampaignPrinter(const CampaignPlan& plan, const CampaignCommand& command)
      : command_(command), several_(count_of_runs(plan) > 1) {}

  /// The events of a campaign, which this object must outlive; `ended` is called last.
  CampaignEvents events(std::function<void(int exit_code)> ended) {
    CampaignEvents events;
    events.run_begins = [this](const CampaignRun& run) {
      announce(run);
      return run_.emplace(run.folder, showing()).events();
    };
    events.had_ended = [this](const CampaignRun&, const StoredRun& stored) {
      if (command_.json) print_json(results_json(stored.results, stored.provenance));
    };
    events.stored = [](const CampaignRun& run, const Taken& taken) { tell_left_out(run.folder.string(), taken); };
    events.left_out = [](std::size_t runs) {
      std::cerr << fmt::format("vqas: {} runs were left out because the run before them took too long.\n", runs);
    };
    events.noticed = [](const std::string& what) { std::cerr << fmt::format("vqas: {}.\n", what); };
    events.failed = [](const Error& error) { report_error(error); };
    events.finished = [this, ended = std::move(ended)](const EndOfCampaign& end) {
      const int exit_code = exit_code_of(end.verdict);
      finish(end, exit_code);
      ended(exit_code);
    };
    return events;
  }

 private:
  static void print_event(const nlohmann::ordered_json& event) {
    std::cout << event.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
  }

  void announce(const CampaignRun& run) const {
    if (command_.json_lines) {
      return print_event(
          {{"event", "run"}, {"number", run.number}, {"runs", run.runs}, {"folder", run.folder.string()}});
    }
    if (!several_ || command_.json) return;
    std::cout << fmt::format("Run {} of {}{}\n", run.number, run.runs, run.resumed ? ", which was broken off" : "")
              << std::flush;
  }

  Showing showing() {
    Showing showing;
    showing.json = command_.json;
    showing.json_lines = command_.json_lines;
    showing.take_json = [this](const std::string& json) { print_json(json); };
    showing.after_failure =
        as_command({"vqas", "measure", "--resume", command_.folder.string()}) + peer_arguments(command_.trust);
    return showing;
  }

  /// Several runs are printed as one JSON list.
  void print_json(const std::string& json) {
    if (several_) std::cout << (json_begun_ ? "," : "[") << "\n";
    std::cout << json << std::flush;
    json_begun_ = true;
  }

  void finish(const EndOfCampaign& end, int exit_code) const {
    if (command_.json_lines)
      print_event({{"event", "ended"}, {"exit_code", exit_code}, {"folder", command_.folder.string()}});
    if (end.was_complete && !command_.json && !command_.json_lines)
      std::cout << fmt::format("The campaign in {} is complete: nothing is left to measure.\nReport: {}\n",
                               command_.folder.string(), end.page.string());
    if (command_.json && several_) std::cout << (json_begun_ ? "]\n" : "[]\n") << std::flush;
  }

  const CampaignCommand& command_;
  const bool several_;
  bool json_begun_ = false;
  std::optional<RunPrinter> run_;
};

fs::path archive_of(const CampaignPlan& plan) {
  StoreOptions named;
  named.url = plan.store;
  return archive_folder(named);
}

}  // namespace

Status check_campaign(const CampaignPlan& plan) {
  const auto corpus = corpus_folder(plan.corpus.string());
  return corpus ? vqas::check_campaign(plan, *corpus) : Status(corpus.error());
}

int measure_campaign(const PlanOnDisk& plan, const CampaignCommand& command) {
  EventLoop loop;
  std::error_code fault;
  CampaignOptions options;
  options.folder = command.folder;
  options.program = fs::read_symlink("/proc/self/exe", fault);
  if (fault) return report_error({ErrorCode::io, "cannot find this program's own file: " + fault.message()});
  options.archive = archive_of(plan.plan);
  options.force = command.force;
  options.resume = command.resume;
  options.before = command.before;
  options.find_corpus = [](const fs::path& named) { return corpus_folder(named.string()); };
  options.admit = [&command](RunPlan& run) { return trust_peers(command.trust, run); };
  CampaignPrinter printer(plan.plan, command);
  CampaignEvents events = printer.events(EventLoop::end);
  if (!command.metrics_file.empty())
    events = with_metrics(std::move(events), std::make_shared<CampaignMetrics>(command.metrics_file, command.folder));
  const auto campaign = Campaign::open(plan, std::move(options), std::move(events));
  if (!campaign) return report_error(campaign.error());
  loop.on_interrupt([&campaign] { (*campaign)->cancel(); });
  (*campaign)->start();
  return loop.run();
}

}  // namespace vqas::cli
