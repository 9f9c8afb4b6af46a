#pragma once

#include <mutex>

namespace vqas {

/// The lock of FFTW's planner. Making and destroying plans is the one part of FFTW that must not be entered twice at a
/// time, in the whole program: whoever makes or destroys a plan holds this lock. Executing a plan needs no lock.
std::mutex& fft_planner_lock();

}  // namespace vqas
