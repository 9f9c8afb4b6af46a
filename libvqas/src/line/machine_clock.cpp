#include "line/machine_clock.h"

#include <ctime>

#include "vqas/signal/input_file.h"

namespace vqas {

std::string machine_clock_name() {
  const auto id = read_whole_file("/proc/sys/kernel/random/boot_id", {"boot id", 256, "mount /proc"});
  const std::string name = id ? id->substr(0, id->find('\n')) : std::string();
  return name.empty() ? name : "monotonic-" + name;
}

std::int64_t monotonic_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

std::int64_t real_less_monotonic_ns() {
  constexpr std::int64_t kUninterruptedNs = 2000, kNsPerS = 1'000'000'000;
  std::int64_t shortest = kNsPerS;
  std::int64_t difference = 0;
  for (int i = 0; i < 5 && shortest > kUninterruptedNs; ++i) {
    const std::int64_t before = monotonic_ns();
    timespec real{};
    ::clock_gettime(CLOCK_REALTIME, &real);
    const std::int64_t after = monotonic_ns();
    if (after - before >= shortest) continue;
    shortest = after - before;
    difference = real.tv_sec * kNsPerS + real.tv_nsec - before - (after - before) / 2;
  }
  return difference;
}

}  // namespace vqas
