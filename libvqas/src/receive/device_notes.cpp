#include "receive/device_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace vqas {
namespace {

constexpr std::size_t kRemembered = 9;
// Two crystals of 100 ppm each.
constexpr double kClocks_ppm = 200;
// 1.8 samples over 5.6 s; the marks' own error is a tenth of that.
constexpr double kSame_ppm = 40;
// A pause of the talker may be digital silence; speech is louder than this.
constexpr double kLoud = 0.003;  // rms, -50 dBov
// Loudness is measured in parts of this length, so that the end of a pause does not count as speech.
constexpr std::int64_t kPart = 16;  // samples, 2 ms

// A packet line has no sound device; its flags mean that the system did not accept a packet.
bool by_packets(const LineStatistics& statistics) {
  return statistics.packets > 0;
}

bool lags(const DeviceNotes& notes) {
  return std::fabs(notes.lag_ms) > kLag_ms;
}

bool is_loud(const Signal& reference, std::int64_t begin, std::int64_t end) {
  double power = 0;
  for (std::int64_t n = begin; n < end; ++n) {
    const double sample = reference.samples[static_cast<std::size_t>(n)];
    power += sample * sample;
  }
  return std::sqrt(power / static_cast<double>(end - begin)) > kLoud;
}

// Duration of the runs where the reference is loud.
double in_speech_ms(const std::vector<DeviceNotes::Run>& runs, const Capture& capture, const Signal& reference) {
  if (!capture.speech_start) return 0;
  const auto start = static_cast<std::int64_t>(std::llround(*capture.speech_start));
  std::int64_t samples = 0;
  for (const DeviceNotes::Run& run : runs) {
    const std::int64_t begin = std::max<std::int64_t>(run.begin - start, 0);
    const std::int64_t end = std::min<std::int64_t>(run.end - start, static_cast<std::int64_t>(reference.size()));
    for (std::int64_t part = begin; part + kPart <= end; part += kPart) {
      if (is_loud(reference, part, part + kPart)) samples += kPart;
    }
  }
  return static_cast<double>(samples) * 1e3 / kLineRateHz;
}

// What happened to the samples of a capture, in words; nothing if all are there.
std::optional<std::string> damage(const CaptureEvidence& evidence, const UsualDrift& usual) {
  if (evidence.zeroed_ms > 0) return fmt::format("{:.1f} ms of the speech are exact zeros", evidence.zeroed_ms);
  if (evidence.repeated_ms > 0) {
    return fmt::format("{:.1f} ms of the speech are a repetition of the samples before", evidence.repeated_ms);
  }
  if (evidence.delay_step_ms > kLag_ms) {
    return fmt::format("the delay stepped by {:.1f} ms within the speech", evidence.delay_step_ms);
  }
  if (evidence.both && !usual.agrees(evidence)) return std::string("the delay stepped between the marks");
  return std::nullopt;
}

// `certain`: what needs no evidence.
std::optional<std::string> device_fault(const DeviceNotes& notes, std::optional<std::string> certain,
                                        std::uint32_t flags, const CaptureEvidence& evidence, const UsualDrift& usual,
                                        const char* whose) {
  if (!notes.real_device) return std::nullopt;
  if (certain) return certain;
  if (flags == 0 && !lags(notes)) return std::nullopt;
  if (const auto damaged = damage(evidence, usual)) {
    if (by_packets(notes.noticed) && !lags(notes))
      return fmt::format("the {} machine could not send {} packets, and {}", whose, flags, *damaged);
    return lags(notes) ? fmt::format("the {} sound device and the clock disagree by {:.1f} ms, and {}", whose,
                                     std::fabs(notes.lag_ms), *damaged)
                       : fmt::format("the {} sound device reported a gap, and {}", whose, *damaged);
  }
  // Without both marks it is unknown whether all samples are there.
  if (!lags(notes) || evidence.both) return std::nullopt;
  return fmt::format("the {} sound device lost or inserted {:.1f} ms: its samples and the clock disagree", whose,
                     std::fabs(notes.lag_ms));
}

// A run may continue from block to block.
void add_run(std::vector<DeviceNotes::Run>& runs, std::int64_t begin, std::int64_t count) {
  if (count == 0) return;
  if (runs.empty() || runs.back().end != begin) runs.push_back({begin, begin});
  runs.back().end = begin + count;
}

double in_ms(std::uint32_t samples) {
  return samples * 1e3 / kLineRateHz;
}

std::optional<std::string> spoilt_input(const DeviceNotes& notes) {
  const LineStatistics& noticed = notes.noticed;
  if (noticed.lost_samples > 0) {
    return fmt::format("{:.1f} ms of the receiver's input were lost; its machine was too busy",
                       in_ms(noticed.lost_samples));
  }
  if (noticed.packets_contradicting > 0) {
    return fmt::format(
        "{} packets arrived with the number of another packet: another sender mixed its packets into the "
        "stream, and the right ones cannot be identified",
        noticed.packets_contradicting);
  }
  if (noticed.source_changes > 0)
    return std::string("the sender of the packets changed meanwhile: the recording is of more than one");
  if (notes.reset_within)
    return std::string("the receiver's machine was too busy: its jitter buffer was reset during the recording");
  return std::nullopt;
}

}  // namespace

