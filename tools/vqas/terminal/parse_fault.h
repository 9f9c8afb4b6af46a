#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace vqas::cli {

/// Lines for stderr that explain a wrong command line: the wrong word and where to read on. `arguments` are those after
/// the program's name.
std::string parse_fault(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments);

/// The same for an unknown command on a line that asks for help, which CLI11 does not report; else empty.
std::string stranger_in(const CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace vqas::cli
