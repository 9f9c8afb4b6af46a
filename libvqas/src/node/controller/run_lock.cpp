#include "vqas/node/run_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <QDateTime>
#include <QSysInfo>
#include <cerrno>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>

#include "signal/opened_file.h"
#include "vqas/signal/input_file.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

// Of the open file, not of the process: a second lock of the same process is refused too, and a query takes no lock.
struct flock whole_file(short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

Error system_refuses(const fs::path& path, int number) {
  return {ErrorCode::io, fmt::format("cannot write {}: {}; name a folder that you may write to", path.string(),
                                     std::generic_category().message(number))};
}

Error held(const fs::path& folder) {
  std::string process, since, machine;
  if (const auto text = read_whole_file(folder / kRunLockFile, {"lock", 4096, "remove it"}))
    std::istringstream(*text) >> process >> since >> machine;
  return {ErrorCode::bad_input,
          fmt::format("the run in {} is going on{}{}{}; wait until it has ended, or stop it", folder.string(),
                      process.empty() ? "" : " in process " + process,
                      machine.empty() ? "" : " on the machine " + machine, since.empty() ? "" : ", since " + since)};
}

}  // namespace

Result<std::shared_ptr<RunLock>> RunLock::take(const fs::path& folder) {
  const fs::path path = folder / kRunLockFile;
  std::error_code fault;
  fs::create_directories(folder, fault);
  for (;;) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0) return system_refuses(path, errno);
    std::shared_ptr<RunLock> lock(new RunLock(path, file));
    struct flock wanted = whole_file(F_WRLCK);
    if (::fcntl(file, F_OFD_SETLK, &wanted) != 0) {
      const int number = errno;
      ::close(std::exchange(lock->file_, -1));
      return number == EAGAIN || number == EACCES ? held(folder) : system_refuses(path, number);
    }
    if (!is_at(file, path)) continue;
    const std::string text =
        fmt::format("{} {} {}\n", ::getpid(), QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString(),
                    QSysInfo::machineHostName().toStdString());
    if (::ftruncate(file, 0) != 0 || ::pwrite(file, text.data(), text.size(), 0) < 0)
      return system_refuses(path, errno);
    return lock;
  }
}

void RunLock::release() {
  if (file_ < 0) return;
  if (is_at(file_, path_)) ::unlink(path_.c_str());
  ::close(std::exchange(file_, -1));
}

RunLock::~RunLock() {
  release();
}

bool run_goes_on(const fs::path& folder) {
  // To ask for a lock needs no right to write: another user's run is seen, too.
  const int file = ::open((folder / kRunLockFile).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return errno == EACCES;
  struct flock asked = whole_file(F_WRLCK);
  const bool told = ::fcntl(file, F_OFD_GETLK, &asked) == 0;
  ::close(file);
  return told && asked.l_type != F_UNLCK;
}

}  // namespace vqas
