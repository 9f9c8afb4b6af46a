#include "vqas/store/slot_journal.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "store/journal/append_file.h"
#include "store/journal/line_seal.h"
#include "store/journal/read_file.h"
#include "store/journal/slot_json.h"
#include "vqas/store/utc_text.h"

namespace vqas {

using store::Json;

namespace {

/// The file as it stands: what its whole lines say, and where they end.
struct Found {
  SlotLog log;
  std::size_t length = 0;  ///< of the whole lines, in bytes
  std::string last;        ///< digest that the next line refers to
};

Result<Found> read(const std::filesystem::path& path) {
  const auto text = store::read_file(path);
  if (!text) return text.error();
  Found found;
  store::SealChain chain;
  std::string_view rest = *text;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    // The program was killed while it wrote the last line: that line does not exist.
    if (end == std::string_view::npos) break;
    const std::string where = fmt::format("{}, line {}", path.string(), number);
    const store::SealedLine sealed = store::unseal(rest.substr(0, end));
    rest.remove_prefix(end + 1);
    found.length = text->size() - rest.size();
    const store::SealChain::Fault fault = chain.next(sealed);
    if (fault != store::SealChain::Fault::none) ++found.log.damaged;
    if (fault == store::SealChain::Fault::changed || fault == store::SealChain::Fault::unsealed) continue;
    const auto json = parse_json_text(sealed.object, where);
    if (json && json->is_object() && json->contains("schema")) {
      if (json->at("schema") == kSlotsSchema) continue;
      return Error{ErrorCode::bad_input,
                   fmt::format("{} is not of the schema {}; use the version of VQAS that wrote it", path.string(),
                               kSlotsSchema)};
    }
    if (!json || !store::add_line(*json, where, found.log)) ++found.log.damaged;
  }
  found.last = chain.last();
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
  auto file = there ? store::AppendFile::reopen(path, static_cast<std::int64_t>(found.length))
                    : store::AppendFile::create(path);
  if (!file) return file.error();
  SlotJournal journal(std::make_unique<File>(File{*std::move(file), std::move(found.last)}));
  if (found.length > 0) return journal;
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
