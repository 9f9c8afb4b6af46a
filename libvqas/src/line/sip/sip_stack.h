#pragma once

#include <functional>
#include <optional>
#include <string>

#include "line/sip/call_end.h"
#include "line/sip/libre.h"
#include "line/sip/sip_account.h"
#include "line/sip/sip_name.h"
#include "line/sip/sip_wire.h"
#include "line/sip/tls_trust.h"

namespace vqas {

/// Of one request, answered: a second one is usual when a nonce has expired.
constexpr int kMostChallenges = 2;

inline constexpr const char* kSipAllow = "Allow: INVITE,ACK,BYE,CANCEL,OPTIONS,UPDATE\r\n";
inline constexpr const char* kSipTimer = "Supported: timer\r\n";

/// One SIP stack: a transport, a registration, and the requests that belong to no call. Any number of calls use it. Of
/// libre's thread.
class SipStack {
 public:
  struct Events {
    std::function<void(const sip_msg* request)> invited;  ///< an INVITE that begins a call
    std::function<void(const SipReply&)> registered;      ///< each answer of the registrar
    std::function<bool(const sip_msg* request)> updated;  ///< an UPDATE; false: of no call of this stack
    SipWire::Events wire;
  };
  SipStack(const SipLineOptions& options, std::optional<SipAccount> account, Events events);
  /// After leave() and its `done` nothing of the stack is left; else the ports are freed, and what a far end did not
  /// confirm stays in memory.
  ~SipStack();
  SipStack(const SipStack&) = delete;
  SipStack& operator=(const SipStack&) = delete;

  /// Takes the port. `calls`: about how many there may be at a time. Fails with io or bad_input.
  Status open(const SocketAddress& local, std::size_t calls);
  /// Asks for a registration and keeps renewing it.
  void register_account();
  void give_up_registration();
  /// Begins to close; `done` is called when the far ends have confirmed. All calls must have been released.
  void leave(std::function<void()> done);

  const SipLineOptions& options() const { return options_; }
  bool has_account() const { return account_.has_value(); }
  sip* stack() const { return stack_; }
  sipsess_sock* door() const { return door_; }
  /// The route through the proxy; empty without one.
  const std::string& route() const { return route_; }
  /// For a challenge: `count` counts those of one call. Registrars lock accounts, so it gives up early.
  int answer_challenge(int& count, char** user, char** password) const;
  /// A refused certificate is seen by libre as a broken connection, and is named here.
  SipReply as_reply(int error, const sip_msg* message) const;

 private:
  static void on_invite(const sip_msg* request, void* self);
  static void on_registered(int error, const sip_msg* reply, void* self);
  static bool on_other_request(const sip_msg* request, void* self);
  static bool on_other_response(const sip_msg* reply, void* self);
  static int on_challenge(char** user, char** password, const char* realm, void* self);
  static void on_exit(void* self);
  static void on_passed(bool sent, sip_transp transport, const sa* source, const sa* destination,
                        const std::uint8_t* message, std::size_t size, void* self);

  const SipLineOptions options_;
  const std::optional<SipAccount> account_;
  const std::string route_;
  Events events_;
  TlsTrust trust_;
  int challenges_ = 0;  // since the last success
  bool has_exited_ = false;
  sip* stack_ = nullptr;
  sip_lsnr* requests_ = nullptr;
  sip_lsnr* responses_ = nullptr;
  sipsess_sock* door_ = nullptr;
  sipreg* registration_ = nullptr;
  std::function<void()> left_;
  std::optional<SipWire> wire_;  // until the stack begins to end
};

}  // namespace vqas
