#pragma once

#include <mutex>

namespace vqas {

/// FFTW's planner is one for the whole process and must not be entered twice at a time: whoever makes or destroys a
/// plan holds this, in whatever room. From any thread; not real-time safe.
std::mutex& planner_lock();

}  // namespace vqas
