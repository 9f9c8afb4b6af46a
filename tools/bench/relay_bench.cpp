// Many simultaneous calls through the relay: how much later than requested packets arrive, and whether memory grows.
// Each packet carries its sending time in its list of sources, which the relay does not change; the kernel gives the
// arrival time. So the result covers only the relay, not the scheduling of this program. A virtual machine itself
// pauses for tens of milliseconds. So threads of a higher priority, one on each core, only sleep and record late
// wake-ups; lateness of packets outside these pauses is reported separately.
//     vqas-relay-bench [--calls 100] [--seconds 30] [--delay-ms 20] [--ber 1e-4] [--direct]
#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <fstream>
#include <iostream>
#include <thread>
#include <vector>

#include "line/udp_socket.h"
#include "vqas/relay/rtp_relay.h"

namespace {

using namespace vqas;

constexpr std::size_t kHeader = 12 + 8;
constexpr std::size_t kPacket = kHeader + 160;
constexpr std::int64_t kEvery_ns = 20'000'000;
constexpr std::int64_t kReport_ns = 10'000'000'000;
constexpr std::int64_t kLate_ns = 2'000'000;
constexpr std::int64_t kHeldUp_ns = 300'000;  // a sleeper that wakes later than this was held up

struct Options {
  int calls = 100;
  double seconds = 30;
  double delay_ms = 20;
  double ber = 1e-4;
  bool direct = false;
  bool churn = false;
};

SocketAddress loopback(std::uint16_t port = 0) {
  return {0x7F000001, port};
}

// 64-bit times in the list of two sources.
void write_time(std::array<std::uint8_t, kPacket>& packet, std::int64_t time_ns) {
  std::memcpy(packet.data() + 12, &time_ns, sizeof time_ns);
}
std::int64_t read_time(std::span<const std::uint8_t> packet) {
  std::int64_t time_ns = 0;
  std::memcpy(&time_ns, packet.data() + 12, sizeof time_ns);
  return time_ns;
}

double resident_mib() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages >> pages;
  return pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

double process_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Both endpoints of a call.
struct Line {
  std::array<UdpSocket, 2> ends;
  std::array<SocketAddress, 2> to;  // destination of each end
  std::array<std::uint32_t, 2> sent{};
  std::int64_t next_ns = 0;
};

UdpSocket open_end() {
  return std::move(UdpSocket::bind(loopback())).value();
}

void send_packet(Line& line, std::size_t end, std::uint32_t ssrc) {
  std::array<std::uint8_t, kPacket> packet{};
  const std::uint32_t k = line.sent[end]++;
  const std::uint32_t timestamp = 160 * k;
  packet[0] = 0x82;
  packet[2] = static_cast<std::uint8_t>(k >> 8U);
  packet[3] = static_cast<std::uint8_t>(k);
  for (unsigned i = 0; i < 4; ++i) {
    packet[4 + i] = static_cast<std::uint8_t>(timestamp >> (24 - 8 * i));
    packet[8 + i] = static_cast<std::uint8_t>(ssrc >> (24 - 8 * i));
  }
  write_time(packet, monotonic_ns());
  line.ends[end].send(packet, line.to[end]);
}

// Lateness in classes of a microsecond, so that memory does not grow with time.
class Lateness {
 public:
  void add(double ms) {
    const auto at = static_cast<std::int64_t>((ms + kLeast_ms) * 1000);
    ++classes_[static_cast<std::size_t>(std::clamp<std::int64_t>(at, 0, kClasses - 1))];
    ++count_;
    least_ = std::min(least_, ms);
    most_ = std::max(most_, ms);
    beyond_ += ms > 2 ? 1 : 0;
  }
  std::uint64_t count() const { return count_; }
  void print(const std::string& what) const {
    fmt::print(
        "{} by: least {:.3f} ms, median {:.3f}, 99 % {:.3f}, 99.9 % "
        "{:.3f}, "
        "99.99 % {:.3f}, most {:.3f}; {} by more than 2 ms ({:.2e})\n",
        what, least_, at(0.5), at(0.99), at(0.999), at(0.9999), most_, beyond_,
        static_cast<double>(beyond_) / static_cast<double>(count_));
  }

