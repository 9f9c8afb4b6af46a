#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vqas/signal/result.h"

namespace vqas {

/// Whether both directions are measured at a time.
enum class Duplex {
  automatic,  ///< both where the line has four wires, one where an end hears its own echo
  both,
  one,
};
/// "auto", "both", "one".
std::string_view name_of(Duplex duplex);
std::optional<Duplex> duplex_from_string(std::string_view name);

/// How long a run waits for a node or a line that is out of reach, in s, unless it is told otherwise: drops of minutes
/// belong to a satellite's control link.
inline constexpr double kLinkPatience_s = 600;

inline constexpr const char* kSessionFile = "session.jsonl";

/// What a controller has to know to take a run up again, beside what was measured: session.jsonl in the run's folder,
/// readable by its owner alone because of the key.
struct SessionRecord {
  std::string id, key;                 ///< of the session at the nodes
  std::string node_a, node_b, holder;  ///< as in RunPlan
  std::filesystem::path corpus;
  double guard_s = 0.05, within_s = 15, link_patience_s = 0;
  double cap_line_time_s = 0;
  Duplex duplex = Duplex::automatic;
  std::string redial;
  int most_redials = 5;
  double redial_s = 5;
  std::optional<std::uint32_t> run_id;  ///< carried by its marks; nothing in runs of releases that had it from the seed
  std::uint64_t rounds = 0;             ///< planned so far
  /// What the last round sends, by direction: the stimulus's place in the run's list, and the sequence number.
  std::vector<std::vector<std::pair<std::size_t, std::uint32_t>>> due;
  /// Each number that was ever planned and the place of its stimulus, by direction.
  std::vector<std::map<std::uint32_t, std::size_t>> planned;
  std::vector<std::uint32_t> next_sequence;  ///< by direction; nothing from it on was ever planned
  double line_seconds = 0;                   ///< used before the last round
  double wall_seconds = 0;                   ///< that the run had lasted when the last round was planned
};

/// Fails with bad_input when the folder has none or its first line is damaged; later lines that are damaged are left
/// out. Re-entrant.
Result<SessionRecord> read_session_record(const std::filesystem::path& folder);

/// The same from the file's text; `name` is what messages call it.
Result<SessionRecord> parse_session_record(const std::string& text, const std::string& name);

}  // namespace vqas
