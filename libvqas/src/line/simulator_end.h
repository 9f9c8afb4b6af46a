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

/// One complete message from an end.
struct EndMessage {
  wire::Header header;
  std::vector<float> samples;
};

/// The simulator's side of one connection: assembles messages from bytes and checks their form. For one thread.
class SimulatorEnd {
 public:
  using Clock = std::chrono::steady_clock;

  /// `until`: deadline for its hello. `block`: samples in a block of the line.
  SimulatorEnd(Descriptor socket, Clock::time_point until, std::size_t block)
      : speak_by(until), socket_(std::move(socket)), block_(block) {}

  int descriptor() const { return socket_.number(); }
  /// Reads the available bytes; false when the end is gone.
  bool read();
  /// The next complete message, or nothing. An invalid one sets fault() and gives nothing.
  std::optional<EndMessage> next();
  const std::string& fault() const { return fault_; }

  bool send_block(wire::Kind kind, std::uint64_t index, std::int64_t time_ns, std::span<const float> samples);
  bool send_note(wire::Kind kind, std::uint64_t index, std::int64_t time_ns);
  bool send_text(wire::Kind kind, const std::string& text);

  std::optional<End> end;      ///< once known from its hello
  Clock::time_point speak_by;  ///< used until then

 private:
  bool unlawful(const wire::Header& header);

  Descriptor socket_;
  std::size_t block_;
  std::vector<std::byte> buffer_;
  std::string fault_;
};

}  // namespace vqas
