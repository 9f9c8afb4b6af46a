#include "line/sip/sip_wire.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <random>
#include <span>
#include <utility>

#include "line/machine_clock.h"
#include "line/udp_socket.h"

namespace vqas {
namespace {

constexpr std::size_t kMostAddresses = 64;  // watched at a time
constexpr std::int64_t kPatience_ns = 1'000'000'000, kPause_ns = 500'000'000;
constexpr std::int64_t kBetweenFailures_ns = 1'000'000'000;
constexpr int kLowest = 0;  // layer of the helper

double utc_now_s() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

SocketAddress address_of(const sa& address) {
  return {sa_in(&address), sa_port(&address)};
}

std::uint64_t place_of(const SocketAddress& address) {
  return std::uint64_t{address.host} << 16U | address.port;
}

// Of a message of this end, as libre writes it.
std::string call_id_of(std::string_view message) {
  constexpr std::string_view kHeader = "\r\nCall-ID: ";
  const std::size_t header = message.find(kHeader);
  if (header == std::string_view::npos) return {};
  message.remove_prefix(header + kHeader.size());
  return std::string(message.substr(0, message.find('\r')));
}

}  // namespace

/// A connected socket to where requests were sent without a response: the system reports ICMP errors to it, and to
/// libre's socket, which serves all addresses, it does not.
struct SipWire::Probe {
  SipWire* wire = nullptr;
  SocketAddress to;
  std::int64_t begun_ns = 0, probed_ns = 0;
  std::int64_t failed_ns = 0;  // first
  Unheard what;
  Descriptor socket;

  ~Probe() {
    if (socket) fd_close(socket.number());
  }
  static void on_event(int, void* self);
};

SipWire::SipWire(Events events)
    : events_(std::move(events)),
      own_call_(fmt::format("vqas-{:08x}{:08x}", std::random_device{}(), std::random_device{}())) {}

SipWire::~SipWire() {
  mem_deref(helper_);
}

void SipWire::watch(const sip* stack) {
  sa own;
  if (sip_transp_laddr(const_cast<sip*>(stack), &own, SIP_TRANSP_UDP, nullptr) != 0)  // NOLINT: libre's type
    return;
  const SocketAddress at = address_of(own);
  const auto socket = UdpSocket::bind({at.host, 0});
  if (!socket) return;
  // A response, so that nothing answers it.
  const std::string hello = fmt::format(
      "SIP/2.0 100 Trying\r\nVia: SIP/2.0/UDP {0};branch=z9hG4bK{1}\r\nFrom: <sip:{0}>;tag=1\r\nTo: <sip:{0}>;tag=2\r\n"
      "Call-ID: {1}\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n",
      to_string(at), own_call_);
  socket->send(std::span(reinterpret_cast<const std::uint8_t*>(hello.data()), hello.size()), at);
}

void SipWire::take_socket(const sip_msg* message) {
  if (helper_ != nullptr || message->tp != SIP_TRANSP_UDP || message->sock == nullptr) return;
  (void)udp_register_helper(&helper_, static_cast<udp_sock*>(message->sock), kLowest, nullptr, &SipWire::on_datagram,
                            this);
}

// libre would print what it cannot read. True: libre does not see it.
bool SipWire::on_datagram(sa* source, mbuf* datagram, void* self) {
  auto& wire = *static_cast<SipWire*>(self);
  constexpr std::size_t kKeepAlive = 4;  // RFC 5626, 3.5.1, and less
  if (mbuf_get_left(datagram) <= kKeepAlive) return true;
  const std::size_t begin = datagram->pos;
  sip_msg* message = nullptr;
  const int error = sip_msg_decode(&message, datagram);
  datagram->pos = begin;
  mem_deref(message);
  if (error == 0) return false;
  // Told at 1, 2, 4, 8, …
  if (std::has_single_bit(++wire.malformed_)) {
    wire.events_.noticed(fmt::format("a datagram from {} is no SIP and was ignored ({} until now)",
                                     to_string(address_of(*source)), wire.malformed_));
  }
  return true;
}

void SipWire::passed(bool is_sent, sip_transp transport, const sa& other, std::string_view message) {
  const SocketAddress address = address_of(other);
  if (transport == SIP_TRANSP_UDP && is_sent) sent(other, message);
  if (transport == SIP_TRANSP_UDP && !is_sent) received(address, message);
  if (!events_.traced) return;
  const char* const by = transport == SIP_TRANSP_UDP ? "udp" : transport == SIP_TRANSP_TCP ? "tcp" : "tls";
  SipTraced entry = sip_trace_entry(utc_now_s(), is_sent, by, address, message);
  if (entry.call_id != own_call_) events_.traced(std::move(entry));
}

// A response may come from another address than its request went to.
void SipWire::received(const SocketAddress& from, std::string_view message) {
  probes_.erase(place_of(from));
  for (const auto& [place, probe] : probes_) {
    std::erase_if(probe->what.invites,
                  [&](const std::string& call_id) { return message.find(call_id) != std::string_view::npos; });
  }
}

void SipWire::sent(const sa& to, std::string_view message) {
  const bool invites = message.starts_with("INVITE "), registers = message.starts_with("REGISTER ");
  if (!invites && !registers) return;
  const SocketAddress address = address_of(to);
  const std::uint64_t place = place_of(address);
  if (!probes_.contains(place) && probes_.size() >= kMostAddresses) probes_.erase(probes_.begin());
  auto& known = probes_[place];
  if (!known) {
    known = std::make_unique<Probe>();
    known->wire = this;
    known->to = address;
    known->begun_ns = monotonic_ns();
  }
  if (const std::string call_id = invites ? call_id_of(message) : std::string(); !call_id.empty())
    known->what.invites.insert(call_id);
  known->what.registers = known->what.registers || registers;
  // The other end may just be starting.
  const std::int64_t now_ns = monotonic_ns();
  if (now_ns - known->begun_ns < kPatience_ns || now_ns - known->probed_ns < kPause_ns) return;
  known->probed_ns = now_ns;
  probe(*known);
}

void SipWire::probe(Probe& probe) const {
  if (!probe.socket) {
    probe.socket = Descriptor(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(probe.to.port);
    address.sin_addr.s_addr = htonl(probe.to.host);
    if (!probe.socket ||
        ::connect(probe.socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        fd_listen(probe.socket.number(), FD_READ, &Probe::on_event, &probe) != 0)
      return probe.socket.reset();
  }
  constexpr std::string_view kNothing = "\r\n\r\n";  // a keep-alive, which SIP ignores (RFC 3261, 7.5)
  (void)::send(probe.socket.number(), kNothing.data(), kNothing.size(), MSG_NOSIGNAL);
}

void SipWire::Probe::on_event(int, void* self) {
  auto& probe = *static_cast<Probe*>(self);
  std::array<char, 16> ignored{};
  if (::recv(probe.socket.number(), ignored.data(), ignored.size(), 0) >= 0) return;
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return;
  const int error = errno;
  // The probe comes from another port than the requests, so a single refusal may be of the probe alone.
  const std::int64_t now_ns = monotonic_ns();
  if (probe.failed_ns == 0) probe.failed_ns = now_ns;
  if (now_ns - probe.failed_ns < kBetweenFailures_ns) return;
  Unheard what = probe.what;
  what.error = error;
  SipWire& wire = *probe.wire;
  wire.probes_.erase(place_of(probe.to));
  wire.events_.unheard(what);
}

}  // namespace vqas
