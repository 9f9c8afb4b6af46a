#pragma once

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>

namespace vqas::manual {

/// A command line as `--help` tells it: the command, its options and operands, and the commands below it. The manual
/// pages and completion are made from this.
///
/// `app` is only read, except that its footer may be computed.
nlohmann::ordered_json describe(const CLI::App& app);

}  // namespace vqas::manual