DeviceNotes notes_of(const std::vector<BlockTime>& blocks, std::size_t first, std::size_t last, bool real_device) {
  DeviceNotes notes;
  notes.real_device = real_device;
  if (blocks.empty()) return notes;
  last = std::min(last, blocks.size() - 1);
  for (std::size_t b = first; b <= last; ++b) {
    const BlockTime& block = blocks[b];
    notes.noticed += block.noticed;
    const auto place = static_cast<std::int64_t>((b - first) * kLineBlock);
    add_run(notes.zeros, place + block.zeros_begin, block.zeros_count);
    add_run(notes.repeats, place + block.repeats_begin, block.repeats_count);
  }
  notes.reset_within = notes.noticed.buffer_resets > 0;
  if (first > last) return notes;
  notes.clock_offset_ns = blocks[last].clock_offset_ns;
  if (blocks[first].clock_offset_ns && notes.clock_offset_ns) {
    notes.lag_ms = static_cast<double>(*notes.clock_offset_ns - *blocks[first].clock_offset_ns) * 1e-6;
  }
  return notes;
}

double largest_clock_step_ms(const std::vector<BlockTime>& blocks, std::size_t first, std::size_t used,
                             std::size_t last) {
  constexpr std::size_t kCompared = 25;  // blocks, half a second
  std::int64_t largest_ns = 0;
  last = std::min(last + 1, blocks.size());
  for (std::size_t b = first; b < last; ++b) {
    for (std::size_t later = b + 1; later < std::min(b + 1 + kCompared, last); ++later) {
      if (!blocks[b].clock_offset_ns || !blocks[later].clock_offset_ns) continue;
      const std::int64_t rise_ns = *blocks[later].clock_offset_ns - *blocks[b].clock_offset_ns;
      if (b >= used || rise_ns < 0) largest_ns = std::max(largest_ns, std::abs(rise_ns));
    }
  }
  return static_cast<double>(largest_ns) * 1e-6;
}

void DeviceNotes::move_runs(std::int64_t samples) {
  for (auto* const runs : {&zeros, &repeats}) {
    for (Run& run : *runs) run = {run.begin + samples, run.end + samples};
  }
}

void UsualDrift::add(double ppm) {
  seen_.push_back(ppm);
  if (seen_.size() > kRemembered) seen_.erase(seen_.begin());
}

