#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "measure/campaign.h"
#include "terminal/command.h"
#include "vqas/campaign/campaign_status.h"
#include "vqas/report/slot_words.h"
#include "vqas/store/plan.h"
#include "vqas/store/utc_text.h"

namespace vqas::cli {
namespace {

int check(const std::string& file) {
  const auto plan = read_plan(file);
  if (!plan) return report_error(plan.error());
  if (const Status fits = check_campaign(*plan); !fits) return report_error(fits.error());
  const std::size_t runs = count_of_runs(*plan);
  std::cout << fmt::format("{} can be measured: {} {}, {}\n", file, runs, runs == 1 ? "run" : "runs",
                           plan->line == "sim:" ? "on a simulated line" : "with two nodes");
  return kOk;
}

int status(const std::string& folder, bool json) {
  const auto found = campaign_status(folder);
  if (!found) return report_error(found.error());
  if (json) {
    std::cout << campaign_status_json(*found) << std::flush;
    return kOk;
  }
  const SlotLog& log = found->log;
  std::cout << fmt::format("{}: {} of {} slots are over", found->name.empty() ? "The campaign" : found->name,
                           log.records.size(), found->slots_in_all)
            << (log.records.empty() ? "" : ": ") << slots_in_words(log.records) << "\n";
  for (const SlotRange& range : unmeasured_slots(log.records))
    std::cout << fmt::format("  {}, due {} UTC: {}\n", numbers_in_words(range), due_in_words(range),
                             in_words(*range.first));
  if (!log.outages.empty() && !log.outages.back().until_s)
    std::cout << fmt::format("The line or a node is away since {} UTC: {}\n", utc_words(log.outages.back().since_s),
                             log.outages.back().why);
  if (found->next_s) {
    std::cout << fmt::format(
        "Next: the slot of {} UTC; {}\n", utc_words(*found->next_s),
        found->measured_now ? "the campaign is being measured" : "no process measures the campaign now");
  }
  std::cout << std::flush;
  return kOk;
}

}  // namespace

void add_plan_command(CLI::App& app, Action& action) {
  const auto file = std::make_shared<std::string>();
  CLI::App* const plan = app.add_subcommand("plan", "plans of campaigns, which \"vqas measure PLAN\" measures");
  plan->require_subcommand(1);
  CLI::App* const printing = plan->add_subcommand("new", "print a plan with a comment for each key");
  printing->footer("Example: vqas plan new > winter.toml");
  printing->callback([&action] {
    action = [] {
      std::cout << commented_plan() << std::flush;
      return kOk;
    };
  });
  CLI::App* const checking = plan->add_subcommand("check", "check a plan without measuring anything");
  checking->add_option("PLAN", *file, "a plan in TOML")->required();
  checking->footer("Example: vqas plan check winter.toml");
  checking->callback([&action, file] { action = [file] { return check(*file); }; });
  CLI::App* const asking = plan->add_subcommand("status", "say what became of each slot of a campaign, also meanwhile");
  const auto folder = std::make_shared<std::string>();
  const auto json = std::make_shared<bool>(false);
  asking->add_option("DIR", *folder, "folder of a campaign with repeats")->required();
  asking->add_flag("--json", *json, "print JSON");
  asking->footer("Example: vqas plan status winter");
  asking->callback([&action, folder, json] { action = [folder, json] { return status(*folder, *json); }; });
}

}  // namespace vqas::cli
