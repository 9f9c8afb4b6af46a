#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "line/simulated_path.h"
#include "vqas/channel/profile_text.h"
#include "vqas/line/simulator.h"
#include "vqas/signal/json_text.h"

namespace vqas {
namespace {

// The conditions are sent in a message and in the arguments of a process, both limited to 128 KiB.
constexpr std::size_t kLongestProfile = 60000;

bool is_wide(LineCodec codec) {
  return codec == LineCodec::g722 || codec == LineCodec::l16;
}

// What a path at 16 kHz lacks.
Status check_wide(const SimulatedLine& line, const LineConditions& conditions) {
  const auto refuse = [&line](const char* what) {
    return Error{ErrorCode::bad_input, fmt::format("a line with the codec {} {}", to_string(line.codec), what)};
  };
  if (line.profile) return refuse("has no profile; use the codec g711 or gateway, or give single conditions");
  if (conditions.band_limit) return refuse("has no band limit; leave it out");
  if (line.codec == LineCodec::l16 && conditions.ber > 0)
    return refuse("carries samples without bit errors; give a ber of 0, or use g722");
  return success();
}

Json to_json(const LineConditions& c) {
  return {{"law", c.law == G711Law::mu ? "mu" : "a"},
          {"ber", c.ber},
          {"delay_s", c.delay_s},
          {"gain_db", c.gain_db},
          {"band_limit", c.band_limit},
          {"circuit_noise_dbm0p", std::isfinite(c.circuit_noise_dbm0p) ? Json(c.circuit_noise_dbm0p) : Json(nullptr)},
          {"gain_ripple_db", c.gain_ripple_db},
          {"sender_clock_ppm", c.sender_clock_ppm},
          {"receiver_clock_ppm", c.receiver_clock_ppm},
          {"fresh_phase", c.fresh_phase},
          {"end_silence_s", c.end_silence_s}};
}

LineConditions conditions_from(const Json& json) {
  LineConditions c;
  c.law = json.at("law").get<std::string>() == "a" ? G711Law::a : G711Law::mu;
  json.at("ber").get_to(c.ber);
  json.at("delay_s").get_to(c.delay_s);
  json.at("gain_db").get_to(c.gain_db);
  json.at("band_limit").get_to(c.band_limit);
  const Json& noise = json.at("circuit_noise_dbm0p");
  c.circuit_noise_dbm0p = noise.is_null() ? -std::numeric_limits<double>::infinity() : noise.get<double>();
  json.at("gain_ripple_db").get_to(c.gain_ripple_db);
  json.at("sender_clock_ppm").get_to(c.sender_clock_ppm);
  json.at("receiver_clock_ppm").get_to(c.receiver_clock_ppm);
  json.at("fresh_phase").get_to(c.fresh_phase);
  if (json.contains("end_silence_s")) json.at("end_silence_s").get_to(c.end_silence_s);
  return c;
}

// The gateway's own filters are part of the delay.
Status check_gateway(const SimulatedLine& line, const LineConditions& conditions) {
  Profile between = direction_profile(line, conditions);
  between.line.delay_s -= gateway_delay_s();
  return validate(between);
}

Status check_direction(const SimulatedLine& line, const LineConditions& conditions, const char* name) {
  // Also false for NaN.
  const bool fits = conditions.delay_s >= kSimulatorShortestDelay_s && conditions.delay_s <= kLongestDelay_s;
  if (!fits) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: the delay (delay_s) is {}; a line between two processes needs {} to {} s", name,
                             conditions.delay_s, kSimulatorShortestDelay_s, kLongestDelay_s)};
  }
  Status valid = validate(conditions);
  if (valid && is_wide(line.codec)) valid = check_wide(line, conditions);
  if (valid && line.codec == LineCodec::gateway) valid = check_gateway(line, conditions);
  if (valid) valid = validate(direction_profile(line, conditions));
  if (!valid) return Error{valid.error().code, fmt::format("{}: {}", name, valid.error().message)};
  return success();
}

}  // namespace

