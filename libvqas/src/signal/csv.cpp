#include "vqas/signal/csv.h"

namespace vqas {

std::string csv_quoted(std::string_view field) {
  std::string quoted = "\"";
  for (const char c : field) quoted.append(c == '"' ? 2 : 1, c);
  quoted += '"';
  return quoted;
}

std::string csv_field(std::string_view field) {
  // At the beginning of a file a reader takes these for byte order marks, and would not give them back.
  const bool like_a_mark =
      field.starts_with("\xEF\xBB\xBF") || field.starts_with("\xFE\xFF") || field.starts_with("\xFF\xFE");
  const bool plain = field.find_first_of(",\"\r\n") == std::string_view::npos && !like_a_mark;
  return plain ? std::string(field) : csv_quoted(field);
}

std::string csv_line(const CsvRow& row) {
  if (row.size() == 1 && row.front().empty()) return "\"\"\n";
  std::string line;
  for (const std::string& field : row) {
    if (&field != row.data()) line += ',';
    line += csv_field(field);
  }
  return line + "\n";
}

}  // namespace vqas
