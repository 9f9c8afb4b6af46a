#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "vqas/signal/result.h"

namespace vqas {

/// A parsed line name: "scheme:body?key=value&key=value". In body and values %XX stands for the octet XX.
class LineName {
 public:
  /// What stands before the first parameter and between two.
  struct Separators {
    char first = '?', next = '&';
  };
  /// Fails with bad_input when a parameter has no value, occurs twice or is not one of `known`.
  static Result<LineName> parse(const std::string& name, const std::set<std::string>& known,
                                Separators separators = {'?', '&'});

  const std::string& whole() const { return whole_; }
  const std::string& body() const { return body_; }
  std::string text(const std::string& key, const std::string& otherwise = {}) const;
  /// A whole number; fails with bad_input when it is not one or outside least..most.
  Result<int> number(const std::string& key, int least, int most, int otherwise) const;
  /// One of `words`.
  Result<std::string> word(const std::string& key, const std::set<std::string>& words,
                           const std::string& otherwise) const;

 private:
  std::string whole_, body_;
  std::map<std::string, std::string> values_;
};

/// The rate of a line's blocks, in Hz: 16000 where its name asks for HD voice (hd=yes), else 8000. Fails with
/// bad_input.
Result<int> line_rate_of(const LineName& name);
/// The same for the equipment of a line: ", HD voice at 16 kHz"; nothing at 8 kHz.
std::string hd_in_words(int rate_hz);

/// The text with %XX for octets that are not allowed in a body or a value.
std::string as_line_text(const std::string& text);

}  // namespace vqas