SimulatedLine symmetric_line(const LineConditions& conditions, double clock_a_ppm, double clock_b_ppm,
                             std::uint64_t seed) {
  SimulatedLine line{conditions, conditions, seed, {}};
  line.a_to_b.sender_clock_ppm = line.b_to_a.receiver_clock_ppm = clock_a_ppm;
  line.a_to_b.receiver_clock_ppm = line.b_to_a.sender_clock_ppm = clock_b_ppm;
  return line;
}

SimulatedLine profiled_line(const Profile& profile, double clock_a_ppm, double clock_b_ppm, std::uint64_t seed) {
  SimulatedLine line = symmetric_line(profile.line, clock_a_ppm, clock_b_ppm, seed);
  line.profile = profile;
  return line;
}

Profile direction_profile(const SimulatedLine& line, const LineConditions& conditions) {
  if (!line.profile) return profile_of(conditions);
  Profile profile = *line.profile;
  profile.line = conditions;
  return profile;
}

Status validate(const SimulatedLine& line) {
  if (line.profile) {
    const std::size_t length = profile_toml(*line.profile).size();
    if (length > kLongestProfile) {
      return Error{ErrorCode::bad_input,
                   fmt::format("the profile takes {} characters of TOML; a simulated line takes at "
                               "most {}: give fewer steps or times",
                               length, kLongestProfile)};
    }
  }
  for (const auto& [conditions, name] : {std::pair(&line.a_to_b, "a to b"), std::pair(&line.b_to_a, "b to a")}) {
    Status valid = check_direction(line, *conditions, name);
    if (!valid) return valid;
  }
  if (line.a_to_b.sender_clock_ppm != line.b_to_a.receiver_clock_ppm ||
      line.a_to_b.receiver_clock_ppm != line.b_to_a.sender_clock_ppm) {
    return Error{ErrorCode::bad_input, "an end has one clock: its ppm as sender and as receiver must be the same"};
  }
  return success();
}

std::string simulated_conditions_json(const SimulatedLine& line) {
  Json json{{"seed", line.seed}, {"a-to-b", to_json(line.a_to_b)}, {"b-to-a", to_json(line.b_to_a)}};
  if (line.profile) json["profile"] = profile_toml(*line.profile);
  if (line.codec != LineCodec::g711) json["codec"] = to_string(line.codec);
  return json.dump();
}

Result<SimulatedLine> parse_simulated_conditions(const std::string& json) {
  const auto read = parse_json_text(json, "the line's description of itself");
  if (!read) return Error{ErrorCode::protocol, read.error().message};
  try {
    const Json& parsed = *read;
    SimulatedLine line{conditions_from(parsed.at("a-to-b")), conditions_from(parsed.at("b-to-a")), 1, {}};
    parsed.at("seed").get_to(line.seed);
    if (parsed.contains("profile")) {
      auto profile = parse_profile(parsed.at("profile").get<std::string>(), "the line's profile");
      if (!profile) return Error{ErrorCode::protocol, profile.error().message};
      line.profile = std::move(profile).value();
    }
    if (parsed.contains("codec")) {
      const auto codec = line_codec_from_string(parsed.at("codec").get<std::string>());
      if (!codec)
        return Error{ErrorCode::protocol,
                     "the line has a codec that this release does not know; use the same release of VQAS at both"};
      line.codec = *codec;
    }
    const Status valid = validate(line);
    if (!valid)
      return Error{ErrorCode::protocol, "the line's description of itself is wrong: " + valid.error().message};
    return line;
  } catch (const Json::exception& fault) {
    // The missing or wrong member is named after the library's own "[json.exception…] ".
    const std::string text = fault.what();
    const std::size_t mark = text.find("] ");
    return Error{ErrorCode::protocol,
                 fmt::format("the line's description of itself is not complete: {}; give it as the "
                             "simulator sent it",
                             mark == std::string::npos ? text : text.substr(mark + 2))};
  }
}

}  // namespace vqas
