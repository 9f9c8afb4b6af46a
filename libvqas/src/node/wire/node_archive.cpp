#include "node/wire/node_archive.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "vqas/signal/audio_file.h"
#include "vqas/signal/input_file.h"
#include "vqas/signal/unfinished_files.h"

namespace vqas {
namespace {

// Longer than any transmission.
constexpr std::uint64_t kLargestRecording = 64U << 20U;

Error io_error(const std::string& what, const std::filesystem::path& path, int number) {
  return {ErrorCode::io, fmt::format("cannot {} {}: {}", what, path.string(), std::generic_category().message(number))};
}

// For a journal opened for writing; an empty one counts as ended.
bool ends_with_newline(int journal) {
  struct stat found {};
  char last = '\n';
  if (::fstat(journal, &found) != 0 || found.st_size == 0) return true;
  return ::pread(journal, &last, 1, found.st_size - 1) == 1 && last == '\n';
}

// Enters the notice of a line under its sequence number, if it is valid.
void enter(std::map<std::uint32_t, Json>& notices, const Json& notice, bool lawful) {
  if (lawful) notices.try_emplace(notice["sequence"].get<std::uint32_t>(), notice);
}

}  // namespace

Result<std::unique_ptr<NodeArchive>> NodeArchive::open(const std::filesystem::path& folder) {
  std::error_code fault;
  std::filesystem::create_directories(folder / "recordings", fault);
  if (fault) return io_error("make the folder", folder / "recordings", fault.value());
  remove_unfinished_files(folder / "recordings");
  const auto path = folder / "node-journal.jsonl";
  const int journal = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0644);
  if (journal < 0) return io_error("write", path, errno);
  // A line torn by a kill must not spoil the next one.
  if (!ends_with_newline(journal) && ::write(journal, "\n", 1) != 1) {
    const int number = errno;
    ::close(journal);
    return io_error("write", path, number);
  }
  return std::unique_ptr<NodeArchive>(new NodeArchive(folder, journal));
}

NodeArchive::~NodeArchive() {
  ::close(journal_);
}

Status NodeArchive::keep(const std::string& name, const Signal& signal) {
  return write_audio(folder_ / "recordings" / name, signal, AudioFormat::flac16);
}

SessionHistory read_session_history(std::istream& journal, const std::string& session) {
  SessionHistory history;
  for (std::string line; std::getline(journal, line);) {
    // Most lines of a long journal belong to other sessions and need no parsing.
    if (line.find(session) == std::string::npos) continue;
    const auto json = parse_json_text(line, "the node's journal");
    if (!json || !json->is_object() || json->value("session", Json()) != session) continue;
    const Json opened = json->value("opened", Json());
    if (opened.is_object() && opened.value("key", Json()).is_string()) history.key_digest = opened["key"];
    const Json measured = json->value("measurement", Json()), sent = json->value("sent", Json());
    enter(history.measured, measured, static_cast<bool>(received_measurement_from(measured)));
    const auto departure = departure_from(sent);
    if (!departure) continue;
    // Written once when it begins to leave and, on real lines, again after it has left.
    if (departure->played) history.sent.erase(departure->sequence);
    enter(history.sent, sent, true);
  }
  return history;
}

SessionHistory NodeArchive::history(const std::string& session) const {
  const auto journal = InputFile::open(folder_ / "node-journal.jsonl", {"journal", kAnySize, "restore it"});
  return journal ? read_session_history(**journal, session) : SessionHistory();
}

Status NodeArchive::append(const std::string& line, bool sync) {
  const std::lock_guard lock(mutex_);
  const std::string text = line + "\n";
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = ::write(journal_, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return io_error("write", folder_ / "node-journal.jsonl", errno);
    written += static_cast<std::size_t>(count);
  }
  if (sync && ::fdatasync(journal_) != 0) return io_error("write", folder_ / "node-journal.jsonl", errno);
  return success();
}

Result<std::string> NodeArchive::load(const std::string& name) const {
  const auto unknown = [&name] {
    return Error{ErrorCode::bad_input, fmt::format("this node has no recording named \"{}\"", name)};
  };
  const std::string stem = name.substr(0, name.rfind('.'));
  if (name.size() > 200 || name != stem + ".flac" || stem.empty() || as_file_name(stem) != stem) return unknown();
  const std::filesystem::path path = folder_ / "recordings" / name;
  auto bytes = read_whole_file(path, {"recording", kLargestRecording, "restore it"});
  return !bytes && bytes.error().code == ErrorCode::bad_input ? unknown() : bytes;
}

}  // namespace vqas
