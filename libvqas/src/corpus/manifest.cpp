#include "manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <system_error>

#include "vqas/corpus/digest.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/input_file.h"
#include "vqas/signal/json_text.h"
#include "vqas/signal/rounding.h"

namespace vqas::manifest {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestWord = 32;
constexpr std::size_t kLongestText = 500;
constexpr std::size_t kLongestNote = 4000;
constexpr int kHighestRateHz = 192000;
constexpr double kLongestS = 60;

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

bool has_control_character(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

bool stays_inside(const fs::path& path) {
  if (path.empty() || path.is_absolute() || path.has_root_path() || !path.has_filename()) return false;
  return std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".." || part == "."; });
}

// Reads one manifest; stops at the first fault.
class Reader {
 public:
  explicit Reader(fs::path file) : file_(std::move(file)) {}

  Result<std::vector<Stimulus>> stimuli(const std::string& text) const {
    const auto parsed = parse_json_text(text, file_.string());
    if (!parsed || !parsed->is_object()) return bad("is not a JSON object");
    const Json& json = *parsed;
    const auto schema = text_of(json, "schema", "");
    if (!schema) return schema.error();
    if (*schema != kSchema) {
      return bad(fmt::format("has the schema \"{}\", this program reads \"{}\"; use the VQAS that wrote it", *schema,
                             kSchema));
    }
    const auto list = json.find("stimuli");
    if (list == json.end() || !list->is_array()) return bad("has no list \"stimuli\"");
    if (list->empty()) return bad("lists no stimuli");
    std::vector<Stimulus> found;
    std::set<std::string> ids;
    for (const Json& item : *list) {
      auto one = stimulus(item, found.size());
      if (!one) return one.error();
      if (!ids.insert(one->id).second) return bad(fmt::format("lists the stimulus {} twice", one->id));
      found.push_back(*std::move(one));
    }
    return found;
  }

 private:
  Error bad(const std::string& what) const {
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: {}; restore the folder from its source or build it again", file_.string(), what)};
  }

  Result<std::string> text_of(const Json& json, const char* field, const std::string& where) const {
    const auto value = json.find(field);
    if (value == json.end()) return bad(fmt::format("{}has no field \"{}\"", where, field));
    if (!value->is_string()) return bad(fmt::format("{}field \"{}\" is not a text", where, field));
    auto text = value->get<std::string>();
    if (text.size() > kLongestNote || has_control_character(text)) {
      return bad(fmt::format("{}field \"{}\" is too long or holds control characters", where, field));
    }
    return text;
  }

  Result<double> number_of(const Json& json, const char* field, const std::string& where, double low,
                           double high) const {
    const auto value = json.find(field);
    if (value == json.end() || !value->is_number()) {
      return bad(fmt::format("{}field \"{}\" is not a number", where, field));
    }
    const auto number = value->get<double>();
    if (!(number >= low && number <= high)) {
      return bad(fmt::format("{}field \"{}\" is outside {}..{}", where, field, low, high));
    }
    return number;
  }

  Result<Stimulus> stimulus(const Json& item, std::size_t index) const {
    const std::string where = fmt::format("stimulus {}: ", index + 1);
    if (!item.is_object()) return bad(where + "is not an object");
    Stimulus one;
    for (auto [field, target] : {std::pair{"id", &one.id},
                                 {"talker", &one.talker},
                                 {"text", &one.text},
                                 {"licence", &one.licence},
                                 {"recipe", &one.recipe}}) {
      auto text = text_of(item, field, where);
      if (!text) return text.error();
      *target = *std::move(text);
    }
    if (!is_word(one.id)) return bad(where + "field \"id\" is not a plain word");
    if (!is_word(one.talker)) return bad(where + "field \"talker\" is not a plain word");
    if (!is_line_of_text(one.text)) return bad(where + "field \"text\" is empty or too long");
    if (auto done = files(item, where, one); !done) return done.error();
    return one;
  }

