#include "line/sim_line.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cmath>
#include <vector>

#include "vqas/line/simulator.h"

namespace vqas {
namespace {

constexpr int kWelcomeTimeoutMs = 5000;
// For the rest of a message whose start has arrived.
constexpr int kRestTimeoutMs = 2000;

// The text that follows a header.
Result<std::string> receive_text(int socket, const wire::Header& header, int timeout_ms) {
  std::string text(std::min(header.payload, wire::kLongestText), '\0');
  if (header.payload > wire::kLongestText ||
      !receive_all(socket, std::as_writable_bytes(std::span(text)), timeout_ms)) {
    return Error{ErrorCode::line_lost, "the simulator closed the line in the middle of a message"};
  }
  return text;
}

}  // namespace

Result<std::unique_ptr<Line>> SimLine::open(const std::string& name, const std::string& host, std::uint16_t port,
                                            End end) {
  const auto failed = [&name](const std::string& why) {
    return Error{ErrorCode::line_lost,
                 fmt::format("{}: {}; start one with \"vqas sim\" and use the port it prints", name, why)};
  };
  auto socket = connect_to(host, port);
  if (!socket) return failed(socket.error().message);
  wire::Header hello;
  hello.index = wire::kVersion;
  hello.round = static_cast<std::uint64_t>(end);
  wire::Header answer;
  if (!send_all(socket->number(), wire::bytes_of(hello)) ||
      !receive_all(socket->number(), std::as_writable_bytes(std::span(&answer, 1)), kWelcomeTimeoutMs) ||
      answer.magic != wire::kMagic) {
    return failed("no line simulator answers there");
  }
  auto text = receive_text(socket->number(), answer, kWelcomeTimeoutMs);
  if (!text) return failed(text.error().message);
  if (answer.kind != wire::Kind::welcome) return Error{ErrorCode::line_lost, name + ": " + *text};
  const auto conditions = parse_simulated_conditions(*text);
  auto wake_up = WakeUp::create();
  if (!wake_up) return wake_up.error();
  LineDescription description{name, true, *text};
  if (conditions) description.rate_hz = rate_hz_of(conditions->codec);
  return std::unique_ptr<Line>(
      new SimLine(std::move(description), std::move(socket).value(), std::move(wake_up).value()));
}

Error SimLine::lost(const std::string& why) {
  socket_.reset();
  return {ErrorCode::line_lost, fmt::format("{}: {}", description_.name, why)};
}

void SimLine::interrupt() {
  interrupted_ = true;
  wake_up_.wake();
}

Result<SimLine::Woken> SimLine::wait() {
  for (;;) {
    std::array<pollfd, 2> entries{{{socket_.number(), POLLIN, 0}, {wake_up_.descriptor(), POLLIN, 0}}};
    if (::poll(entries.data(), entries.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return lost("cannot wait for the line: " + system_error_text(errno));
    }
    if (entries[0].revents != 0) return Woken::readable;
    wake_up_.clear();
    if (interrupted_.exchange(false)) return Woken::interrupted;
  }
}

Status SimLine::stand() {
  if (!socket_) return lost("the line was lost before");
  if (interrupted_.exchange(false)) return success();
  const auto woken = wait();
  if (!woken) return woken.error();
  if (*woken == Woken::interrupted) return success();
  // There was no request, so the only valid message is that the line is over.
  std::vector<float> ignored(line_block(description_.rate_hz));
  const auto said = take_answer(ignored);
  return said ? lost("the simulator sent a message out of turn") : said.error();
}

// Asks the simulator to return the block on an interrupt; its answer tells whether it did.
Status SimLine::wait_for_answer() {
  for (;;) {
    const auto woken = wait();
    if (!woken) return woken.error();
    if (*woken == Woken::readable) return success();
    wire::Header withdraw;
    withdraw.kind = wire::Kind::withdraw;
    if (!send_all(socket_.number(), wire::bytes_of(withdraw))) return lost("the simulator is gone");
  }
}

Result<BlockTime> SimLine::take_answer(std::span<float> heard) {
  wire::Header header;
  const auto closed = [this] { return lost("the simulator is gone"); };
  if (!receive_all(socket_.number(), std::as_writable_bytes(std::span(&header, 1)), kRestTimeoutMs)) return closed();
  if (header.magic != wire::kMagic) return lost("the message is not from a line simulator");
  switch (header.kind) {
    case wire::Kind::heard:
      if (header.payload != wire::block_bytes(heard.size()) || header.index != index_)
        return lost("the simulator answered the wrong block");
      if (!receive_all(socket_.number(), std::as_writable_bytes(heard), kRestTimeoutMs)) return closed();
      ++index_;
      return BlockTime{header.index, header.time_ns, false};
    case wire::Kind::standing:
      return BlockTime{header.index, header.time_ns, true};
    case wire::Kind::withdrawn:
      return Error{ErrorCode::cancelled, description_.name + ": the exchange was interrupted"};
    case wire::Kind::refused: {
      const auto text = receive_text(socket_.number(), header, kRestTimeoutMs);
      return lost(text ? *text : text.error().message);
    }
    default:
      return lost("the simulator sent an unknown message");
  }
}

Result<BlockTime> SimLine::exchange(std::span<const float> sent, std::span<float> heard, Round round) {
  assert(sent.size() == line_block(description_.rate_hz) && heard.size() == sent.size());
  if (!socket_) return lost("the line was lost before");
  if (interrupted_.exchange(false)) {
    wake_up_.clear();
    return Error{ErrorCode::cancelled, description_.name + ": the exchange was interrupted"};
  }
  wire::Header header;
  header.kind = wire::Kind::exchange;
  header.index = index_;
  header.round = round.number;
  header.busy = round.busy ? 1 : 0;
  header.time_ns = std::llround(round.end_silence_s * 1e9);
  // A simulator that refuses closes after giving its reason, so the reason is read even if writing fails.
  const bool written = send_all(socket_.number(), wire::block_frame(header, sent));
  if (written) {
    const Status ready = wait_for_answer();
    if (!ready) return ready.error();
  }
  return take_answer(heard);
}

}  // namespace vqas
