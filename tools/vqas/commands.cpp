#include "commands.h"

#include "calls/calls_commands.h"
#include "line/line_command.h"
#include "line/line_only_commands.h"
#include "measure/experiment_command.h"
#include "node/devices_command.h"
#include "score/score_command.h"
#include "score/score_plot.h"
#include "terminal/program.h"

namespace vqas::cli {

void add_commands(CLI::App& app, Action& action) {
  name_program(app);
  add_channel_command(app, action);
  add_score_command(app, action, plot_score);
  add_corpus_command(app, action);
  add_sim_command(app, action);
  add_node_command(app, action);
  add_measure_command(app, action);
  add_send_command(app, action);
  add_listen_command(app, action);
  add_answer_command(app, action);
  add_calls_command(app, action);
  add_quickstart_command(app, action);
  add_plan_command(app, action);
  add_hooks_command(app, action);
  add_note_command(app, action);
  add_report_command(app, action);
  add_results_command(app, action);
  add_export_command(app, action);
  add_rescore_command(app, action);
  add_experiment_command(app, action);
  add_relay_command(app, action);
  add_devices_command(app, action);
  add_line_command(app, action);
}

}  // namespace vqas::cli
