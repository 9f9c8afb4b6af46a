#include <fmt/format.h>

#include <QCoreApplication>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "terminal/command.h"
#include "vqas/campaign/hook_desk.h"
#include "vqas/campaign/kept_plan.h"
#include "vqas/signal/plain_text.h"

namespace vqas::cli {
namespace {

using Json = nlohmann::ordered_json;

struct HooksOptions {
  std::string plan;
  bool json = false;
};

void print(const HookTrial& trial) {
  std::cout << fmt::format("{}: {} {}\n", to_string(trial.event), trial.program.front(),
                           trial.delivered ? "took it" : "failed: " + trial.why);
  if (!trial.output.empty())
    std::cout << plain_text(trial.output, "\n\t") << (trial.output.ends_with('\n') ? "" : "\n");
}

void print_json(const std::vector<HookTrial>& trials) {
  Json list = Json::array();
  for (const HookTrial& one : trials) {
    list.push_back({{"event", to_string(one.event)},
                    {"program", one.program},
                    {"delivered", one.delivered},
                    {"why", one.why.empty() ? Json() : Json(one.why)},
                    {"output", one.output}});
  }
  std::cout << list.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

int test_hooks(const HooksOptions& options) {
  int count = 1;
  char name[] = "vqas";
  char* arguments[] = {name, nullptr};
  const QCoreApplication application(count, arguments);
  const auto plan = open_plan(options.plan);
  if (!plan) return report_error(plan.error());
  if (!plan->plan.hooks.any())
    return report_error({ErrorCode::bad_input, fmt::format("{} names no program in [hooks]", options.plan)});
  if (const Status usable = check_hooks(plan->plan.hooks); !usable) return report_error(usable.error());
  const std::vector<HookTrial> trials = try_hooks(plan->plan);
  if (options.json) {
    print_json(trials);
  } else {
    for (const HookTrial& one : trials) print(one);
  }
  return std::ranges::all_of(trials, &HookTrial::delivered) ? kOk : kBadInput;
}

}  // namespace

void add_hooks_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<HooksOptions>();
  CLI::App* const hooks = app.add_subcommand("hooks", "programs that a campaign runs when something happens");
  hooks->require_subcommand(1);
  CLI::App* const testing = hooks->add_subcommand("test", "run each hook of a plan once, with an example document");
  testing->add_option("PLAN", options->plan, "a plan in TOML with a section [hooks]")->required();
  testing->add_flag("--json", options->json, "print JSON in place of text");
  testing->footer("Example: vqas hooks test winter.toml");
  testing->callback([&action, options] { action = [options] { return test_hooks(*options); }; });
}

}  // namespace vqas::cli
