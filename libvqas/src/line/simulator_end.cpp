#include "line/simulator_end.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>

namespace vqas {

bool SimulatorEnd::read() {
  std::array<std::byte, 4096> part;
  for (;;) {
    const ssize_t got = ::recv(socket_.number(), part.data(), part.size(), 0);
    if (got > 0) {
      buffer_.insert(buffer_.end(), part.begin(), part.begin() + got);
      // No more than a block and a note are ever in transit; the rest waits in the system.
      if (static_cast<std::size_t>(got) < part.size() || buffer_.size() > part.size()) return true;
    } else if (got < 0 && errno == EINTR) {
      continue;
    } else {
      return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    }
  }
}

bool SimulatorEnd::unlawful(const wire::Header& header) {
  if (header.magic != wire::kMagic) {
    fault_ = "this is the line simulator of VQAS; only vqas node can connect to it";
  } else if (!end && header.kind != wire::Kind::hello) {
    fault_ = "the first message must be a hello";
  } else if (header.kind == wire::Kind::hello && header.index != wire::kVersion) {
    fault_ = "the simulator uses version " + std::to_string(wire::kVersion) + " of its protocol, the node version " +
             std::to_string(header.index) + "; use the same release at both";
  } else if (header.kind != wire::Kind::hello && header.kind != wire::Kind::exchange &&
             header.kind != wire::Kind::withdraw) {
    fault_ = "an end does not send messages of this kind";
  } else if (header.kind == wire::Kind::exchange && header.payload == wire::block_bytes(kLineBlock) &&
             block_ != kLineBlock) {
    fault_ =
        "this line carries HD voice at 16 kHz, and the node sends 8 kHz; use a release of VQAS at the node that has HD "
        "voice";
  } else if (header.payload != (header.kind == wire::Kind::exchange ? wire::block_bytes(block_) : 0)) {
    fault_ = "a message has an unexpected length";
  }
  return !fault_.empty();
}

std::optional<EndMessage> SimulatorEnd::next() {
  if (!fault_.empty() || buffer_.size() < sizeof(wire::Header)) return std::nullopt;
  EndMessage message;
  std::memcpy(&message.header, buffer_.data(), sizeof message.header);
  if (unlawful(message.header)) return std::nullopt;
  const std::size_t size = sizeof message.header + message.header.payload;
  if (buffer_.size() < size) return std::nullopt;
  if (message.header.payload > 0) {
    message.samples.resize(block_);
    std::memcpy(message.samples.data(), buffer_.data() + sizeof message.header, message.header.payload);
    // NaN must not stay in the line's filters.
    for (float& sample : message.samples) sample = std::isfinite(sample) ? std::clamp(sample, -1.0F, 1.0F) : 0.0F;
  }
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(size));
  return message;
}

bool SimulatorEnd::send_block(wire::Kind kind, std::uint64_t index, std::int64_t time_ns,
                              std::span<const float> samples) {
  wire::Header header;
  header.kind = kind;
  header.index = index;
  header.time_ns = time_ns;
  return send_all(socket_.number(), wire::block_frame(header, samples));
}

bool SimulatorEnd::send_note(wire::Kind kind, std::uint64_t index, std::int64_t time_ns) {
  wire::Header header;
  header.kind = kind;
  header.index = index;
  header.time_ns = time_ns;
  return send_all(socket_.number(), wire::bytes_of(header));
}

bool SimulatorEnd::send_text(wire::Kind kind, const std::string& text) {
  const std::string frame = wire::text_frame(kind, text);
  return send_all(socket_.number(), std::as_bytes(std::span(frame)));
}

}  // namespace vqas
