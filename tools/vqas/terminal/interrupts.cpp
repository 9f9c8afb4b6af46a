#include "terminal/interrupts.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace vqas::cli {

Interrupts::Interrupts(int one_more) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, one_more}) sigaddset(&set, signal);
  pthread_sigmask(SIG_BLOCK, &set, &before_);
  descriptor_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

Interrupts::~Interrupts() {
  while (take() != 0) {
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  if (descriptor_ >= 0) ::close(descriptor_);
}

int Interrupts::take() const {
  signalfd_siginfo signal;
  return ::read(descriptor_, &signal, sizeof signal) > 0 ? static_cast<int>(signal.ssi_signo) : 0;
}

bool Interrupts::wait(int other, short events) const {
  std::array<pollfd, 2> waited{{{descriptor_, POLLIN, 0}, {other, events, 0}}};
  while (::poll(waited.data(), waited.size(), -1) < 0 && errno == EINTR) {
  }
  return waited[0].revents == 0;
}

bool Interrupts::arrived() {
  if (!arrived_ && take() != 0) {
    arrived_ = true;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  return arrived_;
}

}  // namespace vqas::cli
