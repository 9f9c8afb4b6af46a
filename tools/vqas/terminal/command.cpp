#include "terminal/command.h"

#include <iostream>

namespace vqas::cli {

int report_error(const Error& error) {
  // Some messages of the system and of libraries end in a full stop. After a file name none is added, so that the name
  // can be copied.
  const std::size_t last = error.message.find_last_not_of(". ");
  const std::string message = error.message.substr(0, last == std::string::npos ? 0 : last + 1);
  const std::string word = message.substr(message.find_last_of(' ') + 1);
  const bool name = word.find_first_of("/.") != std::string::npos && word.find_first_of("\"()") == std::string::npos;
  std::cerr << "vqas: " << message << (name ? "\n" : ".\n");
  switch (error.code) {
    case ErrorCode::bad_input:
    case ErrorCode::unsupported:
    case ErrorCode::protocol:
      return kBadInput;
    case ErrorCode::io:
      return kIo;
    case ErrorCode::line_lost:
      return kLineLost;
    case ErrorCode::cancelled:
      return kCancelled;
  }
  return kInternal;
}

}  // namespace vqas::cli
