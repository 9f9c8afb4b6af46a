// The inner loops of the transform that goes through kLanes pairs of frames at once, in narrow registers where there
// are no wide ones.
#include <cstddef>
#include <span>

#include "score/dsp/dispatch.h"
#include "score/dsp/kernels_wide.h"
#include "score/dsp/lane_fft.h"
#include "score/dsp/lanes_in_registers.h"

namespace vqas::scoring {
namespace {

VQAS_DISPATCHED
void narrow_load_lanes(const LaneFft::Frames& frames, std::span<const float> window, float* re, float* im) {
  load_lanes_in<Four>(frames, window, re, im);
}

VQAS_DISPATCHED
void narrow_transform_lanes(float* re, float* im, std::size_t size, const float* twiddles) {
  transform_lanes_in<Eight>(re, im, size, twiddles);
}

VQAS_DISPATCHED
void narrow_sum_lanes(const float* re, const float* im, std::span<const int> place, const LaneSums& of,
                      const LaneResults& results) {
  sum_lanes_in<Eight>(re, im, place, of, results);
}

}  // namespace

void load_lanes(const LaneFft::Frames& frames, std::span<const float> window, float* re, float* im) {
  kHasWideKernels ? wide_load_lanes(frames, window, re, im) : narrow_load_lanes(frames, window, re, im);
}

void transform_lanes(float* re, float* im, std::size_t size, const float* twiddles) {
  kHasWideKernels ? wide_transform_lanes(re, im, size, twiddles) : narrow_transform_lanes(re, im, size, twiddles);
}

void sum_lanes(const float* re, const float* im, std::span<const int> place, const LaneSums& of,
               const LaneResults& results) {
  kHasWideKernels ? wide_sum_lanes(re, im, place, of, results) : narrow_sum_lanes(re, im, place, of, results);
}

}  // namespace vqas::scoring
