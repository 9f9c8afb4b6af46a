// The code in the sound system's real-time thread does not allocate or lock, and makes no system call. This program's
// own malloc() and locks replace the system's and count while the callback runs, and the kernel kills a process that
// makes a system call.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

#include "line/audio_port.h"
#include "line/portaudio_callback.h"

namespace {

struct Counted {
  int memory = 0, locks = 0;
};
thread_local bool in_callback = false;
thread_local Counted counted;

void note_memory() {
  if (in_callback) ++counted.memory;
}

// Counts, then calls the system's own function of this name.
template <typename Object>
int through(std::atomic<int (*)(Object*)>& system, const char* name, Object* object) {
  if (in_callback) ++counted.locks;
  if (system.load() == nullptr) system = reinterpret_cast<int (*)(Object*)>(::dlsym(RTLD_NEXT, name));
  return system.load()(object);
}

}  // namespace

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier, cppcoreguidelines-no-malloc): glibc's names
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* memory);

void* malloc(std::size_t size) noexcept {
  note_memory();
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  note_memory();
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) noexcept {
  note_memory();
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  note_memory();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
  note_memory();
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
void free(void* memory) noexcept {
  note_memory();
  __libc_free(memory);
}
// NOLINTEND(bugprone-reserved-identifier, cppcoreguidelines-no-malloc)

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  static std::atomic<int (*)(pthread_mutex_t*)> system;
  return through(system, "pthread_mutex_lock", mutex);
}
int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  static std::atomic<int (*)(pthread_mutex_t*)> system;
  return through(system, "pthread_mutex_trylock", mutex);
}
int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  static std::atomic<int (*)(pthread_cond_t*)> system;
  return through(system, "pthread_cond_signal", condition);
}
int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  static std::atomic<int (*)(pthread_cond_t*)> system;
  return through(system, "pthread_cond_broadcast", condition);
}
}

namespace vqas {
namespace {

constexpr std::size_t kFrames = 256;
constexpr int kChannels = 2;

// A device's buffers and the port behind them, in every state that a callback can meet: rings that are empty, partly
// filled and full, samples that are not finite, each flag.
class Driven {
 public:
  Driven() : port_(AudioPort::Channels{kChannels, 2, kChannels, 1}, 20 * kFrames) {
    in_.assign(kFrames * kChannels, 0.25F);
    in_[3] = std::numeric_limits<float>::quiet_NaN();
    out_.assign(kFrames * kChannels, 0.0F);
    const std::vector<float> sent(10 * kFrames, 0.5F);
    port_.to_play.push(sent.data(), sent.size());
  }
  void run(int times) {
    AudioCallback* const callback = &port_;
    for (int n = 0; n < times; ++n) {
      const auto flags = static_cast<PaStreamCallbackFlags>(n % 16);
      portaudio_callback(n % 7 == 6 ? nullptr : in_.data(), n % 7 == 5 ? nullptr : out_.data(), kFrames, nullptr, flags,
                         callback);
    }
  }
  const AudioCounters& counters() const { return port_.counters; }

 private:
  AudioPort port_;
  std::vector<float> in_, out_;
};

Counted counted_in(const std::function<void()>& work) {
  counted = {};
  in_callback = true;
  work();
  in_callback = false;
  return counted;
}

// From here on the kernel kills this process at any system call except to read the clock, where that needs one, and to
// exit.
bool forbid_system_calls() {
  const auto allow = [](unsigned number) {
    return std::array<sock_filter, 2>{sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, 1, number},
                                      sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  };
  const auto clock = allow(__NR_clock_gettime), end = allow(__NR_exit_group);
  std::array<sock_filter, 6> program{sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
                                     clock[0],
                                     clock[1],
                                     end[0],
                                     end[1],
                                     sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS}};
  const sock_fprog filter{program.size(), program.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

constexpr int kForbade = 0, kCannotForbid = 3;

[[noreturn]] void end_without_system_calls(const std::function<void()>& work) {
  if (!forbid_system_calls()) ::_exit(kCannotForbid);
  work();
  ::_exit(kForbade);
}

TEST(AudioCallbackSafety, NeitherAllocatesNorLocks) {
  Driven driven;
  const Counted seen = counted_in([&] { driven.run(10'000); });
  EXPECT_EQ(seen.memory, 0);
  EXPECT_EQ(seen.locks, 0);
  EXPECT_EQ(driven.counters().callbacks, 10'000U) << "it did run";
  EXPECT_GT(driven.counters().dropped, 0U) << "into a full ring";
  EXPECT_GT(driven.counters().missing, 0U) << "and from an empty one";
}

TEST(AudioCallbackSafety, AnAllocationAndALockAreDetected) {
  EXPECT_GE(counted_in([] { delete new volatile int(1); }).memory, 2) << "one each to lock and to unlock";
  EXPECT_GE(counted_in([] { std::vector<float>(1000).swap(*std::make_unique<std::vector<float>>()); }).memory, 2);
  std::mutex mutex;
  EXPECT_EQ(counted_in([&] { const std::lock_guard lock(mutex); }).locks, 1);
}

TEST(AudioCallbackSafetyDeathTest, MakesNoSystemCall) {
  Driven driven;
  EXPECT_EXIT(end_without_system_calls([&] { driven.run(10'000); }), ::testing::ExitedWithCode(kForbade), "");
}

TEST(AudioCallbackSafetyDeathTest, ASystemCallIsDetected) {
  EXPECT_EXIT(end_without_system_calls([] { ::getppid(); }), ::testing::KilledBySignal(SIGSYS), "");
}

}  // namespace
}  // namespace vqas
