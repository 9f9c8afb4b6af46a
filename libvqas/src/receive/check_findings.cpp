#include "vqas/receive/check_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <span>
#include <string_view>

#include "sync/capture_margin.h"
#include "vqas/run/narrow_path.h"
#include "vqas/signal/idle_noise.h"
#include "vqas/signal/level.h"
#include "vqas/signal/median.h"

namespace vqas {
namespace {

constexpr double kLongGuard_s = 0.5;
constexpr std::size_t kFrame = 160;
constexpr double kLoud = 0.01;   // rms, -40 dBov: certainly speech
constexpr double kGone_db = 30;  // a frame this far below the line's own level is a drop-out
// A voice switch that opens too late cuts some tens of milliseconds; a longer segment would dilute the loss.
constexpr std::size_t kOnset = 400;  // 50 ms

// Limits. Level: speech is sent at -26 dBov, -20 dBm0. ITU-T G.712 lets a codec's distortion grow below -30 dBm0, and a
// planned network loss of 6 dB is acceptable; peaks, 18 dB above the speech, overload the codec beyond +6 dB.
constexpr double kLeastLevel_db = -10;
constexpr double kMostLevel_db = 6;
// Below -35 dBm0 of speech, G.712 allows a codec distortion less than kGone_db below the speech: noise, drop-outs and
// onsets then show the level.
constexpr double kLeastJudged_db = -15;
constexpr double kSame_db = 3;  // a tone is as strong as all of the noise
constexpr double kLeastEchoLoss_db = 40;
constexpr double kMostDrift_ppm = 200;
constexpr double kMostPackets_percent = 1;  // lost: from there on concealment is audible
constexpr double kMostOnset_db = 6;         // three quarters of the power

double rms(std::span<const float> samples) {
  double power = 0;
  for (const float sample : samples) power += static_cast<double>(sample) * sample;
  return samples.empty() ? 0 : std::sqrt(power / static_cast<double>(samples.size()));
}

double decibel(double ratio) {
  return 20 * std::log10(std::max(ratio, 1e-6));
}

std::span<const float> part(const Signal& signal, std::size_t begin, std::size_t count) {
  const std::span<const float> all(signal.samples);
  begin = std::min(begin, all.size());
  return all.subspan(begin, std::min(count, all.size() - begin));
}

template <typename Value>
std::optional<double> median_of(const std::vector<CheckedTransmission>& checked, Value value) {
  std::vector<double> values;
  for (const CheckedTransmission& one : checked) {
    if (const std::optional<double> found = value(one)) values.push_back(*found);
  }
  if (values.empty()) return std::nullopt;
  return upper_median(values);
}

constexpr const char* kNothingCame = "not measured: no transmission arrived";

CheckFinding found(const char* name, std::optional<double> value, const char* unit, bool pass, std::string advice,
                   const char* missing = kNothingCame) {
  return {name, value, unit, pass && value.has_value(),
          pass && value ? std::string()
          : value       ? std::move(advice)
                        : missing};
}

constexpr const char* kAllStepped = "not measured: the line's delay changed within every transmission";

constexpr std::string_view kShownByLevel[] = {"noise", "hum", "drop-outs", "onsets"};
constexpr const char* kTooLow = "not judged at this level: cure the level first, then check again";

// If the delay stepped, guard interval and speech cannot be told apart in the recording.
bool is_in_place(const CheckedTransmission& one) {
  return !one.measurement.delay_step_ms.has_value();
}

// Some signal of the sender arrived; else the recording is that of a possibly unconnected input.
bool is_there(const CheckedTransmission& one) {
  return one.measurement.mos_lqo || any_mark(one.measurement.marks_found);
}

// Why a finding that needs transmissions with both guards, or with the long one, was not made.
const char* missing_guard(const std::vector<CheckedTransmission>& checked, bool both) {
  if (std::ranges::none_of(checked, is_there)) return kNothingCame;
  if (std::ranges::none_of(checked, is_in_place)) return kAllStepped;
  const auto of = [&checked](bool long_guard) {
    return std::ranges::any_of(checked, [long_guard](const CheckedTransmission& one) {
      return (one.guard_s >= kLongGuard_s) == long_guard && one.measurement.mos_lqo.has_value() && is_in_place(one);
    });
  };
  if (of(false) && !of(true)) return "not measured: nothing arrived with the long pause between mark and speech";
  if (both && of(true) && !of(false))
    return "not measured: nothing arrived with the short pause between mark and speech";
  return kNothingCame;
}

// The guard interval before the stimulus, if it is long enough: it contains no speech.
std::span<const float> silence_of(const CheckedTransmission& one) {
  if (one.guard_s < kLongGuard_s || one.recording.size() < sync::kCaptureMargin || !is_in_place(one) || !is_there(one))
    return {};
  constexpr std::size_t kMargin = 400;  // 50 ms: the mark's own tail
  return part(one.recording, kMargin, sync::kCaptureMargin - 2 * kMargin);
}

// Psophometric noise of its quietest tenth of a second: an echo of the mark ends within the guard interval, the line's
// own noise does not.
std::optional<double> noise_dbov(std::span<const float> silence) {
  constexpr std::size_t kPart = kLineRateHz / 10;
  IdleNoiseMeter meter;
  std::optional<double> least;
  for (std::size_t at = 0; at + kPart <= silence.size(); at += kPart / 2) {
    meter.reset();
    meter.add(silence.subspan(at, kPart));
    const double here = meter.result()->weighted_dbov;
    least = std::min(least.value_or(here), here);
  }
  return least;
}

double tone_dbov(std::span<const float> samples, double frequency_hz) {
  std::complex<double> sum = 0;
  double weight = 0;
  for (std::size_t n = 0; n < samples.size(); ++n) {
    const double window = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * (static_cast<double>(n) + 0.5) /
                                               static_cast<double>(samples.size()));
    sum += window * static_cast<double>(samples[n]) *
           std::polar(1.0, -2 * std::numbers::pi * frequency_hz * static_cast<double>(n) / kLineRateHz);
    weight += window;
  }
  return decibel(std::numbers::sqrt2 * std::abs(sum) / weight);
}

// The strongest of the mains' lower harmonics, or the one with the highest psophometric level.
double hum_dbov(std::span<const float> samples, bool weighted) {
  double most = -240;
  for (const double mains : {50.0, 60.0}) {
    for (int harmonic = 1; harmonic <= 6; ++harmonic) {
      const double hz = mains * harmonic;
      most = std::max(most, tone_dbov(samples, hz) + (weighted ? psophometric_weight_db(hz) : 0));
    }
  }
  return most;
}

// Share of the stimulus's loud frames that are missing from the recording, in percent.
std::optional<double> dropped_percent(const CheckedTransmission& one) {
  const double gain_db = one.measurement.level_difference_db.value_or(0);
  std::size_t loud = 0, gone = 0;
  for (std::size_t at = 0; at + kFrame <= one.reference.size(); at += kFrame) {
    const double sent = rms(part(one.reference, at, kFrame));
    if (sent < kLoud) continue;
    ++loud;
    const double came = rms(part(one.recording, sync::kCaptureMargin + at, kFrame));
    gone += decibel(came) < decibel(sent) + gain_db - kGone_db ? 1 : 0;
  }
  if (loud == 0 || !one.measurement.mos_lqo || !is_in_place(one)) return std::nullopt;
  return 100.0 * static_cast<double>(gone) / static_cast<double>(loud);
}

// Where the speech begins in a stimulus, after its leading pause; nothing if too little follows.
std::optional<std::size_t> beginning_of(const Signal& reference) {
  for (std::size_t at = 0; at + 4 * kOnset <= reference.size(); at += kFrame) {
    if (rms(part(reference, at, kFrame)) >= kLoud) return at;
  }
  return std::nullopt;
}

// How much weaker the beginning of the speech arrived than the rest of it, in dB; below 0: stronger.
std::optional<double> onset_loss_db(const CheckedTransmission& one) {
  const auto at = beginning_of(one.reference);
  if (!one.measurement.mos_lqo || !at || !is_in_place(one)) return std::nullopt;
  const auto gain_db = [&one](std::size_t begin, std::size_t count) {
    return decibel(rms(part(one.recording, sync::kCaptureMargin + begin, count)) /
                   rms(part(one.reference, begin, count)));
  };
  return gain_db(*at + kOnset, one.reference.size() - *at - kOnset) - gain_db(*at, kOnset);
}

// Packets too late to be played are lost too. Nothing if the line has no packets.
std::optional<CheckFinding> packets(const std::vector<CheckedTransmission>& checked) {
  LineStatistics sum;
  for (const CheckedTransmission& one : checked) {
    if (one.measurement.line) sum += *one.measurement.line;
  }
  const auto count = [](std::uint32_t packets) { return static_cast<double>(packets); };
  const double in_time = std::max(
      count(sum.packets) - count(sum.packets_late) - count(sum.packets_repeated) - count(sum.packets_discarded), 0.0);
  const double due = in_time + count(sum.packets_lost);
  if (due <= 0) return std::nullopt;
  const double late = std::min(count(sum.packets_late), count(sum.packets_lost));
  const double percent = 100 * count(sum.packets_lost) / due;
  auto advice = fmt::format(
      "{:.0f} of {:.0f} packets never arrived and {:.0f} arrived too late (jitter {:.0f} ms): {}",
      count(sum.packets_lost) - late, due, late, sum.jitter_ms,
      2 * late > count(sum.packets_lost) ? "raise buffer_ms in the line's name" : "find where they are dropped");
  return found("packets", percent, "% lost or late", percent <= kMostPackets_percent, std::move(advice));
}

// Only one stream is measured; a second one is a disturbance that the score cannot show.
std::optional<CheckFinding> other_senders(const std::vector<CheckedTransmission>& checked) {
  LineStatistics sum;
  for (const CheckedTransmission& one : checked) {
    if (one.measurement.line) sum += *one.measurement.line;
  }
  if (sum.packets == 0) return std::nullopt;
  const auto packets = static_cast<double>(sum.packets_of_others) + sum.packets_contradicting;
  std::string advice =
      sum.packets_contradicting > 0
          ? "another sender copies the stream's own numbers: the right packets cannot be identified, so nothing is "
            "scored; look for a second node with this port, or an attack"
          : "another sender sends to this port: its packets are not played; look for an old call, a second node with "
            "this port, or an attack";
  if (sum.source_changes > 0)
    advice += fmt::format("; the stream of another sender was taken up {} times", sum.source_changes);
  return found("other senders", packets, "packets", packets == 0 && sum.source_changes == 0, std::move(advice));
}

CheckFinding onsets(const std::vector<CheckedTransmission>& checked) {
  const auto of = [&checked](bool long_guard) {
    return median_of(checked, [long_guard](const CheckedTransmission& one) -> std::optional<double> {
      if ((one.guard_s >= kLongGuard_s) != long_guard) return std::nullopt;
      return onset_loss_db(one);
    });
  };
  const auto after_mark = of(false), after_silence = of(true);
  if (!after_mark || !after_silence)
    return found("onsets", std::nullopt, "dB lost", false, {}, missing_guard(checked, true));
  const double worst = std::max(*after_mark, *after_silence);
  const bool pass = worst < kMostOnset_db;
  const bool opened_by_mark = *after_mark < kMostOnset_db;
  return found("onsets", worst, "dB lost", pass,
               opened_by_mark
                   ? "beginnings are cut off after silence but not after a mark: a gate acts on this line, and a "
                     "listener hears it; measure with --guard-s 0.6"
                   : "beginnings of sentences are weaker than the rest: a gate or an echo suppressor acts on this "
                     "line");
}

std::optional<CheckFinding> upper_band(const std::vector<CheckedTransmission>& checked) {
  std::size_t scored = 0, narrow = 0;
  for (const CheckedTransmission& one : checked) {
    // Without a score the place of the speech is in doubt.
    if (!one.measurement.mos_lqo || !one.lacks_upper_band) continue;
    ++scored;
    if (*one.lacks_upper_band) ++narrow;
  }
  if (scored == 0) return std::nullopt;
  const double percent = 100.0 * static_cast<double>(narrow) / static_cast<double>(scored);
  CheckFinding lost{"upper band lost", percent, "% of transmissions", !is_narrow_path(narrow, scored), {}};
  if (!lost.pass)
    lost.advice =
        "nothing above 4000 Hz arrives, so this is no line of HD voice: look at the codec that was agreed, and at "
        "gateways and conferences on the way";
  return lost;
}

std::string missing_marks(const std::vector<CheckedTransmission>& checked, const InputsHeard& inputs) {
  std::optional<IdleInput> instead = inputs.instead;
  const auto recorded = std::ranges::find_if(checked, [](const auto& one) { return !one.recording.empty(); });
  if (!instead && recorded != checked.end()) instead = judge_idle_input(recorded->recording, false);
  if (is_joined(checked) || !instead)
    return "marks are missing: check that the call is up, the cables and both ends' levels";
  if (!inputs.from) return nothing_heard(*instead, "the receiving end", "the sending end");
  return nothing_heard(*instead, name_of(other_end(*inputs.from)), name_of(*inputs.from));
}

}  // namespace

