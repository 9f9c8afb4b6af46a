#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "vqas/signal/result.h"

namespace vqas::cli {

/// The end of "--until": a time of day of the next 24 hours by the local clock, "17:30", or a duration from now, "90s",
/// "45m", "2h". Gives a function that tells whether it has come; an empty text never comes. Fails with bad_input.
Result<std::function<bool()>> until(const std::string& text);

}  // namespace vqas::cli
