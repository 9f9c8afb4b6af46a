#include "relay/pattern_file.h"

#include <fmt/format.h>

#include "channel/g192.h"
#include "vqas/signal/input_file.h"
#include "vqas/signal/json_text.h"

namespace vqas {
namespace {

constexpr std::uint64_t kMostBytes = 256U << 20U;

const char* name_of(PatternFormat format) {
  return format == PatternFormat::bits ? "bits" : "g192";
}

PatternNotes notes_from(const Json& json) {
  PatternNotes notes;
  notes.format = json.at("format").get<std::string>() == "g192" ? PatternFormat::g192 : PatternFormat::bits;
  notes.octets = json.at("octets").get<std::uint64_t>();
  notes.seed = json.at("seed").get<std::uint64_t>();
  notes.stream = json.at("stream").get<std::uint64_t>();
  notes.unrecorded_octets = json.value("unrecorded_octets", std::uint64_t{0});
  for (const Json& one : json.at("streams")) {
    notes.streams.push_back({one.at("at_octet").get<std::uint64_t>(), one.at("ssrc").get<std::uint32_t>(),
                             one.at("timestamp").get<std::uint32_t>()});
  }
  for (const Json& one : json.at("losses")) {
    notes.losses.push_back({one.at("at_octet").get<std::uint64_t>(), one.at("octets").get<std::uint64_t>()});
  }
  return notes;
}

}  // namespace

void append_g192_words(std::span<const std::uint8_t> octets, std::vector<std::uint8_t>& words) {
  for (const std::uint8_t octet : octets) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      g192::append_word((octet & (0x80U >> bit)) != 0 ? g192::kBadBit : g192::kGoodBit, words);
    }
  }
}

std::filesystem::path notes_file(const std::filesystem::path& pattern) {
  return pattern.string() + ".json";
}

std::string notes_text(const PatternNotes& notes) {
  Json streams = Json::array();
  for (const PatternStream& one : notes.streams) {
    streams.push_back({{"at_octet", one.at_octet}, {"ssrc", one.ssrc}, {"timestamp", one.timestamp}});
  }
  Json losses = Json::array();
  for (const PatternLoss& one : notes.losses) {
    losses.push_back({{"at_octet", one.at_octet}, {"octets", one.octets}});
  }
  return Json{{"format", name_of(notes.format)},
              {"octets", notes.octets},
              {"seed", notes.seed},
              {"stream", notes.stream},
              {"unrecorded_octets", notes.unrecorded_octets},
              {"streams", streams},
              {"losses", losses}}
             .dump(1) +
         "\n";
}

Result<PatternNotes> read_pattern_notes(const std::filesystem::path& pattern) {
  const std::filesystem::path path = notes_file(pattern);
  const auto text = read_whole_file(
      path, {"list of notes", kMostBytes, "the relay writes one for each pattern it records; record it again"});
  if (!text) return text.error();
  const auto json = parse_json_text(*text, path.string());
  if (!json) return json.error();
  try {
    return notes_from(*json);
  } catch (const Json::exception&) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: does not hold the notes of an error pattern; record it again", path.string())};
  }
}

}  // namespace vqas
