#include "line/sip/sip_stack.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <utility>

#include "line/socket.h"

namespace vqas {
namespace {

constexpr std::uint32_t kLeastBuckets = 16;   // of libre's tables, which want a power of two
constexpr std::uint32_t kRegistered_s = 600;  // asked for; the registrar may choose less
constexpr const char* kSoftware = "VQAS";

}  // namespace

SipStack::SipStack(const SipLineOptions& options, std::optional<SipAccount> account, Events events)
    : options_(options),
      account_(std::move(account)),
      route_(options.proxy ? sip_uri(*options.proxy, options.transport) + ";lr" : std::string()),
      events_(std::move(events)),
      wire_(std::in_place, events_.wire) {}

// leave() gave up this end's reference to the stack, and libre took it back for the call of on_exit(). Before that,
// calls and requests that wait for a word of the far end hold the stack: they are ended.
SipStack::~SipStack() {
  if (stack_ == nullptr) return;
  sip_set_trace_handler(stack_, nullptr);
  if (!left_) leave([] {});
  if (!has_exited_) {
    wire_.reset();  // before the sockets
    sipsess_close_all(door_);
    sip_close(stack_, true);
  }
  mem_deref(door_);
  if (has_exited_) {
    mem_deref(stack_);
  } else {
    sip_transp_flush(stack_);
  }
}

Status SipStack::open(const SocketAddress& local, std::size_t calls) {
  if (options_.transport == SipTransport::tls) {
    const SipParty* const server = first_hop(options_, account_.has_value());
    // This end has no certificate, and checks one name only.
    if (server == nullptr || (!options_.proxy && options_.dial && options_.dial->host != server->host)) {
      return Error{ErrorCode::bad_input,
                   options_.name +
                       ": transport=tls needs one server: a registrar, at which the other end is called "
                       "too, or a proxy"};
    }
    trust_.host = server->host;
    trust_.pin = options_.pin;
  }
  const sa address = libre::as_sa(local);
  // Without a list of name servers, only addresses in figures can be called.
  std::array<sa, 4> servers{};
  auto count = static_cast<std::uint32_t>(servers.size());
  dnsc* resolver = nullptr;
  if (dns_srv_get(nullptr, 0, servers.data(), &count) == 0) (void)dnsc_alloc(&resolver, nullptr, servers.data(), count);
  const std::uint32_t buckets = std::bit_ceil(std::max(kLeastBuckets, static_cast<std::uint32_t>(calls)));
  int error = sip_alloc(&stack_, resolver, buckets, buckets, buckets, kSoftware, &SipStack::on_exit, this);
  mem_deref(resolver);
  if (error == 0 && options_.transport == SipTransport::tls) {
    const auto settings = tls_with_trust(trust_, options_.ca);
    if (!settings) return settings.error();
    error = sip_transp_add(stack_, SIP_TRANSP_TLS, &address, *settings);
    mem_deref(*settings);
  } else if (error == 0) {
    error = sip_transp_add(stack_, options_.transport == SipTransport::tcp ? SIP_TRANSP_TCP : SIP_TRANSP_UDP, &address);
  }
  if (error == 0) error = sipsess_listen(&door_, stack_, buckets, &SipStack::on_invite, this);
  if (error == 0) error = sip_listen(&requests_, stack_, true, &SipStack::on_other_request, this);
  if (error == 0) error = sip_listen(&responses_, stack_, false, &SipStack::on_other_response, this);
  if (error == 0) {
    sip_set_trace_handler(stack_, &SipStack::on_passed);
    if (options_.transport == SipTransport::udp) wire_->watch(stack_);
    return success();
  }
  return Error{ErrorCode::io,
               fmt::format("{}: cannot take the {} port {} for SIP: {}; choose another one by listen=", options_.name,
                           word_of(options_.transport), to_string(local), system_error_text(error))};
}

void SipStack::register_account() {
  const std::string own = sip_uri({options_.own.user, options_.own.host, options_.own.port}, SipTransport::udp);
  const std::string registrar = sip_uri({"", options_.own.host, options_.own.port}, options_.transport);
  std::array<const char*, 1> route{route_.c_str()};
  const int error =
      sipreg_register(&registration_, stack_, registrar.c_str(), own.c_str(), nullptr, own.c_str(), kRegistered_s,
                      options_.own.user.c_str(), route.data(), route_.empty() ? 0 : 1, 0, &SipStack::on_challenge, this,
                      false, &SipStack::on_registered, this, nullptr, nullptr);
  if (error != 0) events_.registered({error, 0, {}});
}

void SipStack::give_up_registration() {
  mem_deref(std::exchange(registration_, nullptr));
}

SipReply SipStack::as_reply(int error, const sip_msg* message) const {
  if (message != nullptr) return {error, message->scode, libre::text_of(message->reason)};
  return {error, 0, trust_.fault};
}

int SipStack::answer_challenge(int& count, char** user, char** password) const {
  // libre would try sixteen times.
  if (!account_ || ++count > kMostChallenges) return EAUTH;
  const int error = str_dup(user, account_->user.c_str());
  return error != 0 ? error : str_dup(password, account_->password.c_str());
}

int SipStack::on_challenge(char** user, char** password, const char*, void* self) {
  auto& stack = *static_cast<SipStack*>(self);
  return stack.answer_challenge(stack.challenges_, user, password);
}

void SipStack::on_invite(const sip_msg* request, void* self) {
  auto& stack = *static_cast<SipStack*>(self);
  if (stack.wire_) stack.wire_->take_socket(request);
  stack.events_.invited(request);
}

// Called for each renewal too, which libre does by itself.
void SipStack::on_registered(int error, const sip_msg* message, void* self) {
  auto& stack = *static_cast<SipStack*>(self);
  const SipReply reply = stack.as_reply(error, message);
  if (reply.error == 0 && reply.code >= 200 && reply.code < 300) stack.challenges_ = 0;
  stack.events_.registered(reply);
}

bool SipStack::on_other_request(const sip_msg* request, void* self) {
  auto& stack = *static_cast<SipStack*>(self);
  if (stack.wire_) stack.wire_->take_socket(request);
  if (pl_strcmp(&request->met, "ACK") == 0) return true;
  const bool updates = pl_strcmp(&request->met, "UPDATE") == 0;
  if (updates && stack.events_.updated(request)) return true;
  if (updates || pl_strcmp(&request->met, "CANCEL") == 0 || pl_strcmp(&request->met, "BYE") == 0) {
    // Both ends may hang up at once.
    (void)sip_reply(stack.stack_, request, 481, "Call Does Not Exist");
    return true;
  }
  const bool asks = pl_strcmp(&request->met, "OPTIONS") == 0;
  (void)sip_replyf(stack.stack_, request, asks ? 200 : 501, asks ? "OK" : "Not Implemented",
                   "%sContent-Length: 0\r\n\r\n", kSipAllow);
  return true;
}

// Late copies, and this end's message to itself; libre would print them.
bool SipStack::on_other_response(const sip_msg* reply, void* self) {
  auto& stack = *static_cast<SipStack*>(self);
  if (stack.wire_) stack.wire_->take_socket(reply);
  return true;
}

void SipStack::leave(std::function<void()> done) {
  left_ = std::move(done);
  give_up_registration();
  sip_close(stack_, false);
}

void SipStack::on_passed(bool sent, sip_transp transport, const sa* source, const sa* destination,
                         const std::uint8_t* message, std::size_t size, void* self) {
  auto& stack = *static_cast<SipStack*>(self);
  if (!stack.wire_) return;
  stack.wire_->passed(sent, transport, sent ? *destination : *source, {reinterpret_cast<const char*>(message), size});
}

void SipStack::on_exit(void* self) {
  auto& stack = *static_cast<SipStack*>(self);
  stack.wire_.reset();  // the sockets go next
  if (!std::exchange(stack.has_exited_, true)) stack.left_();
}

}  // namespace vqas
