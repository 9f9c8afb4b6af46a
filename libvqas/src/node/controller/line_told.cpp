#include "node/controller/line_told.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "node/play/outgoing.h"
#include "node/wire/node_session.h"
#include "run/json_members.h"
#include "run/measurement_limits.h"
#include "run/same_line.h"
#include "vqas/channel/profile_text.h"
#include "vqas/line/simulator.h"
#include "vqas/score/score.h"
#include "vqas/signal/wide_rate.h"

namespace vqas {
namespace {

constexpr std::size_t kLongestScheme = 64;  // "audio:"; a longer name has none
constexpr const char* kEnds[] = {"a", "b"};
// What can carry HD voice, for an operator.
constexpr const char* kWideLines =
    "start its node with hd=yes in the name of an rtp: or sip: line and a codec of HD voice (g722, l16wb, opus), or "
    "simulate the line with --codec g722, l16 or gateway";
using Lines = std::array<Json, 2>;

// A real-time clock as reported by its node: its offset from the common clock, and the uncertainty of that.
struct ToldClock {
  ClockState state;
  std::int64_t from_monotonic_ns = 0;
};

std::optional<ToldClock> told_clock(const Json& line) {
  constexpr double kLongest_ms = 1e9;
  const Json told = object_at(line, "clock_synchronised");
  const Json offset = told.value("offset_ms", Json()), real = told.value("real_less_monotonic_ns", Json());
  const double uncertainty_ms = number_at(told, "uncertainty_ms", -1, kLongestDelay_ms);
  if (!offset.is_number() || std::abs(offset.get<double>()) > kLongest_ms || uncertainty_ms < 0) return std::nullopt;
  if (!real.is_number_unsigned() || real.get<std::uint64_t>() > static_cast<std::uint64_t>(kLatest_ns))
    return std::nullopt;
  return ToldClock{{offset.get<double>(), uncertainty_ms},
                   real.get<std::int64_t>() - std::llround(offset.get<double>() * 1e6)};
}

// Returns the largest combined error of the two clocks, in ns; 0 if they do not follow a common one.
double compare_clocks(const Lines& lines, const RunPlan& plan, RunLedger& ledger) {
  const std::array told{told_clock(lines[0]), told_clock(lines[1])};
  if (!told[0] || !told[1]) return 0;
  ledger.set_delay_basis(DelayBasis::synchronised);
  for (std::size_t n = 0; n < 2; ++n) {
    ledger.results().clocks[kEnds[n]] = told.at(n)->state;
    if (const auto direction = direction_from(plan, n))
      ledger.set_clocks_apart_ns(*direction, told.at(1 - n)->from_monotonic_ns - told.at(n)->from_monotonic_ns);
  }
  return (told[0]->state.uncertainty_ms + told[1]->state.uncertainty_ms) * 1e6;
}

std::string device_notice(double devices_ms, const std::string& uncalibrated) {
  if (uncalibrated.empty()) return {};
  return fmt::format(
      "the delays include about {:.0f} ms of the sound devices themselves; to subtract them, measure the "
      "device of end {} with \"vqas line calibrate\" and start its node with --device-delay-ms",
      devices_ms, uncalibrated);
}

void describe_clocks(const Lines& lines, const RunPlan& plan, RunLedger& ledger, ToldLine& told_line) {
  const std::string clock = text_at(lines[0], "clock");
  if (clock.empty() || text_at(lines[1], "clock").empty()) return;
  const bool same = clock == text_at(lines[1], "clock");
  ledger.set_delay_basis(same ? DelayBasis::same_clock : DelayBasis::half_round_trip);
  double uncertainty_ns = same ? 0 : compare_clocks(lines, plan, ledger);
  double devices_ms = 0;
  std::string uncalibrated;
  for (std::size_t n = 0; n < 2; ++n) {
    const Json& line = lines.at(n);
    const Json told = line.value("clock_uncertainty_ns", Json());
    if (told.is_number()) uncertainty_ns += std::abs(told.get<double>());
    // One way includes the output of one device and the input of the other.
    if (line.value("device_latency_ms", Json()).is_number() && line.value("device_calibrated", Json()) != true) {
      devices_ms += std::max(number_at(line, "device_latency_ms", 0, kLongestDelay_ms), 0.0) / 2;
      uncalibrated += uncalibrated.empty() ? kEnds[n] : " and b";
    }
    const bool real = line.value("real_device", Json()) == true;
    told_line.real = told_line.real || real;
    const auto direction = direction_from(plan, n);
    if (real && direction) ledger.expect_played(*direction);
  }
  ledger.set_clock_uncertainty_ms(std::min(uncertainty_ns * 1e-6, kLongestDelay_ms));
  ledger.set_device_uncertainty_ms(std::min(devices_ms, kLongestDelay_ms));
  told_line.notice = device_notice(devices_ms, uncalibrated);
}

void describe_simulated(const Json& line, const RunPlan& plan, RunResults& results) {
  const Json simulated = line.value("simulated", Json());
  if (!simulated.is_object()) return;
  const auto conditions = parse_simulated_conditions(simulated.dump());
  if (!conditions) return;
  results.codec = conditions->codec;
  if (conditions->profile) results.profile = profile_toml(*conditions->profile);
  // The line adapts to the guard interval of each round (Round::end_silence_s).
  const auto follows = [&plan](LineConditions one) {
    one.end_silence_s = end_silence_for_guard(plan.guard_s);
    return one;
  };
  if (plan.a_to_b) results.simulated["a-to-b"] = follows(conditions->a_to_b);
  if (plan.b_to_a) results.simulated["b-to-a"] = follows(conditions->b_to_a);
}

Lines lines_of(const std::array<NodeHello, 2>& nodes) {
  return {object_at(nodes[0].said, "line"), object_at(nodes[1].said, "line")};
}

// What makes a line another one.
void name_line(const Lines& lines, const RunPlan& plan, RunResults& results) {
  const std::string name = as_plain_text(text_at(lines[0], "name")).substr(0, kLongestScheme);
  results.line = name.substr(0, name.find(':') + 1);
  for (std::size_t n = 0; n < 2; ++n) {
    const std::string equipment = as_plain_text(text_at(lines.at(n), "equipment"));
    if (!equipment.empty()) results.equipment[kEnds[n]] = equipment;
  }
  describe_simulated(lines[0], plan, results);
}

Status check_node(const NodeHello& node, const std::string& end, const std::string& corpus_digest) {
  if (node.said.value("protocol", Json()) != rpc::kProtocolVersion) {
    return Error{
        ErrorCode::protocol,
        fmt::format("{} does not speak version {} of the protocol; install the same release of VQAS there and here",
                    node.name, rpc::kProtocolVersion)};
  }
  if (text_at(node.said, "end") != end) {
    return Error{ErrorCode::bad_input, fmt::format("{} is end {}, not end {}; swap the two addresses", node.name,
                                                   text_at(node.said, "end"), end)};
  }
  if (text_at(node.said, "corpus_digest") != corpus_digest) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{} has another corpus (digest {}, here {}); copy the same corpus to both ends", node.name,
                             text_at(node.said, "corpus_digest"), corpus_digest)};
  }
  if (text_at(node.said, "score_version") != kScoreVersion) {
    return Error{
        ErrorCode::protocol,
        fmt::format("{} has score version {}, this program {}; install the same release of VQAS there and here",
                    node.name, text_at(node.said, "score_version"), kScoreVersion)};
  }
  return success();
}

