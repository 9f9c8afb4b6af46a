#pragma once

#include <memory>
#include <ostream>
#include <streambuf>
#include <string_view>

namespace vqas::cli {

/// While it lives, std::cerr and, on a terminal, std::cout print plain text with line ends and tabs only
/// (plain_text()). File names, texts from nodes, from other people's runs and from tools therefore cannot send control
/// sequences to an operator's terminal. Standard output to a program is not changed.
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
/// Sends one of our own control sequences past the filter, without buffering.
void move_cursor(std::ostream& terminal, std::string_view sequence);

}  // namespace vqas::cli