std::string value_in_words(const CheckFinding& finding) {
  if (!finding.value) return finding.pass ? "none" : "unknown";
  const double rounded = std::round(*finding.value * 10) / 10;
  if (finding.unit == "dB lost" && rounded < 0) return fmt::format("{:.1f} dB stronger", -rounded);
  const int decimals = finding.unit == "packets" ? 0 : 1;
  return fmt::format("{:.{}f} {}", rounded == 0 ? 0 : rounded, decimals, finding.unit);  // not "-0.0"
}

bool is_joined(const std::vector<CheckedTransmission>& checked) {
  return std::ranges::any_of(checked, is_there);
}

std::vector<CheckFinding> check_findings(const std::vector<CheckedTransmission>& checked, const InputsHeard& inputs) {
  std::vector<CheckFinding> findings;
  const auto count = static_cast<double>(checked.size());
  const auto both = static_cast<double>(
      std::ranges::count_if(checked, [](const auto& one) { return one.measurement.marks_found == MarksFound::both; }));
  findings.push_back(found("marks", checked.empty() ? std::nullopt : std::optional(100 * both / count), "% found",
                           both == count, missing_marks(checked, inputs)));
  const auto level = median_of(checked, [](const auto& one) { return one.measurement.level_difference_db; });
  const bool too_low = level.value_or(0) < kLeastJudged_db;
  findings.push_back(found("level", level, "dB",
                           level.value_or(0) >= kLeastLevel_db && level.value_or(0) <= kMostLevel_db,
                           fmt::format("{} the sending level by {:.0f} dB{}", level.value_or(0) < 0 ? "raise" : "lower",
                                       std::fabs(level.value_or(0)), too_low ? " first, then check again" : "")));
  const auto silent = [](auto measure) {
    return [measure](const CheckedTransmission& one) -> std::optional<double> {
      const auto samples = silence_of(one);
      if (samples.empty()) return std::nullopt;
      const std::optional<double> dbov = measure(samples);
      return dbov ? std::optional(*dbov - zero_dbm0_dbov(one.measurement.level_difference_db.value_or(0)))
                  : std::nullopt;
    };
  };
  const auto noise = median_of(checked, silent(noise_dbov));
  const auto hum_of = [](bool weighted) {
    return [weighted](std::span<const float> samples) { return std::optional(hum_dbov(samples, weighted)); };
  };
  const auto hum = median_of(checked, silent(hum_of(false))), heard_hum = median_of(checked, silent(hum_of(true)));
  const bool is_hum = hum.value_or(0) > kMostIdleToneDbm0 && noise.value_or(0) < heard_hum.value_or(0) + kSame_db;
  findings.push_back(
      found("noise", noise, "dBm0p", noise.value_or(0) <= kMostIdleNoiseDbm0p,
            is_hum ? "this is the hum"
                   : fmt::format("{:.1f} dB more than the {:.0f} dBm0p of a good circuit (ITU-T G.712) in the pauses: "
                                 "check cables and gains, or accept it as the line's",
                                 noise.value_or(0) - kMostIdleNoiseDbm0p, kMostIdleNoiseDbm0p),
            missing_guard(checked, false)));
  findings.push_back(found("hum", hum, "dBm0", hum.value_or(0) <= kMostIdleToneDbm0,
                           fmt::format("mains hum, {:.1f} dB above {:.0f} dBm0 (ITU-T G.712): use a transformer or a "
                                       "battery, and keep the ends' grounds apart",
                                       hum.value_or(0) - kMostIdleToneDbm0, kMostIdleToneDbm0),
                           missing_guard(checked, false)));
  const auto clipped = static_cast<double>(std::ranges::count_if(checked, &CheckedTransmission::is_clipped));
  const bool input_tells = is_joined(checked) || clipped > 0;
  findings.push_back(found("clipping", input_tells ? std::optional(100 * clipped / count) : std::nullopt,
                           "% of transmissions", clipped == 0, "the receiver's input is overdriven: lower its level"));
  const auto echo = median_of(checked, [](const auto& one) { return one.measurement.echo_return_loss_db; });
  const auto echo_delay = median_of(checked, [](const auto& one) { return one.measurement.echo_delay_ms; });
  CheckFinding echo_found{"echo return loss", echo, "dB", echo.value_or(kLeastEchoLoss_db) >= kLeastEchoLoss_db, {}};
  if (!echo && !inputs.sender_hears) {
    echo_found.pass = false;
    echo_found.advice = "not measured: nothing reaches the sender's own input";
  } else if (!echo_found.pass) {
    echo_found.advice = fmt::format(
        "the sender hears itself {:.0f} ms later: measure one direction at a time, or use "
        "an echo canceller",
        echo_delay.value_or(0));
  }
  findings.push_back(echo_found);
  const auto drift = median_of(checked, [](const auto& one) { return one.measurement.clock_drift_ppm; });
  findings.push_back(found("clock drift", drift, "ppm", std::fabs(drift.value_or(0)) <= kMostDrift_ppm,
                           "the two sound devices' clocks are far apart: check that both run at the rate they claim"));
  const auto delay = median_of(checked, [](const auto& one) { return one.measurement.delay_ms; });
  const bool told = std::ranges::any_of(checked, [](const auto& one) { return one.measurement.mos_lqo.has_value(); });
  CheckFinding delay_found{"delay", delay, "ms", told, {}};
  if (!told) delay_found.advice = kNothingCame;
  findings.push_back(delay_found);
  const auto dropped = median_of(checked, dropped_percent);
  findings.push_back(
      found("drop-outs", dropped, "% of speech", dropped.value_or(0) < 1,
            "parts of the speech are missing: packets are lost, or a sound device is too slow",
            is_joined(checked) && std::ranges::none_of(checked, is_in_place) ? kAllStepped : kNothingCame));
  if (auto counted = packets(checked)) findings.push_back(std::move(*counted));
  if (auto counted = other_senders(checked)) findings.push_back(std::move(*counted));
  if (auto band = upper_band(checked)) findings.push_back(std::move(*band));
  findings.push_back(onsets(checked));
  if (!too_low) return findings;
  for (CheckFinding& one : findings) {
    if (std::ranges::find(kShownByLevel, std::string_view(one.name)) == std::end(kShownByLevel) || !one.value) continue;
    one = {one.name, std::nullopt, one.unit, false, kTooLow};
  }
  return findings;
}

}  // namespace vqas
