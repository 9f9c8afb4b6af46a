#include "run/session_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <sstream>
#include <system_error>

#include "run/json_members.h"
#include "run/measurement_limits.h"
#include "vqas/signal/input_file.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSchema = "vqas-session/1";
constexpr std::uint64_t kMostBytes = 256U << 20U;
constexpr std::size_t kMostStimuli = 256;
constexpr std::size_t kMostDue = 100000;

bool take_header(const Json& json, SessionRecord& record) {
  if (!json.is_object() || json.value("schema", Json()) != kSchema) return false;
  record.id = text_at(json, "session");
  record.key = text_at(json, "key");
  record.node_a = text_at(json, "node_a");
  record.node_b = text_at(json, "node_b");
  record.holder = text_at(json, "holder");
  record.corpus = text_at(json, "corpus");
  const Json run_id = json.value("run_id", Json());
  if (run_id.is_number_unsigned() && run_id.get<std::uint64_t>() <= kLastRunId)
    record.run_id = run_id.get<std::uint32_t>();
  record.narrowband_too = json.value("narrowband_too", Json()) == true;
  record.guard_s = number_at(json, "guard_s", record.guard_s, 1);
  record.within_s = number_at(json, "within_s", record.within_s, 600);
  record.link_patience_s = number_at(json, "link_patience_s", record.link_patience_s, 1e6);
  record.cap_line_time_s = number_at(json, "cap_line_time_s", record.cap_line_time_s, 1e12);
  record.redial = text_at(json, "redial");
  record.most_redials = static_cast<int>(number_at(json, "most_redials", record.most_redials, 1e6));
  record.redial_s = number_at(json, "redial_s", record.redial_s, 1e6);
  // Missing in runs of releases that did not store it.
  if (json.contains("duplex")) {
    const auto duplex = duplex_from_string(text_at(json, "duplex"));
    if (!duplex) return false;
    record.duplex = *duplex;
  }
  return !record.id.empty() && !record.key.empty() && !record.node_a.empty() && !record.node_b.empty();
}

// Takes all of it, or nothing.
void take_round(const Json& json, SessionRecord& record) {
  const Json planned = json.is_object() ? json.value("planned", Json()) : Json();
  const Json round = json.is_object() ? json.value("round", Json()) : Json();
  if (!planned.is_array() || planned.empty() || planned.size() > 2 || !round.is_number_unsigned()) return;
  std::vector<std::vector<std::pair<std::size_t, std::uint32_t>>> due;
  for (const Json& direction : planned) {
    if (!direction.is_array() || direction.size() > kMostDue) return;
    auto& list = due.emplace_back();
    for (const Json& one : direction) {
      if (!one.is_array() || one.size() != 2 || !one[0].is_number_unsigned() || !one[1].is_number_unsigned()) return;
      const auto stimulus = one[0].get<std::uint64_t>(), sequence = one[1].get<std::uint64_t>();
      if (stimulus >= kMostStimuli || sequence < 1 || sequence > kLastSequence) return;
      list.emplace_back(stimulus, static_cast<std::uint32_t>(sequence));
    }
  }
  record.next_sequence.resize(std::max(record.next_sequence.size(), due.size()), 1);
  record.planned.resize(record.next_sequence.size());
  for (std::size_t d = 0; d < due.size(); ++d) {
    for (const auto& [stimulus, sequence] : due[d]) {
      record.next_sequence[d] = std::max(record.next_sequence[d], sequence + 1);
      record.planned[d].insert_or_assign(sequence, stimulus);
    }
  }
  record.due = std::move(due);
  record.rounds = std::max(record.rounds, round.get<std::uint64_t>());
  record.line_seconds = number_at(json, "line_seconds", record.line_seconds, 1e12);
  record.wall_seconds = number_at(json, "wall_seconds", record.wall_seconds, 1e12);
}

