#include "signal/fft_planner.h"

namespace vqas {

std::mutex& fft_planner_lock() {
  static std::mutex lock;
  return lock;
}

}  // namespace vqas
