#include "vqas/line/audio_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "line/audio_backend.h"
#include "line/line_name.h"

namespace vqas {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

void number_alike(std::vector<AudioDevice>& devices) {
  std::map<std::pair<std::string, std::string>, std::vector<AudioDevice*>> alike;
  for (AudioDevice& one : devices) alike[{one.host, one.name}].push_back(&one);
  for (const auto& [ignored, group] : alike) {
    if (group.size() == 1) continue;
    for (std::size_t n = 0; n < group.size(); ++n) group[n]->name += fmt::format(" #{}", n + 1);
  }
}

std::string audio_line_name(const AudioDevice& device) {
  return fmt::format("audio:{}?host={}", as_line_text(device.name), device.host);
}

Result<AudioDevice> choose_device(const std::vector<AudioDevice>& devices, const std::string& name,
                                  const std::string& host, bool input) {
  std::vector<AudioDevice> fit, exact, part;
  for (const AudioDevice& one : devices) {
    if ((input ? one.inputs : one.outputs) == 0 || (!host.empty() && one.host != host)) continue;
    fit.push_back(one);
    // The first of two has no number when the other was unplugged.
    if (one.name == name || one.name + " #1" == name) exact.push_back(one);
    if (lower(one.name).find(lower(name)) != std::string::npos) part.push_back(one);
  }
  if (name.empty() || name == "default") {
    for (const AudioDevice& one : fit) {
      if (input ? one.default_input : one.default_output) return one;
    }
    if (!fit.empty()) return fit.front();
  }
  if (exact.size() == 1) return exact.front();
  if (exact.empty() && part.size() == 1) return part.front();
  std::string there;
  for (const AudioDevice& one : fit) there += fmt::format("\n  {}", audio_line_name(one));
  const char* const kind = input ? "input" : "output";
  const bool several = exact.size() > 1 || part.size() > 1;
  return Error{ErrorCode::bad_input,
               fmt::format("{} sound device \"{}\"{} {}; {}", several ? "more than one" : "there is no", name,
                           host.empty() ? "" : " of the host API " + host,
                           several ? fmt::format("for {}", kind) : fmt::format("for {} here", kind),
                           there.empty() ? "this machine has none: plug one in or start a JACK server"
                                         : fmt::format("name one of these:{}", there))};
}

}  // namespace vqas
