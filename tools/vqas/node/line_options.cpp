#include "node/line_options.h"

#include <fmt/format.h>

#include "vqas/campaign/bench_line.h"

namespace vqas::cli {

LineOptions default_line_options() {
  LineOptions options;
  options.conditions.ber = 1e-5;
  options.conditions.gain_db = -3;
  return options;
}

void add_line_options(CLI::App& command, LineOptions& options) {
  LineConditions& line = options.conditions;
  CLI::Option* const profile = command
                                   .add_option("--profile", options.profile,
                                               "profile of the line in place of single conditions: a name from \"vqas "
                                               "channel profiles\", or a .toml file")
                                   ->group("Simulated line, both directions");
  const auto add = [&command](const char* name, double& value, const char* text) {
    return command.add_option(name, value, text)->capture_default_str()->group("Simulated line, both directions");
  };
  command.add_option("--law", options.law, "coding law")
      ->excludes(profile)
      ->check(CLI::IsMember({"mu", "a"}))
      ->capture_default_str()
      ->group("Simulated line, both directions");
  command
      .add_option("--codec", options.codec,
                  "what carries speech: g711 at 8 kHz; at 16 kHz g722, l16, or gateway, which transcodes to G.711")
      ->check(CLI::IsMember({"g711", "gateway", "g722", "l16"}))
      ->capture_default_str()
      ->group("Simulated line, both directions");
  add("--ber", line.ber, "random bit error ratio, 0 or 1e-12 to 0.5")->excludes(profile);
  add("--delay-s", line.delay_s, "one-way delay in s, 0.05 to 10")->excludes(profile);
  add("--gain-db", line.gain_db, "gain in dB, -40 to 40")->excludes(profile);
  add("--noise-dbm0p", line.circuit_noise_dbm0p, "circuit noise in dBm0p, -120 to -20")->excludes(profile);
  add("--ripple-db", line.gain_ripple_db, "gain varies between transmissions by up to +- this, in dB, 0 to 6")
      ->excludes(profile);
  add("--clock-a-ppm", options.clock_a_ppm, "clock error of end a, positive: fast, in ppm, -1000 to 1000");
  add("--clock-b-ppm", options.clock_b_ppm, "clock error of end b, in ppm, -1000 to 1000");
  command.add_flag("--no-band-limit", options.no_band_limit, "omit the filter of 300 to 3400 Hz")
      ->excludes(profile)
      ->group("Simulated line, both directions");
}

Result<SimulatedLine> simulated_line(const LineOptions& options, std::uint64_t seed) {
  BenchLine line{options.conditions, options.profile, line_codec_from_string(options.codec).value_or(LineCodec::g711),
                 options.clock_a_ppm, options.clock_b_ppm};
  line.conditions.law = options.law == "a" ? G711Law::a : G711Law::mu;
  line.conditions.band_limit = !options.no_band_limit;
  return simulated_line(line, seed);
}

std::string as_arguments(const LineOptions& options) {
  const LineConditions& line = options.conditions;
  const LineOptions usual = default_line_options();
  std::string clocks;
  if (options.clock_a_ppm != usual.clock_a_ppm || options.clock_b_ppm != usual.clock_b_ppm)
    clocks = fmt::format(" --clock-a-ppm {} --clock-b-ppm {}", options.clock_a_ppm, options.clock_b_ppm);
  if (options.codec != usual.codec) clocks += fmt::format(" --codec {}", options.codec);
  if (!options.profile.empty()) return fmt::format(" --profile {}{}", options.profile, clocks);
  return fmt::format(" --law {} --ber {} --delay-s {} --gain-db {} --noise-dbm0p {} --ripple-db {}{}{}", options.law,
                     line.ber, line.delay_s, line.gain_db, line.circuit_noise_dbm0p, line.gain_ripple_db, clocks,
                     options.no_band_limit ? " --no-band-limit" : "");
}

}  // namespace vqas::cli
