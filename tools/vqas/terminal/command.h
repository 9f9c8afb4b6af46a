#pragma once

#include <CLI/App.hpp>
#include <functional>

#include "vqas/run/exit_codes.h"
#include "vqas/signal/result.h"

namespace vqas::cli {

/// What a chosen subcommand does; returns the exit code.
using Action = std::function<int()>;

/// Prints "vqas: message." to stderr and gives the exit code that fits.
ExitCode report_error(const Error& error);

// Each adds one subcommand with its options, help and example, and sets `action` when it is chosen.
void add_channel_command(CLI::App& app, Action& action);
/// Below "channel".
void add_channel_profiles_command(CLI::App& channel, Action& action);
void add_corpus_command(CLI::App& app, Action& action);
void add_sim_command(CLI::App& app, Action& action);
void add_node_command(CLI::App& app, Action& action);
void add_measure_command(CLI::App& app, Action& action);
void add_quickstart_command(CLI::App& app, Action& action);
void add_report_command(CLI::App& app, Action& action);
void add_relay_command(CLI::App& app, Action& action);
void add_results_command(CLI::App& app, Action& action);
void add_export_command(CLI::App& app, Action& action);
void add_rescore_command(CLI::App& app, Action& action);
void add_note_command(CLI::App& app, Action& action);
void add_plan_command(CLI::App& app, Action& action);
void add_hooks_command(CLI::App& app, Action& action);
}  // namespace vqas::cli
