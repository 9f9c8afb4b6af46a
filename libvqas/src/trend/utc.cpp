#include "trend/utc.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <iomanip>
#include <sstream>

namespace vqas::trend {

std::optional<double> seconds_of(const std::string& utc) {
  std::tm time{};
  std::istringstream text(utc);
  text >> std::get_time(&time, "%Y-%m-%dT%H:%M:%S");
  if (text.fail()) return std::nullopt;
  return static_cast<double>(::timegm(&time));
}

std::string utc_text(double seconds) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(std::llround(seconds))));
}

}  // namespace vqas::trend
