#include "vqas/calls/calls_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "calls/calls_page.h"
#include "run/json_members.h"
#include "store/journal/append_file.h"
#include "store/journal/line_seal.h"
#include "store/journal/read_sealed_lines.h"
#include "vqas/calls/call_json.h"
#include "vqas/node/run_lock.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRecordings = "recordings";
constexpr const char* kSignalling = "signalling";
// Octets of the signalling of all calls: at some 5 kB a call, that of forty thousand. What strangers send has its own
// bound, so that it does not take the calls' room.
constexpr std::uintmax_t kMostOfCalls = 192 * 1024 * 1024, kMostOfOthers = 64 * 1024 * 1024;

std::string recording_name(std::uint32_t number) {
  return fmt::format("{}/call-{:06}.flac", kRecordings, number);
}

std::string to_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The file as it stands.
struct Found {
  std::optional<CallsPlan> plan;
  std::string corpus_digest;
  std::vector<CallOutcome> calls;
  store::SealedLines lines;
};

/// False: its content cannot be read.
Result<bool> take_line(const Json& json, const fs::path& path, Found& found) {
  if (json.contains("schema")) {
    if (text_at(json, "schema") != kCallsSchema) {
      return Error{ErrorCode::bad_input,
                   fmt::format("{} is not of the schema {}; use the version of VQAS that wrote it", path.string(),
                               kCallsSchema)};
    }
    auto plan = parse_calls_plan(text_at(json, "plan"), path);
    if (!plan) return plan.error();
    found.plan = *std::move(plan);
    found.corpus_digest = text_at(json, "corpus_digest");
  } else if (json.contains("call")) {
    auto call = call_from_json(json);
    if (!call) return false;
    if (found.plan && call->mos() && call->mode != mode_of(*found.plan)) {
      return Error{ErrorCode::bad_input,
                   fmt::format("{}: call {} has a score on the scale {} among calls of {}", path.string(), call->number,
                               scale_name(call->mode), scale_name(mode_of(*found.plan)))};
    }
    found.calls.push_back(*std::move(call));
  }
  return true;
}

Result<Found> read(const fs::path& path) {
  Found found;
  const auto lines = store::read_sealed_lines(
      path, [&](const Json& json, const std::string&) { return take_line(json, path, found); });
  if (!lines) return lines.error();
  found.lines = *lines;
  if (!found.plan) return Error{ErrorCode::bad_input, path.string() + " has no plan: its first line is damaged"};
  return found;
}

Status remove_calls(const fs::path& folder) {
  std::error_code failed;
  for (const char* name : {kCallsFile, "calls.csv", "calls.json", "calls.html"}) fs::remove(folder / name, failed);
  for (const char* part : {kRecordings, kSignalling}) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / part, failed)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("call-") || name == "other.txt") fs::remove(entry.path(), failed);
    }
  }
  return success();
}

fs::path signalling_file(const fs::path& folder, std::uint32_t number) {
  return folder / kSignalling / (number == 0 ? "other.txt" : fmt::format("call-{:06}.txt", number));
}

struct SignallingSize {
  std::uintmax_t of_calls = 0, of_others = 0;  // octets
};

// A call that was under way at the end of the last program is made again, and its number is given to another call.
// Gives the size of what stays.
SignallingSize remove_signalling_without_call(const fs::path& folder, const std::vector<CallOutcome>& calls) {
  const fs::path others = signalling_file(folder, 0);
  std::set<fs::path> known{others};
  for (const CallOutcome& call : calls) known.insert(signalling_file(folder, call.number));
  SignallingSize size;
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / kSignalling, failed)) {
    if (known.contains(entry.path())) {
      (entry.path() == others ? size.of_others : size.of_calls) += entry.file_size(failed);
    } else if (entry.path().filename().string().starts_with("call-")) {
      fs::remove(entry.path(), failed);
    }
  }
  return size;
}

bool is_empty_but_for_the_lock(const fs::path& folder) {
  std::error_code failed;
  return std::ranges::all_of(fs::directory_iterator(folder, failed),
                             [](const fs::directory_entry& entry) { return entry.path().filename() == kRunLockFile; });
}

}  // namespace

struct CallsFolder::State {
  fs::path folder;
  std::shared_ptr<RunLock> lock;
  CallsPlan plan;
  std::string corpus_digest;
  std::vector<CallOutcome> calls;
  std::size_t damaged = 0;
  store::AppendFile file;
  std::string last;
  std::vector<CallOutcome> kept{};  // whose recordings are there
  std::map<std::string, SentenceScores> by_sentence{};
  SignallingSize signalling{};

  Status write(const Json& json) {
    const std::string line = store::seal(to_line(json), last);
    if (const Status written = file.append(line + "\n"); !written) return written;
    last = store::unseal(line).digest;
    return success();
  }
  // By the means so far, which the next calls move a little.
  std::vector<CallOutcome>::iterator best_kept() {
    return std::ranges::max_element(kept, {}, [&](const CallOutcome& one) { return rank_mos(one, by_sentence); });
  }
  Status keep(const CallOutcome& call, const Signal& recording) {
    enter_sentences(call, by_sentence);
    if (!call.mos() || recording.samples.empty() || plan.worst == 0) return success();
    if (kept.size() >= plan.worst && rank_mos(call, by_sentence) >= rank_mos(*best_kept(), by_sentence))
      return success();
    std::error_code failed;
    fs::create_directories(folder / kRecordings, failed);
    if (const Status written = write_audio(folder / recording_name(call.number), recording, AudioFormat::flac16);
        !written)
      return written;
    kept.push_back(call);
    if (kept.size() <= plan.worst) return success();
    const auto best = best_kept();
    fs::remove(folder / recording_name(best->number), failed);
    kept.erase(best);
    return success();
  }
};

