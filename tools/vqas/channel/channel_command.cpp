#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "channel/channel_figures.h"
#include "channel/channel_pipe.h"
#include "channel/octet_streams.h"
#include "terminal/command.h"
#include "terminal/wait_notice.h"
#include "terminal/whole_number.h"
#include "vqas/channel/carry_signal.h"
#include "vqas/channel/profile_library.h"
#include "vqas/channel/profile_text.h"
#include "vqas/signal/audio_file.h"

namespace vqas::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct ChannelOptions {
  std::string in;
  std::string out;
  std::string law = "mu";
  int channel = 0;
  std::uint64_t seed = 1;
  double clock_ppm = 0;
  bool json = false;
  std::string profile;
  std::string record;
  bool keep_delay = false;
  bool raw = false;
  std::string not_for_octets;  // a given option that has no effect on octets
  LineConditions line;

  bool is_pipe() const { return raw || in == "-" || out == "-"; }
};

// Plain G.711 and bit errors; everything else is optional.
LineConditions plain_line() {
  LineConditions line;
  line.delay_s = 0;
  line.band_limit = false;
  line.circuit_noise_dbm0p = -std::numeric_limits<double>::infinity();
  line.gain_ripple_db = 0;
  line.fresh_phase = false;
  return line;
}

Result<AudioFormat> format_of(const fs::path& path) {
  std::string extension = path.extension().string();
  for (char& letter : extension) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  if (extension == ".wav") return AudioFormat::wav16;
  if (extension == ".flac") return AudioFormat::flac16;
  return Error{ErrorCode::bad_input, fmt::format("{}: the name must end in .wav or .flac", path.string())};
}

// All files must be different.
Status check_files(const ChannelOptions& options) {
  Status apart = check_apart(options.in, options.out);
  for (const std::string& other : {options.in, options.out}) {
    if (apart && !options.record.empty() && !check_apart(other, options.record)) {
      apart =
          Error{ErrorCode::bad_input, fmt::format("{}: is IN or OUT; give another name to --record", options.record)};
    }
  }
  return apart;
}

Json profile_json(const ChannelOptions& options, const CarriedSignal& carried) {
  return {{"input", options.in},
          {"output", options.out},
          {"profile", options.profile},
          {"seed", options.seed},
          {"samples", carried.heard.size()},
          {"releases", carried.releases},
          {"slips", carried.slips},
          {"interrupted_octets", carried.interrupted_octets}};
}

Json conditions_json(const ChannelOptions& options, const CarriedSignal& carried) {
  const auto& line = options.line;
  const Json noise = std::isfinite(line.circuit_noise_dbm0p) ? Json(line.circuit_noise_dbm0p) : Json(nullptr);
  return {{"input", options.in},
          {"output", options.out},
          {"law", options.law},
          {"ber", line.ber},
          {"seed", options.seed},
          {"gain_db", line.gain_db},
          {"delay_s", line.delay_s},
          {"clock_ppm", options.clock_ppm},
          {"band_limit", line.band_limit},
          {"circuit_noise_dbm0p", noise},
          {"samples", carried.heard.size()}};
}

void show_json(const ChannelOptions& options, const CarriedSignal& carried) {
  Json result = options.profile.empty() ? conditions_json(options, carried) : profile_json(options, carried);
  result.update(counters_json(carried.counters));
  if (carried.packets) result["packets"] = packets_json(*carried.packets);
  std::cout << result.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

// Without a profile, the delay is silence before the sound.
Result<CarriedSignal> carried_signal(const ChannelOptions& options, const Signal& sent) {
  if (!options.profile.empty()) {
    const auto profile = find_profile(options.profile);
    if (!profile) return profile.error();
    return carry_signal(sent, *profile, options.seed, 0, {options.keep_delay, !options.record.empty()});
  }
  return carry_signal(sent, options.line, options.seed);
}

int carry_pipe(const ChannelOptions& options) {
  if (!options.not_for_octets.empty()) {
    return report_error({ErrorCode::bad_input, fmt::format("{}: octets use only the digital part of the line; leave "
                                                           "it out, or give recordings instead of octets",
                                                           options.not_for_octets)});
  }
  Profile profile = plain_profile();
  if (options.profile.empty()) {
    profile.line.law = options.line.law;
    profile.errors = {RandomRate{options.line.ber}};
    if (const Status valid = validate(profile); !valid) return report_error(valid.error());
  } else {
    auto found = find_profile(options.profile);
    if (!found) return report_error(found.error());
    profile = std::move(found).value();
  }
  return carry_octets({options.in, options.out, options.record, options.seed, options.json}, profile);
}

int carry(const ChannelOptions& options) {
  if (options.in.empty() || options.out.empty()) {
    std::cerr << "vqas: give IN and OUT, or \"profiles\"; \"vqas channel --help\" has an example.\n";
    return kUsage;
  }
  if (!options.record.empty()) {
    if (const auto named = pattern_format(options.record); !named) return report_error(named.error());
    if (!options.is_pipe() && options.profile.empty()) {
      return report_error({ErrorCode::bad_input, "--record needs --profile, or octets from a pipe; give one of them"});
    }
  }
  if (const Status apart = check_files(options); !apart) return report_error(apart.error());
  if (options.is_pipe()) return carry_pipe(options);
  const auto format = format_of(options.out);
  if (!format) return report_error(format.error());
  const auto sent = read_audio(options.in, {.channel = options.channel, .rate_hz = kLineRateHz});
  if (!sent) return report_error(sent.error());
  const auto carried = [&] {
    const WaitNotice waiting(fmt::format("sending {:.0f} s of sound", sent->seconds()));
    return carried_signal(options, *sent);
  }();
  if (!carried) return report_error(carried.error());
  if (const auto written = write_audio(options.out, carried->heard, *format); !written) {
    return report_error(written.error());
  }
  if (!options.record.empty()) {
    if (const auto kept = write_error_pattern(options.record, carried->pattern); !kept)
      return report_error(kept.error());
  }
  if (options.json) {
    show_json(options, *carried);
  } else {
    const std::string line = options.profile.empty() ? options.law + "-law G.711" : options.profile;
    std::cout << fmt::format("{}: {:.3f} s after {}, seed {}: {}\n", options.out, carried->heard.seconds(), line,
                             options.seed, counters_line(carried->counters));
  }
  return kOk;
}

}  // namespace

