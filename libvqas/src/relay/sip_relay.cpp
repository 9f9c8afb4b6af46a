#include "vqas/relay/sip_relay.h"

#include <fmt/format.h>

#include <QSocketNotifier>
#include <QTimer>
#include <array>
#include <cmath>

#include "line/udp_socket.h"
#include "relay/sip_proxy.h"
#include "vqas/signal/plain_text.h"

namespace vqas {
namespace {

constexpr int kExpireEveryMs = 500;
// A flood must not block the control socket, signals and the ends of calls: the rest is read in the next turn of the
// event loop.
constexpr int kMostAtOnce = 32;
constexpr std::size_t kLongestDatagram = 65536;

double now_s() {
  return static_cast<double>(monotonic_ns()) * 1e-9;
}

}  // namespace

struct SipRelay::Engine {
  Options options;
  CallControl& live;
  Ended ended;
  UdpSocket socket;
  std::unique_ptr<SipProxy> proxy;
  QSocketNotifier notifier;
  QTimer timer;
  std::uint64_t opened = 0;
  std::array<char, kLongestDatagram> datagram{};

  Engine(const Options& given, CallControl& given_control, Ended given_ended, UdpSocket given_socket)
      : options(given),
        live(given_control),
        ended(std::move(given_ended)),
        socket(std::move(given_socket)),
        notifier(socket.descriptor(), QSocketNotifier::Read) {
    SipMedia media;
    media.open = [this] { return open(); };
    media.set_peer = [this](std::uint64_t call, End side, const SocketAddress& peer) {
      // Fails only if the call has ended.
      [[maybe_unused]] const Status set = live.relay().set_peer(call, side, peer);
    };
    media.close = [this](std::uint64_t call) { close(call); };
    media.silent_s = [this](std::uint64_t call) {
      const auto silent_ns = live.relay().silent_ns(call);
      return silent_ns ? static_cast<double>(*silent_ns) * 1e-9 : HUGE_VAL;
    };
    // The text contains words of an unknown sender.
    media.say = [](const std::string& what) { qWarning("vqas: %s.", plain_text(what).c_str()); };
    proxy = std::make_unique<SipProxy>(options.sip, media);
    QObject::connect(&notifier, &QSocketNotifier::activated, &notifier, [this] { receive(); });
    QObject::connect(&timer, &QTimer::timeout, &timer, [this] { send(proxy->expire(now_s())); });
    timer.start(kExpireEveryMs);
    live.show_sip([this] { return proxy->counters(); });
  }
  ~Engine() { live.show_sip({}); }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  Result<RelayedCallState> open() {
    CallOptions call = live.defaults();
    for (CallSide& side : call.sides) {
      side.listen = {options.media_host, 0};
      side.peer.reset();
      side.symmetric = true;
    }
    if (!options.record.empty()) {
      const auto file = [this](const char* direction) {
        return PatternRecording{options.record / fmt::format("call-{:04}-{}.bits", opened, direction)};
      };
      // Files of an earlier run are kept.
      std::error_code fault;
      const auto is_taken = [&](const char* way) { return std::filesystem::exists(file(way).file, fault); };
      while (is_taken("a-to-b") || is_taken("b-to-a")) ++opened;
      call.sides[0].record = file("a-to-b");
      call.sides[1].record = file("b-to-a");
    }
    ++opened;
    auto added = live.relay().add_call(call);
    if (!added) qWarning("vqas: a call was refused: %s.", added.error().message.c_str());
    return added;
  }

  void close(std::uint64_t call) {
    const auto state = live.relay().call(call);
    const auto removed = live.relay().remove_call(call);
    if (!state) return;
    ended(removed ? *removed : *state, removed ? success() : Status(removed.error()));
  }

  void receive() {
    SocketAddress from;
    for (int taken = 0; taken < kMostAtOnce; ++taken) {
      const auto size = socket.receive(std::as_writable_bytes(std::span(datagram)), from);
      if (!size) return;
      send(proxy->take({datagram.data(), *size}, from, now_s()));
    }
  }

  void send(const std::vector<SipProxy::Outgoing>& all) const {
    for (const auto& out : all) {
      socket.send({reinterpret_cast<const std::uint8_t*>(out.text.data()), out.text.size()}, out.to);
    }
  }
};

SipRelay::SipRelay(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
SipRelay::~SipRelay() = default;

Result<std::unique_ptr<SipRelay>> SipRelay::listen(const Options& options, CallControl& live, Ended ended) {
  auto socket = UdpSocket::bind(options.sip.self);
  if (!socket) return socket.error();
  Options known = options;
  known.sip.self = socket->address();
  return std::unique_ptr<SipRelay>(
      new SipRelay(std::make_unique<Engine>(known, live, std::move(ended), std::move(socket).value())));
}

SocketAddress SipRelay::address() const {
  return engine_->socket.address();
}

SipCounters SipRelay::counters() const {
  return engine_->proxy->counters();
}

}  // namespace vqas
