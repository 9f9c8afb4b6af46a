#include "vqas/run/recording_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace vqas {
namespace {

bool is_plain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}

}  // namespace

std::string as_file_name(const std::string& text) {
  std::string name = text;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !is_plain(c); }, '_');
  return name;
}

std::string recording_name(const DirectionRun& direction, const std::string& stimulus, std::uint32_t sequence) {
  return fmt::format("{}/{}-{}-{:04}.flac", kRecordingsFolder, direction_name(direction.from), as_file_name(stimulus),
                     sequence);
}

std::string undecodable_name(std::size_t number) {
  return fmt::format("{}/undecodable-{:04}.flac", kRecordingsFolder, number);
}

}  // namespace vqas