 private:
  static constexpr double kLeast_ms = 1;
  static constexpr std::int64_t kClasses = 100'000;
  double at(double share) const {
    std::uint64_t below = 0;
    std::size_t i = 0;
    while (i < classes_.size() && static_cast<double>(below += classes_[i]) < share * static_cast<double>(count_)) ++i;
    return static_cast<double>(i) * 1e-3 - kLeast_ms;
  }
  std::vector<std::uint64_t> classes_ = std::vector<std::uint64_t>(kClasses, 0);
  std::uint64_t count_ = 0;
  std::uint64_t beyond_ = 0;
  double least_ = 1e9;
  double most_ = -1e9;
};

struct Segment {
  std::int64_t from, to;
};

std::vector<Segment> joined(std::vector<Segment> segments) {
  std::ranges::sort(segments, {}, &Segment::from);
  std::vector<Segment> joined;
  for (const Segment& next : segments) {
    if (joined.empty() || joined.back().to < next.from) {
      joined.push_back(next);
    } else {
      joined.back().to = std::max(joined.back().to, next.to);
    }
  }
  return joined;
}

// The part of `segment` that overlaps any of the others, which are in order and disjoint.
std::int64_t shared_ns(const Segment& segment, const std::vector<Segment>& others) {
  std::int64_t shared = 0;
  auto other = std::ranges::lower_bound(others, segment.from, {}, &Segment::to);
  for (; other != others.end() && other->from < segment.to; ++other) {
    shared += std::min(segment.to, other->to) - std::max(segment.from, other->from);
  }
  return shared;
}

// Pauses of one core, for any thread: sleeps until every tick and records the time of waking.
struct Watch {
  Lateness lateness;
  std::vector<Segment> held_up;

  void run(int core, const std::atomic<bool>& ending) {
    constexpr std::int64_t kTick_ns = 1'000'000;
    constexpr std::int64_t kNsPerS = 1'000'000'000;
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(static_cast<std::size_t>(core), &cores);
    ::pthread_setaffinity_np(::pthread_self(), sizeof cores, &cores);
    sched_param parameters{};
    parameters.sched_priority = 20;  // the relay's is 10
    ::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &parameters);
    for (std::int64_t tick = monotonic_ns() + kTick_ns; !ending; tick += kTick_ns) {
      const timespec until{tick / kNsPerS, tick % kNsPerS};
      ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
      const std::int64_t woke = monotonic_ns();
      lateness.add(static_cast<double>(woke - tick) * 1e-6);
      if (woke - tick > kHeldUp_ns) {
        held_up.push_back({tick - kTick_ns, woke});  // the pause may have started right after the previous tick
        tick += (woke - tick) / kTick_ns * kTick_ns;
      }
    }
  }
};

