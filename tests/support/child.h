#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "support/wait_until.h"

namespace vqas::test {

/// A program that runs during the test, with its output in a file; ended with the test.
class Child {
 public:
  Child(std::vector<std::string> command, const std::filesystem::path& output) {
    std::vector<char*> arguments;
    for (std::string& one : command) arguments.push_back(one.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    if (::posix_spawnp(&process_, arguments[0], &actions, nullptr, arguments.data(), environ) != 0) process_ = -1;
    ::posix_spawn_file_actions_destroy(&actions);
  }
  ~Child() { end(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool started() const { return process_ > 0; }
  pid_t process() const { return process_; }
  /// Sends it a request to stop and waits, up to 5 s; then kills it. Returns its exit code, -1 when a signal ended it.
  int end() {
    if (process_ <= 0) return exit_code_;
    ::kill(process_, SIGTERM);
    int status = 0;
    if (!wait_until([&] { return ::waitpid(process_, &status, WNOHANG) != 0; }, std::chrono::seconds(5))) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, &status, 0);
    }
    process_ = -1;
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return exit_code_;
  }

 private:
  pid_t process_ = -1;
  int exit_code_ = -1;
};

}  // namespace vqas::test
