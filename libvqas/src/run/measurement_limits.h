#pragma once

#include <optional>
#include <string>

#include "vqas/run/run.h"

namespace vqas {

// Limits of a measurement, common to messages of nodes and to files: what was measured must be readable afterwards.

/// Sequence numbers have 16 bits in a mark (marks.md).
inline constexpr std::uint32_t kLastSequence = 65535;
inline constexpr std::uint32_t kLastRunId = 0xFFFFFF;  // 24 bits of a mark
inline constexpr double kLongestDelay_ms = 1e7;
/// Limits in bytes for a reason, the text of an error, and the path of a recording.
inline constexpr std::size_t kLongestReason = 4096, kLongestRecording = 1024;
/// Clocks of lines give ns from 0 to this (126 years); the difference of two fits into 64 bits.
inline constexpr std::int64_t kLatest_ns = 4'000'000'000'000'000'000;

/// Why this measurement is impossible ("has a mos_lqo outside 1..4.55"); nothing if it is possible. Re-entrant.
std::optional<std::string> impossible(const Measurement& measurement);

/// Why this measurement cannot belong to a run of that mode: its score has the other scale; nothing if it can.
/// Re-entrant.
std::optional<std::string> on_other_scale(const Measurement& measurement, ScoreMode run);

/// Turns a scored measurement into an unscored one.
void lose_score(Measurement& measurement, Outcome outcome, const std::string& reason);

/// `text` of an untrusted source for people and files: plain_text() of at most kLongestReason bytes.
std::string as_plain_text(const std::string& text);
/// The same without trailing dots and spaces, for texts that are continued or closed with a dot.
std::string as_sentence_part(const std::string& text);

}  // namespace vqas
