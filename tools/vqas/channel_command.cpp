#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "command.h"
#include "vqas/channel/carry_signal.h"
#include "vqas/signal/audio_file.h"
#include "waiting.h"
#include "whole_number.h"

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
  LineConditions line;
};

// Plain G.711 and bit errors; everything else has to be asked for.
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
  return Error{ErrorCode::bad_input,
               fmt::format("{}: the name does not end in .wav or .flac; give one that does", path.string())};
}

Status check_apart(const fs::path& in, const fs::path& out) {
  std::error_code fault;
  if (in.lexically_normal() == out.lexically_normal() || fs::equivalent(in, out, fault)) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: is the recording to be read; give another name for the output", out.string())};
  }
  return success();
}

void show_json(const ChannelOptions& options, const CarriedSignal& carried) {
  const auto& line = options.line;
  const Json noise = std::isfinite(line.circuit_noise_dbm0p) ? Json(line.circuit_noise_dbm0p) : Json(nullptr);
  const Json result = {{"input", options.in},
                       {"output", options.out},
                       {"law", options.law},
                       {"ber", line.ber},
                       {"seed", options.seed},
                       {"gain_db", line.gain_db},
                       {"delay_s", line.delay_s},
                       {"clock_ppm", options.clock_ppm},
                       {"band_limit", line.band_limit},
                       {"circuit_noise_dbm0p", noise},
                       {"samples", carried.heard.size()},
                       {"bits", carried.bits},
                       {"bit_errors", carried.bit_errors},
                       {"measured_ber", static_cast<double>(carried.bit_errors) / static_cast<double>(carried.bits)}};
  std::cout << result.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

int carry(const ChannelOptions& options) {
  const auto format = format_of(options.out);
  if (!format) return report_error(format.error());
  if (const auto apart = check_apart(options.in, options.out); !apart) return report_error(apart.error());
  const auto sent = read_audio(options.in, {.channel = options.channel, .rate_hz = kLineRateHz});
  if (!sent) return report_error(sent.error());
  const auto carried = [&] {
    const Waiting waiting(fmt::format("sending {:.0f} s of sound", sent->seconds()));
    return carry_signal(*sent, options.line, options.seed);
  }();
  if (!carried) return report_error(carried.error());
  if (const auto written = write_audio(options.out, carried->heard, *format); !written) {
    return report_error(written.error());
  }
  if (options.json) {
    show_json(options, *carried);
  } else {
    std::cout << fmt::format("{}: {:.3f} s after {}-law G.711, seed {}: {} bits, {} errors, BER {:.3g}\n", options.out,
                             carried->heard.seconds(), options.law, options.seed, carried->bits, carried->bit_errors,
                             static_cast<double>(carried->bit_errors) / static_cast<double>(carried->bits));
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
      "send a recording through a 64 kb/s G.711 line with bit errors. Unless more is asked for, the result is aligned "
      "with the input and as long, and holds the codec and the errors alone");
  command->add_option("IN", options->in, "recording of any format and rate that libsndfile reads")->required();
  command->add_option("OUT", options->out, ".wav or .flac, 16 bits at 8 kHz; written over when it is there")
      ->required();
  command->add_option("--law", options->law, "coding law")->check(CLI::IsMember({"mu", "a"}))->capture_default_str();
  command->add_option("--ber", line.ber, "random bit error ratio, 0 or 1e-12 to 0.5")->capture_default_str();
  command->add_option("--seed", options->seed, "the same seed makes the same errors")
      ->check(whole_number())
      ->capture_default_str();
  command->add_option("--gain-db", line.gain_db, "-40 to 40")->capture_default_str();
  command->add_option("--delay-s", line.delay_s, "idle line in front, 0 to 9 s")->capture_default_str();
  command
      ->add_option("--clock-ppm", options->clock_ppm,
                   "by how much the sender's clock is fast against the receiver's, -1000 to 1000")
      ->capture_default_str();
  command->add_flag("--band-limit,!--no-band-limit", line.band_limit,
                    "300 to 3400 Hz as in ITU-T G.712, in front of the codec; off by default");
  command->add_option("--noise-dbm0p", line.circuit_noise_dbm0p,
                      "circuit noise where the line is heard, psophometric, -120 to -20; none by default");
  command->add_option("--channel", options->channel, "channel to take, from 1; needed when IN is not mono")
      ->check(whole_number(1, 64));
  command->add_flag("--json", options->json, "print what was done as JSON");
  command->footer("Example: vqas channel speech.wav worse.wav --law mu --ber 1e-3 --seed 7");
  command->callback([&action, options] {
    options->line.law = options->law == "mu" ? G711Law::mu : G711Law::a;
    options->line.sender_clock_ppm = options->clock_ppm;
    action = [options] { return carry(*options); };
  });
}

}  // namespace vqas::cli
