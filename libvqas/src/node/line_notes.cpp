#include "node/line_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vqas {
namespace {

constexpr std::size_t kRemembered = 9;
constexpr std::size_t kEnough = 3;
// Two crystals of 100 ppm each.
constexpr double kClocks_ppm = 200;
// 1.8 samples over 5.6 s; the marks' own error is a tenth of it.
constexpr double kSame_ppm = 40;
// A pause of the talker may be digital silence; speech is louder than this.
constexpr double kLoud = 0.003;  // rms, -50 dBov

bool lags(const LineNotes& notes) {
  return std::fabs(notes.lag_ms) > kLag_ms;
}

// Zeros where the reference is loud.
std::optional<double> zeroed_ms(const LineNotes& notes, const Capture& capture, const Signal& reference) {
  if (!capture.speech_start) return std::nullopt;
  const auto start = static_cast<std::int64_t>(std::llround(*capture.speech_start));
  for (const LineNotes::Run& run : notes.zeros) {
    const std::int64_t begin = std::max<std::int64_t>(run.begin - start, 0);
    const std::int64_t end = std::min<std::int64_t>(run.end - start, static_cast<std::int64_t>(reference.size()));
    if (end <= begin) continue;
    double power = 0;
    for (std::int64_t n = begin; n < end; ++n) {
      const double sample = reference.samples[static_cast<std::size_t>(n)];
      power += sample * sample;
    }
    const double rms = std::sqrt(power / static_cast<double>(end - begin));
    if (rms > kLoud) return static_cast<double>(end - begin) * 1e3 / kLineRateHz;
  }
  return std::nullopt;
}

double in_ms(std::uint32_t samples) {
  return samples * 1e3 / kLineRateHz;
}

}  // namespace

LineNotes notes_of(const std::vector<BlockTime>& blocks, std::size_t first, std::size_t last, bool real_device) {
  LineNotes notes;
  notes.real_device = real_device;
  if (blocks.empty()) return notes;
  last = std::min(last, blocks.size() - 1);
  for (std::size_t b = first; b <= last; ++b) {
    const BlockTime& block = blocks[b];
    notes.noticed += block.noticed;
    if (block.zeros_count == 0) continue;
    const auto begin = static_cast<std::int64_t>((b - first) * kLineBlock + block.zeros_begin);
    if (!notes.zeros.empty() && notes.zeros.back().end == begin) {
      notes.zeros.back().end = begin + block.zeros_count;
    } else {
      notes.zeros.push_back({begin, begin + block.zeros_count});
    }
  }
  if (first > last) return notes;
  notes.clock_offset_ns = blocks[last].clock_offset_ns;
  if (blocks[first].clock_offset_ns && notes.clock_offset_ns) {
    notes.lag_ms = static_cast<double>(*notes.clock_offset_ns - *blocks[first].clock_offset_ns) * 1e-6;
  }
  return notes;
}

void UsualDrift::add(double ppm) {
  seen_.push_back(ppm);
  if (seen_.size() > kRemembered) seen_.erase(seen_.begin());
}

bool UsualDrift::agrees(const MarkEvidence& evidence) const {
  if (!evidence.both || !evidence.drift_ppm) return false;
  if (seen_.size() < kEnough) return std::fabs(*evidence.drift_ppm) <= kClocks_ppm;
  std::vector<double> sorted = seen_;
  std::ranges::sort(sorted);
  return std::fabs(*evidence.drift_ppm - sorted[sorted.size() / 2]) <= kSame_ppm;
}

std::optional<std::string> receiving_fault(const LineNotes& notes, const Capture& capture, const Signal& reference,
                                           const UsualDrift& usual) {
  if (!notes.real_device) return std::nullopt;
  const LineStatistics& noticed = notes.noticed;
  if (noticed.lost_samples > 0) {
    return fmt::format("{:.1f} ms of what the receiver's sound device heard were lost; the machine was too busy",
                       in_ms(noticed.lost_samples));
  }
  const std::uint32_t flags = noticed.input_overflows + noticed.input_underflows;
  if (flags == 0 && !lags(notes)) return std::nullopt;
  if (const auto zeroed = zeroed_ms(notes, capture, reference)) {
    return fmt::format("the receiver's sound device filled {:.1f} ms of the speech with zeros", *zeroed);
  }
  const MarkEvidence evidence{capture.marks == MarksFound::both, capture.clock_drift_ppm};
  if (usual.agrees(evidence)) return std::nullopt;
  if (lags(notes)) {
    return fmt::format("the receiver's sound device lost or inserted {:.1f} ms: its samples and the clock disagree",
                       std::fabs(notes.lag_ms));
  }
  if (evidence.both) {
    return std::string("the receiver's sound device told of a gap, and the delay stepped between the marks");
  }
  return std::nullopt;
}

std::optional<std::string> sending_fault(const LineNotes& notes, const MarkEvidence& evidence,
                                         const UsualDrift& usual) {
  if (!notes.real_device) return std::nullopt;
  const LineStatistics& noticed = notes.noticed;
  if (noticed.inserted_samples > 0) {
    return fmt::format("the sender's sound device played {:.1f} ms of silence in between; the machine was too busy",
                       in_ms(noticed.inserted_samples));
  }
  const std::uint32_t flags = noticed.output_overflows + noticed.output_underflows;
  if (flags == 0 && !lags(notes)) return std::nullopt;
  if (usual.agrees(evidence)) return std::nullopt;
  if (lags(notes)) {
    return fmt::format("the sender's sound device lost or inserted {:.1f} ms: its samples and the clock disagree",
                       std::fabs(notes.lag_ms));
  }
  if (evidence.both) {
    return std::string("the sender's sound device told of a gap, and the delay stepped between the marks");
  }
  return std::nullopt;
}

std::string flags_in_words(const LineStatistics& statistics) {
  const std::uint32_t input = statistics.input_overflows + statistics.input_underflows;
  const std::uint32_t output = statistics.output_overflows + statistics.output_underflows;
  if (input + output == 0) return {};
  return fmt::format("the sound devices told of {} gaps ({} input, {} output), but no sample is missing",
                     input + output, input, output);
}

}  // namespace vqas