void add_channel_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ChannelOptions>();
  options->line = plain_line();
  LineConditions& line = options->line;
  CLI::App* command = app.add_subcommand(
      "channel",
      "send a recording through a 64 kb/s G.711 line with bit errors. By default the result is aligned "
      "with the input, has its length, and contains only the codec and the errors");
  command->add_option("IN", options->in,
                      "recording in any format and rate that libsndfile reads; - for raw G.711 octets from a pipe");
  command->add_option("OUT", options->out,
                      ".wav or .flac, 16 bits at 8 kHz; - for raw octets to a pipe; an existing file is overwritten");
  CLI::Option* const profile = command->add_option(
      "--profile", options->profile,
      "profile of the line: a name listed by \"vqas channel profiles\", or a .toml file; replaces single conditions");
  command
      ->add_flag("--keep-delay", options->keep_delay,
                 "do not remove the profile's delay; the recording then begins with an idle line")
      ->needs(profile);
  command->add_flag("--raw", options->raw, "IN and OUT are files of raw G.711 octets, as from a pipe");
  command->add_option(
      "--record", options->record,
      "record the positions of wrong bits: .g192 (soft bits of ITU-T G.192) or .bits (eight per octet)");
  command->add_option("--law", options->law, "coding law")->check(CLI::IsMember({"mu", "a"}))->capture_default_str();
  command->add_option("--ber", line.ber, "random bit error ratio, 0 or 1e-12 to 0.5")->capture_default_str();
  command->add_option("--seed", options->seed, "the same seed gives the same errors")
      ->check(whole_number())
      ->capture_default_str();
  command->add_option("--gain-db", line.gain_db, "-40 to 40")->capture_default_str();
  command->add_option("--delay-s", line.delay_s, "idle line before the recording, 0 to 9 s")->capture_default_str();
  command
      ->add_option("--clock-ppm", options->clock_ppm,
                   "how much faster the sender's clock is than the receiver's, -1000 to 1000")
      ->capture_default_str();
  command->add_flag("--band-limit,!--no-band-limit", line.band_limit,
                    "300 to 3400 Hz as in ITU-T G.712, before the codec; off by default");
  command->add_option("--noise-dbm0p", line.circuit_noise_dbm0p,
                      "circuit noise at the receiving end, psophometric, -120 to -20; none by default");
  command->add_option("--channel", options->channel, "channel to use, from 1; required if IN is not mono")
      ->check(whole_number(1, 64));
  command->add_flag("--json", options->json, "print the result as JSON");
  for (const char* single :
       {"--law", "--ber", "--gain-db", "--delay-s", "--clock-ppm", "--band-limit", "--noise-dbm0p"}) {
    profile->excludes(command->get_option(single));
  }
  command->footer(
      "Example: vqas channel speech.wav worse.wav --law mu --ber 1e-3 --seed 7\n"
      "         vqas channel speech.wav stormy.wav --profile thunderstorm --record storm.g192\n"
      "         vqas channel - - --ber 1e-4 < sent.ul > received.ul");
  add_channel_profiles_command(*command, action);
  command->callback([&action, options, command] {
    if (!command->get_subcommands().empty()) return;
    for (const char* sound :
         {"--channel", "--keep-delay", "--gain-db", "--delay-s", "--clock-ppm", "--band-limit", "--noise-dbm0p"}) {
      if (command->count(sound) > 0) options->not_for_octets = sound;
    }
    options->line.law = options->law == "mu" ? G711Law::mu : G711Law::a;
    options->line.sender_clock_ppm = options->clock_ppm;
    action = [options] { return carry(*options); };
  });
}

}  // namespace vqas::cli