int run(const Options& options) {
  const auto relay = std::move(RtpRelay::start()).value();
  CallOptions call;
  for (std::size_t i = 0; i < 2; ++i) {
    call.sides[i].listen = loopback();
    call.sides[i].conditions.delay_ms = options.delay_ms;
    call.sides[i].conditions.profile.errors = {RandomRate{options.ber}};
  }
  std::vector<Line> lines;
  std::vector<std::uint64_t> numbers;
  const std::int64_t begin = monotonic_ns();
  for (int k = 0; k < options.calls; ++k) {
    Line line{{open_end(), open_end()}, {}, {}, begin + kEvery_ns * k / options.calls};
    if (options.direct) {
      line.to = {line.ends[1].address(), line.ends[0].address()};
    } else {
      for (std::size_t i = 0; i < 2; ++i) call.sides[i].peer = line.ends[i].address();
      const auto added = relay->add_call(call);
      if (!added) {
        std::cerr << added.error().message << "\n";
        return 1;
      }
      numbers.push_back(added->number);
      line.to = {added->directions[0].listen, added->directions[1].listen};
    }
    lines.push_back(std::move(line));
  }
  const double used_before = process_seconds();
  const double memory_before = resident_mib();

  std::atomic<bool> ending{false};
  Lateness lateness;
  std::vector<Segment> late_packets;
  std::thread receiver([&] {
    PacketReader reader;
    std::vector<pollfd> entries;
    for (const Line& line : lines) {
      for (const UdpSocket& end : line.ends) entries.push_back({end.descriptor(), POLLIN, 0});
    }
    while (!ending) {
      if (::poll(entries.data(), entries.size(), 100) <= 0) continue;
      for (std::size_t i = 0; i < entries.size(); ++i) {
        if ((entries[i].revents & POLLIN) == 0) continue;
        for (const auto& packet : reader.read(lines[i / 2].ends[i % 2])) {
          const std::int64_t wanted =
              read_time(packet.octets) + (options.direct ? 0 : std::llround(options.delay_ms * 1e6));
          lateness.add(static_cast<double>(packet.came_ns - wanted) * 1e-6);
          if (packet.came_ns - wanted > kLate_ns) late_packets.push_back({wanted, packet.came_ns});
        }
      }
    }
  });

  const auto cores = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  std::vector<Watch> watches(static_cast<std::size_t>(cores));
  std::vector<std::thread> sleepers;
  for (int core = 0; core < cores; ++core) {
    sleepers.emplace_back([&, core] { watches[static_cast<std::size_t>(core)].run(core, ending); });
  }

  std::uint64_t sent = 0;
  std::uint64_t changed = 0;
  std::int64_t report_ns = begin + kReport_ns;
  const std::int64_t end_ns = begin + static_cast<std::int64_t>(options.seconds * 1e9);
  while (monotonic_ns() < end_ns) {
    std::int64_t next = end_ns;
    for (std::size_t k = 0; k < lines.size(); ++k) {
      Line& line = lines[k];
      if (line.next_ns <= monotonic_ns()) {
        for (const std::size_t end : {0, 1}) send_packet(line, end, static_cast<std::uint32_t>(2 * k + end));
        sent += 2;
        line.next_ns += kEvery_ns;
      }
      next = std::min(next, line.next_ns);
    }
    if (options.churn && !numbers.empty()) {
      // An additional call starts and ends.
      for (CallSide& side : call.sides) side.peer.reset();
      const auto added = relay->add_call(call);
      if (added && relay->remove_call(added->number)) ++changed;
    }
    const std::int64_t now = monotonic_ns();
    if (now > report_ns) {
      fmt::print(stderr, "{:.0f} s: {:.1f} MiB resident\n", static_cast<double>(now - begin) * 1e-9, resident_mib());
      report_ns += kReport_ns;
    }
    if (next > now) std::this_thread::sleep_for(std::chrono::nanoseconds(next - now));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(200 + static_cast<int>(options.delay_ms)));
  ending = true;
  receiver.join();
  for (std::thread& sleeper : sleepers) sleeper.join();

  fmt::print("{} calls, both ways, {:.0f} s, {}, real-time priority {}\n", options.calls, options.seconds,
             options.direct ? "without a relay" : fmt::format("BER {:.0e}", options.ber),
             relay->real_time() ? "granted" : "refused");
  lateness.print(fmt::format("{} of {} packets arrived; later than sent + {} ms", lateness.count(), sent,
                             options.direct ? 0 : options.delay_ms));
  std::vector<Segment> held_up;
  for (const Watch& watch : watches) {
    watch.lateness.print("lateness of a sleeping thread with priority over the relay");
    held_up.insert(held_up.end(), watch.held_up.begin(), watch.held_up.end());
  }
  held_up = joined(std::move(held_up));
  std::int64_t most_ns = 0;
  const auto of_the_relay = std::ranges::count_if(late_packets, [&](const Segment& packet) {
    const std::int64_t own_ns = packet.to - packet.from - shared_ns(packet, held_up);
    most_ns = std::max(most_ns, own_ns);
    return own_ns > kLate_ns;
  });
  fmt::print("of {} packets late by more than 2 ms, {} were not due to pauses of the machine; the latest {:.3f} ms\n",
             late_packets.size(), of_the_relay, static_cast<double>(most_ns) * 1e-6);
  fmt::print("memory {:.1f} MiB before, {:.1f} MiB after; processor {:.3f} s a second, generator included\n",
             memory_before, resident_mib(), (process_seconds() - used_before) / options.seconds);
  if (options.churn) fmt::print("{} further calls started and ended\n", changed);
  std::uint64_t late = 0;
  std::uint64_t errors = 0;
  std::uint64_t bits = 0;
  for (const RelayedCallState& state : relay->calls()) {
    for (const auto& direction : state.directions) {
      late += direction.counters.late;
      errors += direction.counters.errors.errors();
      bits += direction.counters.errors.bits();
    }
  }
  fmt::print("by the relay's own counters: {} late, {} of {} bits wrong\n", late, errors, bits);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Many simultaneous calls through the relay: lateness and memory"};
  Options options;
  app.add_option("--calls", options.calls)->check(CLI::Range(1, 400))->capture_default_str();
  app.add_option("--seconds", options.seconds)->check(CLI::Range(1, 7200))->capture_default_str();
  app.add_option("--delay-ms", options.delay_ms)->check(CLI::Range(0, 10000))->capture_default_str();
  app.add_option("--ber", options.ber)->capture_default_str();
  app.add_flag("--direct", options.direct, "without the relay: lateness of the machine itself");
  app.add_flag("--churn", options.churn, "start and end further calls all the time");
  CLI11_PARSE(app, argc, argv);
  return run(options);
}
