#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vqas/signal/json_text.h"

namespace vqas::store {

using vqas::Json;

/// `value` rounded to a multiple of `step`, for files that are equal byte for byte; null when it is not finite.
Json rounded(double value, double step);
Json rounded(const std::optional<double>& value, double step);

/// One line, or an indented page; bytes that are not UTF-8 become U+FFFD.
std::string to_line(const Json& json);
std::string to_page(const Json& json);

/// Reads values from an untrusted object. After the first fault all values are defaults; check fault() at the end.
/// `where` names the object in messages. Short-lived: it refers to the object.
class Reader {
 public:
  Reader(const Json& object, std::string where);

  double number(const char* key, double lowest, double highest);
  std::optional<double> optional_number(const char* key, double lowest, double highest);
  std::uint64_t whole(const char* key, std::uint64_t lowest, std::uint64_t highest);
  bool flag(const char* key);
  /// At most `longest` bytes, without ASCII control characters. Other text that is not plain is made plain
  /// (plain_text()), since people who write from right to left may have typed it into a note.
  std::string text(const char* key, std::size_t longest);
  /// As text(), but empty if the value is null or missing.
  std::string optional_text(const char* key, std::size_t longest);
  /// An array, or an empty one.
  const Json& array(const char* key);
  /// An object, or an empty one.
  const Json& object(const char* key);
  bool has(const char* key) const;

  /// For faults found by the caller; the first fault is kept.
  void fail(const std::string& what);
  const std::optional<Error>& fault() const { return fault_; }
  const std::string& where() const { return where_; }

 private:
  const Json* find(const char* key);

  const Json& json_;
  std::string where_;
  std::optional<Error> fault_;
};

}  // namespace vqas::store