bool UsualDrift::agrees(const CaptureEvidence& evidence) const {
  if (!evidence.both || !evidence.drift_ppm) return false;
  if (seen_.empty()) return std::fabs(*evidence.drift_ppm) <= kClocks_ppm;
  std::vector<double> sorted = seen_;
  std::ranges::sort(sorted);
  return std::fabs(*evidence.drift_ppm - sorted[sorted.size() / 2]) <= kSame_ppm;
}

double largest_step_ms(const std::vector<DelayPiece>& track) {
  double largest = 0;
  for (std::size_t n = 1; n < track.size(); ++n) {
    largest = std::max(largest, std::fabs(track[n].delay_ms - track[n - 1].delay_ms));
  }
  return largest;
}

CaptureEvidence evidence_of(const DeviceNotes& notes, const Capture& capture, const Signal& reference,
                            const std::vector<DelayPiece>& track) {
  CaptureEvidence evidence;
  evidence.both = capture.marks == MarksFound::both;
  evidence.drift_ppm = capture.clock_drift_ppm;
  evidence.delay_step_ms = largest_step_ms(track);
  evidence.zeroed_ms = in_speech_ms(notes.zeros, capture, reference);
  evidence.repeated_ms = in_speech_ms(notes.repeats, capture, reference);
  return evidence;
}

std::optional<std::string> not_sent_in_time(const LineStatistics& noticed) {
  if (noticed.unsent_samples > 0) {
    return fmt::format("the sender's sound device did not play for seconds: {:.1f} ms were not sent",
                       in_ms(noticed.unsent_samples));
  }
  if (noticed.inserted_samples > 0) {
    return fmt::format("the sender's machine was too busy: {:.1f} ms were sent late, or as silence",
                       in_ms(noticed.inserted_samples));
  }
  return std::nullopt;
}

std::optional<std::string> receiving_fault(const DeviceNotes& notes, const CaptureEvidence& evidence,
                                           const UsualDrift& usual) {
  return device_fault(notes, spoilt_input(notes), notes.noticed.input_overflows + notes.noticed.input_underflows,
                      evidence, usual, "receiver's");
}

std::optional<std::string> sending_fault(const DeviceNotes& notes, const CaptureEvidence& evidence,
                                         const UsualDrift& usual) {
  return device_fault(notes, not_sent_in_time(notes.noticed),
                      notes.noticed.output_overflows + notes.noticed.output_underflows, evidence, usual, "sender's");
}

namespace {

std::string signal_note(const LineStatistics& statistics, const CaptureEvidence& evidence) {
  const std::uint32_t input = statistics.input_overflows + statistics.input_underflows;
  const std::uint32_t output = statistics.output_overflows + statistics.output_underflows;
  if (by_packets(statistics) && input + output > 0) {
    return fmt::format("{} packets could not be sent, but no speech is missing", input + output);
  }
  if (input + output > 0) {
    return fmt::format("the sound devices reported {} gaps ({} input, {} output), but no speech is missing",
                       input + output, input, output);
  }
  const auto line_made = [&statistics](double ms, const char* what) {
    return fmt::format("{:.1f} ms of the speech are {}; {}the line caused them", ms, what,
                       by_packets(statistics) ? "" : "no sound device reported a gap, so ");
  };
  if (evidence.zeroed_ms > 0) return line_made(evidence.zeroed_ms, "exact zeros");
  if (evidence.repeated_ms > 0) return line_made(evidence.repeated_ms, "a repetition of the samples before");
  if (statistics.buffer_resets > 0)
    return "the delay had changed since the previous transmission, and the jitter buffer was reset for it";
  return {};
}

}  // namespace

std::string note_in_words(const LineStatistics& statistics, const CaptureEvidence& evidence) {
  std::string note = signal_note(statistics, evidence);
  if (statistics.packets_of_others > 0)
    add_words(note, fmt::format("{} packets of another sender arrived meanwhile and were not played",
                                statistics.packets_of_others));
  return note;
}

void add_words(std::string& note, const std::string& more) {
  if (!note.empty() && !more.empty()) note += "; ";
  note += more;
}

}  // namespace vqas
