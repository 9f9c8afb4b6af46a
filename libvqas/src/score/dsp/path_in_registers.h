#pragma once

#include <cstddef>
#include <span>

#include "score/dsp/kernels.h"
#include "score/dsp/transpose.h"

namespace vqas::scoring {
// The inner loop of the likeliest path over the frames of a recording. Apart in every file, so that each copy is
// compiled as its caller is.
namespace {

template <typename Register>
__attribute__((always_inline)) inline void raise(const Register& other, Register& value) {
  value = other > value ? other : value;
}

template <typename Register>
__attribute__((always_inline)) inline void path_frame_in(const PathFrame& from, const PathFrame::Losses& losses,
                                                         std::span<float> best, float* received, float* lost) {
  const std::size_t width = best.size();
  for (std::size_t first = 0; first < width; first += kWidthOf<Register>) {
    Register either;
    Register other;
    load(from.received + first, either);
    load(from.lost + first, other);
    raise(other, either);
    store(either, best.data() + first);
  }
  for (std::size_t first = 0; first < width; first += kWidthOf<Register>) {
    Register was_received;
    Register was_lost;
    Register other;
    load(from.received + first, was_received);
    load(from.lost + first, was_lost);
    Register value = was_received;
    raise<Register>(was_lost - losses.end, value);
    const PathFrame::Near near = from.near[first / kLanes];
    for (std::size_t k = near.first; k < near.end; ++k) {
      load(from.near_cost + k * width + first, other);
      raise<Register>(best[k] - other, value);
    }
    load(from.behind + first, other);
    raise(other, value);
    load(from.evidence + first, other);
    store<Register>(value + other, received + first);
    Register gone = was_received - losses.begin;
    raise<Register>(was_lost - losses.stay, gone);
    store(gone, lost + first);
  }
}

template <typename Register>
__attribute__((always_inline)) inline float tell_against_best_in(std::span<float> received, std::span<float> lost) {
  Register best;
  load(received.data(), best);
  for (std::size_t first = 0; first < received.size(); first += kWidthOf<Register>) {
    Register value;
    load(received.data() + first, value);
    raise(value, best);
    load(lost.data() + first, value);
    raise(value, best);
  }
  float most = best[0];
  for (std::size_t k = 1; k < kWidthOf<Register>; ++k) most = best[k] > most ? best[k] : most;
  for (const std::span<float> row : {received, lost}) {
    for (std::size_t first = 0; first < row.size(); first += kWidthOf<Register>) {
      Register value;
      load(row.data() + first, value);
      store<Register>(value - most, row.data() + first);
    }
  }
  return most;
}

}  // namespace
}  // namespace vqas::scoring
