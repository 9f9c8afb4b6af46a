#include "results/stored_runs.h"

#include <fmt/format.h>

#include <QDateTime>
#include <algorithm>
#include <iostream>
#include <regex>

namespace vqas::cli {
namespace {

/// True when a text of the form below is a valid time.
bool is_in_calendar(const std::string& text) {
  static const std::string kFirst = "2000-01-01T00:00:00";
  const std::size_t given = std::min(text.size(), kFirst.size());
  const QString whole = QString::fromStdString(text.substr(0, given) + kFirst.substr(given));
  return QDateTime::fromString(whole, QStringLiteral("yyyy-MM-ddTHH:mm:ss")).isValid();
}

}  // namespace

void add_store_options(CLI::App& command, StoreOptions& options) {
  command.add_option(
      "--store", options.url,
      "store of runs: a file or postgresql://USER@HOST/DATABASE; default: VQAS_STORE, else the user's own");
  command.add_option("--archive", options.archive, "folder of the store's recordings; default: beside the store");
}

Status check_time(const char* option, const std::string& text) {
  static const std::regex pattern(R"(\d{4}(-\d{2}(-\d{2}(T\d{2}(:\d{2}(:\d{2}Z?)?)?)?)?)?)");
  if (text.empty() || (std::regex_match(text, pattern) && is_in_calendar(text))) return success();
  return Error{ErrorCode::bad_input, std::string(option) + ": \"" + text +
                                         "\" is no time; give it in UTC, like 2026-11-20 or 2026-11-20T06:00"};
}

void tell_left_out(const std::string& folder, const Taken& taken) {
  if (taken.left_out == 0) return;
  std::cerr << fmt::format("vqas: {}: {} recording{} left out of the archive; {} measurement{} taken. The first: {}\n",
                           folder, taken.left_out, taken.left_out == 1 ? " was" : "s were",
                           taken.left_out == 1 ? "its" : "their", taken.left_out == 1 ? " is" : "s are",
                           taken.why_left_out);
}

}  // namespace vqas::cli
