#include "campaign/hooks/hook_log.h"

#include <fmt/format.h>

#include <system_error>

#include "campaign/hooks/hook_files.h"
#include "store/journal/append_file.h"
#include "vqas/signal/plain_text.h"

namespace vqas::campaign {
namespace {

namespace fs = std::filesystem;

void append(const fs::path& folder, const std::string& text) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  const fs::path log = folder / kHookLog;
  const auto size = fs::file_size(log, failed);
  if (!failed && size + text.size() > kLargestLog) fs::rename(log, folder / kEarlierHookLog, failed);
  auto file = store::AppendFile::open(log);
  if (!file) return;
  // What a program prints may hold a token; the file is empty or private before it gets the text.
  fs::permissions(log, fs::perms::owner_read | fs::perms::owner_write, failed);
  (void)file->append(text);
}

}  // namespace

void log_hook(const fs::path& folder, const std::string& utc, const QueuedHook& hook, const std::string& program,
              const HookResult& result, const std::string& what_follows) {
  std::string text =
      fmt::format("{} {} {} attempt {}: {} {}{}\n", utc, to_string(hook.message.event), hook.message.id,
                  hook.attempts + 1, program, result.delivered ? "took it" : "failed: " + result.why, what_follows);
  for (std::size_t begin = 0; begin < result.output.size();) {
    const std::size_t end = std::min(result.output.find('\n', begin), result.output.size());
    text += "  " + plain_text(result.output.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  if (result.left_others) text += "  (processes that it left running were killed)\n";
  if (result.printed > result.output.size())
    text += fmt::format("  ({} more bytes are left out)\n", result.printed - result.output.size());
  append(folder, text);
}

void log_dropped(const fs::path& folder, const std::string& utc, const HookMessage& message) {
  append(folder, fmt::format("{} {} {} dropped: more than {} documents wait\n", utc, to_string(message.event),
                             message.id, kMostQueued));
}

}  // namespace vqas::campaign
