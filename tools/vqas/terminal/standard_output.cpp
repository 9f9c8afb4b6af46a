#include "terminal/standard_output.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <system_error>

namespace vqas::cli {

Status flush_standard_output() {
  errno = 0;
  const bool streamed = static_cast<bool>(std::cout.flush());
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (streamed && written) return success();
  int fault = errno;
  // It failed earlier and errno is lost. The output is already cut, so writing one more octet shows the cause.
  if (fault == 0 && ::write(STDOUT_FILENO, "\n", 1) < 0) fault = errno;
  return Error{ErrorCode::io, "cannot write standard output" +
                                  (fault == 0 ? std::string() : ": " + std::generic_category().message(fault))};
}

}  // namespace vqas::cli
