#include <fmt/format.h>
#include <unistd.h>

#include <QStandardPaths>
#include <system_error>

#include "vqas/campaign/hook_desk.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

Status check_program(const char* key, const std::vector<std::string>& words) {
  if (words.empty()) return success();
  const std::string& name = words.front();
  const auto refuse = [&](const std::string& what) {
    return Error{ErrorCode::bad_input, fmt::format("[hooks] {}: {}", key, what)};
  };
  if (name.find('/') == std::string::npos) {
    if (!QStandardPaths::findExecutable(QString::fromStdString(name)).isEmpty()) return success();
    return refuse(fmt::format("the program {} is not found in PATH; install it, or name it with its folder", name));
  }
  std::error_code failed;
  if (!fs::exists(name, failed)) return refuse(fmt::format("the program {} does not exist; correct its name", name));
  if (!fs::is_regular_file(name, failed)) return refuse(fmt::format("{} is not a program; correct its name", name));
  if (::access(name.c_str(), X_OK) != 0)
    return refuse(fmt::format("the program {} may not be executed; make it executable: chmod +x {}", name, name));
  return success();
}

}  // namespace

Status check_hooks(const PlannedHooks& hooks) {
  if (Status usable = check_program("run_ended", hooks.run_ended); !usable) return usable;
  if (Status usable = check_program("verdict_changed", hooks.verdict_changed); !usable) return usable;
  if (Status usable = check_program("line_changed", hooks.line_changed); !usable) return usable;
  return check_program("disk_full", hooks.disk_full);
}

}  // namespace vqas
