// What users call. "vqas score" is called thousands of times by scripts, and four fifths of a start went into loading
// libraries that it does not use. So this program has that command alone, says its version, and becomes the full one
// for anything else.
#include <algorithm>
#include <span>
#include <string_view>

#include "front/full_program.h"
#include "score/score_command.h"
#include "terminal/plain_streams.h"
#include "terminal/program.h"

namespace {

// Whether the version is asked for, or `vqas score` is called and cannot come to draw. A word that only looks like
// --plot makes the start slower and nothing else.
bool is_enough(std::span<char* const> arguments) {
  const auto is_plot = [](std::string_view word) { return word.starts_with("--plot"); };
  if (arguments.size() == 2 && arguments[1] == std::string_view("--version")) return true;
  return arguments.size() > 1 && arguments[1] == std::string_view("score") &&
         std::none_of(arguments.begin() + 2, arguments.end(), is_plot);
}

void add_commands(CLI::App& app, vqas::cli::Action& action) {
  vqas::cli::name_program(app);
  vqas::cli::add_score_command(app, action, {});
}

}  // namespace

int main(int argc, char** argv) {
  using namespace vqas::cli;
  if (is_enough({argv, static_cast<std::size_t>(argc)})) {
    return run_program(argc, argv, {.add_commands = add_commands});
  }
  const vqas::Error failed = become_full_program(argv);
  const PlainStreams plain;
  return report_error(failed);
}
