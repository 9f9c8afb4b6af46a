#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vqas/run/session_record.h"
#include "vqas/sampling/sampler.h"
#include "vqas/signal/result.h"
#include "vqas/store/recording_archive.h"

namespace vqas {

/// A campaign as its plan file describes it: what is measured, how well, how often, and what it belongs to.
struct CampaignPlan {
  std::string name;
  std::string notes;
  std::map<std::string, std::string> tags;

  std::string line = "sim:";   ///< "sim:" opens a simulated line; otherwise the nodes' lines are their own
  std::string node_a, node_b;  ///< control addresses; only for a line that is not simulated
  std::string profile;         ///< of a simulated line: a name or a .toml file; empty: a plain line with `ber`
  double guard_s = 0.05;       ///< silence between marks and speech
  std::string duplex =
      "auto";          ///< "auto", "both" or "one", as in RunPlan; for a line that is not simulated, as the rest
  std::string redial;  ///< command that makes the call again; empty: none
  double redial_s = 5;
  double link_patience_s = kLinkPatience_s;  ///< how long a node or the line may be out of reach
  double ber = 1e-5;
  double delay_s = 0.25;
  double gain_db = -3;

  std::filesystem::path corpus;  ///< empty: the project's own
  std::vector<std::string> stimuli;
  std::string stimuli_at;  ///< where the plan names them, "FILE:LINE: stimuli", for messages
  bool a_to_b = true, b_to_a = true;
  double within_s = 15;

  SamplerOptions sampling;
  double cap_line_time_s = 0;
  std::uint64_t seed = 1;
  std::optional<double> limit_mos;
  std::optional<double> echo_loss_db;

  double every_s = 0;  ///< between the beginnings of two runs; 0: one run
  double for_s = 0;    ///< from the first beginning to the last

  std::string store;  ///< url or file; empty: the runs' own folders alone
  ArchiveOptions archive;
};

/// Reads a plan in TOML. Fails with bad_input: "FILE:LINE: what is wrong", for a key that is not known, too; or a value
/// out of range. A profile or corpus that is named relatively is looked for beside the plan. Re-entrant.
Result<CampaignPlan> parse_plan(const std::string& text, const std::filesystem::path& name);
Result<CampaignPlan> read_plan(const std::filesystem::path& file);

/// A plan that can be measured as it stands, with every key and a comment for each.
std::string commented_plan();

/// Runs that a plan asks for: 1 without repeats.
std::size_t count_of_runs(const CampaignPlan& plan);

/// When the runs of a plan begin, by a clock that is handed in: the scheduler knows no other.
class RepeatSchedule {
 public:
  /// `begun` runs are not to begin again; `first_s` is when the first one begins or began, by the same clock.
  RepeatSchedule(const CampaignPlan& plan, double first_s, std::size_t begun = 0);
  /// Seconds from `now_s` until the next run is to begin, 0 when it is due; nothing when all have begun. A beginning
  /// that was missed because the run before took longer is left out, and counted: no two runs crowd together.
  std::optional<double> wait_s(double now_s);
  /// The run that wait_s() told of begins; its number, from 1, which counts the missed ones too.
  std::size_t begin();
  std::size_t missed() const { return missed_; }

 private:
  double first_s_, every_s_;
  std::size_t runs_, next_ = 0, missed_ = 0;
};

}  // namespace vqas
