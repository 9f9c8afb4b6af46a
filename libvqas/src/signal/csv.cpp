#include "vqas/signal/csv.h"

namespace vqas {

std::string csv_quoted(std::string_view field) {
  std::string quoted = "\"";
  for (const char c : field) quoted.append(c == '"' ? 2 : 1, c);
  quoted += '"';
  return quoted;
}

std::string csv_field(std::string_view field) {
  const bool plain = field.find_first_of(",\"\r\n") == std::string_view::npos;
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
