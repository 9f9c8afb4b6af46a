#include "vqas/relay/pattern_file.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "relay/pattern_words.h"

namespace vqas {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint8_t kRight = 0x7F;
constexpr std::uint8_t kInverted = 0x81;
constexpr std::uintmax_t kLargest = std::uintmax_t{1} << 30U;

Result<std::vector<std::uint8_t>> read_bytes(const std::filesystem::path& path) {
  std::error_code fault;
  const std::uintmax_t size = std::filesystem::file_size(path, fault);
  if (fault)
    return Error{ErrorCode::bad_input, fmt::format("{}: {}; give a pattern file", path.string(), fault.message())};
  if (size > kLargest) {
    return Error{ErrorCode::bad_input, fmt::format("{}: has more than 1 GiB; cut it", path.string())};
  }
  std::ifstream file(path, std::ios::binary);
  std::vector<std::uint8_t> bytes(size);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!file) return Error{ErrorCode::io, fmt::format("{}: cannot be read", path.string())};
  return bytes;
}

const char* name_of(PatternFormat format) {
  return format == PatternFormat::bits ? "bits" : "g192";
}

PatternNotes notes_from(const Json& json) {
  PatternNotes notes;
  notes.format = json.at("format").get<std::string>() == "g192" ? PatternFormat::g192 : PatternFormat::bits;
  notes.octets = json.at("octets").get<std::uint64_t>();
  notes.seed = json.at("seed").get<std::uint64_t>();
  notes.stream = json.at("stream").get<std::uint64_t>();
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
      words.push_back((octet & (0x80U >> bit)) != 0 ? kInverted : kRight);
      words.push_back(0);
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
  return Json{{"format", name_of(notes.format)}, {"octets", notes.octets}, {"seed", notes.seed},
              {"stream", notes.stream},          {"streams", streams},     {"losses", losses}}
             .dump(1) +
         "\n";
}

Result<PatternNotes> read_pattern_notes(const std::filesystem::path& pattern) {
  const std::filesystem::path path = notes_file(pattern);
  const auto bytes = read_bytes(path);
  if (!bytes) return bytes.error();
  try {
    return notes_from(Json::parse(bytes->begin(), bytes->end()));
  } catch (const Json::exception&) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: does not hold the notes of an error pattern; record it again", path.string())};
  }
}

Result<std::vector<std::uint8_t>> read_pattern(const std::filesystem::path& file, PatternFormat format) {
  auto bytes = read_bytes(file);
  if (!bytes || format == PatternFormat::bits) return bytes;
  const auto damaged = [&file](std::uint64_t at) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: word {} is neither 0x007F nor 0x0081; give a G.192 pattern of whole octets, or say "
                             "that it holds plain bits",
                             file.string(), at / 2)};
  };
  if (bytes->size() % kG192BytesPerOctet != 0) return damaged(bytes->size() - 1);
  std::vector<std::uint8_t> octets(bytes->size() / kG192BytesPerOctet);
  for (std::size_t i = 0; i < bytes->size(); i += 2) {
    const std::uint8_t word = (*bytes)[i];
    if ((word != kRight && word != kInverted) || (*bytes)[i + 1] != 0) return damaged(i);
    if (word == kInverted) {
      octets[i / kG192BytesPerOctet] |= static_cast<std::uint8_t>(0x80U >> (i / 2 % 8));
    }
  }
  return octets;
}

}  // namespace vqas
