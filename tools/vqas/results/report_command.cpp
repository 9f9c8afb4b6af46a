#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "results/trend_options.h"
#include "terminal/command.h"
#include "vqas/campaign/printed_report.h"
#include "vqas/campaign/renewed_report.h"
#include "vqas/report/report.h"
#include "vqas/report/summary.h"

namespace vqas::cli {
namespace {

struct ReportOptions {
  std::vector<std::string> folders;
  TrendCommand trend;
  bool json = false, pdf = false;
};

void print_means(const StoredRun& run) {
  for (const DirectionRun& direction : run.results.directions) {
    const DirectionSummary summary = summarise(direction, run.results.sampling);
    std::cout << fmt::format(
        "{}: {}\n", direction_words(direction.from),
        mean_in_words(summary, run.provenance.model_error_mos, run.provenance.model_error_label, run.results.mode));
  }
}

int rebuild(const ReportOptions& options) {
  const std::filesystem::path folder(options.folders.front());
  std::error_code ignored;
  const bool from_journal = std::filesystem::exists(folder / kJournalFile, ignored);
  const auto run = renew_report(folder);
  if (!run) return report_error(run.error());
  if (options.pdf) {
    const Status printed = print_report(folder / "report.html", folder / "report.pdf");
    if (!printed) return report_error(printed.error());
  }
  if (options.json) {
    const nlohmann::ordered_json json{
        {"folder", folder.string()},
        {"rebuilt_from", from_journal ? kJournalFile : "results.json"},
        {"complete", run->results.is_complete()},
        {"journal_lines_damaged", run->damaged},
        {"journal_lines_replaced", run->replaced},
        {"journal_has_digests", run->sealed},
        {"report", (folder / "report.html").string()},
        {"pdf", options.pdf ? nlohmann::ordered_json((folder / "report.pdf").string()) : nullptr}};
    std::cout << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
    return kOk;
  }
  print_means(*run);
  if (!from_journal)
    std::cout << fmt::format("There is no {} in this folder; the report is made from results.json.\n", kJournalFile);
  if (!run->results.is_complete())
    std::cout << fmt::format("The run is not complete: {}.\n", run->results.ended_because);
  if (run->replaced > 0)
    std::cout << fmt::format("Damaged lines of the journal that were replaced when the run was resumed: {}.\n",
                             run->replaced);
  if (from_journal && !run->sealed) std::cout << fmt::format("{}: {}.\n", kJournalFile, kUnsealedNotice);
  std::cout << fmt::format("report: {}\n", (folder / "report.html").string());
  if (options.pdf) std::cout << fmt::format("PDF: {}\n", (folder / "report.pdf").string());
  return kOk;
}

}  // namespace

void add_report_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* command = app.add_subcommand(
      "report",
      "rewrite results.json, results.csv and report.html of a run, from its journal or from its results; or write the "
      "trend of a circuit, or a site of all circuits, over many runs");
  command->add_option("DIR", options->folders,
                      "folder of a run; with --trend or --site any number of folders of runs, or with runs below them; "
                      "without one they read the store");
  CLI::Option* const pdf = command->add_flag("--pdf", options->pdf, "also write report.pdf; needs weasyprint");
  command->add_flag("--json", options->json, "print JSON");
  add_trend_options(*command, options->trend, *pdf);
  command->footer(
      "Examples:\n  vqas report results/\n  vqas report winter/ --trend winter.html\n"
      "  vqas report --site site/ --time-zone Europe/Berlin");
  command->callback([&action, options] {
    if (!options->trend.asked_for() && options->folders.empty()) throw CLI::RequiredError("DIR");
    if (!options->trend.asked_for() && options->folders.size() > 1)
      throw CLI::ValidationError("DIR", "without --trend or --site it is one folder");
    action = [options] {
      return options->trend.asked_for() ? write_trends(options->trend, options->folders, options->json)
                                        : rebuild(*options);
    };
  });
}

}  // namespace vqas::cli
