#include "batch/score_table.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "batch/csv_reader.h"
#include "batch/score_columns.h"
#include "vqas/score/score.h"

namespace vqas::batch {
namespace {

constexpr std::chrono::seconds kSyncEvery{1};
constexpr std::int64_t kLongestTail = 1 << 20;  // CsvReader's longest row

CsvRow header_of(const ManifestReader& manifest, ScoreColumns columns) {
  CsvRow header = manifest.header();
  header.insert(header.end(), score_columns(columns).begin(), score_columns(columns).end());
  return header;
}

}  // namespace

Error ScoreTable::failure(const char* what, int code) const {
  return {ErrorCode::io, fmt::format("cannot {} {}: {}; check the folder, the disk's space and rights", what,
                                     path_.string(), std::generic_category().message(code))};
}

Result<ScoreTable> ScoreTable::open(const BatchOptions& options) {
  const std::filesystem::path& path = options.out;
  ScoreTable table(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644), path);
  if (table.descriptor_ < 0) return table.failure("write", errno);
  struct stat about {};
  if (::fstat(table.descriptor_, &about) != 0) return table.failure("look at", errno);
  if (!S_ISREG(about.st_mode)) {
    return Error{ErrorCode::bad_input, fmt::format("{} is not a file; name one for the scores", path.string())};
  }
  if (::flock(table.descriptor_, LOCK_EX | LOCK_NB) != 0) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{} is being written by another vqas; wait for it or name another file", path.string())};
  }
  table.length_ = about.st_size;
  if (auto resumed = table.resume(options); !resumed) return resumed.error();
  return table;
}

Status ScoreTable::resume(const BatchOptions& options) {
  const ScoreColumns columns = options.columns;
  auto manifest = ManifestReader::open(options);
  if (!manifest) return manifest.error();
  const CsvRow header = header_of(*manifest, columns);
  if (length_ == 0) return append(header);

  const auto other = [&](const std::string& what) {
    return Error{
        ErrorCode::bad_input,
        fmt::format("{} {}; nothing was changed: name another file or move this one away", path_.string(), what)};
  };
  auto reader = CsvReader::open(path_);
  if (!reader) return reader.error();
  // csv_line() wrote every row, so the text of a whole row follows from its fields.
  std::int64_t whole = 0;
  const auto read_row = [&]() -> std::optional<CsvRow> {
    auto row = reader->next();
    // A quote that is not closed is a row that was cut off.
    if (!row || !*row || !reader->ended_by_newline()) return std::nullopt;
    return *std::move(*row);
  };
  const auto first = read_row();
  if (!first) {
    // Killed while it wrote the header, or something else.
    const std::string own = csv_line(header);
    if (length_ >= static_cast<std::int64_t>(own.size())) {
      return other("does not hold the scores of this manifest");
    }
    std::string begun(static_cast<std::size_t>(length_), '\0');
    if (::pread(descriptor_, begun.data(), begun.size(), 0) != length_ || !own.starts_with(begun)) {
      return other("does not hold the scores of this manifest");
    }
  } else {
    if (*first != header) {
      const bool all = columns == ScoreColumns::all;
      if (*first == header_of(*manifest, all ? ScoreColumns::without_impairments : ScoreColumns::all)) {
        return Error{ErrorCode::bad_input, fmt::format("{} was begun {}; nothing was changed", path_.string(),
                                                       all ? "with --no-impairments: give it again"
                                                           : "without --no-impairments: leave it out")};
      }
      return other("does not hold the scores of this manifest");
    }
    whole = static_cast<std::int64_t>(csv_line(header).size());
  }
  for (auto row = first ? read_row() : std::nullopt; row; row = read_row()) {
    const auto pair = manifest->next();
    if (!pair) return pair.error();
    const std::string where = fmt::format("row {}", found_ + 2);
    if (!*pair) return other("holds more rows than the manifest: " + where);
    const std::size_t own = manifest->header().size();
    if (row->size() != header.size() || !std::equal((*pair)->fields.begin(), (*pair)->fields.end(), row->begin())) {
      return other(where + " is not that of the manifest");
    }
    const ScoreMode mode = mode_for((*pair)->files, options.mode);
    const std::string& version = (*row)[own + score_version_column(columns)];
    const auto is_of_other_mode = [&version, mode] {
      return version == score_version(mode == ScoreMode::wideband ? ScoreMode::narrowband : ScoreMode::wideband);
    };
    if (version != score_version(mode) && is_of_other_mode()) {
      return other(fmt::format("was begun with another --mode: {} was scored by {}", where, version));
    }
    if (version != score_version(mode)) {
      return other(fmt::format("was made by {}, this is {}", version, score_version(mode)));
    }
    if ((*row)[own + made_from_column(columns)] != made_from((*pair)->files)) {
      return other(where + " was made with other channels, or its recordings have changed since (column made_from)");
    }
    whole += static_cast<std::int64_t>(csv_line(*row).size());
    ++found_;
    const auto outcome = outcome_from_string((*row)[own]);
    if (!outcome)
      return other(fmt::format("{} has the outcome \"{}\", which this program does not know", where, (*row)[own]));
    ++found_outcomes_[static_cast<std::size_t>(*outcome)];
    if (outcome == Outcome::scored) ++found_scored_[static_cast<std::size_t>(mode)];
  }
  const auto cut_off = first ? cut_off_row(whole, *manifest) : Result<bool>(true);
  if (!cut_off) return cut_off.error();
  if (whole > length_ || !*cut_off) return other("was changed by another program");
  if (whole < length_) {
    if (::ftruncate(descriptor_, whole) != 0) return failure("shorten", errno);
    length_ = whole;
  }
  return first ? success() : append(header);
}

