#pragma once

#include <chrono>
#include <thread>

namespace vqas::test {

/// Asks until `done` gives true, with pauses, for something that happens in another process or thread. False after
/// `longest`, which only ends a test that hangs.
template <typename Done>
bool wait_until(Done&& done, std::chrono::seconds longest = std::chrono::seconds(60),
                std::chrono::milliseconds pause = std::chrono::milliseconds(10)) {
  for (const auto end = std::chrono::steady_clock::now() + longest; !done(); std::this_thread::sleep_for(pause)) {
    if (std::chrono::steady_clock::now() > end) return false;
  }
  return true;
}

}  // namespace vqas::test
