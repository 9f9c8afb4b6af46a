#include "node/node_archive.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

Error io_error(const std::string& what, const std::filesystem::path& path, int number) {
  return {ErrorCode::io, fmt::format("cannot {} {}: {}", what, path.string(), std::generic_category().message(number))};
}

bool ends_with_newline(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (file.tellg() <= 0) return true;
  file.seekg(-1, std::ios::end);
  return file.get() == '\n';
}

// Enters the notice of a line under its sequence number, if it is lawful.
void enter(std::map<std::uint32_t, Json>& notices, const Json& notice, bool lawful) {
  if (lawful) notices.try_emplace(notice["sequence"].get<std::uint32_t>(), notice);
}

bool is_plain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}

}  // namespace

std::string as_file_name(const std::string& text) {
  std::string name = text;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !is_plain(c); }, '_');
  return name;
}

Result<std::unique_ptr<NodeArchive>> NodeArchive::open(const std::filesystem::path& folder) {
  std::error_code fault;
  std::filesystem::create_directories(folder / "recordings", fault);
  if (fault) return io_error("make the folder", folder / "recordings", fault.value());
  const auto path = folder / "node-journal.jsonl";
  const int journal = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (journal < 0) return io_error("write", path, errno);
  // A line that a kill tore must not spoil the next one.
  if (!ends_with_newline(path) && ::write(journal, "\n", 1) != 1) {
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
    // Most lines of a long journal are of other sessions; they need no parser.
    if (line.find(session) == std::string::npos || !is_shallow_json(line)) continue;
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object() || json.value("session", Json()) != session) continue;
    const Json opened = json.value("opened", Json());
    if (opened.is_object() && opened.value("key", Json()).is_string()) history.key_digest = opened["key"];
    const Json measured = json.value("measurement", Json()), sent = json.value("sent", Json());
    enter(history.measured, measured, static_cast<bool>(received_measurement_from(measured)));
    const auto departure = departure_from(sent);
    if (!departure) continue;
    // It is written once when it begins to leave and, on real lines, again when it has left.
    if (departure->played) history.sent.erase(departure->sequence);
    enter(history.sent, sent, true);
  }
  return history;
}

SessionHistory NodeArchive::history(const std::string& session) const {
  std::ifstream journal(folder_ / "node-journal.jsonl", std::ios::binary);
  return read_session_history(journal, session);
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
    return Error{ErrorCode::bad_input, fmt::format("there is no recording named \"{}\" here", name)};
  };
  const std::string stem = name.substr(0, name.rfind('.'));
  if (name.size() > 200 || name != stem + ".flac" || stem.empty() || as_file_name(stem) != stem) return unknown();
  const std::filesystem::path path = folder_ / "recordings" / name;
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return errno == ENOENT ? unknown() : io_error("read", path, errno);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace vqas
