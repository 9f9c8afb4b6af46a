#include "describe.h"

#include <algorithm>
#include <string>
#include <vector>

namespace vqas::manual {
namespace {

using Json = nlohmann::ordered_json;

Json names_of(const CLI::Option& option) {
  Json names = Json::array();
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

// --help puts the choices into the type, as in "TEXT:{both,a-to-b,b-to-a}".
Json choices_of(const std::string& type) {
  Json choices = Json::array();
  const std::size_t begin = type.find('{'), end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return choices;
  for (const std::string& one : CLI::detail::split(type.substr(begin + 1, end - begin - 1), ','))
    choices.push_back(one);
  return choices;
}

// Sorted, because CLI11 keeps them by their addresses.
Json names_of(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* const one : options) names.push_back(one->get_name());
  std::ranges::sort(names);
  return names;
}

Json describe(const CLI::Option& option) {
  const bool takes_value = option.get_items_expected_max() > 0;
  const std::string type = takes_value ? option.get_type_name() : "";
  return {{"names", names_of(option)},
          {"operand", option.nonpositional() ? "" : option.get_name(true)},
          {"type", type},
          {"choices", choices_of(type)},
          {"default", option.get_default_str()},
          {"required", option.get_required()},
          {"many", takes_value && option.get_items_expected_max() > std::max(1, option.get_type_size_max())},
          {"repeatable", takes_value && option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll},
          {"excludes", names_of(option.get_excludes())},
          {"needs", names_of(option.get_needs())},
          {"group", option.get_group()},
          {"text", option.get_description()}};
}

}  // namespace

Json describe(const CLI::App& app) {
  Json options = Json::array(), commands = Json::array();
  for (const CLI::Option* const option : app.get_options()) {
    if (!option->get_group().empty()) options.push_back(describe(*option));  // an empty group hides it
  }
  for (const CLI::App* const command : app.get_subcommands({})) {
    if (!command->get_group().empty()) commands.push_back(describe(*command));
  }
  return {{"name", app.get_name()},     {"text", app.get_description()},
          {"footer", app.get_footer()}, {"needs_command", app.get_require_subcommand_min() > 0},
          {"options", options},         {"commands", commands}};
}

}  // namespace vqas::manual