CallsFolder::CallsFolder(std::unique_ptr<State> state) : state_(std::move(state)) {}
CallsFolder::CallsFolder(CallsFolder&&) noexcept = default;
CallsFolder& CallsFolder::operator=(CallsFolder&&) noexcept = default;
CallsFolder::~CallsFolder() = default;

Result<CallsFolder> CallsFolder::create(const fs::path& folder, const CallsPlan& plan, const std::string& corpus_digest,
                                        const std::string& started_utc, bool force) {
  auto lock = RunLock::take(folder);
  if (!lock) return lock.error();
  std::error_code failed;
  if (!force && !is_empty_but_for_the_lock(folder)) {
    return Error{ErrorCode::bad_input,
                 fs::exists(folder / kCallsFile, failed)
                     ? fmt::format("{} holds calls already; name another folder, continue them with --resume, or use "
                                   "--force to replace them",
                                   folder.string())
                     : fmt::format("{} is not empty; name another folder, or use --force to put the calls beside it",
                                   folder.string())};
  }
  if (const Status removed = remove_calls(folder); !removed) return removed.error();
  auto file = store::AppendFile::create(folder / kCallsFile);
  if (!file) return file.error();
  CallsFolder made(std::make_unique<State>(
      State{folder, *std::move(lock), plan, corpus_digest, {}, 0, *std::move(file), std::string()}));
  const Json head = {{"schema", kCallsSchema},
                     {"plan", calls_plan_text(plan)},
                     {"corpus_digest", corpus_digest},
                     {"started_utc", started_utc}};
  if (const Status begun = made.state_->write(head); !begun) return begun.error();
  return made;
}

Result<CallsFolder> CallsFolder::resume(const fs::path& folder, const std::string& resumed_utc) {
  std::error_code failed;
  if (!fs::exists(folder / kCallsFile, failed))
    return Error{ErrorCode::bad_input, fmt::format("{} holds no calls that could be continued", folder.string())};
  auto lock = RunLock::take(folder);
  if (!lock) return lock.error();
  auto found = read(folder / kCallsFile);
  if (!found) return found.error();
  auto file = store::AppendFile::reopen(folder / kCallsFile, static_cast<std::int64_t>(found->lines.length));
  if (!file) return file.error();
  CallsFolder made(std::make_unique<State>(State{folder, *std::move(lock), *found->plan, found->corpus_digest,
                                                 std::move(found->calls), found->lines.damaged, *std::move(file),
                                                 found->lines.last}));
  for (const CallOutcome& call : made.state_->calls) {
    enter_sentences(call, made.state_->by_sentence);
    if (call.mos() && fs::exists(folder / recording_name(call.number), failed)) made.state_->kept.push_back(call);
  }
  made.state_->signalling = remove_signalling_without_call(folder, made.state_->calls);
  if (const Status begun = made.state_->write({{"resumed_utc", resumed_utc}}); !begun) return begun.error();
  return made;
}

const fs::path& CallsFolder::folder() const {
  return state_->folder;
}
const CallsPlan& CallsFolder::plan() const {
  return state_->plan;
}
const std::string& CallsFolder::corpus_digest() const {
  return state_->corpus_digest;
}
const std::vector<CallOutcome>& CallsFolder::calls() const {
  return state_->calls;
}
std::size_t CallsFolder::damaged() const {
  return state_->damaged;
}

// The recording first: a line never names a call whose recording is lost.
Status CallsFolder::add(CallOutcome call, const Signal& recording) {
  if (const Status kept = state_->keep(call, recording); !kept) return kept;
  if (const Status written = state_->write(to_json(call)); !written) return written;
  state_->calls.push_back(std::move(call));
  return success();
}

Status CallsFolder::trace(std::uint32_t number, const std::string& entries) {
  const std::uintmax_t most = number == 0 ? kMostOfOthers : kMostOfCalls;
  std::uintmax_t& size = number == 0 ? state_->signalling.of_others : state_->signalling.of_calls;
  if (size > most) return success();
  size += entries.size();
  const bool last = size > most;
  const fs::path path = signalling_file(state_->folder, last ? 0 : number);
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  std::ofstream file(path, std::ios::app | std::ios::binary);
  if (last) {
    file << fmt::format("(left out from here: the signalling of {}, because {} MB of it are kept)\n",
                        number == 0 ? "no call" : "all calls", most / 1024 / 1024);
  } else {
    file << entries;
  }
  file.close();
  return file ? success() : Status(Error{ErrorCode::io, path.string() + " cannot be written"});
}

Status CallsFolder::finish(const CallsSummary& summary, const RampFound* ramp) {
  for (CallOutcome& call : state_->calls) {
    const bool kept = std::ranges::find(state_->kept, call.number, &CallOutcome::number) != state_->kept.end();
    call.recording = kept ? recording_name(call.number) : std::string();
  }
  std::string csv = csv_heading(summary.mode);
  for (const CallOutcome& call : state_->calls) csv += csv_row(call, relative_mos(call, state_->by_sentence));
  if (const Status written = write_file_atomically(state_->folder / "calls.csv", csv); !written) return written;
  const std::string json =
      to_json(summary, state_->plan, ramp).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  if (const Status written = write_file_atomically(state_->folder / "calls.json", json); !written) return written;
  return write_file_atomically(state_->folder / "calls.html", calls_page(state_->calls, summary, state_->plan, ramp));
}

}  // namespace vqas
