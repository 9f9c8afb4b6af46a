#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace vqas::cli {

/// The option of every command with a control socket.
inline void add_origin_option(CLI::App& command, std::vector<std::string>& origins) {
  command
      .add_option("--allow-origin", origins,
                  "let web pages of this site use the control socket, like https://bench.example:8443; may be given "
                  "again. Without it no web page may, programs always")
      ->expected(1)
      ->take_all();
}

}  // namespace vqas::cli
