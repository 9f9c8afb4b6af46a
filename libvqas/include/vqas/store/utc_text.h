#pragma once

#include <optional>
#include <string>

namespace vqas {

/// "2026-11-23T06:30:00.250Z" for seconds since 1970 in UTC, rounded to 1 ms. Re-entrant.
std::string utc_text(double utc_s);
/// "2026-11-23 06:30:00", for people.
std::string utc_words(double utc_s);
/// Seconds since 1970 of an ISO 8601 text with its zone; nothing if it is not one. Re-entrant.
std::optional<double> utc_from_text(const std::string& text);

}  // namespace vqas
