// The inner loop of the likeliest path, in narrow registers where there are no wide ones.
#include <cstddef>
#include <span>

#include "score/dsp/dispatch.h"
#include "score/dsp/kernels.h"
#include "score/dsp/kernels_wide.h"
#include "score/dsp/path_in_registers.h"

namespace vqas::scoring {
namespace {

VQAS_DISPATCHED
void narrow_path_frame(const PathFrame& from, const PathFrame::Losses& losses, std::span<float> best, float* received,
                       float* lost) {
  path_frame_in<Four>(from, losses, best, received, lost);
}

VQAS_DISPATCHED
float narrow_tell_against_best(std::span<float> received, std::span<float> lost) {
  return tell_against_best_in<Four>(received, lost);
}

}  // namespace

void path_frame(const PathFrame& from, const PathFrame::Losses& losses, std::span<float> best, float* received,
                float* lost) {
  kHasWideKernels ? wide_path_frame(from, losses, best, received, lost)
                  : narrow_path_frame(from, losses, best, received, lost);
}

float tell_against_best(std::span<float> received, std::span<float> lost) {
  return kHasWideKernels ? wide_tell_against_best(received, lost) : narrow_tell_against_best(received, lost);
}

}  // namespace vqas::scoring
