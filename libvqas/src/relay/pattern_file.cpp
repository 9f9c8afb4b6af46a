#include "relay/pattern_file.h"

#include "channel/g192.h"
#include "vqas/signal/json_text.h"

namespace vqas {
namespace {

const char* name_of(PatternFormat format) {
  return format == PatternFormat::bits ? "bits" : "g192";
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

}  // namespace vqas
