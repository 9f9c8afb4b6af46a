#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vqas/trend/trend.h"

namespace vqas::trend {

/// The page around `body`, which is HTML. It has no scripts and names no other place.
std::string page_of(const std::string& title, const std::string& body);

/// "<tr><td>…</td>…</tr>"; the cells are HTML already. `classes`: of the cells, in their order; may be shorter.
std::string row_of(const std::vector<std::string>& cells, const char* tag = "td",
                   const std::vector<const char*>& classes = {});
/// A table that a telephone shows as one block for each row.
std::string table_of(const std::vector<std::string>& heads, const std::string& rows, const char* classes = "");

/// "2026-11-23 06:30", in the zone.
std::string when(const LocalTime& local, double utc_s);
/// "3 h 20 min", "2 d 4 h", "45 min".
std::string lasting(double seconds);
/// "a → b"
std::string arrow(End from);
/// "3.92 ±0.08"; without a known half-width the mean alone.
std::string mean_text(double mean, double half_width, ScoreMode mode);
/// A change in words: "-0.51 ±0.09, from 3.92 to 3.41".
std::string step_text(const TrendChange& change, ScoreMode mode);
/// "A", "B", … "Z", "AA": name of the change with that index.
std::string letter_of(std::size_t index);
/// A link from a page in `folder` to `file`, both as paths: relative, with every unusual byte as %XX.
std::string link_to(const std::string& file, const std::string& folder);
/// The state as a word with a mark that does not need its colour.
std::string state_badge(CircuitState state);

}  // namespace vqas::trend
