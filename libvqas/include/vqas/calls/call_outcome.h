#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vqas/run/run.h"
#include "vqas/score/mode.h"
#include "vqas/signal/line_statistics.h"

namespace vqas {

/// Packets of a call at this end.
struct CallPackets {
  std::uint32_t sent = 0;
  std::uint32_t refused = 0;  ///< of these, by the system of this machine
  LineStatistics heard;       ///< summed over the call
  double worst_jitter_ms = 0;
  std::uint32_t moves = 0;  ///< how often the far end changed the call: address, codec or keys
};

/// How late this end itself sent its packets, against the even pace of 20 ms.
struct OwnLateness {
  std::uint32_t late = 0;  ///< packets that left later than the plan's limit
  double worst_ms = 0;
};

/// How a call ended, from the view of the end that measures.
enum class CallResult {
  scored,     ///< the call did its part, and has a score
  unscored,   ///< the call did its part, and no sentence of it could be scored
  answered,   ///< the call did its part, and this end had nothing to score
  spoilt,     ///< this machine was late, or moved: no score of the line
  failed,     ///< by `end`
  cancelled,  ///< by the user
};
/// "scored", "unscored", "answered", "spoilt", "failed", "cancelled".
std::string_view to_string(CallResult result);
std::optional<CallResult> call_result_from_string(std::string_view name);

/// One sentence of a call.
struct CallSentence {
  std::string stimulus;  ///< "M6"
  Outcome outcome = Outcome::not_found;
  std::optional<double> mos;
  std::optional<double> marks_confidence;  ///< the smaller of both marks, 0..1 (Measurement)
  std::string reason;                      ///< why there is no score; empty: there is one
  bool lacks_upper_band = false;           ///< of a wideband score: the telephone's band alone arrived
  /// Beside a wideband score, where both were asked for: that of the same capture on the narrowband scale.
  std::optional<double> narrowband_mos = std::nullopt;
};

/// What became of one call.
struct CallOutcome {
  std::uint32_t number = 0;   ///< from 1
  std::uint32_t at_once = 0;  ///< calls at a time that were wanted when it began
  std::string started_utc;    ///< ISO 8601
  double started_s = 0;       ///< since the run's start, over all its sessions
  std::string other;          ///< who called; empty where this end dialled
  CallResult result = CallResult::failed;
  std::string end;  ///< of a failed call: its name in sip.md's table, "busy"; of one that was answered: "hung up" or ""
  int code = 0;     ///< SIP response code; 0: none
  std::string reason;                      ///< in words; empty: none
  std::optional<double> ring_s, answer_s;  ///< from the INVITE
  double talked_s = 0;                     ///< from the answer
  std::size_t expected = 0;                ///< sentences
  ScoreMode mode = ScoreMode::narrowband;  ///< the scale of the scores: that of its line
  std::vector<CallSentence> sentences;
  /// Why a call of an HD line turned out to be a narrowband one, a sentence part; empty: it did not.
  std::string narrow;
  CallPackets packets;
  OwnLateness lateness;
  std::string recording;  ///< file in the folder; empty: none was kept

  /// Mean of the sentences' scores; nothing if the result is not `scored`.
  std::optional<double> mos() const;
  /// The same of the scores in narrowband that stand beside them; nothing if there is none.
  std::optional<double> narrowband_mos() const;
};

}  // namespace vqas
