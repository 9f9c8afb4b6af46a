#include "command.h"

#include <iostream>

namespace vqas::cli {

int report_error(const Error& error) {
  std::cerr << "vqas: " << error.message << ".\n";
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
