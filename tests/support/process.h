#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace vqas::test {

struct CommandRun {
  int exit_code = -1;  ///< -1 when a signal ended it
  std::string output;  ///< stdout and stderr
};

/// Runs a shell command line and waits for it.
inline CommandRun run_command(const std::string& command_line) {
  CommandRun run;
  FILE* pipe = ::popen((command_line + " 2>&1 </dev/null").c_str(), "r");
  if (pipe == nullptr) return run;
  std::array<char, 4096> part{};
  while (const std::size_t got = std::fread(part.data(), 1, part.size(), pipe)) run.output.append(part.data(), got);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) run.exit_code = WEXITSTATUS(status);
  return run;
}

}  // namespace vqas::test
