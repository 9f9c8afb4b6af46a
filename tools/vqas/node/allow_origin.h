#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace vqas::cli {

/// An option of every command with a control socket.
inline void add_origin_option(CLI::App& command, std::vector<std::string>& origins) {
  command
      .add_option("--allow-origin", origins,
                  "allow web pages of this origin to use the control socket, such as https://bench.example:8443; "
                  "repeatable. Programs "
                  "are always allowed, other web pages never")
      ->expected(1)
      ->take_all();
}

}  // namespace vqas::cli
