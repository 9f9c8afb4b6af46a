#include "node/devices_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "terminal/wait_notice.h"
#include "vqas/line/audio_devices.h"

namespace vqas::cli {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const AudioDevice& device) {
  return {{"line", audio_line_name(device)},
          {"host", device.host},
          {"host_name", device.host_name},
          {"name", device.name},
          {"inputs", device.inputs},
          {"outputs", device.outputs},
          {"rate_hz", device.rate_hz},
          {"rates_hz", device.rates_hz},
          {"input_latency_ms", device.input_latency_s * 1e3},
          {"output_latency_ms", device.output_latency_s * 1e3},
          {"default_input", device.default_input},
          {"default_output", device.default_output}};
}

std::string latency(int channels, double seconds) {
  return channels > 0 ? fmt::format("{:.1f}", seconds * 1e3) : "-";
}

void print_table(const std::vector<AudioDevice>& devices) {
  std::size_t widest = 4;
  for (const AudioDevice& one : devices) widest = std::max(widest, audio_line_name(one).size());
  fmt::print("{:2} {:{}} {:>3} {:>3} {:>8} {:>8}  {}\n", "", "line", widest, "in", "out", "ms in", "ms out",
             "rates, Hz (first: the device's own)");
  for (const AudioDevice& one : devices) {
    const std::string mark = std::string(one.default_input ? "<" : " ") + (one.default_output ? ">" : " ");
    fmt::print("{:2} {:{}} {:>3} {:>3} {:>8} {:>8}  {:.0f}: {}\n", mark, audio_line_name(one), widest, one.inputs,
               one.outputs, latency(one.inputs, one.input_latency_s), latency(one.outputs, one.output_latency_s),
               one.rate_hz, fmt::join(one.rates_hz, " "));
  }
  fmt::print("< and > mark the default input and output of their host API\n");
}

int show(bool json) {
  const auto devices = [] {
    const WaitNotice waiting("Asking the sound devices");
    return audio_devices(true);
  }();
  if (!devices) return report_error(devices.error());
  if (json) {
    Json list = Json::array();
    for (const AudioDevice& one : *devices) list.push_back(to_json(one));
    std::cout << Json{{"devices", list}}.dump(2) << "\n";
  } else if (devices->empty()) {
    std::cout << "This machine has no sound device. Plug one in, or start a JACK server (jackd) and set "
                 "JACK_DEFAULT_SERVER to its name.\n";
  } else {
    print_table(*devices);
  }
  return kOk;
}

}  // namespace

void add_devices_command(CLI::App& app, Action& action) {
  const auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("devices", "list the sound devices of every host API, by stable names");
  command->add_flag("--json", *json, "print JSON: one object with a list");
  command->footer(
      "Example: vqas devices\n"
      "then: vqas node --end a --line \"audio:loopback?host=jack\" --data a\n"
      "The other parts of a line's name: libvqas/doc/lines.md");
  command->callback([&action, json] { action = [json] { return show(*json); }; });
}

}  // namespace vqas::cli
