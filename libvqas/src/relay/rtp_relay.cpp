#include "vqas/relay/rtp_relay.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <thread>

#include "relay/relayed_call.h"

namespace vqas {
namespace {

constexpr int kRealTimePriority = 10;
constexpr int kMostEvents = 64;
// Larger than every tag of a socket.
constexpr std::uint64_t kTimerTag = ~std::uint64_t{0};
constexpr std::uint64_t kWakeTag = kTimerTag - 1;

std::uint64_t tag_of(std::uint64_t call, End side, bool rtcp) {
  return call << 2U | static_cast<std::uint64_t>(side) << 1U | (rtcp ? 1U : 0U);
}

Error system_error(const char* what) {
  return {ErrorCode::io, fmt::format("cannot make {}: {}", what, system_error_text(errno))};
}

Error no_such_call(std::uint64_t call) {
  return {ErrorCode::bad_input, fmt::format("there is no call {}; it may have ended", call)};
}

bool ask_for_real_time() {
  sched_param parameters{};
  parameters.sched_priority = kRealTimePriority;
  return ::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &parameters) == 0;
}

}  // namespace

struct RtpRelay::Engine {
  Descriptor poll;
  Descriptor timer;
  WakeUp wake;

  // Only for the relay's thread.
  std::map<std::uint64_t, std::unique_ptr<RelayedCall>> calls;
  DelayQueue queue;
  PacketReader reader;
  std::int64_t timer_ns = 0;  // time the timer is set to
  bool ending = false;

  std::mutex mutex;
  std::vector<std::function<void()>> tasks;
  std::uint64_t next_call = 0;  // under the mutex
  std::atomic<bool> real_time{false};
  std::thread thread;

  Engine(Descriptor poll_, Descriptor timer_, WakeUp wake_)
      : poll(std::move(poll_)), timer(std::move(timer_)), wake(std::move(wake_)) {}
  ~Engine() {
    if (!thread.joinable()) return;
    post([this] { ending = true; });
    thread.join();
  }

  bool watch(int descriptor, std::uint64_t tag) const {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = tag;
    return ::epoll_ctl(poll.number(), EPOLL_CTL_ADD, descriptor, &event) == 0;
  }

  void post(std::function<void()> task) {
    {
      const std::lock_guard lock(mutex);
      tasks.push_back(std::move(task));
    }
    wake.wake();
  }

  // Runs `task` in the relay's thread and waits for its result.
  template <typename Task>
  auto ask(Task task) {
    // Shared, because the relay's thread may still be finishing when the result is there.
    const auto promise = std::make_shared<std::promise<decltype(task())>>();
    auto answer = promise->get_future();
    post([promise, &task] { promise->set_value(task()); });
    return answer.get();
  }

  // Calls `tell` for each call. The calling thread allocates the memory, and more if it was too little.
  template <typename Told, typename Tell>
  std::vector<Told> gather(Tell tell) {
    std::vector<Told> all;
    std::size_t there = ask([this] { return calls.size(); });
    do {
      all.clear();
      all.reserve(there);
      there = ask([&] {
        if (calls.size() > all.capacity()) return calls.size();
        for (const auto& [number, call] : calls) all.push_back(tell(*call));
        return calls.size();
      });
    } while (all.size() < there);
    return all;
  }

  RelayedCall* find(std::uint64_t call) {
    const auto found = calls.find(call);
    return found == calls.end() ? nullptr : found->second.get();
  }

  void run() {
    real_time = ask_for_real_time();
    std::array<epoll_event, kMostEvents> events{};
    while (!ending) {
      const int ready = ::epoll_wait(poll.number(), events.data(), kMostEvents, -1);
      for (int i = 0; i < ready; ++i) {
        serve(events[static_cast<std::size_t>(i)].data.u64);
        send_due();
      }
      set_timer();
    }
  }

  void serve(std::uint64_t tag) {
    if (tag == kTimerTag) {
      std::uint64_t expirations = 0;
      [[maybe_unused]] const ssize_t got = ::read(timer.number(), &expirations, sizeof expirations);
      timer_ns = 0;
      return;
    }
    if (tag == kWakeTag) {
      wake.clear();
      std::vector<std::function<void()>> due;
      {
        const std::lock_guard lock(mutex);
        due.swap(tasks);
      }
      for (const auto& task : due) task();
      return;
    }
    RelayedCall* const call = find(tag >> 2U);
    if (call == nullptr) return;
    const End side = (tag & 2U) != 0 ? End::b : End::a;
    const bool rtcp = (tag & 1U) != 0;
    call->take(reader.read(call->socket(side, rtcp)), side, rtcp, queue);
  }

  void send_due() {
    while (!queue.empty()) {
      const std::int64_t now = monotonic_ns();
      if (queue.next_due_ns() > now) return;
      if (RelayedCall* const call = find(queue.front().ticket.call)) call->send(queue.front(), now);
      queue.pop();
    }
  }

  void set_timer() {
    const std::int64_t wanted = queue.empty() ? 0 : queue.next_due_ns();
    if (wanted == timer_ns) return;
    timer_ns = wanted;
    constexpr std::int64_t kNsPerS = 1'000'000'000;
    itimerspec time{};
    time.it_value = {wanted / kNsPerS, wanted % kNsPerS};
    ::timerfd_settime(timer.number(), TFD_TIMER_ABSTIME, &time, nullptr);
  }

