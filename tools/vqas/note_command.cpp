#include <fmt/format.h>

#include <QDateTime>
#include <filesystem>
#include <iostream>
#include <memory>

#include "command.h"
#include "vqas/store/journal.h"
#include "vqas/store/notes.h"

namespace vqas::cli {
namespace {

struct NoteOptions {
  std::string folder, direction, text, disagreement;
  std::uint32_t sequence = 0;
};

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
  for (const DirectionRun& direction : run->results.directions) {
    const bool wanted = options.direction.empty() || options.direction == direction.from + "-to-" + direction.to;
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& one : stimulus.measurements) {
        if (!wanted || one.sequence != options.sequence) continue;
        ++found;
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
  std::cout << fmt::format("Noted. \"vqas report {}\" writes the report with it{}.\n", options.folder,
                           run->results.finished_utc.empty() && written.sounds_different
                               ? "; a run that goes on measures more of this stimulus"
                               : "");
  return kOk;
}

}  // namespace

void add_note_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<NoteOptions>();
  CLI::App* const command =
      app.add_subcommand("note", "write an operator's note on a measurement, also while its run goes on");
  command->add_option("DIR", options->folder, "folder of the run")->required();
  command->add_option("SEQ", options->sequence, "number of the measurement in its direction")->required();
  CLI::Option* const disagree =
      command->add_option("--disagree", options->disagreement,
                          "it sounds different from its score; more are measured while the run goes on");
  command->add_option("--text", options->text, "any other note")->excludes(disagree);
  command->add_option("--direction", options->direction, "a-to-b or b-to-a, where both have such a measurement")
      ->check(CLI::IsMember({"a-to-b", "b-to-a"}));
  command->footer("Example: vqas note results/ 17 --direction a-to-b --disagree \"every word was clear\"");
  command->callback([&action, options] { action = [options] { return note(*options); }; });
}

}  // namespace vqas::cli
