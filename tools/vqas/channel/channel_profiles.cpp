#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "terminal/command.h"
#include "vqas/channel/profile_library.h"
#include "vqas/channel/profile_text.h"

namespace vqas::cli {
namespace {

struct ProfilesOptions {
  std::string name;
  bool json = false;
};

int show(const ProfilesOptions& options) {
  if (!options.name.empty()) {
    const auto profile = find_profile(options.name);
    if (!profile) return report_error(profile.error());
    std::cout << profile_toml(*profile);
    return kOk;
  }
  auto list = nlohmann::ordered_json::array();
  for (const Profile& profile : built_in_profiles()) {
    if (options.json) {
      list.push_back({{"name", profile.name}, {"summary", profile.summary}, {"toml", profile_toml(profile)}});
    } else {
      std::cout << fmt::format("{:24}{}\n", profile.name, profile.summary);
    }
  }
  if (options.json) std::cout << list.dump(2) << "\n";
  return kOk;
}

}  // namespace

void add_channel_profiles_command(CLI::App& channel, Action& action) {
  const auto options = std::make_shared<ProfilesOptions>();
  CLI::App* command = channel.add_subcommand("profiles", "list the built-in profiles of lines, or print one as TOML");
  command->add_option("NAME", options->name, "profile to print, or a .toml file to check and print completely");
  command->add_flag("--json", options->json, "print the list as JSON");
  command->footer("Example: vqas channel profiles thunderstorm > my-storm.toml");
  command->callback([&action, options] { action = [options] { return show(*options); }; });
}

}  // namespace vqas::cli
