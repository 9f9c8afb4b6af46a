#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <utility>

#include "support/process.h"

namespace vqas::test {

/// An unnamed network namespace: nothing remains of it when this process ends. It has no network at all; even its
/// loopback is down.
class NetworkSpace {
 public:
  /// Nothing without the rights.
  static std::unique_ptr<NetworkSpace> create() {
    const int home = ::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
    if (::unshare(CLONE_NEWNET) != 0) {
      ::close(home);
      return nullptr;
    }
    const int space = ::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
    std::unique_ptr<NetworkSpace> made(new NetworkSpace(home, space));
    made->leave();
    return made;
  }
  ~NetworkSpace() {
    leave();
    ::close(space_);
    ::close(home_);
  }
  NetworkSpace(const NetworkSpace&) = delete;
  NetworkSpace& operator=(const NetworkSpace&) = delete;

  /// Moves this thread, and the programs that it starts from now on, into it. False: refused.
  bool enter() const { return ::setns(space_, CLONE_NEWNET) == 0; }
  bool leave() const { return ::setns(home_, CLONE_NEWNET) == 0; }
  /// For ip's "netns", while this process lives.
  std::string path() const { return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(space_); }
  /// Runs ip(8) in it.
  void ip(const std::string& arguments) const {
    EXPECT_TRUE(enter());
    const auto run = run_command("ip " + arguments);
    EXPECT_TRUE(leave());
    EXPECT_EQ(run.exit_code, 0) << "ip " << arguments << ": " << run.output << "run tools/install-packages";
  }

 private:
  NetworkSpace(int home, int space) : home_(home), space_(space) {}
  const int home_, space_;
};

/// A wire between two hosts: NET.1 is the first one's address, NET.2 the other one's; NET is "10.99.0".
inline void join(const NetworkSpace& first, const NetworkSpace& other, const std::string& net) {
  const std::string name = "w" + net.substr(net.rfind('.') + 1);
  first.ip("link add " + name + "a type veth peer name " + name + "b");
  first.ip("link set " + name + "b netns " + other.path());
  int host = 0;
  for (const auto& [space, end] : {std::pair(&first, "a"), std::pair(&other, "b")}) {
    space->ip("addr add " + net + "." + std::to_string(++host) + "/24 dev " + name + end);
    space->ip("link set " + name + end + " up");
    space->ip("link set lo up");
  }
}

}  // namespace vqas::test
