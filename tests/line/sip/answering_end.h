#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "line/sip/opened_line.h"
#include "line/sip/scripted_peer.h"
#include "lines/free_ports.h"

namespace vqas::test {

/// A caller of an end that answers, over UDP. It keeps what it receives.
class Caller {
 public:
  explicit Caller(int port)
      : to_{0x7F000001, static_cast<std::uint16_t>(port)}, peer_([this](ScriptedPeer& self, const SipText& got) {
          if (confirms_ && got.first_line() == "SIP/2.0 200 OK" && got.value("CSeq").ends_with("INVITE"))
            self.send(in_call("ACK", got), to_);
          const std::lock_guard lock(mutex_);
          got_.push_back(got);
        }) {}

  void confirm() { confirms_ = true; }
  void send(const std::string& text) const { peer_.send(text, to_); }
  void invite(const std::string& call, const std::string& headers = {}, const std::string& formats = "0",
              const std::string& user = "4711") const {
    send("INVITE sip:4712@127.0.0.1 SIP/2.0\r\n" + common(call, "1 INVITE", user) + headers +
         ScriptedPeer::with_body(ScriptedPeer::description(20000, formats)));
  }
  void options(const std::string& call) const {
    send("OPTIONS sip:4712@127.0.0.1 SIP/2.0\r\n" + common(call, "1 OPTIONS", "4711") + ScriptedPeer::with_body(""));
  }
  /// A request within the call that this reply set up.
  std::string in_call(const std::string& method, const SipText& reply, int number = 1, const std::string& headers = {},
                      const std::string& body = {}) const {
    return method + " sip:4712@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP " + peer_.address() + ";branch=z9hG4bK" + method +
           std::to_string(number) + "\r\nMax-Forwards: 70\r\n" + reply.lines("From") + reply.lines("To") +
           reply.lines("Call-ID") + "CSeq: " + std::to_string(number) + " " + method + "\r\nContact: <sip:x@" +
           peer_.address() + ">\r\n" + headers + ScriptedPeer::with_body(body);
  }
  /// The first message of this call with this beginning, in answer to this method; waits for it.
  SipText wait_for(const std::string& call, const std::string& begins, const std::string& method = "INVITE") const {
    for (int n = 0; n < 500; ++n) {
      {
        const std::lock_guard lock(mutex_);
        for (const SipText& one : got_) {
          if (one.value("Call-ID") == call && one.value("CSeq").ends_with(method) && one.text.starts_with(begins))
            return one;
        }
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return {};
  }

 private:
  std::string common(const std::string& call, const std::string& sequence, const std::string& user) const {
    return "Via: SIP/2.0/UDP " + peer_.address() + ";branch=z9hG4bK" + call +
           "\r\nMax-Forwards: 70\r\nFrom: <sip:" + user + "@127.0.0.1>;tag=" + call +
           "\r\nTo: <sip:4712@127.0.0.1>\r\nCall-ID: " + call + "\r\nCSeq: " + sequence + "\r\nContact: <sip:x@" +
           peer_.address() + ">\r\n";
  }

  const SocketAddress to_;
  mutable std::mutex mutex_;
  std::vector<SipText> got_;
  std::atomic<bool> confirms_ = false;
  ScriptedPeer peer_;  // last: its thread uses the others
};

/// An end that answers; its exchange() runs in a thread, as a node's does.
class Answering {
 public:
  explicit Answering(const std::string& more = {}, const Change& change = {})
      : port_(free_ports(1)), line_(opened("sip:4712@127.0.0.1:" + std::to_string(port_) + more, change)) {
    line_->tell_news([this](const LineNews& news) {
      const std::lock_guard lock(mutex_);
      warnings_ += news.warning;
      for (const LineTrace& one : news.trace) trace_ += one.text;
    });
    thread_ = std::thread([this] {
      Block heard{};
      while (!done_) (void)line_->exchange(Block{}, heard, {.number = 1, .busy = true});
    });
  }
  ~Answering() {
    done_ = true;
    line_->interrupt();
    thread_.join();
  }
  Answering(const Answering&) = delete;
  Answering& operator=(const Answering&) = delete;

  int port() const { return port_; }
  /// Waits until the line has told this.
  bool tells(const std::string& words) { return comes(warnings_, words); }
  bool traces(const std::string& words) { return comes(trace_, words); }
  std::string told() {
    const std::lock_guard lock(mutex_);
    return warnings_ + trace_;
  }

 private:
  bool comes(const std::string& where, const std::string& words) {
    for (int n = 0; n < 500; ++n) {
      {
        const std::lock_guard lock(mutex_);
        if (where.find(words) != std::string::npos) return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  const int port_;
  std::mutex mutex_;
  std::string warnings_, trace_;
  std::unique_ptr<Line> line_;
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

}  // namespace vqas::test
