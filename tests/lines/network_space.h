#pragma once

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <memory>

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

 private:
  NetworkSpace(int home, int space) : home_(home), space_(space) {}
  const int home_, space_;
};

}  // namespace vqas::test
