#include "vqas/store/slot_journal.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "store/journal/append_file.h"
#include "store/journal/line_seal.h"
#include "store/journal/read_sealed_lines.h"
#include "store/journal/slot_json.h"
#include "vqas/store/utc_text.h"

namespace vqas {

using store::Json;

namespace {

/// The file as it stands.
struct Found {
  SlotLog log;
  store::SealedLines lines;
};

Result<Found> read(const std::filesystem::path& path) {
  Found found;
  const auto lines = store::read_sealed_lines(path, [&](const Json& json, const std::string& where) -> Result<bool> {
    if (!json.contains("schema")) return static_cast<bool>(store::add_line(json, where, found.log));
    if (json.at("schema") == kSlotsSchema) return true;
    return Error{ErrorCode::bad_input, fmt::format("{} is not of the schema {}; use the version of VQAS that wrote it",
                                                   path.string(), kSlotsSchema)};
  });
  if (!lines) return lines.error();
  found.lines = *lines;
  found.log.damaged = lines->damaged;
  return found;
}

}  // namespace

struct SlotJournal::File {
  store::AppendFile file;
  std::string last;                    ///< digest of the last line
  std::vector<std::string> pending{};  ///< objects that could not be written yet

  Status add(Json json) {
    pending.push_back(store::to_line(json));
    return flush();
  }
  Status flush() {
    std::string text, after = last;
    for (const std::string& object : pending) {
      const std::string line = store::seal(object, after);
      after = store::unseal(line).digest;
      text += line;
      text += '\n';
    }
    if (text.empty()) return success();
    Status written = file.append(text);
    if (!written) return written;
    last = std::move(after);
    pending.clear();
    return written;
  }
};

Result<std::optional<SlotLog>> read_slot_log(const std::filesystem::path& folder) {
  std::error_code failed;
  if (!std::filesystem::exists(folder / kSlotsFile, failed)) return std::optional<SlotLog>();
  auto found = read(folder / kSlotsFile);
  if (!found) return found.error();
  return std::optional(std::move(found->log));
}

SlotJournal::SlotJournal(std::unique_ptr<File> file) : file_(std::move(file)) {}
SlotJournal::SlotJournal(SlotJournal&&) noexcept = default;
SlotJournal& SlotJournal::operator=(SlotJournal&&) noexcept = default;
SlotJournal::~SlotJournal() = default;

Result<SlotJournal> SlotJournal::open(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kSlotsFile;
  std::error_code failed;
  Found found;
  const bool there = std::filesystem::exists(path, failed);
  if (there) {
    auto read_now = read(path);
    if (!read_now) return read_now.error();
    found = *std::move(read_now);
  }
  auto file = there ? store::AppendFile::reopen(path, static_cast<std::int64_t>(found.lines.length))
                    : store::AppendFile::create(path);
  if (!file) return file.error();
  SlotJournal journal(std::make_unique<File>(File{*std::move(file), std::move(found.lines.last)}));
  if (found.lines.length > 0) return journal;
  if (const Status begun = journal.file_->add(Json{{"schema", kSlotsSchema}}); !begun) return begun.error();
  return journal;
}

Status SlotJournal::add(const SlotTimes& times) {
  return file_->add({{"times", store::to_json(times)}});
}

Status SlotJournal::add(const SlotRecord& slot) {
  return file_->add({{"slot", store::to_json(slot)}});
}

Status SlotJournal::started(double utc_s, const std::string& boot) {
  return file_->add({{"started", {{"utc", utc_text(utc_s)}, {"boot", boot}}}});
}

Status SlotJournal::stopped(double utc_s) {
  return file_->add({{"stopped", {{"utc", utc_text(utc_s)}}}});
}

Status SlotJournal::stepped(const ClockStep& step) {
  return file_->add({{"clock", store::to_json(step)}});
}

Status SlotJournal::away(double utc_s, const std::string& why) {
  return file_->add({{"away", {{"utc", utc_text(utc_s)}, {"why", store::one_line(why)}}}});
}

Status SlotJournal::back(double utc_s) {
  return file_->add({{"back", {{"utc", utc_text(utc_s)}}}});
}

Status SlotJournal::flush() {
  return file_->flush();
}

}  // namespace vqas
