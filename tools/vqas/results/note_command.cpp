#include <fmt/format.h>

#include <QDateTime>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "terminal/command.h"
#include "vqas/campaign/folder_state.h"
#include "vqas/campaign/kept_plan.h"
#include "vqas/campaign/shell_words.h"
#include "vqas/node/run_lock.h"
#include "vqas/report/report.h"
#include "vqas/report/summary.h"
#include "vqas/store/journal.h"
#include "vqas/store/notes.h"

namespace vqas::cli {
namespace {

namespace fs = std::filesystem;

struct NoteOptions {
  std::string folder, direction, text, disagreement;
  std::uint32_t sequence = 0;
};

/// The folder of the campaign that a run belongs to.
std::optional<fs::path> campaign_of(const fs::path& run) {
  std::error_code failed;
  if (fs::exists(run / kPlanFile, failed)) return run;
  const fs::path whole = fs::absolute(run, failed).lexically_normal();
  const fs::path above = whole.has_filename() ? whole.parent_path() : whole.parent_path().parent_path();
  return fs::exists(above / kPlanFile, failed) ? std::optional(above) : std::nullopt;
}

/// What is measured because of a note, for a run that is not in progress.
std::string what_follows(const fs::path& folder, const RunResults& results, const StimulusRun& stimulus) {
  std::error_code failed;
  const FolderSurvey survey = survey_folder(folder);
  const bool complete = survey.state == FolderState::complete;
  const std::string over = complete ? "the run is over" : "the run was broken off";
  const auto campaign = campaign_of(folder);
  if (complete && campaign) return over + ", and its campaign does not measure it again";
  if (!campaign && (!survey.session || fs::exists(folder / "nodes", failed)))
    return over + ", and its line with it: nothing more is measured";
  const bool abandoned = stimulus.stopped_because == StopReason::failures;
  if (abandoned || stimulus.interval.n >= results.sampling.cap_count)
    return fmt::format("nothing more of {} is measured: {}", stimulus.stimulus,
                       stop_in_words(abandoned ? StopReason::failures : StopReason::cap_count, results.sampling));
  return fmt::format("{}; \"{}\" measures up to {} more of {}{}", over,
                     as_command({"vqas", "measure", "--resume", campaign.value_or(folder).string()}),
                     std::min(results.sampling.step, results.sampling.cap_count - stimulus.interval.n),
                     stimulus.stimulus, campaign ? "" : ", as long as its two nodes serve");
}

/// Adds the note to the results and the report of a run that has them; a run in progress writes its own at its end.
Status renew_report(const fs::path& folder) {
  std::error_code failed;
  if (!fs::exists(folder / "results.json", failed)) return success();
  const auto lock = RunLock::take(folder);
  if (!lock) return run_goes_on(folder) ? success() : Status(lock.error());
  const auto run = load_run(folder);
  return run ? write_report(folder, run->results, run->provenance) : Status(run.error());
}

int note(const NoteOptions& options) {
  const auto run = read_stored_run(options.folder);
  if (!run) return report_error(run.error());
  OperatorNote written;
  written.sequence = options.sequence;
  written.sounds_different = !options.disagreement.empty();
  written.text = written.sounds_different ? options.disagreement : options.text;
  written.written_utc = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
  if (written.text.empty())
    return report_error({ErrorCode::bad_input, "the note is empty; give --disagree TEXT or --text TEXT"});
  std::size_t found = 0;
  const StimulusRun* noted = nullptr;
  for (const DirectionRun& direction : run->results.directions) {
    const bool wanted = options.direction.empty() || options.direction == direction.from + "-to-" + direction.to;
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& one : stimulus.measurements) {
        if (!wanted || one.sequence != options.sequence) continue;
        ++found;
        noted = &stimulus;
        written.from = direction.from;
        written.to = direction.to;
      }
    }
  }
  if (found == 0)
    return report_error({ErrorCode::bad_input,
                         fmt::format("{} has no measurement {}{}; its results.csv lists them", options.folder,
                                     options.sequence, options.direction.empty() ? "" : " " + options.direction)});
  if (found > 1)
    return report_error({ErrorCode::bad_input, fmt::format("both directions have a measurement {}; say which: "
                                                           "--direction a-to-b or --direction b-to-a",
                                                           options.sequence)});
  if (const Status kept = append_note(options.folder, written); !kept) return report_error(kept.error());
  const bool goes_on = run_goes_on(options.folder);
  std::string told = goes_on ? "its report will have it" : "";
  if (written.sounds_different)
    told = goes_on ? fmt::format("the run measures more of {}", noted->stimulus)
                   : what_follows(options.folder, run->results, *noted);
  std::cout << "Noted" << (told.empty() ? "" : ": " + told) << ".\n";
  const Status renewed = goes_on ? success() : renew_report(options.folder);
  return renewed ? kOk : report_error(renewed.error());
}

}  // namespace

void add_note_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<NoteOptions>();
  CLI::App* const command =
      app.add_subcommand("note", "write an operator's note on a measurement, also during its run");
  command->add_option("DIR", options->folder, "folder of the run")->required();
  command->add_option("SEQ", options->sequence, "number of the measurement in its direction")->required();
  CLI::Option* const disagree =
      command->add_option("--disagree", options->disagreement,
                          "it sounds different from its score; a run in progress measures more of its stimulus");
  command->add_option("--text", options->text, "any other note")->excludes(disagree);
  command->add_option("--direction", options->direction, "a-to-b or b-to-a, if both have such a measurement")
      ->check(CLI::IsMember({"a-to-b", "b-to-a"}));
  command->footer("Example: vqas note results/ 17 --direction a-to-b --disagree \"every word was clear\"");
  command->callback([&action, options] { action = [options] { return note(*options); }; });
}

}  // namespace vqas::cli
