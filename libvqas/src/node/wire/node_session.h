#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "node/wire/wire_json.h"
#include "vqas/sync/mark.h"

namespace vqas {

/// What a controller sent when it opened a session. Immutable once made.
struct NodeSession {
  std::string holder;      ///< for people
  std::string id;          ///< begins the names of recordings
  std::string key_digest;  ///< SHA-256 of the key that resumes the session; empty: it ends with its connection
  std::chrono::milliseconds lease{600000};  ///< how long the node is kept for a silent holder
  std::uint32_t run_id = 0;
  std::vector<std::string> stimuli;  ///< of the run; a mark carries the position in this list
  double guard_s = 0.05;
  ScoreMode mode = ScoreMode::narrowband;  ///< the model of its scores
  bool narrowband_too = false;             ///< beside scores in wideband

  /// The position of a stimulus in the run's list, or nothing.
  std::optional<std::uint8_t> place(const std::string& stimulus) const {
    const auto found = std::find(stimuli.begin(), stimuli.end(), stimulus);
    if (found == stimuli.end()) return std::nullopt;
    return static_cast<std::uint8_t>(found - stimuli.begin());
  }
};

/// Reads the parameters of session.open. Fails with bad_input, naming the member.
Result<NodeSession> node_session_from(const Json& params);

/// SHA-256 of `text` as 64 hexadecimal digits.
std::string digest_of(const std::string& text);

}  // namespace vqas
