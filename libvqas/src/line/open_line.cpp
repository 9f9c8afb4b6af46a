#include "vqas/line/open_line.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <thread>
#include <utility>

#include "line/audio_line.h"
#include "line/file_line.h"
#include "line/rtp_line.h"
#include "line/sim_line.h"
#include "line/sip/sip_line.h"
#include "line/socket.h"

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
  const auto end = end_of_name(text.substr(slash + 1));
  if (!end) return std::nullopt;
  SimAddress address{text.substr(0, colon), 0, *end};
  const char* const last = text.data() + slash;
  const auto [stopped, fault] = std::from_chars(text.data() + colon + 1, last, address.port);
  if (fault != std::errc() || stopped != last || address.port == 0) return std::nullopt;
  return address;
}

Result<SimAddress> parse_sim(const std::string& name, End end) {
  const auto address = parse_sim_address(name.substr(name.find(':') + 1));
  if (!address) {
    return Error{ErrorCode::bad_input,
                 fmt::format("the line \"{}\" is not of the form {}; \"vqas sim\" prints the port", name,
                             line_schemes().front().pattern)};
  }
  if (address->end != end) {
    return Error{ErrorCode::bad_input, fmt::format("the line \"{}\" belongs to end {}, but this node is end {}", name,
                                                   name_of(address->end), name_of(end))};
  }
  return *address;
}

Error unknown_scheme(const std::string& name) {
  return {ErrorCode::unsupported,
          fmt::format("\"{}\" is not a kind of line in this build; it has: {}", name, known_schemes())};
}

std::string scheme_of(const std::string& name) {
  const std::size_t colon = name.find(':');
  return colon == std::string::npos ? std::string() : name.substr(0, colon);
}

// Repeats with pauses until `done` is true or the patience is over. `waits` is called before the first pause.
void keep_trying(std::chrono::milliseconds patience, const std::function<void()>& waits,
                 const std::function<bool()>& done) {
  constexpr std::chrono::milliseconds kPause{50};
  const auto until = std::chrono::steady_clock::now() + patience;
  if (done()) return;
  if (waits) waits();
  while (!done() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(kPause);
}

}  // namespace

const std::vector<LineScheme>& line_schemes() {
  static const std::vector<LineScheme> schemes{
      {"sim", "sim:HOST:PORT/END", "one end, a or b, of a line made by \"vqas sim\""},
      {"audio", "audio:DEVICE?host=API&rate=HZ&period=FRAMES&in_channel=N&out_channel=N",
       "a sound device, by its name in \"vqas devices\""},
      {"rtp", "rtp:HOST:PORT/REMOTEHOST:PORT?codec=pcmu&buffer_ms=60", "speech over RTP, in both directions"},
      {"sip", "sip:USER@HOST;dial=USER@HOST;account=FILE", "a call by SIP that this end makes, or answers"},
      {"file", "file:?in=RECORDING&out=NEW.wav", "recordings: one to receive from, one to play later"}};
  return schemes;
}

Status check_line_name(const std::string& name, End end) {
  const std::string scheme = scheme_of(name);
  if (scheme == "sim") {
    const auto address = parse_sim(name, end);
    if (!address) return address.error();
  } else if (scheme == "audio") {
    const auto options = parse_audio_line(name);
    if (!options) return options.error();
  } else if (scheme == "rtp") {
    const auto options = parse_rtp_line(name);
    if (!options) return options.error();
  } else if (scheme == "sip") {
    const auto options = parse_sip_line(name);
    if (!options) return options.error();
  } else if (scheme == "file") {
    const auto options = parse_file_line(name);
    if (!options) return options.error();
  } else {
    return unknown_scheme(name);
  }
  return success();
}

Result<std::unique_ptr<Line>> open_line(const std::string& name, End end) {
  const std::string scheme = scheme_of(name);
  if (scheme == "sim") {
    const auto address = parse_sim(name, end);
    if (!address) return address.error();
    return SimLine::open(name, address->host, address->port, address->end);
  }
  if (scheme == "audio") {
    const auto options = parse_audio_line(name);
    if (!options) return options.error();
    return AudioLine::open(*options, portaudio_backend());
  }
  if (scheme == "rtp") {
    const auto options = parse_rtp_line(name);
    if (!options) return options.error();
    return RtpLine::open(*options);
  }
  if (scheme == "sip") {
    const auto options = parse_sip_line(name);
    if (!options) return options.error();
    return SipLine::open(*options, [](const char* variable) -> const char* { return std::getenv(variable); });
  }
  if (scheme == "file") {
    const auto options = parse_file_line(name);
    if (!options) return options.error();
    return FileLine::open(*options);
  }
  return unknown_scheme(name);
}

void wait_for_simulator(const std::string& name, End end, std::chrono::milliseconds patience,
                        const std::function<void()>& waits) {
  if (scheme_of(name) != "sim") return;
  const auto address = parse_sim(name, end);
  if (!address) return;
  keep_trying(patience, waits, [&] { return static_cast<bool>(connect_to(address->host, address->port)); });
}

Result<std::unique_ptr<Line>> open_line(const std::string& name, End end, std::chrono::milliseconds patience,
                                        const std::function<void()>& waits) {
  Result<std::unique_ptr<Line>> line = Error{ErrorCode::line_lost, {}};
  keep_trying(patience, waits, [&] {
    line = open_line(name, end);
    return line || line.error().code != ErrorCode::line_lost || scheme_of(name) != "sim";
  });
  return line;
}

}  // namespace vqas