// Null for a damaged line.
Json parse(const std::string& line) {
  auto json = parse_json_text(line, kSessionFile);
  return json ? *std::move(json) : Json();
}

}  // namespace

Result<SessionRecord> parse_session_record(const std::string& text, const std::string& name) {
  SessionRecord record;
  std::istringstream lines(text);
  std::string line;
  if (!std::getline(lines, line) || !take_header(parse(line), record)) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{} is not the record of a session that can be resumed; start a new run", name)};
  }
  while (std::getline(lines, line)) take_round(parse(line), record);
  return record;
}

Result<SessionRecord> read_session_record(const fs::path& folder) {
  const fs::path path = folder / kSessionFile;
  std::error_code failed;
  if (!fs::exists(path, failed)) {
    return Error{ErrorCode::bad_input,
                 fmt::format("there is no {}: this run was not started, or another version of VQAS made it; start a "
                             "new run",
                             path.string())};
  }
  const auto text = read_whole_file(path, {"record of a session", kMostBytes, "start a new run"});
  return text ? parse_session_record(*text, path.string()) : Result<SessionRecord>(text.error());
}

Result<std::unique_ptr<SessionLog>> SessionLog::open(const fs::path& folder, int flags) {
  const fs::path path = folder / kSessionFile;
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | flags, 0600);
  if (file >= 0) return std::unique_ptr<SessionLog>(new SessionLog(path, file));
  return Error{ErrorCode::io,
               fmt::format("cannot write {}: {}", path.string(), std::generic_category().message(errno))};
}

Result<std::unique_ptr<SessionLog>> SessionLog::create(const fs::path& folder, const SessionRecord& record) {
  auto log = open(folder, O_TRUNC);
  if (!log) return log.error();
  Json header = {{"schema", kSchema},
                 {"session", record.id},
                 {"key", record.key},
                 {"node_a", record.node_a},
                 {"node_b", record.node_b},
                 {"holder", record.holder},
                 {"corpus", record.corpus.string()},
                 {"guard_s", record.guard_s},
                 {"within_s", record.within_s},
                 {"link_patience_s", record.link_patience_s},
                 {"cap_line_time_s", record.cap_line_time_s},
                 {"duplex", name_of(record.duplex)},
                 {"redial", record.redial},
                 {"most_redials", record.most_redials},
                 {"redial_s", record.redial_s}};
  if (record.narrowband_too) header["narrowband_too"] = true;
  if (record.run_id) header["run_id"] = *record.run_id;
  if (const Status written = (*log)->append(header.dump() + "\n"); !written) return written.error();
  return log;
}

Result<std::unique_ptr<SessionLog>> SessionLog::reopen(const fs::path& folder) {
  auto log = open(folder, 0);
  if (!log) return log.error();
  // After a line that may have been torn by a kill.
  if (const Status written = (*log)->append("\n"); !written) return written.error();
  return log;
}

SessionLog::~SessionLog() {
  ::close(file_);
}

Status SessionLog::append(std::string line) {
  const auto failed = [this] {
    return Error{ErrorCode::io,
                 fmt::format("cannot write {}: {}", path_.string(), std::generic_category().message(errno))};
  };
  while (!line.empty()) {
    const ssize_t count = ::write(file_, line.data(), line.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return failed();
    line.erase(0, static_cast<std::size_t>(count));
  }
  if (::fdatasync(file_) != 0) return failed();
  return success();
}

Status SessionLog::add_round(const SessionRecord& record) {
  Json planned = Json::array();
  for (const auto& direction : record.due) {
    Json& list = planned.emplace_back(Json::array());
    for (const auto& [stimulus, sequence] : direction) list.push_back(Json::array({stimulus, sequence}));
  }
  return append(Json{{"round", record.rounds},
                     {"line_seconds", record.line_seconds},
                     {"wall_seconds", record.wall_seconds},
                     {"planned", planned}}
                    .dump() +
                "\n");
}

}  // namespace vqas
