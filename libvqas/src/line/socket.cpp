#include "line/socket.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <system_error>

namespace vqas {
namespace {

constexpr int kConnectTimeoutMs = 5000;
constexpr int kSendTimeoutMs = 5000;

void send_at_once(int socket) {
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

bool wait_for(int socket, short events, int timeout_ms) {
  pollfd entry{socket, events, 0};
  int ready = 0;
  do ready = ::poll(&entry, 1, timeout_ms);
  while (ready < 0 && errno == EINTR);
  return ready > 0;
}

// A connected socket, or the error number.
std::pair<Descriptor, int> try_address(const addrinfo& address) {
  Descriptor socket(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return {Descriptor(), errno};
  if (::connect(socket.number(), address.ai_addr, address.ai_addrlen) != 0) {
    if (errno != EINPROGRESS) return {Descriptor(), errno};
    if (!wait_for(socket.number(), POLLOUT, kConnectTimeoutMs)) return {Descriptor(), ETIMEDOUT};
    int fault = 0;
    socklen_t size = sizeof fault;
    ::getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &fault, &size);
    if (fault != 0) return {Descriptor(), fault};
  }
  send_at_once(socket.number());
  return {std::move(socket), 0};
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    reset();
    number_ = std::exchange(other.number_, -1);
  }
  return *this;
}

void Descriptor::reset() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

std::string system_error_text(int number) {
  return std::generic_category().message(number);
}

Result<Descriptor> listen_on_loopback(std::uint16_t port) {
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const auto failed = [port] {
    return Error{ErrorCode::io,
                 fmt::format("cannot listen on 127.0.0.1:{}: {}; choose another port, or 0 for a free one", port,
                             system_error_text(errno))};
  };
  if (!socket) return failed();
  const int on = 1;
  ::setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return failed();
  if (::listen(socket.number(), 8) != 0) return failed();
  return socket;
}

Result<std::uint16_t> local_port(const Descriptor& socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket.number(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return Error{ErrorCode::io, "cannot read the port number: " + system_error_text(errno)};
  }
  return static_cast<std::uint16_t>(ntohs(address.sin_port));
}

Descriptor accept_connection(const Descriptor& listener) {
  Descriptor socket(::accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (socket) send_at_once(socket.number());
  return socket;
}

Result<Descriptor> connect_to(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int unresolved = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, [](addrinfo* list) {
    if (list != nullptr) ::freeaddrinfo(list);
  });
  if (unresolved != 0) {
    return Error{ErrorCode::line_lost,
                 fmt::format("cannot find the host \"{}\": {}", host, ::gai_strerror(unresolved))};
  }
  int fault = 0;
  for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
    auto [socket, problem] = try_address(*address);
    if (socket) return std::move(socket);
    fault = problem;
  }
  return Error{ErrorCode::line_lost,
               fmt::format("no line simulator answers at {}:{} ({})", host, port, system_error_text(fault))};
}

bool send_all(int socket, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    } else if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      if (!wait_for(socket, POLLOUT, kSendTimeoutMs)) return false;
    } else if (sent == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

bool receive_all(int socket, std::span<std::byte> bytes, int timeout_ms) {
  while (!bytes.empty()) {
    const ssize_t got = ::recv(socket, bytes.data(), bytes.size(), 0);
    if (got > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(got));
    } else if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      if (!wait_for(socket, POLLIN, timeout_ms)) return false;
    } else if (got == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

Result<WakeUp> WakeUp::create() {
  Descriptor event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!event) return Error{ErrorCode::io, "cannot create an event: " + system_error_text(errno)};
  return WakeUp(std::move(event));
}

void WakeUp::wake() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(event_.number(), &one, sizeof one);
}

void WakeUp::clear() const {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = ::read(event_.number(), &count, sizeof count);
}

}  // namespace vqas
