#include "vqas/line/simulator.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <functional>
#include <list>
#include <utility>
#include <vector>

#include "line/line_pace.h"
#include "line/lockstep.h"
#include "line/simulator_end.h"

namespace vqas {
namespace {

// Silent connections must not fill the table, at least not for long.
constexpr std::size_t kMostConnections = 16;
using Clock = SimulatorEnd::Clock;

}  // namespace

struct SimulatorServer::Engine {
  SimulatedLine line;
  Descriptor listener;
  WakeUp wake_up;
  std::uint16_t port = 0;
  std::chrono::milliseconds patience{};
  int watched = -1;
  std::atomic<bool> stopping = false;
  std::list<SimulatorEnd> connections;
  std::uint64_t calls = 0;
  std::optional<Lockstep> lockstep;
  // In real time: an answer that is not due yet.
  struct Held {
    std::int64_t due_ns = 0;
    Lockstep::Answer answer;
  };
  std::function<std::int64_t()> clock_ns = {};
  LinePace pace = {};
  std::vector<Held> held = {};

  SimulatorEnd* holder(End end) {
    const auto found =
        std::find_if(connections.begin(), connections.end(), [end](const auto& c) { return c.end == end; });
    return found == connections.end() ? nullptr : &*found;
  }

  // True while the connection may stay.
  bool say_hello(SimulatorEnd& connection, const wire::Header& header) {
    if (connection.end || header.round > 1) return refuse(connection, "the hello does not name a free end");
    const auto end = static_cast<End>(header.round);
    if (holder(end) != nullptr) {
      return refuse(connection, fmt::format("end {} of this line is taken", name_of(end)));
    }
    connection.end = end;
    if (!lockstep) lockstep.emplace(line, calls++);
    return connection.send_text(wire::Kind::welcome, simulated_conditions_json(line));
  }

  static bool refuse(SimulatorEnd& connection, const std::string& why) {
    connection.send_text(wire::Kind::refused, why);
    return false;
  }

