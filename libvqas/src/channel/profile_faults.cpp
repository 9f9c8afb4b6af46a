#include "channel/profile_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "vqas/channel/geometric_gaps.h"
#include "vqas/signal/signal.h"

namespace vqas {
namespace {

constexpr double kDay_s = 86400;
constexpr std::size_t kMostEvents = 64;
constexpr std::size_t kMostSteps = 10000;
constexpr std::size_t kMostTimes = 100000;
constexpr std::size_t kMostLegs = 4;
constexpr double kMostExactErrors = 1e7;
// A geometric length needs a mean of two bits; up to this limit it is exact in a double.
constexpr double kLeastMeanBits = 2;
constexpr double kMostMeanBits = 1e12;
constexpr double kOneOctet_s = 1.0 / kLineRateHz;

// Keeps the first reported fault.
class Checker {
 public:
  void fault(const std::string& key, const std::string& message) {
    if (!first_) first_ = ProfileFault{key, message};
  }

  // Written so that NaN is out of range.
  void within(const std::string& key, double value, double low, double high, const char* unit = "") {
    if (value >= low && value <= high) return;
    fault(key, fmt::format("is {}; give {} to {}{}", value, low, high, unit));
  }

  void ber(const std::string& key, double value) {
    if (is_valid_ber(value)) return;
    fault(key, fmt::format("is {}; give 0, or {} to {}", value, kLowestBer, kHighestBer));
  }

  void at_most(const std::string& key, std::size_t count, std::size_t most, const char* what) {
    if (count > most) fault(key, fmt::format("holds {} {}; give at most {}", count, what, most));
  }

  std::optional<ProfileFault> take() { return std::move(first_); }

 private:
  std::optional<ProfileFault> first_;
};

// Checks one kind of errors; `at` is "errors[0]".
struct ErrorCheck {
  Checker& check;
  std::string at;
  double bits_per_second;  // that the mask selects
  bool masked;

  std::string key(const char* name) const { return at + "." + name; }

  void operator()(const RandomRate& random) const { check.ber(key("ber"), random.ber); }

  void operator()(const ExactCount& exact) const {
    check.within(key("span_s"), exact.span_s, 0.01, kDay_s, " s");
    const double most = std::min(kMostExactErrors, std::floor(exact.span_s * bits_per_second));
    check.within(key("errors"), static_cast<double>(exact.errors), 0, most);
  }

  void operator()(const Bursts& bursts) const {
    check.ber(key("background_ber"), bursts.background_ber);
    check.ber(key("burst_ber"), bursts.burst_ber);
    check.within(key("burst_s"), bursts.burst_s, 0.001, kDay_s, " s");
    check.within(key("gap_s"), bursts.gap_s, 0.001, kDay_s, " s");
  }

  void operator()(const GilbertElliott& model) const {
    check.ber(key("good_ber"), model.good_ber);
    check.ber(key("bad_ber"), model.bad_ber);
    check.within(key("mean_good_bits"), model.mean_good_bits, kLeastMeanBits, kMostMeanBits);
    check.within(key("mean_bad_bits"), model.mean_bad_bits, kLeastMeanBits, kMostMeanBits);
  }

  void operator()(const ErrorsAt& errors) const {
    check.at_most(key("at_s"), errors.at_s.size(), kMostTimes, "times");
    double before = -1;
    for (const double time : errors.at_s) {
      check.within(key("at_s"), time, 0, kDay_s, " s");
      if (!(time > before)) check.fault(key("at_s"), fmt::format("holds {} after {}; give rising times", time, before));
      before = time;
    }
  }

  void operator()(const PatternReplay& replay) const {
    if (!replay.pattern) check.fault(key("file"), "has no pattern file; give a .g192 or .bits file");
    if (masked) {
      check.fault("error_mask",
                  "hides bits from a pattern, which counts all bits and would be played at other places; "
                  "leave the mask out: a pattern recorded with one keeps to its bits");
    }
  }