// A node of a release without HD voice does not tell a rate, and its lines have 8 kHz.
Status check_wide(const NodeHello& node) {
  const Json rate = object_at(node.said, "line").value("rate_hz", Json(kLineRateHz));
  if (rate != kWideRateHz) {
    return Error{
        ErrorCode::bad_input,
        fmt::format("the line of {} carries 8 kHz, and scores in wideband need 16 kHz; {}", node.name, kWideLines)};
  }
  const std::string there = text_at(node.said, "score_version_wb"), here = score_version(ScoreMode::wideband);
  if (there == here) return success();
  return Error{ErrorCode::protocol,
               fmt::format("{} has the wideband score version \"{}\", this program {}; install the same release of "
                           "VQAS there and here",
                           node.name, as_plain_text(there), here)};
}

}  // namespace

std::optional<std::size_t> direction_from(const RunPlan& plan, std::size_t sender) {
  if (sender == 0) return plan.a_to_b ? std::optional<std::size_t>(0) : std::nullopt;
  if (!plan.b_to_a) return std::nullopt;
  return plan.a_to_b ? 1 : 0;
}

Status check_pair(const std::array<NodeHello, 2>& nodes, const std::string& corpus_digest, ScoreMode mode) {
  for (std::size_t n = 0; n < 2; ++n) {
    if (Status fits = check_node(nodes.at(n), kEnds[n], corpus_digest); !fits) return fits;
    if (mode == ScoreMode::narrowband) continue;
    if (Status wide = check_wide(nodes.at(n)); !wide) return wide;
  }
  return success();
}

Status check_line(const std::array<NodeHello, 2>& nodes, const RunPlan& plan, const RunResults& before) {
  RunResults now;
  name_line(lines_of(nodes), plan, now);
  return check_same_line(before, now);
}

ToldLine describe_line(const std::array<NodeHello, 2>& nodes, const RunPlan& plan, RunLedger& ledger) {
  ToldLine told;
  const Lines lines = lines_of(nodes);
  name_line(lines, plan, ledger.results());
  const auto is_virtual = [](const Json& one) { return one.value("virtual_time", Json()) == true; };
  told.virtual_time = is_virtual(lines[0]) && is_virtual(lines[1]);
  // A line in virtual time has one clock for both of its ends.
  if (told.virtual_time) {
    // A signal recorded at one time and played at another has none.
    const auto is_file = [](const Json& one) { return text_at(one, "name").starts_with("file:"); };
    if (!is_file(lines[0]) && !is_file(lines[1])) ledger.set_delay_basis(DelayBasis::virtual_time);
  } else {
    ledger.set_departures_needed(true);
    describe_clocks(lines, plan, ledger, told);
  }
  return told;
}

}  // namespace vqas
