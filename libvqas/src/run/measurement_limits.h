#pragma once

#include <optional>
#include <string>

#include "vqas/run/run.h"

namespace vqas {

// What a measurement can hold. One set of limits for what nodes send and for what files hold: a run that was measured
// must be readable afterwards.

/// Sequence numbers have 16 bits in a mark (marks.md).
inline constexpr std::uint32_t kLastSequence = 65535;
inline constexpr std::uint32_t kLastRunId = 0xFFFFFF;  // 24 bits of a mark
/// Scale of MOS-LQON (ITU-T P.862.1).
inline constexpr double kLowestMos = 1.0, kHighestMos = 4.55;
inline constexpr double kLongestDelay_ms = 1e7;
/// Bytes of a reason, of an error's text, and of a recording's path.
inline constexpr std::size_t kLongestReason = 4096, kLongestRecording = 1024;
/// Clocks of lines are told in ns from 0 to this (126 years); the difference of two fits into 64 bits.
inline constexpr std::int64_t kLatest_ns = 4'000'000'000'000'000'000;

/// Why this measurement cannot exist ("has a mos_lqo outside 1..4.55"); nothing when it can. Re-entrant.
std::optional<std::string> impossible(const Measurement& measurement);

/// What was scored turns out to be no score of the line.
void lose_score(Measurement& measurement, Outcome outcome, const std::string& reason);

/// `text` of an untrusted source for people and files: plain_text() of at most kLongestReason bytes.
std::string as_plain_text(const std::string& text);
/// The same without dots and spaces at the end, for texts that others go on with or close with a dot.
std::string as_sentence_part(const std::string& text);

}  // namespace vqas
