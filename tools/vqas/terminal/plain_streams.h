#pragma once

#include <memory>
#include <ostream>
#include <streambuf>
#include <string_view>

namespace vqas::cli {

/// As long as it lives, what goes to std::cerr, Qt's messages, and what goes to std::cout where that is a terminal, is
/// plain text with line ends and tabs (plain_text()): file names, texts of nodes, of runs from elsewhere and of tools'
/// errors are printed in many places, and none of them reaches an operator's terminal as commands. Output for programs
/// is not touched.
class PlainStreams {
 public:
  PlainStreams();
  ~PlainStreams();
  PlainStreams(const PlainStreams&) = delete;
  PlainStreams& operator=(const PlainStreams&) = delete;

 private:
  class Filter;
  std::unique_ptr<Filter> output_, errors_;
};

/// ANSI: to the first column, erase the line.
inline constexpr std::string_view kToLineStart = "\r\x1b[K";
/// Sends an own control sequence past the filter, at once.
void move_cursor(std::ostream& terminal, std::string_view sequence);

}  // namespace vqas::cli
