#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "vqas/signal/result.h"

namespace vqas {

/// A line's name taken apart: "scheme:body?key=value&key=value". In body and values %XX stands for the octet XX.
class LineName {
 public:
  /// Fails with bad_input where a parameter has no value, comes twice or is not one of `known`.
  static Result<LineName> parse(const std::string& name, const std::set<std::string>& known);

  const std::string& whole() const { return whole_; }
  const std::string& body() const { return body_; }
  std::string text(const std::string& key, const std::string& otherwise = {}) const;
  /// A whole number; fails with bad_input when it is none or outside least..most.
  Result<int> number(const std::string& key, int least, int most, int otherwise) const;
  /// One of `words`.
  Result<std::string> word(const std::string& key, const std::set<std::string>& words,
                           const std::string& otherwise) const;

 private:
  std::string whole_, body_;
  std::map<std::string, std::string> values_;
};

/// What may not stand in a body or a value as it is, as %XX.
std::string as_line_text(const std::string& text);

}  // namespace vqas
