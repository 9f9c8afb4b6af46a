#pragma once

#include <cstddef>
#include <string>

#include "vqas/calls/call_outcome.h"

namespace vqas::cli {

/// One line about a call, without its end.
std::string call_in_words(const CallOutcome& call);
/// "2026-11-23T06:30:00Z"
std::string now_utc();
/// Files that so many calls at a time need: two sockets each, and some besides.
std::size_t files_for_calls(std::size_t calls);

}  // namespace vqas::cli
