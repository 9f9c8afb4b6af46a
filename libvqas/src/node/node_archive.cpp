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
  return std::unique_ptr<NodeArchive>(new NodeArchive(folder, journal));
}

NodeArchive::~NodeArchive() {
  ::close(journal_);
}

Status NodeArchive::keep(const std::string& name, const Signal& signal) {
  return write_audio(folder_ / "recordings" / name, signal, AudioFormat::flac16);
}

Status NodeArchive::append(const std::string& line) {
  const std::string text = line + "\n";
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = ::write(journal_, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return io_error("write", folder_ / "node-journal.jsonl", errno);
    written += static_cast<std::size_t>(count);
  }
  if (::fdatasync(journal_) != 0) return io_error("write", folder_ / "node-journal.jsonl", errno);
  return success();
}

Result<std::string> NodeArchive::load(const std::string& name) const {
  const auto unknown = [&name] {
    return Error{ErrorCode::bad_input, fmt::format("there is no recording named \"{}\" here", name)};
  };
  const std::string stem = name.substr(0, name.rfind('.'));
  if (name.size() > 200 || name != stem + ".flac" || stem.empty() || as_file_name(stem) != stem) return unknown();
  std::ifstream file(folder_ / "recordings" / name, std::ios::binary);
  if (!file) return unknown();
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace vqas
