#pragma once

#include <CLI/App.hpp>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "vqas/relay/call_control.h"

namespace vqas::cli {

/// What is done to calls, as options say it.
struct RelayConditionOptions {
  std::string profile;
  std::optional<double> ber, delay_ms, loss, jitter_ms;
  std::array<std::vector<std::string>, 2> of_direction;  ///< KEY=VALUE, by the side where it begins
};
/// All of them; `packets` is false where there are none, between sound devices.
void add_condition_options(CLI::App& command, RelayConditionOptions& options, bool packets = true);

/// What a call is to begin with, by these options: `call` with its conditions changed. Fails with bad_input and the
/// option.
Result<CallOptions> with_conditions(CallOptions call, const RelayConditionOptions& options);
/// What they say of both directions, as the JSON that with_changes() takes.
std::string conditions_json(const RelayConditionOptions& options);

/// What all modes of the relay have in common.
struct RelayRunOptions {
  std::uint64_t seed = 1;
  std::string control = "127.0.0.1:0";
  std::vector<std::string> preload;
  std::vector<std::string> origins;  ///< of web pages that may use it
  double interval_s = 1;
  double duration_s = 0;  ///< 0: until interrupted
  bool json = false;
  bool with_parent = false;
};
void add_run_options(CLI::App& command, RelayRunOptions& options);
/// What the control socket may name, by --preload. Fails with bad_input and the file.
Result<ProfileSource> preloaded(const RelayRunOptions& options);

}  // namespace vqas::cli
