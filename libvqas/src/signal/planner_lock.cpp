#include "signal/planner_lock.h"

namespace vqas {

std::mutex& planner_lock() {
  static std::mutex lock;
  return lock;
}

}  // namespace vqas
