#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "model/run_settings.h"

namespace vqas::app {

/// The command line of vqas-gui.
struct Options {
  SettingsForm form;
  std::string corpus;      ///< empty: looked for
  std::string program;     ///< the vqas command; empty: looked for
  std::string screenshot;  ///< empty: none
  std::string language;    ///< "en" or "de"; empty: the one chosen last, or the system's
  std::string resume;      ///< folder of a run to resume; empty: none
  std::string follow;      ///< folder of a run that another program measures; empty: none
  bool start = false;
  bool quit_when_done = false;
};

/// Makes `app` the command line of vqas-gui: options, help and examples; `options` is filled when the command line is
/// parsed.
void add_options(CLI::App& app, Options& options);

}  // namespace vqas::app
