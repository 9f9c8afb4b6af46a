#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "vqas/score/mode.h"
#include "vqas/signal/result.h"

namespace vqas {

/// What the far end of the calls does.
enum class FarEnd {
  echo,   ///< sends back what it hears: the score is of the round trip, both directions in series
  send,   ///< sends marked sentences ("vqas answer --as send"): the score is of the direction from it
  listen  ///< scores what it hears ("vqas answer --as listen"): this end has no score
};

/// Many calls: how many, how fast, against what, and what they are held against.
struct CallsPlan {
  std::string name;
  std::string line;  ///< "sip:…;dial=…"
  FarEnd far_end = FarEnd::echo;
  /// Mode "both": each score also on the narrowband scale; the line has HD voice. Limits are of the line's scale.
  bool narrowband_too = false;
  std::size_t at_once = 1;                 ///< calls at a time, 1..kMostCallsAtOnce
  double per_s = 1;                        ///< calls begun per second at most, above 0, to 100
  std::size_t total = 0;                   ///< calls in all; 0: as many as `for_s` gives
  double for_s = 0;                        ///< no call begins after this time; 0: as long as `total` needs
  std::size_t ramp_from = 0, ramp_to = 0;  ///< calls at a time, rising from the first to the second; 0: no ramp

  std::filesystem::path corpus;      ///< empty: VQAS's own
  std::vector<std::string> stimuli;  ///< ids; empty: all
  std::size_t each = 1;              ///< sentences per call, 1..100

  /// A packet that this machine sends later than this spoils its call. By default what may come too late for the
  /// shortest jitter buffer, as on an `rtp:` line: 20 ms less the 5 ms by which a buffer may be shorter.
  double late_ms = 15;
  double confidence = 0.95;                    ///< of the interval around the mean, above 0, below 1
  std::optional<double> limit_mos;             ///< 1..5
  std::optional<double> limit_failed_percent;  ///< largest share of calls without a score; spoilt ones do not count
  std::size_t worst = 10;                      ///< recordings of so many worst calls are kept
};

inline constexpr std::size_t kMostCallsAtOnce = 400;
inline constexpr std::size_t kMostCalls = 1'000'000;

/// "echo", "send", "listen".
const char* word_of(FarEnd far_end);
/// What a score of the calls is of, in words: "round trip (both directions in series)", "far end to this end".
const char* score_of_what(FarEnd far_end);

/// The scale of the calls' scores: MOS-LQOW where the line asks for HD voice (hd=yes). Re-entrant.
ScoreMode mode_of(const CallsPlan& plan);
/// How the tables of calls name the scale: "MOS", or "MOS-LQOW".
const char* mos_name(ScoreMode mode);

/// Reads a plan in TOML. Fails with bad_input and "FILE:LINE: what is wrong". The corpus is relative to the plan's
/// folder. validate() is the caller's. Re-entrant.
Result<CallsPlan> parse_calls_plan(const std::string& text, const std::filesystem::path& name);
Result<CallsPlan> read_calls_plan(const std::filesystem::path& file);
/// The plan in TOML; parse_calls_plan() reads the same plan from it, with the corpus as it stands.
std::string calls_plan_text(const CallsPlan& plan);
/// Whether everything that is needed is given and in range. Fails with bad_input.
Status validate(const CallsPlan& plan);

/// "1..200": two numbers of calls, ascending. Fails with bad_input.
Status read_ramp(const std::string& text, CallsPlan& plan);

}  // namespace vqas