  void operator()(const VaryingRate& varying) const {
    if (varying.steps.empty()) check.fault(key("steps"), "is empty; give at least one step");
    check.at_most(key("steps"), varying.steps.size(), kMostSteps, "steps");
    for (std::size_t i = 0; i < varying.steps.size(); ++i) {
      const BerStep& step = varying.steps[i];
      const std::string one = fmt::format("{}.steps[{}].", at, i);
      check.within(one + "duration_s", step.duration_s, 0.001, kDay_s, " s");
      check.ber(one + "from_ber", step.from_ber);
      check.ber(one + "to_ber", step.to_ber);
      if (step.from_ber != step.to_ber && (step.from_ber == 0 || step.to_ber == 0)) {
        check.fault(one + "to_ber", "makes a ramp from or to 0, which has no logarithm; give a ratio above 0");
      }
    }
  }
};

void check_line(Checker& check, const Profile& profile) {
  const LineConditions& line = profile.line;
  const double shortest = shortest_delay_s(profile);
  if (line.delay_s >= 0 && line.delay_s < shortest) {
    check.fault("delay_s", fmt::format("is {} s, but the parts of this line take {:.6g} s; give that or more",
                                       line.delay_s, shortest));
  }
  check.within("delay_s", line.delay_s, 0, 10, " s");
  check.within("gain_db", line.gain_db, -40, 40, " dB");
  if (line.circuit_noise_dbm0p != -HUGE_VAL) {
    check.within("circuit_noise_dbm0p", line.circuit_noise_dbm0p, -120, -20, " dBm0p, or leave it out for none");
  }
  check.within("gain_ripple_db", line.gain_ripple_db, 0, 6, " dB");
  check.within("sender_clock_ppm", line.sender_clock_ppm, -1000, 1000, " ppm");
  check.within("receiver_clock_ppm", line.receiver_clock_ppm, -1000, 1000, " ppm");
}

void check_analogue(Checker& check, const AnalogueParts& parts) {
  check.within("analogue.agc_target_dbov", parts.agc_target_dbov, -50, -6, " dBov");
  check.within("analogue.agc_range_db", parts.agc_range_db, 0, 40, " dB");
  check.within("analogue.hum_hz", parts.hum_hz, 40, 70, " Hz");
  if (parts.hum_dbm0 != -HUGE_VAL) check.within("analogue.hum_dbm0", parts.hum_dbm0, -90, 0, " dBm0");
  if (parts.clip_dbov != HUGE_VAL) check.within("analogue.clip_dbov", parts.clip_dbov, -40, 0, " dBov");
  if (parts.echo_loss_db != HUGE_VAL) check.within("analogue.echo_loss_db", parts.echo_loss_db, 0, 80, " dB");
  check.within("analogue.echo_delay_s", parts.echo_delay_s, 0.001, 2, " s");
}

void check_digital(Checker& check, const Profile& profile) {
  if (profile.error_mask == 0) check.fault("error_mask", "is 0: no bit could be wrong; give 1 to 255");
  check.at_most("errors", profile.errors.size(), kMostLegs, "legs");
  const double shown = static_cast<double>(kLineRateHz) * std::popcount(profile.error_mask);
  for (std::size_t i = 0; i < profile.errors.size(); ++i) {
    std::visit(ErrorCheck{check, fmt::format("errors[{}]", i), shown, profile.error_mask != kAllBits},
               profile.errors[i]);
  }
  if (profile.release) {
    check.within("release.ber", profile.release->ber, 1e-6, kHighestBer);
    check.within("release.after_s", profile.release->after_s, 1, 3600, " s");
    check.within("release.restore_s", profile.release->restore_s, 1, 3600, " s");
    check.ber("release.restored_ber", profile.release->restored_ber);
  }
  check.at_most("interruptions", profile.interruptions.size(), kMostEvents, "interruptions");
  for (std::size_t i = 0; i < profile.interruptions.size(); ++i) {
    const Interruption& one = profile.interruptions[i];
    const std::string at = fmt::format("interruptions[{}].", i);
    check.within(at + "start_s", one.start_s, 0, kDay_s, " s");
    check.within(at + "duration_s", one.duration_s, kOneOctet_s, kDay_s, " s");
    if (one.every_s != 0) check.within(at + "every_s", one.every_s, one.duration_s + kOneOctet_s, kDay_s, " s");
  }
  check.at_most("slips", profile.slips.size(), kMostEvents, "slips");
  for (std::size_t i = 0; i < profile.slips.size(); ++i) {
    const Slip& one = profile.slips[i];
    const std::string at = fmt::format("slips[{}].", i);
    check.within(at + "at_s", one.at_s, 0, kDay_s, " s");
    check.within(at + "octets", one.octets, -80000, 80000);
    if (one.octets == 0) check.fault(at + "octets", "is 0, which has no effect; give another number");
    if (one.every_s != 0) check.within(at + "every_s", one.every_s, kOneOctet_s, kDay_s, " s");
  }
}

void check_bottleneck(Checker& check, const Bottleneck& link) {
  check.within("packets.bottleneck.rate_kbit_s", link.rate_kbit_s, 100, 100000, " kbit/s");
  check.within("packets.bottleneck.video_kbit_s", link.video_kbit_s, 0, 10000, " kbit/s");
  check.within("packets.bottleneck.background_video_kbit_s", link.background_video_kbit_s, 0, 10000, " kbit/s");
  check.within("packets.bottleneck.file_transfers", link.file_transfers, 0, 16);
  check.within("packets.bottleneck.queue_packets", link.queue_packets, 1, 1000);
}

void check_packets(Checker& check, const PacketConditions& packets) {
  check.within("packets.packet_ms", packets.packet_ms, 5, 60, " ms");
  const double octets = packets.packet_ms * kLineRateHz / 1000;
  if (octets != std::round(octets)) {
    check.fault("packets.packet_ms",
                fmt::format("is {} ms, {} octets; give whole octets, 0.125 ms each", packets.packet_ms, octets));
  }
  check.within("packets.loss_ratio", packets.loss_ratio, 0, 0.9);
  check.within("packets.mean_loss_packets", packets.mean_loss_packets, 1, 100);
  if (packets.loss == LossKind::gilbert &&
      packets.loss_ratio > packets.mean_loss_packets / (packets.mean_loss_packets + 1)) {
    check.fault("packets.loss_ratio",
                fmt::format("is {}, more than bursts of {} packets with one packet between them; give at most {:.3g}",
                            packets.loss_ratio, packets.mean_loss_packets,
                            packets.mean_loss_packets / (packets.mean_loss_packets + 1)));
  }
  const bool has_share = packets.loss == LossKind::random || packets.loss == LossKind::gilbert;
  if (!has_share && packets.loss_ratio > 0) {
    check.fault("packets.loss_ratio",
                "has no effect, because loss is neither \"random\" nor \"gilbert\"; give one of "
                "them, or leave the ratio out");
  }
  if (packets.loss != LossKind::pattern && !packets.loss_file.empty()) {
    check.fault("packets.loss_file",
                "has no effect, because loss is not \"pattern\"; give that, or leave the file out");
  }
  if (packets.loss == LossKind::pattern && (!packets.loss_pattern || packets.loss_pattern->empty())) {
    check.fault("packets.loss_file", "has no pattern file; give a .g192 file of frame marks");
  }
  check.within("packets.jitter_ms", packets.jitter_ms, 0, 500, " ms");
  check.within("packets.reorder_ratio", packets.reorder_ratio, 0, 0.5);
  check.within("packets.reorder_ms", packets.reorder_ms, 0, 500, " ms");
  check.within("packets.duplicate_ratio", packets.duplicate_ratio, 0, 0.5);
  check.within("packets.buffer_ms", packets.buffer_ms, 0, 1000, " ms");
  if (packets.bottleneck) check_bottleneck(check, *packets.bottleneck);
}

}  // namespace

std::optional<ProfileFault> find_fault(const Profile& profile) {
  Checker check;
  check_analogue(check, profile.analogue);
  check_digital(check, profile);
  if (profile.packets) check_packets(check, *profile.packets);
  check_line(check, profile);
  return check.take();
}

}  // namespace vqas
