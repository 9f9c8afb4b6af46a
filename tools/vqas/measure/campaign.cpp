#include "measure/campaign.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "corpus/corpus_folder.h"
#include "measure/run_printer.h"
#include "results/stored_runs.h"
#include "terminal/command.h"
#include "terminal/event_loop.h"
#include "terminal/refused_start.h"
#include "vqas/campaign/campaign.h"
#include "vqas/campaign/campaign_metrics.h"
#include "vqas/campaign/shell_words.h"
#include "vqas/report/report.h"
#include "vqas/report/slot_words.h"
#include "vqas/store/utc_text.h"

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
    // Left empty otherwise: an unattended campaign then need not read runs that ended.
    if (command_.json)
      events.had_ended = [this](const CampaignRun&, const StoredRun& stored) {
        print_json(results_json(stored.results, stored.provenance));
      };
    events.stored = [](const CampaignRun& run, const Taken& taken) { tell_left_out(run.folder.string(), taken); };
    events.slot_over = [this](const SlotRecord& slot) { tell_slot(slot); };
    events.away = [](const std::string& why) {
      std::cerr << "vqas: "
                << (why.empty()
                        ? "the line is there again"
                        : fmt::format("the line or a node is away: {}; the campaign waits and tries again", why))
                << ".\n";
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
    // A run may be tried several times in its slot; the last time counts.
    showing.take_json = [this](const std::string& json) { several_ ? void(json_of_run_ = json) : print_json(json); };
    // An unattended campaign continues by itself.
    if (!command_.unattended)
      showing.after_failure =
          as_command({"vqas", "measure", "--resume", command_.folder.string()}) + peer_arguments(command_.trust);
    return showing;
  }

  void tell_slot(const SlotRecord& slot) {
    print_json_of_run();
    if (command_.json_lines) {
      nlohmann::ordered_json event = {{"event", "slot"},
                                      {"number", slot.number},
                                      {"due_utc", utc_text(slot.due_s)},
                                      {"outcome", to_string(slot.outcome)},
                                      {"run", nullptr},
                                      {"why", nullptr}};
      if (!slot.run.empty()) event["run"] = slot.run;
      if (!slot.why.empty()) event["why"] = slot.why;
      return print_event(event);
    }
    if (slot.outcome == SlotOutcome::measured) return;
    std::cerr << fmt::format("vqas: slot {} of {} UTC: {}.\n", slot.number, utc_words(slot.due_s), in_words(slot));
  }

  void print_json_of_run() {
    if (!json_of_run_.empty()) print_json(std::exchange(json_of_run_, {}));
  }

  /// Several runs are printed as one JSON list.
  void print_json(const std::string& json) {
    if (several_) std::cout << (json_begun_ ? "," : "[") << "\n";
    std::cout << json << std::flush;
    json_begun_ = true;
  }

  void finish(const EndOfCampaign& end, int exit_code) {
    print_json_of_run();
    if (command_.json_lines)
      print_event({{"event", "ended"}, {"exit_code", exit_code}, {"folder", command_.folder.string()}});
    const bool as_text = !command_.json && !command_.json_lines;
    if (end.was_complete && as_text)
      std::cout << fmt::format("The campaign in {} is complete: nothing is left to measure.\nReport: {}\n",
                               command_.folder.string(), end.page.string());
    if (!end.records.empty() && as_text)
      std::cout << fmt::format("Slots: {} of {} are over: {}\n", end.records.size(), end.slots_in_all,
                               slots_in_words(end.records));
    if (command_.json && several_) std::cout << (json_begun_ ? "]\n" : "[]\n") << std::flush;
  }

  const CampaignCommand& command_;
  const bool several_;
  bool json_begun_ = false;
  std::string json_of_run_;  ///< of the run in the open slot
  std::optional<RunPrinter> run_;
};

/// Before line time is spent: figures that cannot be written would be missed only weeks later.
Status check_metrics_file(const fs::path& file) {
  std::error_code failed;
  const fs::path folder = fs::absolute(file, failed).parent_path();
  if (fs::is_directory(folder, failed) && ::access(folder.c_str(), W_OK | X_OK) == 0) return success();
  return Error{
      ErrorCode::bad_input,
      fmt::format("figures cannot be written to {}: the folder {} is missing, or may not be written to; make it, "
                  "or name another file with --metrics-file",
                  file.string(), folder.string())};
}

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
  if (!command.metrics_file.empty()) {
    if (const Status writable = check_metrics_file(command.metrics_file); !writable)
      return report_error(writable.error());
  }
  EventLoop loop;
  std::error_code fault;
  CampaignOptions options;
  options.folder = command.folder;
  options.program = fs::read_symlink("/proc/self/exe", fault);
  if (fault) return report_error({ErrorCode::io, "cannot find this program's own file: " + fault.message()});
  options.archive = archive_of(plan.plan);
  options.force = command.force;
  options.resume = command.resume;
  options.unattended = command.unattended;
  options.before = command.before;
  options.find_corpus = [](const fs::path& named) { return corpus_folder(named.string()); };
  options.admit = [&command](RunPlan& run) { return trust_peers(command.trust, run); };
  CampaignPrinter printer(plan.plan, command);
  CampaignEvents events = printer.events(EventLoop::end);
  if (!command.metrics_file.empty())
    events = with_metrics(std::move(events),
                          std::make_shared<CampaignMetrics>(command.metrics_file, command.folder, plan.plan));
  const auto campaign = Campaign::open(plan, std::move(options), std::move(events));
  if (!campaign) return report_error(campaign.error(), command.folder);
  loop.on_interrupt([&campaign] { (*campaign)->cancel(); });
  (*campaign)->start();
  return loop.run();
}

}  // namespace vqas::cli
