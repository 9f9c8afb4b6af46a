// Error patterns: G.192 words, plain bits, and frame marks. The first byte chooses.
#include <algorithm>

#include "channel/loss_pattern.h"
#include "fuzz.h"
#include "vqas/channel/error_pattern.h"

using namespace vqas;

namespace {

void check_pattern(const std::filesystem::path& file, const std::filesystem::path& copy) {
  const auto pattern = read_error_pattern(file);
  if (!pattern) return;
  fuzz::require(pattern->bits > 0, "a pattern holds bits");
  fuzz::require(std::ranges::is_sorted(pattern->places), "the places rise");
  fuzz::require(pattern->places.empty() || pattern->places.back() < pattern->bits, "the places lie in the pattern");
  fuzz::require(static_cast<bool>(write_error_pattern(copy, *pattern)), "a pattern can be written");
  const auto again = read_error_pattern(copy);
  fuzz::require(again && *again == *pattern, "what was written reads as the same pattern");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const std::uint8_t kind = input.byte() % 3;
  const std::string content = fuzz::text_of(input.rest());
  const fuzz::Folder& folder = fuzz::folder();
  if (kind == 0) check_pattern(folder.put("in.g192", content), folder.path() / "out.g192");
  if (kind == 1) check_pattern(folder.put("in.bits", content), folder.path() / "out.bits");
  if (kind == 2) {
    const auto lost = read_loss_pattern(folder.put("in.g192", content));
    fuzz::require(!lost || !lost->empty(), "a loss pattern holds marks");
  }
  return 0;
}
