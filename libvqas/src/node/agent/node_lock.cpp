#include "node/agent/node_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <QString>
#include <QSysInfo>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <system_error>
#include <thread>

#include "vqas/node/peers.h"
#include "vqas/signal/input_file.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

Error system_refuses(const char* what, const fs::path& path, int number) {
  return {ErrorCode::io, fmt::format("cannot {} {}: {}", what, path.string(), std::generic_category().message(number))};
}

}  // namespace

Result<std::unique_ptr<NodeLock>> NodeLock::take(const fs::path& folder, double patience_s) {
  const fs::path path = folder / "node.lock";
  std::error_code fault;
  fs::create_directories(folder, fault);
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return system_refuses("write", path, errno);
  std::unique_ptr<NodeLock> lock(new NodeLock(file));
  const auto last_try = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience_s);
  while (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (std::chrono::steady_clock::now() >= last_try) {
      return Error{ErrorCode::bad_input, fmt::format("another node uses the data folder {}; {}", folder.string(),
                                                     patience_s > 0 ? "try again when it has ended"
                                                                    : "give this one another folder with --data")};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const std::string text = fmt::format("{} {}\n", ::getpid(), QSysInfo::machineHostName().toStdString());
  if (::ftruncate(file, 0) != 0 || ::pwrite(file, text.data(), text.size(), 0) < 0) {
    return system_refuses("write", path, errno);
  }
  return lock;
}

NodeLock::~NodeLock() {
  ::close(file_);
}

Status release_node(const fs::path& data) {
  const fs::path path = data / "node.lock";
  const Error none{ErrorCode::bad_input,
                   fmt::format("no node uses the data folder {}; give the --data of the running node", data.string())};
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return none;
  const bool free = ::flock(file, LOCK_SH | LOCK_NB) == 0;
  ::close(file);
  if (free) return none;
  pid_t process = 0;
  std::string machine;
  if (const auto text = read_whole_file(path, {"lock", 4096, "remove it"}))
    std::istringstream(*text) >> process >> machine;
  if (process <= 1) return none;
  // Here the number belongs to another process. An earlier release wrote no machine.
  if (!machine.empty() && machine != QSysInfo::machineHostName().toStdString()) {
    return Error{ErrorCode::bad_input, fmt::format("the node that uses the data folder {} runs on the machine {}; give "
                                                   "this command there",
                                                   data.string(), machine)};
  }
  if (::kill(process, SIGUSR1) != 0) return system_refuses("reach the node of", data, errno);
  return success();
}

}  // namespace vqas
