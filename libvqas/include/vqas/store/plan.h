#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vqas/channel/line_codec.h"
#include "vqas/run/session_record.h"
#include "vqas/sampling/sampler.h"
#include "vqas/score/mode.h"
#include "vqas/signal/result.h"
#include "vqas/store/kept_recordings.h"
#include "vqas/store/planned_hooks.h"
#include "vqas/store/recording_archive.h"

namespace vqas {

/// Longest CampaignPlan::notes, in bytes.
inline constexpr std::size_t kLongestNotes = 4096;

/// A campaign as described in its plan file: what is measured, how precisely, how often, and its labels.
struct CampaignPlan {
  std::string name;
  std::string notes;
  std::map<std::string, std::string> tags;

  std::string line = "sim:";          ///< "sim:" opens a simulated line; otherwise the nodes have their own lines
  std::string node_a, node_b;         ///< control addresses; only for a line that is not simulated
  std::string profile;                ///< of a simulated line: a name or a .toml file; empty: a plain line with `ber`
  LineCodec codec = LineCodec::g711;  ///< of a simulated line
  ScoreMode mode = ScoreMode::narrowband;  ///< the model of the scores
  bool narrowband_too = false;             ///< mode "both": in wideband, and each capture in narrowband
  double guard_s = 0.05;                   ///< silence between marks and speech
  Duplex duplex = Duplex::automatic;       ///< as in RunPlan; from here on only for a line that is not simulated
  std::string redial;                      ///< command that makes the call again; empty: none
  double redial_s = 5;
  double link_patience_s = kLinkPatience_s;  ///< how long a node or the line may be out of reach
  double ber = 1e-5;
  double delay_s = 0.25;
  double gain_db = -3;

  std::filesystem::path corpus;  ///< empty: VQAS's own
  std::vector<std::string> stimuli;
  std::string stimuli_at;  ///< place of the stimuli in the plan, "FILE:LINE: stimuli", for messages
  bool a_to_b = true, b_to_a = true;
  double within_s = 15;

  SamplerOptions sampling;
  double cap_line_time_s = 0;
  std::uint64_t seed = 1;
  std::optional<double> limit_mos;
  std::optional<double> echo_loss_db;

  double every_s = 0;        ///< from slot to slot; 0: by `at_min`, or one run
  double for_s = 0;          ///< from the first start to the end of the last slot
  std::vector<int> at_min;   ///< slots each day: minutes after midnight in `zone`, ascending; empty: by `every_s`
  std::string zone = "UTC";  ///< of the time zone database
  double late_s = 0;         ///< how late a slot may begin; 0: half the time to the next one
  double retry_s = 300;      ///< from a try that failed to the next one in the same slot; 0: one try

  std::string store;  ///< url or file; empty: only the runs' own folders
  ArchiveOptions archive;

  KeepRules keep;
  PlannedHooks hooks;
};

/// Reads a plan in TOML. Fails with bad_input and "FILE:LINE: what is wrong" for an unknown key or a value out of
/// range. Relative names of a profile or corpus are relative to the plan's folder. Re-entrant.
Result<CampaignPlan> parse_plan(const std::string& text, const std::filesystem::path& name);
Result<CampaignPlan> read_plan(const std::filesystem::path& file);

/// A valid plan with every key and a comment for each.
std::string commented_plan();

/// Most runs of a campaign: one each quarter of an hour for 366 days, its longest duration.
inline constexpr std::size_t kMostRuns = 366 * 96;

/// Number of slots that a plan asks for, each with one run: 1 without repeats. A plan that was read asks for kMostRuns
/// at most.
std::size_t count_of_runs(const CampaignPlan& plan);

}  // namespace vqas
