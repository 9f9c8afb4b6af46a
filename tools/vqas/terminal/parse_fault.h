#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace vqas::cli {

/// What was wrong with a command line, with the wrong word and where to read on: lines for stderr. `arguments` are
/// those behind the program's name.
std::string parse_fault(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments);

/// The same where the arguments name a command that there is not, of which a parser that is asked for help does not
/// tell; else empty.
std::string stranger_in(const CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace vqas::cli
