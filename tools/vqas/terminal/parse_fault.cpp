#include "terminal/parse_fault.h"

#include <fmt/format.h>

#include <algorithm>

namespace vqas::cli {
namespace {

// The deepest subcommand that the arguments name, and the first word that is not one where one is needed.
struct Place {
  const CLI::App* command;
  std::string path;
  std::string stranger;
};

Place find_place(const CLI::App& app, const std::vector<std::string>& arguments) {
  Place place{&app, "vqas", {}};
  for (const std::string& word : arguments) {
    const auto below = place.command->get_subcommands([](const CLI::App*) { return true; });
    if (below.empty()) break;
    const auto named =
        std::find_if(below.begin(), below.end(), [&](const CLI::App* one) { return one->check_name(word); });
    if (named == below.end()) {
      if (place.command->get_require_subcommand_min() > 0) place.stranger = word;
      break;
    }
    place.command = *named;
    place.path += " " + word;
  }
  return place;
}

bool unknown_option(const std::string& word) {
  return word.size() > 1 && word.front() == '-';
}

std::string not_known(const Place& place) {
  return fmt::format("\"{}\" is not {} of {}", place.stranger,
                     unknown_option(place.stranger) ? "an option" : "a command", place.path);
}

std::string with_help(const std::string& what, const Place& place) {
  return fmt::format("vqas: {}.\n\"{} --help\" shows what can be given.\n", what, place.path);
}

}  // namespace

std::string stranger_in(const CLI::App& app, const std::vector<std::string>& arguments) {
  const Place place = find_place(app, arguments);
  return place.stranger.empty() || unknown_option(place.stranger) ? std::string() : with_help(not_known(place), place);
}

std::string parse_fault(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments) {
  const Place place = find_place(app, arguments);
  std::string what = error.what();
  if (!place.stranger.empty()) {
    what = not_known(place);
  } else if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    const auto wrong = std::find_if(arguments.begin(), arguments.end(), [&](const std::string& word) {
      return unknown_option(word) && what.find(" " + word) != std::string::npos;
    });
    if (wrong != arguments.end()) what = fmt::format("\"{}\" is not an option of {}", *wrong, place.path);
  } else if (error.get_name() == "RequiredError") {
    // A wrong word explains more than the option that is missing because of it.
    const auto rest = app.remaining(true);
    const auto wrong = std::find_if(rest.begin(), rest.end(), unknown_option);
    if (wrong != rest.end()) what = fmt::format("\"{}\" is not an option of {}", *wrong, place.path);
  }
  while (!what.empty() && (what.back() == '\n' || what.back() == '.')) what.pop_back();
  return with_help(what, place);
}

}  // namespace vqas::cli
