#include "campaign/hooks/hooks_file.h"

#include <fmt/format.h>

#include <system_error>

#include "campaign/hooks/hook_files.h"
#include "signal/private_file.h"
#include "vqas/signal/input_file.h"
#include "vqas/signal/json_text.h"

namespace vqas::campaign {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargest = 16U << 20U;

/// Members of an object; one that is missing or of another type leaves the value and is remembered.
class Members {
 public:
  explicit Members(const Json& object) : object_(object), sound_(object.is_object()) {}

  template <typename T>
  void read(const char* key, T& value) {
    const Json found = sound_ ? object_.value(key, Json()) : Json();
    bool fits = false;
    if constexpr (std::is_same_v<T, bool>) {
      fits = found.is_boolean();
    } else if constexpr (std::is_unsigned_v<T>) {
      fits = found.is_number_unsigned();
    } else if constexpr (std::is_floating_point_v<T>) {
      fits = found.is_number();
    } else {
      fits = found.is_string();
    }
    sound_ = sound_ && fits;
    if (sound_) value = found.get<T>();
  }
  Json part(const char* key) const { return sound_ ? object_.value(key, Json()) : Json(); }
  bool sound() const { return sound_; }

 private:
  const Json& object_;
  bool sound_;
};

std::optional<QueuedHook> queued_from(const Json& json) {
  Members members(json);
  QueuedHook one;
  std::string event;
  members.read("id", one.message.id);
  members.read("event", event);
  members.read("attempts", one.attempts);
  members.read("not_before_s", one.not_before_s);
  const auto known = hook_event_from_string(event);
  const Json document = members.part("document");
  if (!members.sound() || !known || !document.is_object()) return std::nullopt;
  one.message.event = *known;
  one.message.document = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  return one;
}

}  // namespace

Result<HooksOnDisk> read_hooks_file(const fs::path& folder) {
  const fs::path file = folder / kHooksFile;
  const auto text = read_whole_file(file, {"state of hooks", kLargest, "remove it to begin anew"});
  if (!text) return text.error();
  const auto json = parse_json_text(*text, file.string());
  if (!json) return json.error();
  Members members(*json);
  HooksOnDisk hooks;
  WatchState& state = hooks.state;
  std::string schema, verdict;
  members.read("schema", schema);
  members.read("campaign", state.campaign);
  members.read("next", state.next);
  members.read("verdict", verdict);
  members.read("line_dead", state.line_dead);
  members.read("away_only", state.away_only);
  members.read("line_dead_since_utc", state.line_dead_since_utc);
  members.read("disk_told", state.disk_told);
  members.read("last_number", state.last_number);
  members.read("last_finished_utc", state.last_finished_utc);
  const Json queue = members.part("queue");
  const Error damaged{ErrorCode::bad_input, fmt::format("{} is damaged", file.string())};
  if (!members.sound() || schema != kHooksFileSchema || !queue.is_array()) return damaged;
  state.verdict = run_verdict_from_string(verdict);
  for (const Json& part : queue) {
    auto one = queued_from(part);
    if (!one) return damaged;
    hooks.queued.push_back(*std::move(one));
  }
  return hooks;
}

Status write_hooks_file(const fs::path& folder, const HooksOnDisk& hooks) {
  const WatchState& state = hooks.state;
  Json queue = Json::array();
  for (const QueuedHook& one : hooks.queued) {
    queue.push_back({{"id", one.message.id},
                     {"event", to_string(one.message.event)},
                     {"attempts", one.attempts},
                     {"not_before_s", one.not_before_s},
                     {"document", own_json(one.message.document)}});
  }
  const Json json{{"schema", kHooksFileSchema},
                  {"campaign", state.campaign},
                  {"next", state.next},
                  {"verdict", state.verdict ? to_string(*state.verdict) : ""},
                  {"line_dead", state.line_dead},
                  {"away_only", state.away_only},
                  {"line_dead_since_utc", state.line_dead_since_utc},
                  {"disk_told", state.disk_told},
                  {"last_number", state.last_number},
                  {"last_finished_utc", state.last_finished_utc},
                  {"queue", std::move(queue)}};
  std::error_code failed;
  fs::create_directories(folder, failed);
  return write_private_file(folder / kHooksFile, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace vqas::campaign
