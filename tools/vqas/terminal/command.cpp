#include "terminal/command.h"

#include <iostream>

namespace vqas::cli {

ExitCode report_error(const Error& error) {
  // Some messages of the system and of libraries end in a full stop. After a file name none is added, so that the name
  // can be copied.
  const std::size_t last = error.message.find_last_not_of(". ");
  const std::string message = error.message.substr(0, last == std::string::npos ? 0 : last + 1);
  const std::string word = message.substr(message.find_last_of(' ') + 1);
  const bool name = word.find_first_of("/.") != std::string::npos && word.find_first_of("\"()") == std::string::npos;
  std::cerr << "vqas: " << message << (name ? "\n" : ".\n");
  return exit_code_of(error);
}

}  // namespace vqas::cli
