#include "line/jack_shutdown.h"

#include <dlfcn.h>

#include <chrono>
#include <mutex>
#include <thread>

namespace {

using Callback = void (*)(void*);

// PortAudio's callback for the end of its server. PortAudio has one JACK client per process, so there is one notice.
struct Notice {
  std::mutex mutex;
  Callback callback = nullptr;
  void* argument = nullptr;
  bool down = false;
};

Notice& notice() {
  static Notice the_one;
  return the_one;
}

void on_shutdown(void*) {
  Callback callback = nullptr;
  void* argument = nullptr;
  {
    const std::lock_guard lock(notice().mutex);
    notice().down = true;
    callback = notice().callback;
    argument = notice().argument;
  }
  callback(argument);
}

// libjack's own function with a name that this program also defines.
template <typename Function>
Function* in_libjack(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

// PortAudio asserts that each step of its clean-up succeeds. After the server's end every step fails, which does not
// matter.
int as_well(int answer) {
  const std::lock_guard lock(notice().mutex);
  return notice().down ? 0 : answer;
}

}  // namespace

// These replace libjack's functions of the same names: the dynamic linker looks in the program first.
extern "C" {

void jack_on_shutdown(void* client, Callback callback, void* argument) {
  auto* const next = in_libjack<void(void*, Callback, void*)>("jack_on_shutdown");
  if (next == nullptr) return;
  {
    const std::lock_guard lock(notice().mutex);
    notice().callback = callback;
    notice().argument = argument;
    notice().down = false;
  }
  next(client, on_shutdown, nullptr);
}

int jack_port_unregister(void* client, void* port) {
  auto* const next = in_libjack<int(void*, void*)>("jack_port_unregister");
  return as_well(next != nullptr ? next(client, port) : -1);
}

int jack_deactivate(void* client) {
  auto* const next = in_libjack<int(void*)>("jack_deactivate");
  return as_well(next != nullptr ? next(client) : -1);
}

int jack_client_close(void* client) {
  auto* const next = in_libjack<int(void*)>("jack_client_close");
  return as_well(next != nullptr ? next(client) : -1);
}

}  // extern "C"

namespace vqas {

void tell_jack_shutdown_until(const std::atomic<bool>& done) {
  // Longer than any step that does not wait for the server.
  constexpr std::chrono::milliseconds kBetween{300}, kLook{10};
  auto told = std::chrono::steady_clock::now();
  while (!done) {
    std::this_thread::sleep_for(kLook);
    if (std::chrono::steady_clock::now() - told < kBetween) continue;
    told = std::chrono::steady_clock::now();
    const std::lock_guard lock(notice().mutex);
    if (notice().down && !done) notice().callback(notice().argument);
  }
}

}  // namespace vqas
