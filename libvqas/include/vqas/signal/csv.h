#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vqas {

/// The fields of one row, without quotes.
using CsvRow = std::vector<std::string>;

/// The field in quotes, those within it doubled (RFC 4180). Re-entrant, as all of this header.
std::string csv_quoted(std::string_view field);

/// The field, in quotes where it holds a comma, a quote or a line end, or begins like a byte order mark.
std::string csv_field(std::string_view field);

/// The row with a line feed behind it. One empty field alone is quoted: it would be a blank line, which is no row.
std::string csv_line(const CsvRow& row);

}  // namespace vqas
