#pragma once

#include <poll.h>

#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "line/udp_socket.h"

namespace vqas::test {

/// A SIP message as lines.
struct SipText {
  std::string text;
  SocketAddress from;

  std::string first_line() const { return text.substr(0, text.find("\r\n")); }
  std::string method() const { return text.substr(0, text.find(' ')); }
  /// All headers of this name, each with its line end.
  std::string lines(const std::string& name) const {
    std::istringstream all(text);
    std::string found, line;
    while (std::getline(all, line)) {
      if (line.starts_with(name + ":")) found += line + "\n";
    }
    return found;
  }
  std::string value(const std::string& name) const {
    const std::string line = lines(name);
    return line.empty() ? line : line.substr(name.size() + 2, line.find('\r') - name.size() - 2);
  }
  /// "127.0.0.1:PORT" of the session description.
  SocketAddress audio() const {
    const std::size_t at = text.find("m=audio ");
    return {0x7F000001,
            at == std::string::npos ? std::uint16_t{0} : static_cast<std::uint16_t>(std::stoi(text.substr(at + 8)))};
  }
};

/// A SIP endpoint over UDP on 127.0.0.1 that does what a script says, right or wrong.
class ScriptedPeer {
 public:
  using Script = std::function<void(ScriptedPeer&, const SipText&)>;
  explicit ScriptedPeer(Script script)
      : script_(std::move(script)), socket_(UdpSocket::bind({0x7F000001, 0}).value()), thread_([this] { run(); }) {}
  ~ScriptedPeer() {
    stopping_ = true;
    thread_.join();
  }
  ScriptedPeer(const ScriptedPeer&) = delete;
  ScriptedPeer& operator=(const ScriptedPeer&) = delete;

  std::uint16_t port() const { return socket_.address().port; }
  std::string address() const { return to_string(socket_.address()); }

  void send(const std::string& text, const SocketAddress& to) const {
    const std::vector<std::uint8_t> octets(text.begin(), text.end());
    socket_.send(octets, to);
  }
  /// `headers`: further ones, each with its line end.
  void reply(const SipText& request, const std::string& status, const std::string& body = {},
             const std::string& headers = {}) const {
    std::string to = request.lines("To");
    if (to.find(";tag=") == std::string::npos) to.insert(to.find("\r\n"), ";tag=peer");
    send("SIP/2.0 " + status + "\r\n" + request.lines("Via") + request.lines("From") + to + request.lines("Call-ID") +
             request.lines("CSeq") + "Contact: <sip:peer@" + address() + ">\r\n" + headers + with_body(body),
         request.from);
  }
  /// A request within the call that this INVITE began.
  void request(const SipText& invite, const std::string& method, int number, const std::string& body = {}) const {
    std::string to = invite.value("To");
    if (to.find(";tag=") == std::string::npos) to += ";tag=peer";
    const std::string contact = invite.value("Contact");
    const std::size_t first = contact.find('<') + 1;
    send(method + " " + contact.substr(first, contact.find('>') - first) + " SIP/2.0\r\nVia: SIP/2.0/UDP " + address() +
             ";branch=z9hG4bK" + method + std::to_string(number) + "\r\nMax-Forwards: 70\r\nFrom: " + to +
             "\r\nTo: " + invite.value("From") + "\r\n" + invite.lines("Call-ID") + "CSeq: " + std::to_string(number) +
             " " + method + "\r\nContact: <sip:peer@" + address() + ">\r\n" + with_body(body),
         invite.from);
  }
  static std::string with_body(const std::string& body) {
    const std::string length = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
    return body.empty() ? length : "Content-Type: application/sdp\r\n" + length + body;
  }
  static std::string description(std::uint16_t port, const std::string& formats = "0",
                                 const std::string& attribute = "a=sendrecv\r\n") {
    return "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio " + std::to_string(port) +
           " RTP/AVP " + formats + "\r\n" + attribute;
  }

 private:
  void run() {
    std::array<std::byte, 8192> room;
    while (!stopping_) {
      pollfd entry{socket_.descriptor(), POLLIN, 0};
      if (::poll(&entry, 1, 10) <= 0) continue;
      SipText got;
      const auto size = socket_.receive(room, got.from);
      if (!size) continue;
      got.text.assign(reinterpret_cast<const char*>(room.data()), *size);
      script_(*this, got);
    }
  }

  const Script script_;
  const UdpSocket socket_;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace vqas::test
