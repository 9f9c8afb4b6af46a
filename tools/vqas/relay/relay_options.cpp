#include "relay/relay_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "node/allow_origin.h"
#include "terminal/whole_number.h"
#include "vqas/signal/json_text.h"

namespace vqas::cli {
namespace {

Result<Json> conditions_from(const std::vector<std::string>& pairs, const char* option) {
  Json json = Json::object();
  for (const std::string& pair : pairs) {
    const std::size_t equals = pair.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return Error{ErrorCode::bad_input, fmt::format("{} {}: give KEY=VALUE, for example ber=1e-3", option, pair)};
    }
    const std::string text = pair.substr(equals + 1);
    const auto value = parse_json_text(text, option);
    json[pair.substr(0, equals)] = value && (value->is_number() || value->is_boolean()) ? *value : Json(text);
  }
  return json;
}

Json of_both(const RelayConditionOptions& options) {
  Json both = Json::object();
  if (!options.profile.empty()) both["profile"] = options.profile;
  if (options.ber) both["ber"] = *options.ber;
  if (options.delay_ms) both["delay_ms"] = *options.delay_ms;
  if (options.loss) both["loss"] = *options.loss;
  if (options.jitter_ms) both["jitter_ms"] = *options.jitter_ms;
  return both;
}

Status put(CallSide& side, const Json& json, const std::string& option) {
  if (json.empty()) return success();
  auto changed = with_changes(side.conditions, json.dump(-1, ' ', false, Json::error_handler_t::replace),
                              ProfileSource::of_command_line());
  if (!changed) return Error{changed.error().code, option + changed.error().message};
  side.conditions = *std::move(changed);
  return success();
}

}  // namespace

void add_condition_options(CLI::App& command, RelayConditionOptions& options, bool packets) {
  const std::string group = packets ? "Conditions of both directions" : "Conditions";
  const std::string digital = "bit errors, release, interruptions and slips, ";
  command
      .add_option("--profile", options.profile,
                  "a built-in profile by name, or a TOML file: its " + digital +
                      (packets ? "its packets' loss, jitter, order, copies and bottleneck, and its delay, in both "
                                 "directions"
                               : "and its delay"))
      ->group(group);
  command
      .add_option("--ber", options.ber,
                  std::string("random bit errors") + (packets ? " in the payload" : "") + ": 0, or 1e-12 to 0.5")
      ->group(group);
  command
      .add_option("--delay-ms", options.delay_ms,
                  packets ? "of every packet, 0 to 10000" : "0 to 10000, in addition to the buffer")
      ->group(group);
  if (!packets) return;
  command.add_option("--loss", options.loss, "share of packets lost, 0 to 0.9")->group(group);
  command.add_option("--jitter-ms", options.jitter_ms, "mean of an additional exponential delay, 0 to 500")
      ->group(group);
  const char* const keys =
      "KEY=VALUE for this direction only, applied after the above. Keys: profile, ber, mask, release, delay_ms, loss, "
      "mean_loss_packets, jitter_ms, keeps_order, reorder, reorder_ms, duplicate, bypass, loopback";
  command.add_option("--a-to-b", options.of_direction[0], keys)->group("Conditions of one direction");
  command.add_option("--b-to-a", options.of_direction[1], keys)->group("Conditions of one direction");
}

std::string conditions_json(const RelayConditionOptions& options) {
  return of_both(options).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<CallOptions> with_conditions(CallOptions call, const RelayConditionOptions& options) {
  const Json both = of_both(options);
  for (CallSide& side : call.sides) {
    if (const Status done = put(side, both, ""); !done) return done.error();
  }
  for (const End from : {End::a, End::b}) {
    const std::string option = from == End::a ? "--a-to-b" : "--b-to-a";
    const auto index = static_cast<std::size_t>(from);
    const auto json = conditions_from(options.of_direction[index], option.c_str());
    if (!json) return json.error();
    if (const Status done = put(call.sides[index], *json, option + ": "); !done) return done.error();
  }
  return call;
}

Result<ProfileSource> preloaded(const RelayRunOptions& options) {
  std::vector<Profile> loaded;
  for (const std::string& file : options.preload) {
    auto profile = read_profile(file);
    if (!profile) return Error{profile.error().code, "--preload: " + profile.error().message};
    if (std::ranges::find(loaded, profile->name, &Profile::name) != loaded.end()) {
      return Error{ErrorCode::bad_input,
                   fmt::format("--preload {}: another file also has the name \"{}\"; give one of them another name = "
                               "\"...\"",
                               file, profile->name)};
    }
    loaded.push_back(*std::move(profile));
  }
  return ProfileSource(std::move(loaded));
}

void add_run_options(CLI::App& command, RelayRunOptions& options) {
  command.add_option("--seed", options.seed, "the same seed gives the same errors, loss and jitter")
      ->check(whole_number())
      ->capture_default_str();
  command
      .add_option("--control", options.control, "HOST:PORT of the control socket, loopback only; port 0: a free one")
      ->capture_default_str();
  command
      .add_option("--preload", options.preload,
                  "TOML file with a profile that the control socket may set by name, besides the built-in ones; may "
                  "be repeated")
      ->expected(1)
      ->take_all();
  add_origin_option(command, options.origins);
  command.add_option("--interval-s", options.interval_s, "time between two counts, 0.1 to 3600")
      ->check(finite(0.1, 3600))
      ->capture_default_str();
  command.add_option("--duration-s", options.duration_s, "duration; 0: until interrupted")
      ->check(finite(0, 1e7))
      ->capture_default_str();
  command.add_flag("--json", options.json, "print counters as JSON, one line per interval and one at the end");
  command.add_flag("--with-parent", options.with_parent, "stop when standard input ends");
}

}  // namespace vqas::cli
