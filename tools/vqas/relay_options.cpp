#include "relay_options.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "allow_origin.h"
#include "whole_number.h"

namespace vqas::cli {
namespace {

using Json = nlohmann::ordered_json;

Result<Json> conditions_from(const std::vector<std::string>& pairs, const char* option) {
  Json json = Json::object();
  for (const std::string& pair : pairs) {
    const std::size_t equals = pair.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return Error{ErrorCode::bad_input, fmt::format("{} {}: give KEY=VALUE, for example ber=1e-3", option, pair)};
    }
    const std::string text = pair.substr(equals + 1);
    const Json value = Json::parse(text, nullptr, false);
    json[pair.substr(0, equals)] = value.is_number() || value.is_boolean() ? value : Json(text);
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

Status put(LiveDesk& desk, std::optional<Side> from, const Json& json, const char* option) {
  if (json.empty()) return success();
  Status done = desk.set({.call = {}, .from = from}, json.dump(-1, ' ', false, Json::error_handler_t::replace));
  if (done) return done;
  return Error{done.error().code, fmt::format("{}{}", option, done.error().message)};
}

}  // namespace

void add_condition_options(CLI::App& command, RelayConditionOptions& options, bool packets) {
  const std::string group = packets ? "What is done to both directions" : "What is done";
  const std::string digital = "bit errors, release, interruptions and slips, ";
  command
      .add_option("--profile", options.profile,
                  "a line of VQAS by name, or a TOML file: its " + digital +
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
                  packets ? "of every packet, 0 to 10000" : "0 to 10000, besides the buffer's")
      ->group(group);
  if (!packets) return;
  command.add_option("--loss", options.loss, "share of packets lost, 0 to 0.9")->group(group);
  command.add_option("--jitter-ms", options.jitter_ms, "mean of a further, exponential delay, 0 to 500")->group(group);
  const char* const keys =
      "KEY=VALUE for this direction alone, after the above. Keys: profile, ber, mask, release, delay_ms, loss, "
      "mean_loss_packets, jitter_ms, keeps_order, reorder, reorder_ms, duplicate, bypass, loopback";
  command.add_option("--a-to-b", options.of_direction[0], keys)->group("What is done to one direction");
  command.add_option("--b-to-a", options.of_direction[1], keys)->group("What is done to one direction");
}

std::string conditions_json(const RelayConditionOptions& options) {
  return of_both(options).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Status apply(const RelayConditionOptions& options, LiveDesk& desk) {
  const Json both = of_both(options);
  if (Status done = put(desk, {}, both, ""); !done) return done;
  for (const Side from : {Side::a, Side::b}) {
    const char* const option = from == Side::a ? "--a-to-b" : "--b-to-a";
    const auto json = conditions_from(options.of_direction[static_cast<std::size_t>(from)], option);
    if (!json) return json.error();
    if (Status done = put(desk, from, *json, (std::string(option) + ": ").c_str()); !done) return done;
  }
  return success();
}

void add_run_options(CLI::App& command, RelayRunOptions& options) {
  command.add_option("--seed", options.seed, "the same seed makes the same errors, loss and jitter")
      ->check(whole_number())
      ->capture_default_str();
  command
      .add_option("--control", options.control, "HOST:PORT of the control socket, loopback only; port 0: a free one")
      ->capture_default_str();
  add_origin_option(command, options.origins);
  command.add_option("--interval-s", options.interval_s, "between two counts, 0.1 to 3600")
      ->check(finite(0.1, 3600))
      ->capture_default_str();
  command.add_option("--duration-s", options.duration_s, "end by itself; 0: when interrupted")
      ->check(finite(0, 1e7))
      ->capture_default_str();
  command.add_flag("--json", options.json, "print counters as JSON, a line each interval and one at the end");
  command.add_flag("--with-parent", options.with_parent, "end when standard input ends");
}

}  // namespace vqas::cli
