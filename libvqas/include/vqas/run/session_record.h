#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vqas/run/duplex.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Default time that a run waits for an unreachable node or line, in s: interruptions of minutes are normal for a
/// satellite's control link.
inline constexpr double kLinkPatience_s = 600;

inline constexpr const char* kSessionFile = "session.jsonl";

/// What a controller needs to resume a run, besides the measurements: session.jsonl in the run's folder, readable only
/// by its owner because of the key.
struct SessionRecord {
  std::string id, key;                 ///< of the session at the nodes
  std::string node_a, node_b, holder;  ///< as in RunPlan
  std::filesystem::path corpus;
  bool narrowband_too = false;
  double guard_s = 0.05, within_s = 15, link_patience_s = 0;
  double cap_line_time_s = 0;
  Duplex duplex = Duplex::automatic;
  std::string redial;
  int most_redials = 5;
  double redial_s = 5;
  std::optional<std::uint32_t> run_id;  ///< in its marks; nothing in runs of releases that derived it from the seed
  std::uint64_t rounds = 0;             ///< planned so far
  /// Transmissions of the last round, by direction: index of the stimulus in the run's list, and sequence number.
  std::vector<std::vector<std::pair<std::size_t, std::uint32_t>>> due;
  /// Every planned number and the index of its stimulus, by direction.
  std::vector<std::map<std::uint32_t, std::size_t>> planned;
  std::vector<std::uint32_t> next_sequence;  ///< by direction; no number from it on was ever planned
  double line_seconds = 0;                   ///< used before the last round
  double wall_seconds = 0;                   ///< duration of the run when the last round was planned
};

/// Fails with bad_input if the folder has none or its first line is damaged; later damaged lines are left out.
/// Re-entrant.
Result<SessionRecord> read_session_record(const std::filesystem::path& folder);

/// The same from the file's text; `name` is its name in messages.
Result<SessionRecord> parse_session_record(const std::string& text, const std::string& name);

}  // namespace vqas
