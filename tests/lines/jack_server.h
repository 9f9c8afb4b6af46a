#pragma once

#include <fmt/format.h>
#include <jack/jack.h>
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "lines/guarded.h"
#include "support/child.h"
#include "support/temporary_folder.h"
#include "support/wait_until.h"

namespace vqas::test {

/// Whether this process may run threads in real time.
inline bool has_real_time_rights() {
  bool may = false;
  std::thread([&may] {
    const sched_param priority{10};
    may = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) == 0;
  }).join();
  return may;
}

/// A JACK server with the dummy driver and two loopback ports, under a unique name. This process and all programs that
/// it starts connect to it.
class JackServer {
 public:
  JackServer(int rate_hz, int period, const std::filesystem::path& log)
      : name_(fmt::format("{}{}_{:x}", kPrefix, ::getpid(), std::random_device{}() & 0xFFFFFFU)),
        rate_hz_(rate_hz),
        period_(period),
        log_(log) {
    ::setenv("JACK_DEFAULT_SERVER", name_.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): before any thread is
    ::setenv("JACK_NO_START_SERVER", "1", 1);           // NOLINT(concurrency-mt-unsafe)
    ::setenv("JACK_NO_AUDIO_RESERVATION", "1", 1);      // NOLINT(concurrency-mt-unsafe)
    jack_set_error_function([](const char*) {});
    jack_set_info_function([](const char*) {});
    sweep_orphans();
    sweep_registry();
  }
  ~JackServer() { stop(); }
  JackServer(const JackServer&) = delete;
  JackServer& operator=(const JackServer&) = delete;

  /// True when clients can connect.
  bool start() {
    std::vector<std::string> command{"jackd", "-n", name_};
    if (has_real_time_rights()) {
      command.emplace_back("-R");
    } else {
      command.emplace_back("-r");
      fmt::print("no real-time rights here: the JACK server runs without -R at {}/{}\n", rate_hz_, period_);
    }
    for (const std::string& one :
         {std::string("-L"), std::string("2"), std::string("-d"), std::string("dummy"), std::string("-r"),
          std::to_string(rate_hz_), std::string("-p"), std::to_string(period_)})
      command.push_back(one);
    return comes_up(command);
  }
  void stop() {
    child_.reset();
    sweep();
  }
  /// Simulates a crash.
  void kill() {
    if (child_) ::kill(child_->process(), SIGKILL);
    child_.reset();
    sweep();
  }
  const std::string& name() const { return name_; }
  pid_t process() const { return child_ ? child_->process() : -1; }

 private:
  bool comes_up(const std::vector<std::string>& command) {
    child_ = std::make_unique<Child>(guarded(command), log_);
    if (!child_->started()) return false;
    constexpr std::chrono::milliseconds kProbePause{100};  // each probe loads the server that starts
    bool is_up = false;
    wait_until(
        [&] {
          if (jack_client_t* const client = jack_client_open("probe", JackNoStartServer, nullptr)) {
            jack_client_close(client);
            is_up = true;
          }
          return is_up || read_text(log_).find("Failed to open server") != std::string::npos;
        },
        std::chrono::seconds(60), kProbePause);
    return is_up;
  }
  static bool is_any_alive() {
    std::error_code ignored;
    for (const auto& process : std::filesystem::directory_iterator("/proc", ignored)) {
      if (read_text(process.path() / "comm").starts_with("jackd")) return true;
    }
    return false;
  }
  // A killed server leaves its shared memory, which would keep one of the same name from starting.
  void sweep() const {
    sweep_if([this](const std::string& file) { return file.find(name_) != std::string::npos; });
  }
  // Removes what remains of a test that was killed together with its server.
  static void sweep_orphans() {
    sweep_if([](const std::string& file) {
      const std::size_t at = file.find(kPrefix);
      if (at == std::string::npos) return false;
      const int owner = std::atoi(file.c_str() + at + std::string_view(kPrefix).size());
      return owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH;
    });
  }
  // JACK registers eight servers. It removes a killed one only when another of its name starts, and with a full
  // registry it starts none.
  static void sweep_registry() {
    constexpr int kMost = 8;
    const std::string registry = read_text("/dev/shm/jack-shm-registry");
    const std::string server = "jack-" + std::to_string(::getuid()) + ":";
    int known = 0;
    for (std::size_t at = registry.find(server); at != std::string::npos; at = registry.find(server, at + 1)) ++known;
    if (known < kMost || is_any_alive()) return;
    sweep_if([](const std::string& file) { return file.starts_with("jack-") || file.starts_with("jack_"); });
  }
  template <typename Condition>
  static void sweep_if(const Condition& unwanted) {
    std::error_code ignored;
    for (const auto& file : std::filesystem::directory_iterator("/dev/shm", ignored)) {
      if (unwanted(file.path().filename().string())) std::filesystem::remove_all(file.path(), ignored);
    }
  }

  static constexpr const char* kPrefix = "vqtest_";
  const std::string name_;
  const int rate_hz_, period_;
  const std::filesystem::path log_;
  std::unique_ptr<Child> child_;
};

}  // namespace vqas::test
