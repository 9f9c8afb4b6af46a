#include "run/about_json.h"

#include <algorithm>
#include <utility>

#include "run/measurement_limits.h"
#include "run/run_json.h"

namespace vqas::store {
namespace {

constexpr std::size_t kLongestText = 4096;
constexpr std::size_t kMostTags = 64;

}  // namespace

bool is_uuid(const std::string& text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    const char c = text[i];
    if (dash ? c != '-' : !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false;
  }
  return true;
}

Json to_json(const RunAbout& about) {
  Json json;
  if (!about.campaign.empty()) json["campaign"] = about.campaign;
  if (!about.notes.empty()) json["notes"] = about.notes;
  for (const auto& [name, value] : about.tags) json["tags"][name] = value;
  if (about.limit_mos) json["limit_mos"] = rounded(*about.limit_mos, 1e-4);
  if (about.echo_loss_db) json["echo_loss_db"] = rounded(*about.echo_loss_db, 1e-3);
  return json;
}

Result<RunAbout> about_from_json(const Json& json, const std::string& where) {
  RunAbout about;
  if (json.is_null()) return about;
  Reader reader(json, where);
  about.campaign = reader.optional_text("campaign", kLongestText);
  about.notes = reader.optional_text("notes", kLongestText);
  if (reader.has("limit_mos")) about.limit_mos = reader.optional_number("limit_mos", 1, 5);
  if (reader.has("echo_loss_db")) about.echo_loss_db = reader.optional_number("echo_loss_db", 0, 200);
  if (reader.has("tags")) {
    const Json& tags = reader.object("tags");
    Reader inner(tags, where + ", tags");
    for (const auto& [name, value] : tags.items()) {
      if (!is_name(name) || about.tags.size() >= kMostTags) {
        inner.fail("has a tag with an invalid name, or too many tags");
        break;
      }
      about.tags[name] = inner.text(name.c_str(), kLongestText);
    }
    if (inner.fault()) return *inner.fault();
  }
  if (reader.fault()) return *reader.fault();
  return about;
}

Json to_json(const OperatorNote& note) {
  Json json;
  json["from"] = name_of(note.from);
  json["to"] = name_of(other_end(note.from));
  json["sequence"] = note.sequence;
  json["sounds_different"] = note.sounds_different;
  json["text"] = note.text;
  json["written_utc"] = note.written_utc;
  return json;
}

Result<OperatorNote> note_from_json(const Json& json, const std::string& where) {
  Reader reader(json, where);
  OperatorNote note;
  note.from = direction_from(reader);
  note.sequence = static_cast<std::uint32_t>(reader.whole("sequence", 1, kLastSequence));
  note.sounds_different = reader.flag("sounds_different");
  note.text = reader.text("text", kLongestText);
  note.written_utc = reader.text("written_utc", 64);
  if (reader.fault()) return *reader.fault();
  return note;
}

}  // namespace vqas::store
