#pragma once

#include <CLI/App.hpp>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "vqas/relay/call_control.h"

namespace vqas::cli {

/// The conditions of calls, as given by options.
struct RelayConditionOptions {
  std::string profile;
  std::optional<double> ber, delay_ms, loss, jitter_ms;
  std::array<std::vector<std::string>, 2> of_direction;  ///< KEY=VALUE, by the side where it starts
};
/// Adds all of the options; `packets` is false between sound devices, which have none.
void add_condition_options(CLI::App& command, RelayConditionOptions& options, bool packets = true);

/// The initial call by these options: `call` with its conditions changed. Fails with bad_input and the option.
Result<CallOptions> with_conditions(CallOptions call, const RelayConditionOptions& options);
/// The options for both directions, as JSON for with_changes().
std::string conditions_json(const RelayConditionOptions& options);

/// Options common to all modes of the relay.
struct RelayRunOptions {
  std::uint64_t seed = 1;
  std::string control = "127.0.0.1:0";
  std::vector<std::string> preload;
  std::vector<std::string> origins;  ///< of web pages that may use the control socket
  double interval_s = 1;
  double duration_s = 0;  ///< 0: until interrupted
  bool json = false;
  bool with_parent = false;
};
void add_run_options(CLI::App& command, RelayRunOptions& options);
/// The profiles that the control socket may name, by --preload. Fails with bad_input and the file.
Result<ProfileSource> preloaded(const RelayRunOptions& options);

}  // namespace vqas::cli
