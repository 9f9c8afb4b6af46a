#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "vqas/signal/result.h"

namespace vqas {

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  void reset();

 private:
  int number_ = -1;
};

/// The last error of the system in words.
std::string system_error_text(int number);

/// A listening socket on 127.0.0.1; `port` 0 takes a free one.
Result<Descriptor> listen_on_loopback(std::uint16_t port);
Result<std::uint16_t> local_port(const Descriptor& socket);
/// Takes a waiting connection; empty when there is none.
Descriptor accept_connection(const Descriptor& listener);
/// Connects within a few seconds. `host` is a name or an address. Fails with line_lost.
Result<Descriptor> connect_to(const std::string& host, std::uint16_t port);

/// Writes all bytes, waiting for room; false when the peer is gone.
bool send_all(int socket, std::span<const std::byte> bytes);
/// Fills `bytes`, waiting as needed; false when the peer is gone or takes longer than `timeout_ms` (-1: no limit).
bool receive_all(int socket, std::span<std::byte> bytes, int timeout_ms);

/// Wakes a thread that waits in poll(); wake() is async-signal-safe.
class WakeUp {
 public:
  static Result<WakeUp> create();
  void wake() const;
  void clear() const;
  int descriptor() const { return event_.number(); }

 private:
  explicit WakeUp(Descriptor event) : event_(std::move(event)) {}
  Descriptor event_;
};

}  // namespace vqas