Result<bool> ScoreTable::cut_off_row(std::int64_t whole, ManifestReader& manifest) const {
  if (whole == length_) return true;
  const auto pair = manifest.next();
  if (!pair) return pair.error();
  if (!*pair || length_ - whole > kLongestTail) return false;
  std::string tail(static_cast<std::size_t>(length_ - whole), '\0');
  if (::pread(descriptor_, tail.data(), tail.size(), whole) != static_cast<ssize_t>(tail.size())) {
    return failure("read", errno);
  }
  std::string begin = csv_line((*pair)->fields);
  begin.back() = ',';
  if (tail.size() <= begin.size()) return begin.starts_with(tail);
  return tail.starts_with(begin) && tail.find('\n', begin.size()) == std::string::npos;
}

ScoreTable::ScoreTable(ScoreTable&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      length_(other.length_),
      found_(other.found_),
      found_scored_(other.found_scored_),
      found_outcomes_(other.found_outcomes_),
      synced_(other.synced_) {}

ScoreTable& ScoreTable::operator=(ScoreTable&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(path_, other.path_);
  std::swap(length_, other.length_);
  std::swap(found_, other.found_);
  std::swap(found_scored_, other.found_scored_);
  std::swap(found_outcomes_, other.found_outcomes_);
  std::swap(synced_, other.synced_);
  return *this;
}

ScoreTable::~ScoreTable() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Status ScoreTable::append(const CsvRow& row) {
  const std::string line = csv_line(row);
  std::size_t written = 0;
  while (written < line.size()) {
    const ssize_t now = ::write(descriptor_, line.data() + written, line.size() - written);
    if (now < 0 && errno == EINTR) continue;
    if (now < 0) {
      const int fault = errno;
      return failure(::ftruncate(descriptor_, length_) != 0 ? "shorten" : "write", fault);
    }
    written += static_cast<std::size_t>(now);
  }
  length_ += static_cast<std::int64_t>(line.size());
  return std::chrono::steady_clock::now() - synced_ > kSyncEvery ? sync() : success();
}

Status ScoreTable::sync() {
  if (::fsync(descriptor_) != 0) return failure("write", errno);
  synced_ = std::chrono::steady_clock::now();
  return success();
}

}  // namespace vqas::batch
