#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "vqas/signal/result.h"

namespace vqas::cli {

/// The end of "--until": a time of day of the next 24 hours by the local clock, "17:30", or a duration from now, "90s",
/// "45m", "2h". Gives a function that tells whether it has come; an empty text never comes. Fails with bad_input.
Result<std::function<bool()>> until(const std::string& text);

/// Seconds of a duration, "90s", "45m", "2h"; 0 for an empty text. Fails with bad_input, which names the option.
Result<double> duration_s(const std::string& text, const std::string& option);

}  // namespace vqas::cli
