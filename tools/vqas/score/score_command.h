#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <functional>
#include <string>

#include "terminal/command.h"
#include "vqas/score/explanation.h"

namespace vqas::cli {

/// As plot_score(), which draws --plot. Handed in, so that a program can have the command without a library that draws.
using PlotScore = std::function<Status(const std::filesystem::path&, const ExplainedScore&,
                                       const std::string& reference, const std::string& degraded)>;

/// Adds the subcommand as those of terminal/command.h. `plot` may be empty where --plot never comes.
void add_score_command(CLI::App& app, Action& action, PlotScore plot);

}  // namespace vqas::cli