  Status adopt(std::unique_ptr<RelayedCall> call) {
    const std::uint64_t number = call->number();
    for (const End side : {End::a, End::b}) {
      for (const bool rtcp : {false, true}) {
        if (!watch(call->socket(side, rtcp).descriptor(), tag_of(number, side, rtcp))) {
          return system_error("a socket known to the poll");
        }
      }
    }
    calls.emplace(number, std::move(call));
    return success();
  }
};

RtpRelay::RtpRelay(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
RtpRelay::~RtpRelay() = default;

Result<std::unique_ptr<RtpRelay>> RtpRelay::start() {
  Descriptor poll(::epoll_create1(EPOLL_CLOEXEC));
  if (!poll) return system_error("a poll");
  Descriptor timer(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  if (!timer) return system_error("a timer");
  auto wake = WakeUp::create();
  if (!wake) return wake.error();
  auto engine = std::make_unique<Engine>(std::move(poll), std::move(timer), std::move(wake).value());
  if (!engine->watch(engine->timer.number(), kTimerTag) || !engine->watch(engine->wake.descriptor(), kWakeTag)) {
    return system_error("a poll");
  }
  engine->thread = std::thread([raw = engine.get()] { raw->run(); });
  engine->ask([] { return true; });
  return std::unique_ptr<RtpRelay>(new RtpRelay(std::move(engine)));
}

bool RtpRelay::real_time() const {
  return engine_->real_time;
}

Result<RelayedCallState> RtpRelay::add_call(const CallOptions& options) {
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(engine_->mutex);
    number = engine_->next_call++;
  }
  auto opened = RelayedCall::open(number, options, monotonic_ns());
  if (!opened) return opened.error();
  const RelayedCallState state = (*opened)->state(monotonic_ns());
  auto call = std::move(opened).value();
  const Status adopted = engine_->ask([this, &call] { return engine_->adopt(std::move(call)); });
  if (!adopted) return adopted.error();
  return state;
}

Result<RelayedCallState> RtpRelay::remove_call(std::uint64_t call) {
  // The sockets are closed in this thread, after the relay's thread has released them.
  const std::unique_ptr<RelayedCall> removed = engine_->ask([this, call] {
    const auto found = engine_->calls.find(call);
    std::unique_ptr<RelayedCall> taken;
    if (found == engine_->calls.end()) return taken;
    taken = std::move(found->second);
    engine_->calls.erase(found);
    for (const End side : {End::a, End::b}) {
      for (const bool rtcp : {false, true}) {
        ::epoll_ctl(engine_->poll.number(), EPOLL_CTL_DEL, taken->socket(side, rtcp).descriptor(), nullptr);
      }
    }
    return taken;
  });
  if (!removed) return no_such_call(call);
  if (const Status finished = removed->finish(); !finished) return finished.error();
  return removed->state(monotonic_ns());
}

std::vector<RelayedCallState> RtpRelay::calls() const {
  return engine_->gather<RelayedCallState>([](const RelayedCall& call) { return call.state(monotonic_ns()); });
}

std::vector<std::uint64_t> RtpRelay::numbers() const {
  return engine_->gather<std::uint64_t>([](const RelayedCall& call) { return call.number(); });
}

std::optional<std::int64_t> RtpRelay::silent_ns(std::uint64_t call) const {
  return engine_->ask([this, call]() -> std::optional<std::int64_t> {
    const RelayedCall* const found = engine_->find(call);
    if (found == nullptr) return std::nullopt;
    return found->silent_ns(monotonic_ns());
  });
}

std::optional<RelayedCallState> RtpRelay::call(std::uint64_t number) const {
  return engine_->ask([this, number] {
    const RelayedCall* const found = engine_->find(number);
    return found == nullptr ? std::nullopt : std::optional(found->state(monotonic_ns()));
  });
}

Status RtpRelay::change(std::uint64_t call, End from, const RelayConditions& conditions) {
  if (Status valid = validate(conditions); !valid) return valid;
  // Prepared in this thread: it allocates and may take long. If another change came first, it is prepared again.
  for (;;) {
    const auto place = engine_->ask([&]() -> std::optional<RelayPath::ChangePlace> {
      RelayedCall* const found = engine_->find(call);
      if (found == nullptr) return std::nullopt;
      return found->path(from).next_change();
    });
    if (!place) return no_such_call(call);
    RelayPath::Change change = RelayPath::made(conditions, *place);
    const auto done = engine_->ask([&]() -> std::optional<bool> {
      RelayedCall* const found = engine_->find(call);
      if (found == nullptr) return std::nullopt;
      return found->path(from).change(change);
    });
    if (!done) return no_such_call(call);
    if (*done) return success();
  }
}

Status RtpRelay::inject(std::uint64_t call, End from, std::uint32_t bits) {
  constexpr std::uint32_t kMostBits = 1'000'000;
  if (bits == 0 || bits > kMostBits) {
    return Error{ErrorCode::bad_input, fmt::format("bits: {} is out of range; give 1 to {}", bits, kMostBits)};
  }
  return engine_->ask([&]() -> Status {
    RelayedCall* const found = engine_->find(call);
    if (found == nullptr) return no_such_call(call);
    found->path(from).inject(bits);
    return success();
  });
}

Status RtpRelay::set_peer(std::uint64_t call, End side, const SocketAddress& peer) {
  return engine_->ask([&]() -> Status {
    RelayedCall* const found = engine_->find(call);
    if (found == nullptr) return no_such_call(call);
    found->set_peer(side, peer);
    return success();
  });
}

}  // namespace vqas
