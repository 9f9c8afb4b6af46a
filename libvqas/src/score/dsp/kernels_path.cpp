// The inner loop of the likeliest path over the frames of a recording.
#include <cstddef>

#include "score/dsp/dispatch.h"
#include "score/dsp/kernels.h"
#include "score/dsp/transpose.h"

namespace vqas::scoring {
namespace {

__attribute__((always_inline)) inline void raise(const Sixteen& other, Sixteen& value) {
  value = other > value ? other : value;
}

}  // namespace

VQAS_DISPATCHED
void path_frame(const PathFrame& from, const PathFrame::Losses& losses, std::span<float> best, float* received,
                float* lost) {
  const std::size_t width = best.size();
  for (std::size_t first = 0; first < width; first += kLanes) {
    Sixteen either;
    Sixteen other;
    load(from.received + first, either);
    load(from.lost + first, other);
    raise(other, either);
    store(either, best.data() + first);
  }
  for (std::size_t first = 0; first < width; first += kLanes) {
    Sixteen was_received;
    Sixteen was_lost;
    Sixteen other;
    load(from.received + first, was_received);
    load(from.lost + first, was_lost);
    Sixteen value = was_received;
    raise(was_lost - losses.end, value);
    const PathFrame::Near near = from.near[first / kLanes];
    for (std::size_t k = near.first; k < near.end; ++k) {
      load(from.near_cost + k * width + first, other);
      raise(best[k] - other, value);
    }
    load(from.behind + first, other);
    raise(other, value);
    load(from.evidence + first, other);
    store(value + other, received + first);
    Sixteen gone = was_received - losses.begin;
    raise(was_lost - losses.stay, gone);
    store(gone, lost + first);
  }
}

VQAS_DISPATCHED
float tell_against_best(std::span<float> received, std::span<float> lost) {
  Sixteen best;
  load(received.data(), best);
  for (std::size_t first = 0; first < received.size(); first += kLanes) {
    Sixteen value;
    load(received.data() + first, value);
    raise(value, best);
    load(lost.data() + first, value);
    raise(value, best);
  }
  float most = best[0];
  for (std::size_t k = 1; k < kLanes; ++k) most = best[k] > most ? best[k] : most;
  for (const std::span<float> row : {received, lost}) {
    for (std::size_t first = 0; first < row.size(); first += kLanes) {
      Sixteen value;
      load(row.data() + first, value);
      store(value - most, row.data() + first);
    }
  }
  return most;
}

}  // namespace vqas::scoring
