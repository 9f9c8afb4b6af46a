#include "terminal/numbers.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <string>

namespace vqas::cli {
namespace {

// CLI11 reads an empty text as 0: "--ber $RATIO" with an empty RATIO would simulate a line without errors. And every
// comparison with NaN is false, so that it would pass the limits of each option.
std::string fault_of_number(const std::string& text) {
  if (text.empty()) return "needs a number";
  double value = 0;
  return CLI::detail::lexical_cast(text, value) && !std::isfinite(value) ? "needs a finite number" : "";
}

}  // namespace

void refuse_what_is_no_number(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    if (!type.starts_with("FLOAT") && !type.starts_with("INT") && !type.starts_with("UINT")) continue;
    option->check(CLI::Validator([](const std::string& text) { return fault_of_number(text); }, ""));
  }
  for (CLI::App* command : app.get_subcommands({})) refuse_what_is_no_number(*command);
}

}  // namespace vqas::cli
