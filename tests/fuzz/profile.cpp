// Profiles: TOML text from a socket. What was read is valid, prints, reads back the same, and can be carried out.
#include <array>

#include "channel/parse_toml.h"
#include "fuzz.h"
#include "vqas/channel/line_direction.h"
#include "vqas/channel/octet_channel.h"
#include "vqas/channel/profile_text.h"

using namespace vqas;

namespace {

std::size_t depth_of(const toml::node& node) {
  std::size_t deepest = 0;
  if (const auto* const table = node.as_table()) {
    for (const auto& [key, value] : *table) deepest = std::max(deepest, depth_of(value));
  } else if (const auto* const array = node.as_array()) {
    for (const toml::node& value : *array) deepest = std::max(deepest, depth_of(value));
  }
  return deepest + 1;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of({data, size});
  if (const auto table = parse_toml(text, "fuzz.toml")) {
    // Brackets nest in keys, and keys in brackets.
    fuzz::require(depth_of(*table) <= (kDeepestToml + 1) * (kDeepestToml + 1) + 1, "no tree is deeper than its bound");
  }
  const auto profile = parse_profile(text, "fuzz.toml", ProfileFiles::refuse);
  if (!profile) {
    fuzz::require(!profile.error().message.empty(), "a refusal has a reason");
    return 0;
  }
  fuzz::require(static_cast<bool>(validate(*profile)), "what was read is valid");
  const auto again = parse_profile(profile_toml(*profile), "again.toml", ProfileFiles::refuse);
  fuzz::require(static_cast<bool>(again), "what was printed can be read");
  fuzz::require(*again == *profile, "what was printed reads as the same profile");

  OctetChannel octets(*profile, 1);
  std::array<std::uint8_t, 800> speech{};
  octets.process(speech);
  LineDirection line(*profile, 1, 0);
  std::array<float, 800> samples{};
  samples.fill(0.1F);
  line.push(samples);
  line.pull(std::span(samples).first(std::min(samples.size(), line.available())));
  for (const float sample : samples) fuzz::require(sample == sample, "a line gives numbers");
  return 0;
}
