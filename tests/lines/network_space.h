#pragma once

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <memory>

namespace vqas::test {

/// A network namespace of its own, without a name: nothing is left of it when this process ends. It has no network at
/// all, not even a loopback that is up.
class NetworkSpace {
 public:
  /// Nothing where the rights are missing.
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

  /// This thread, and the programs that it starts from now on. False: refused.
  bool enter() const { return ::setns(space_, CLONE_NEWNET) == 0; }
  bool leave() const { return ::setns(home_, CLONE_NEWNET) == 0; }

 private:
  NetworkSpace(int home, int space) : home_(home), space_(space) {}
  const int home_, space_;
};

}  // namespace vqas::test