  bool take_block(SimulatorEnd& connection, const EndMessage& message) {
    const End end = *connection.end;
    if (lockstep->waiting(end)) return refuse(connection, "a block came before the last one was answered");
    if (message.header.index != lockstep->taken(end)) return refuse(connection, "a block is out of turn");
    const std::int64_t end_silence_ns = message.header.time_ns;
    if (end_silence_ns != 0 && (end_silence_ns < 100'000'000 || end_silence_ns > 2'000'000'000)) {
      return refuse(connection, "the silence that ends a transmission must be from 0.1 to 2 s");
    }
    lockstep->request(end,
                      Round{message.header.round, message.header.busy != 0, static_cast<double>(end_silence_ns) * 1e-9},
                      message.samples);
    return true;
  }

  bool handle(SimulatorEnd& connection, const EndMessage& message) {
    switch (message.header.kind) {
      case wire::Kind::hello:
        return say_hello(connection, message.header);
      case wire::Kind::exchange:
        return take_block(connection, message);
      default:  // withdraw; other kinds are invalid
        if (!lockstep->withdraw(*connection.end)) return true;
        return connection.send_note(wire::Kind::withdrawn, lockstep->taken(*connection.end), 0);
    }
  }

  // False when the connection is over.
  bool listen_to(SimulatorEnd& connection) {
    bool alive = connection.read();
    while (const auto message = connection.next()) {
      if (!handle(connection, *message)) return false;
    }
    if (!connection.fault().empty()) return refuse(connection, connection.fault());
    return alive;
  }

  // A line has two ends: when one leaves, the other one's line is lost.
  void drop(std::list<SimulatorEnd>::iterator gone) {
    const auto end = gone->end;
    connections.erase(gone);
    if (!end) return;
    lockstep.reset();
    held.clear();
    connections.remove_if(
        [](SimulatorEnd& other) { return other.end && !refuse(other, "the other end left the line"); });
  }

  void answer() {
    if (!lockstep) return;
    const auto answers = lockstep->settle();
    for (const auto& answer : answers.all()) {
      if (clock_ns && answer.kind == Lockstep::Kind::heard) {
        held.push_back({pace.due_ns(answer.time_ns, clock_ns()), answer});
      } else {
        tell(answer);
      }
    }
  }

  // A peer that is gone is noticed on reading.
  void tell(const Lockstep::Answer& answer) {
    SimulatorEnd* const to = holder(answer.end);
    if (to == nullptr) return;
    if (answer.kind == Lockstep::Kind::heard) {
      to->send_block(wire::Kind::heard, answer.index, answer.time_ns, answer.heard);
    } else {
      to->send_note(wire::Kind::standing, answer.index, answer.time_ns);
    }
  }

  void tell_what_is_due() {
    if (held.empty()) return;
    const std::int64_t now_ns = clock_ns();
    std::erase_if(held, [&](const Held& one) {
      if (one.due_ns > now_ns) return false;
      tell(one.answer);
      return true;
    });
  }

  void accept() {
    for (Descriptor socket = accept_connection(listener); socket; socket = accept_connection(listener)) {
      if (connections.size() < kMostConnections)
        connections.emplace_back(std::move(socket), Clock::now() + patience, line_block(rate_hz_of(line.codec)));
    }
  }

  /// Timeout for poll(), in ms, until a hello is overdue or an answer is due; -1 without either.
  int wait_ms() const {
    int least = -1;
    for (const Held& one : held) {
      const std::int64_t left_ns = std::max<std::int64_t>(one.due_ns - clock_ns(), 0);
      const int wait = static_cast<int>((left_ns + 999'999) / 1'000'000);
      least = least < 0 ? wait : std::min(least, wait);
    }
    for (const SimulatorEnd& one : connections) {
      if (one.end) continue;
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(one.speak_by - Clock::now()).count();
      const int wait = static_cast<int>(std::max<std::int64_t>(left, 0));
      least = least < 0 ? wait : std::min(least, wait);
    }
    return least;
  }

  void drop_silent() {
    const auto now = Clock::now();
    connections.remove_if([now](SimulatorEnd& one) {
      return !one.end && one.speak_by <= now && !refuse(one, "the hello did not arrive in time");
    });
  }

  void serve(const std::vector<pollfd>& ready) {
    for (auto connection = connections.begin(); connection != connections.end();) {
      const auto entry = std::find_if(ready.begin(), ready.end(), [&](const pollfd& candidate) {
        return candidate.fd == connection->descriptor() && candidate.revents != 0;
      });
      if (entry == ready.end() || listen_to(*connection)) {
        ++connection;
        continue;
      }
      drop(connection);
      connection = connections.begin();
      return;  // the list has changed; other ready sockets are still ready in the next turn
    }
  }
};

SimulatorServer::SimulatorServer(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
SimulatorServer::~SimulatorServer() = default;

Result<std::unique_ptr<SimulatorServer>> SimulatorServer::listen(const SimulatedLine& line, std::uint16_t port,
                                                                 std::chrono::milliseconds patience) {
  const Status valid = validate(line);
  if (!valid) return valid.error();
  auto listener = listen_on_loopback(port);
  if (!listener) return listener.error();
  const auto taken = local_port(*listener);
  if (!taken) return taken.error();
  auto wake_up = WakeUp::create();
  if (!wake_up) return wake_up.error();
  // NOLINTNEXTLINE(modernize-make-unique): an aggregate
  auto engine = std::unique_ptr<Engine>(new Engine{
      line, std::move(listener).value(), std::move(wake_up).value(), *taken, patience, -1, false, {}, 0, {}});
  return std::unique_ptr<SimulatorServer>(new SimulatorServer(std::move(engine)));
}

std::uint16_t SimulatorServer::port() const {
  return engine_->port;
}

void SimulatorServer::end_with(int descriptor) {
  engine_->watched = descriptor;
}

void SimulatorServer::go_by(std::function<std::int64_t()> clock_ns) {
  engine_->clock_ns = std::move(clock_ns);
}

Status SimulatorServer::run() {
  std::vector<pollfd> entries;
  while (!engine_->stopping) {
    entries.assign({{engine_->wake_up.descriptor(), POLLIN, 0},
                    {engine_->listener.number(), POLLIN, 0},
                    {engine_->watched, POLLIN, 0}});
    for (const auto& connection : engine_->connections) entries.push_back({connection.descriptor(), POLLIN, 0});
    if (::poll(entries.data(), entries.size(), engine_->wait_ms()) < 0) {
      if (errno == EINTR) continue;
      return Error{ErrorCode::io, "the simulator cannot wait for its ends: " + system_error_text(errno)};
    }
    char ignored[64];
    if (entries[2].revents != 0 && ::read(engine_->watched, ignored, sizeof ignored) <= 0) break;
    engine_->serve(entries);
    engine_->drop_silent();
    engine_->answer();
    engine_->tell_what_is_due();
    if (entries[1].revents != 0) engine_->accept();
  }
  engine_->connections.clear();
  return success();
}

void SimulatorServer::stop() {
  engine_->stopping = true;
  engine_->wake_up.wake();
}

}  // namespace vqas
