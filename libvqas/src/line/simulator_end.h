#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "line/socket.h"
#include "line/wire.h"
#include "vqas/line/line.h"
#include "vqas/sync/mark.h"

namespace vqas {

/// One message from an end, whole.
struct EndMessage {
  wire::Header header;
  std::array<float, kLineBlock> samples{};
};

/// The simulator's side of one connection: gathers bytes to messages, checks their form. For one thread.
class SimulatorEnd {
 public:
  using Clock = std::chrono::steady_clock;

  /// `until`: when it must have said hello.
  SimulatorEnd(Descriptor socket, Clock::time_point until) : speak_by(until), socket_(std::move(socket)) {}

  int descriptor() const { return socket_.number(); }
  /// Reads what has come; false when the end is gone.
  bool read();
  /// The next whole message, or nothing. An unlawful one sets fault() and gives nothing.
  std::optional<EndMessage> next();
  const std::string& fault() const { return fault_; }

  bool send_block(wire::Kind kind, std::uint64_t index, std::int64_t time_ns, std::span<const float> samples);
  bool send_note(wire::Kind kind, std::uint64_t index, std::int64_t time_ns);
  bool send_text(wire::Kind kind, const std::string& text);

  std::optional<End> end;      ///< once it has said so
  Clock::time_point speak_by;  ///< matters until then

 private:
  bool unlawful(const wire::Header& header);

  Descriptor socket_;
  std::vector<std::byte> buffer_;
  std::string fault_;
};

}  // namespace vqas
