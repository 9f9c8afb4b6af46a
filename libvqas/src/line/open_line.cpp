#include "vqas/line/open_line.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "line/sim_line.h"

namespace vqas {
namespace {

struct SimAddress {
  std::string host;
  std::uint16_t port = 0;
  End end = End::a;
};

std::string known_schemes() {
  std::string text;
  for (const LineScheme& one : line_schemes()) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", one.pattern, one.summary);
  }
  return text;
}

// "HOST:PORT/a"
std::optional<SimAddress> parse_sim_address(const std::string& text) {
  const std::size_t slash = text.rfind('/');
  const std::size_t colon = text.rfind(':', slash);
  if (slash == std::string::npos || colon == std::string::npos || colon == 0 || slash < colon) return std::nullopt;
  const std::string end = text.substr(slash + 1);
  if (end != "a" && end != "b") return std::nullopt;
  SimAddress address{text.substr(0, colon), 0, end == "a" ? End::a : End::b};
  const char* const last = text.data() + slash;
  const auto [stopped, fault] = std::from_chars(text.data() + colon + 1, last, address.port);
  if (fault != std::errc() || stopped != last || address.port == 0) return std::nullopt;
  return address;
}

Result<SimAddress> parse(const std::string& name, End end) {
  const std::string scheme = name.substr(0, name.find(':'));
  if (scheme != "sim" || scheme.size() == name.size()) {
    return Error{ErrorCode::unsupported,
                 fmt::format("\"{}\" is no kind of line that this build knows; it knows: {}", name, known_schemes())};
  }
  const auto address = parse_sim_address(name.substr(scheme.size() + 1));
  if (!address) {
    return Error{ErrorCode::bad_input,
                 fmt::format("the line \"{}\" is not of the form {}; \"vqas sim\" prints the port", name,
                             line_schemes().front().pattern)};
  }
  if (address->end != end) {
    return Error{ErrorCode::bad_input,
                 fmt::format("the line \"{}\" is the one of end {}, but this node is end {}", name,
                             address->end == End::a ? "a" : "b", end == End::a ? "a" : "b")};
  }
  return *address;
}

}  // namespace

const std::vector<LineScheme>& line_schemes() {
  static const std::vector<LineScheme> schemes{
      {"sim", "sim:HOST:PORT/END", "one end, a or b, of a line made by \"vqas sim\""}};
  return schemes;
}

Status check_line_name(const std::string& name, End end) {
  const auto address = parse(name, end);
  if (!address) return address.error();
  return success();
}

Result<std::unique_ptr<Line>> open_line(const std::string& name, End end) {
  const auto address = parse(name, end);
  if (!address) return address.error();
  return SimLine::open(name, address->host, address->port, address->end);
}

}  // namespace vqas
