#include "vqas/store/kept_recordings.h"

#include <fmt/format.h>

#include <algorithm>

#include "signal/words.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/input_file.h"
#include "vqas/signal/json_text.h"

namespace vqas {
namespace {

constexpr Words<Interest, 4> kInterests{{{"ordinary", Interest::ordinary},
                                         {"sample", Interest::sample},
                                         {"worst", Interest::worst},
                                         {"unscored", Interest::unscored}}};
constexpr Words<RemovedBy, 3> kRules{
    {{"choice", RemovedBy::choice}, {"age", RemovedBy::age}, {"size", RemovedBy::size}}};
constexpr std::uint64_t kLargest = 64U << 20U;

std::string text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<KeptRecording> recording_from(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  const auto bytes = json.find("bytes");
  const auto interest = interest_from_string(text_of(json, "interest"));
  KeptRecording one{text_of(json, "recording"), 0, Interest::ordinary, {}};
  if (one.name.empty() || !interest || bytes == json.end() || !bytes->is_number_unsigned()) return std::nullopt;
  one.bytes = bytes->get<std::uint64_t>();
  one.interest = *interest;
  if (!json.contains("removed_by")) return one;
  one.removed = removed_by_from_string(text_of(json, "removed_by"));
  return one.removed ? std::optional(one) : std::nullopt;
}

}  // namespace

std::string_view to_string(Interest interest) {
  return word_of(kInterests, interest);
}
std::optional<Interest> interest_from_string(std::string_view name) {
  return value_of(kInterests, name);
}
std::string_view to_string(RemovedBy rule) {
  return word_of(kRules, rule);
}
std::optional<RemovedBy> removed_by_from_string(std::string_view name) {
  return value_of(kRules, name);
}

std::uint64_t KeptRecordings::bytes() const {
  std::uint64_t sum = 0;
  for (const KeptRecording& one : recordings) sum += one.removed ? 0 : one.bytes;
  return sum;
}

std::size_t KeptRecordings::removed() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(recordings, [](const KeptRecording& one) { return one.removed.has_value(); }));
}

bool KeptRecordings::was_removed(std::string_view name) const {
  return std::ranges::any_of(recordings, [&](const KeptRecording& one) { return one.removed && one.name == name; });
}

Result<KeptRecordings> read_kept_recordings(const std::filesystem::path& run) {
  const std::filesystem::path file = run / kKeptRecordingsFile;
  const auto text = read_whole_file(file, {"list of recordings", kLargest, "restore it, or remove it"});
  if (!text) return text.error();
  const auto json = parse_json_text(*text, file.string());
  if (!json) return json.error();
  const Error damaged{ErrorCode::bad_input, fmt::format("{} is damaged; remove it", file.string())};
  if (!json->is_object() || text_of(*json, "schema") != kKeptRecordingsSchema) return damaged;
  const auto list = json->find("recordings");
  if (list == json->end() || !list->is_array()) return damaged;
  KeptRecordings kept{text_of(*json, "ended_utc"), {}};
  for (const Json& part : *list) {
    auto one = recording_from(part);
    if (!one) return damaged;
    kept.recordings.push_back(*std::move(one));
  }
  return kept;
}

Status write_kept_recordings(const std::filesystem::path& run, const KeptRecordings& kept) {
  Json list = Json::array();
  for (const KeptRecording& one : kept.recordings) {
    Json entry{{"recording", one.name}, {"bytes", one.bytes}, {"interest", to_string(one.interest)}};
    if (one.removed) entry["removed_by"] = to_string(*one.removed);
    list.push_back(std::move(entry));
  }
  const Json json{{"schema", kKeptRecordingsSchema}, {"ended_utc", kept.ended_utc}, {"recordings", std::move(list)}};
  return write_file_atomically(run / kKeptRecordingsFile,
                               json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::string removed_in_words(const KeptRecordings& kept) {
  if (kept.removed() == 0) return {};
  std::string rules;
  for (const auto& [word, rule] : kRules) {
    const auto count = std::ranges::count(kept.recordings, std::optional(rule), &KeptRecording::removed);
    if (count > 0) rules += fmt::format("{}{} by {}", rules.empty() ? "" : ", ", count, word);
  }
  return fmt::format("{} of {} recordings were removed by the plan's rules on recordings: {}", kept.removed(),
                     kept.recordings.size(), rules);
}

}  // namespace vqas