  Status files(const Json& item, const std::string& where, Stimulus& one) const {
    const auto list = item.find("files");
    if (list == item.end() || !list->is_object()) return bad(where + "has no object \"files\"");
    for (const auto& [key, value] : list->items()) {
      const auto rate = rate_of(key);
      if (!rate) return bad(fmt::format("{}\"{}\" is not a sampling rate in Hz", where, key.substr(0, kLongestWord)));
      if (!value.is_object()) return bad(fmt::format("{}the entry for {} Hz is not an object", where, *rate));
      auto file = file_of(value, fmt::format("{}{} Hz: ", where, *rate));
      if (!file) return file.error();
      if (!one.files.emplace(*rate, *std::move(file)).second)
        return bad(fmt::format("{}lists {} Hz twice", where, *rate));
    }
    if (!one.files.contains(kLineRateHz)) return bad(fmt::format("{}has no file at {} Hz", where, kLineRateHz));
    return success();
  }

  static std::optional<int> rate_of(const std::string& key) {
    if (key.empty() || key.size() > 6 || key.front() == '0') return std::nullopt;
    int rate = 0;
    for (const char digit : key) {
      if (digit < '0' || digit > '9') return std::nullopt;
      rate = rate * 10 + (digit - '0');
    }
    if (rate < kLineRateHz || rate > kHighestRateHz) return std::nullopt;
    return rate;
  }

  Result<Stimulus::File> file_of(const Json& value, const std::string& where) const {
    auto path = text_of(value, "path", where);
    if (!path) return path.error();
    auto digest = text_of(value, "sha256", where);
    if (!digest) return digest.error();
    const auto duration = number_of(value, "duration_s", where, 0, kLongestS);
    if (!duration) return duration.error();
    const auto level = number_of(value, "active_level_dbov", where, -100, 0);
    if (!level) return level.error();
    if (!stays_inside(*path)) return bad(where + "field \"path\" leads out of the folder");
    if (!is_hex_digest(*digest)) return bad(where + "field \"sha256\" is not 64 lower-case hexadecimal digits");
    return Stimulus::File{*std::move(path), *std::move(digest), *duration, *level};
  }

  fs::path file_;
};

// A number that prints short: 3.03, not 3.0300000000000002.
Json decimal(double value, int digits) {
  return own_json(fmt::format("{:.{}f}", rounded_to(value, std::pow(10.0, -digits)), digits));
}

Json to_json(const Stimulus& one) {
  Json files = Json::object();
  for (const auto& [rate, file] : one.files) {
    files[std::to_string(rate)] = {{"path", file.path.generic_string()},
                                   {"sha256", file.sha256},
                                   {"duration_s", decimal(file.duration_s, 6)},
                                   {"active_level_dbov", decimal(file.active_level_dbov, 3)}};
  }
  return {{"id", one.id},           {"talker", one.talker}, {"text", one.text},
          {"licence", one.licence}, {"recipe", one.recipe}, {"files", files}};
}

}  // namespace

bool is_word(const std::string& text) {
  return !text.empty() && text.size() <= kLongestWord && is_letter_or_digit(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter_or_digit(c) || c == '-' || c == '_'; });
}

bool is_line_of_text(const std::string& text) {
  if (text.empty() || text.size() > kLongestText || has_control_character(text)) return false;
  const Json back = own_json(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
  return back.get<std::string>() == text;
}

Result<std::vector<Stimulus>> parse(const std::string& text, const fs::path& file) {
  return Reader(file).stimuli(text);
}

Result<std::string> read_bytes(const fs::path& file, std::uintmax_t most) {
  return read_whole_file(file, {"file of a corpus", most, "check the name, or restore it"});
}

Result<std::vector<Stimulus>> read(const fs::path& folder) {
  std::error_code fault;
  if (!fs::is_directory(folder, fault)) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: there is no such corpus folder; check the name", folder.string())};
  }
  if (!fs::exists(folder / kFileName, fault)) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: is not a corpus: it holds no {}; give a folder made by vqas corpus build or import",
                             folder.string(), kFileName)};
  }
  const auto text = read_bytes(folder / kFileName, kMostBytes);
  if (!text) return text.error();
  return parse(*text, folder / kFileName);
}

Status write(const fs::path& folder, const std::vector<Stimulus>& stimuli) {
  Json list = Json::array();
  for (const Stimulus& one : stimuli) list.push_back(to_json(one));
  const Json json = {{"schema", kSchema}, {"stimuli", list}};
  return write_file_atomically(folder / kFileName, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace vqas::manifest
