#include "relay/relay_audio_command.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "relay/relay_run.h"
#include "vqas/relay/audio_relay.h"

namespace vqas::cli {
namespace {

using Json = nlohmann::ordered_json;

struct AudioCommandOptions {
  AudioRelayOptions audio;
  std::string in, out;
  double rate_hz = 0;
  std::string law;
  RelayConditionOptions conditions;
  RelayRunOptions run;
  bool list = false;
};

int list_devices() {
  const auto devices = sound_devices();
  if (!devices) return report_error(devices.error());
  for (const AudioDevice& one : *devices) {
    std::cout << fmt::format("{:>3} {} ({} in, {} out, {:.0f} Hz)\n", one.number, one.name, one.inputs, one.outputs,
                             one.rate_hz);
  }
  if (devices->empty()) std::cerr << "vqas: PortAudio finds no sound devices on this machine.\n";
  return kOk;
}

int relay_audio(const AudioCommandOptions& options) {
  if (options.list) return list_devices();
  AudioRelayOptions audio = options.audio;
  audio.seed = options.run.seed;
  const auto conditions =
      with_changes(audio.conditions, conditions_json(options.conditions), ProfileSource::of_command_line());
  if (!conditions) return report_error(conditions.error());
  audio.conditions = *conditions;
  if (!options.law.empty()) audio.conditions.profile.line.law = options.law == "mu" ? G711Law::mu : G711Law::a;
  const auto profiles = preloaded(options.run);
  if (!profiles) return report_error(profiles.error());
  EventLoop loop;
  auto port = open_sound_devices(options.in, options.out, options.rate_hz);
  if (!port) return report_error(port.error());
  const auto relay = AudioRelay::start(audio, std::move(port).value());
  if (!relay) return report_error(relay.error());
  AudioControl live(**relay, *profiles);
  RelayRun* running = nullptr;
  RelayRun run(loop, live,
               {[&live] { return audio_table(live.relay().counters()); },
                [&] { running->ended(live.calls_json().front(), audio_table(live.relay().counters())); }},
               options.run);
  running = &run;
  return run.serve({{"mode", "audio"},
                    {"in", (*relay)->port().input()},
                    {"out", (*relay)->port().output()},
                    {"rate_hz", (*relay)->port().rate_hz()}});
}

}  // namespace

void add_relay_audio_command(CLI::App& relay, Action& action) {
  const auto options = std::make_shared<AudioCommandOptions>();
  CLI::App* command =
      relay.add_subcommand("audio", "from a sound device through G.711 with bit errors to a sound device");
  command->add_option("--in", options->in, "number of a device or part of its name; default: the system's");
  command->add_option("--out", options->out, "likewise");
  command->add_flag("--list", options->list, "list the devices and exit");
  command->add_option("--rate-hz", options->rate_hz, "sampling rate of both devices; default: that of the input");
  command->add_option("--law", options->law, "coding law; default: the profile's, or mu")
      ->check(CLI::IsMember({"mu", "a"}));
  command->add_option("--buffer-ms", options->audio.buffer_ms, "buffer for the output, 5 to 1000")
      ->capture_default_str();
  add_condition_options(*command, options->conditions, false);
  add_run_options(*command, options->run);
  command->footer("Example: vqas relay audio --in system --out system --ber 1e-4\nKeys on a terminal: " + keys_help());
  command->callback([&action, options] { action = [options] { return relay_audio(*options); }; });
}

}  // namespace vqas::cli
