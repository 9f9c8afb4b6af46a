#include <QDateTime>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "terminal/command.h"
#include "vqas/campaign/operator_note.h"

namespace vqas::cli {
namespace {

struct NoteOptions {
  std::string folder, direction, text, disagreement;
  std::uint32_t sequence = 0;
};

int note(const NoteOptions& options) {
  OperatorNote written;
  written.sequence = options.sequence;
  written.sounds_different = !options.disagreement.empty();
  written.text = written.sounds_different ? options.disagreement : options.text;
  written.written_utc = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
  if (written.text.empty())
    return report_error({ErrorCode::bad_input, "the note is empty; give --disagree TEXT or --text TEXT"});
  const auto follows = write_note(options.folder, std::move(written), options.direction);
  if (!follows) return report_error(follows.error());
  std::cout << "Noted" << (follows->empty() ? "" : ": " + *follows) << ".\n";
  return kOk;
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
