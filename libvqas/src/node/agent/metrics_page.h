#pragma once

#include <fmt/format.h>

#include <string>

namespace vqas {

/// `label` within the quotes of Prometheus' text format (0.0.4).
inline std::string metrics_label(const std::string& label) {
  std::string text;
  for (const char c : label) {
    if (c == '\\' || c == '"') text += '\\';
    text += c == '\n' ? ' ' : c;
  }
  return text;
}

/// A page in Prometheus' text format.
class MetricsPage {
 public:
  void begin(const char* name, const char* type, const char* help) {
    name_ = name;
    text += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
  }
  void value(double number, const std::string& labels = {}) {
    text += fmt::format("{}{} {}\n", name_, labels.empty() ? "" : "{" + labels + "}", number);
  }
  void single(const char* name, const char* type, const char* help, double number) {
    begin(name, type, help);
    value(number);
  }
  std::string text;

 private:
  std::string name_;
};

}  // namespace vqas
