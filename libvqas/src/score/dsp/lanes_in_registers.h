#pragma once

#include <cstddef>

#include "score/dsp/lane_fft.h"
#include "score/dsp/transpose.h"

namespace vqas::scoring {
// The inner loops of the transform that goes through kLanes pairs of frames at once. Apart in every file, so that each
// copy is compiled as its caller is. Rows are gone through from their first lane on, as many lanes at a time as a
// register has.
namespace {

/// to = (re + i·im) times a twiddle.
template <typename Register>
__attribute__((always_inline)) inline void turn(const Register& re, const Register& im, const float* by, float* to_re,
                                                float* to_im) {
  store(re * by[0] - im * by[1], to_re);
  store(re * by[1] + im * by[0], to_im);
}

/// Four rows that are `apart` floats from each other; the factors of all but the first.
template <typename Register, bool kIsTurned>
__attribute__((always_inline)) inline void butterfly(float* re, float* im, std::size_t apart, const float* by) {
  Register a_re, a_im, b_re, b_im, c_re, c_im, d_re, d_im;
  load(re, a_re);
  load(im, a_im);
  load(re + apart, b_re);
  load(im + apart, b_im);
  load(re + 2 * apart, c_re);
  load(im + 2 * apart, c_im);
  load(re + 3 * apart, d_re);
  load(im + 3 * apart, d_im);
  const Register ac_re = a_re + c_re, ac_im = a_im + c_im;
  const Register a_c_re = a_re - c_re, a_c_im = a_im - c_im;
  const Register bd_re = b_re + d_re, bd_im = b_im + d_im;
  const Register b_d_re = b_re - d_re, b_d_im = b_im - d_im;
  store(ac_re + bd_re, re);
  store(ac_im + bd_im, im);
  if constexpr (kIsTurned) {
    turn(a_c_re + b_d_im, a_c_im - b_d_re, by, re + apart, im + apart);
    turn(ac_re - bd_re, ac_im - bd_im, by + 2, re + 2 * apart, im + 2 * apart);
    turn(a_c_re - b_d_im, a_c_im + b_d_re, by + 4, re + 3 * apart, im + 3 * apart);
  } else {
    store(a_c_re + b_d_im, re + apart);
    store(a_c_im - b_d_re, im + apart);
    store(ac_re - bd_re, re + 2 * apart);
    store(ac_im - bd_im, im + 2 * apart);
    store(a_c_re - b_d_im, re + 3 * apart);
    store(a_c_im + b_d_re, im + 3 * apart);
  }
}

/// Twice the spectra of the two frames of each lane, and their powers.
template <typename Register>
struct Bin {
  Register a_re, a_im, b_re, b_im, a_power, b_power;
};

template <typename Register>
__attribute__((always_inline)) inline void take_apart(const float* re, const float* im, int at, int mirrored,
                                                      Bin<Register>& bin) {
  Register x, y, u, v;
  load(re + std::size_t(at) * kLanes, x);
  load(im + std::size_t(at) * kLanes, y);
  load(re + std::size_t(mirrored) * kLanes, u);
  load(im + std::size_t(mirrored) * kLanes, v);
  bin.a_re = x + u;
  bin.a_im = y - v;
  bin.b_re = y + v;
  bin.b_im = u - x;
  bin.a_power = bin.a_re * bin.a_re + bin.a_im * bin.a_im;
  bin.b_power = bin.b_re * bin.b_re + bin.b_im * bin.b_im;
}

template <typename Register>
__attribute__((always_inline)) inline void load_lanes_in(const LaneFft::Frames& frames, std::span<const float> window,
                                                         float* re, float* im) {
  constexpr std::size_t kWidth = kWidthOf<Register>;
  Register rows[kWidth];
  for (std::size_t n = 0; n < window.size(); n += kWidth) {
    for (std::size_t frame = 0; frame < kFramesAtOnce; frame += kWidth) {
      float* to = (frame < kLanes ? re : im) + n * kLanes + frame % kLanes;
      for (std::size_t k = 0; k < kWidth; ++k) {
        Register before;
        load(frames[frame + k] + n, rows[k]);
        load(frames[frame + k] + n - 1, before);
        rows[k] -= before;
      }
      transpose(rows);
      for (std::size_t k = 0; k < kWidth; ++k) store<Register>(rows[k] * window[n + k], to + k * kLanes);
    }
  }
}

template <typename Register>
__attribute__((always_inline)) inline void transform_first_lanes(float* re, float* im, std::size_t size,
                                                                 const float* twiddles) {
  std::size_t span = size;
  if (__builtin_ctzl(size) % 2 != 0) {
    const std::size_t apart = span / 2 * kLanes;
    for (std::size_t n = 0; n < span / 2; ++n, twiddles += 2) {
      Register a_re, a_im, b_re, b_im;
      load(re + n * kLanes, a_re);
      load(im + n * kLanes, a_im);
      load(re + n * kLanes + apart, b_re);
      load(im + n * kLanes + apart, b_im);
      store(a_re + b_re, re + n * kLanes);
      store(a_im + b_im, im + n * kLanes);
      turn(a_re - b_re, a_im - b_im, twiddles, re + n * kLanes + apart, im + n * kLanes + apart);
    }
    span /= 2;
  }
  for (; span > 4; span /= 4) {
    const std::size_t apart = span / 4 * kLanes;
    for (std::size_t n = 0; n < span / 4; ++n, twiddles += 6) {
      for (std::size_t block = 0; block < size; block += span) {
        const std::size_t at = (block + n) * kLanes;
        butterfly<Register, true>(re + at, im + at, apart, twiddles);
      }
    }
  }
  for (std::size_t at = 0; at < size * kLanes; at += 4 * kLanes)
    butterfly<Register, false>(re + at, im + at, kLanes, nullptr);
}

template <typename Register>
__attribute__((always_inline)) inline void sum_first_lanes(const float* re, const float* im, std::span<const int> place,
                                                           const LaneSums& of, const LaneResults& results) {
  const auto size = static_cast<int>(place.size());
  Register a_match{}, b_match{}, a_cross{}, b_cross{};
  for (std::size_t band = 0; band + 1 < of.edges.size(); ++band) {
    Register a_sum{}, b_sum{};
    for (int k = of.edges[band]; k < of.edges[band + 1]; ++k) {
      Bin<Register> bin;
      take_apart(re, im, place[static_cast<std::size_t>(k)], place[static_cast<std::size_t>(size - k)], bin);
      const float weight = of.weight[static_cast<std::size_t>(k)];
      bin.a_power *= weight;
      bin.b_power *= weight;
      a_sum += bin.a_power;
      b_sum += bin.b_power;
      if (results.match_power == nullptr || k < of.match_from || k >= of.match_to) continue;
      a_match += bin.a_power;
      b_match += bin.b_power;
      const std::size_t at = static_cast<std::size_t>(k - of.match_from) * 2 * kFramesAtOnce;
      if (results.spectrum != nullptr) {
        float* to = results.spectrum + at;
        store(bin.a_re, to);
        store(bin.b_re, to + kLanes);
        store(bin.a_im, to + 2 * kLanes);
        store(bin.b_im, to + 3 * kLanes);
      } else {
        const float* other = results.other + at;
        Register other_re, other_im;
        load(other, other_re);
        load(other + 2 * kLanes, other_im);
        a_cross += weight * (other_re * bin.a_re + other_im * bin.a_im);
        load(other + kLanes, other_re);
        load(other + 3 * kLanes, other_im);
        b_cross += weight * (other_re * bin.b_re + other_im * bin.b_im);
      }
    }
    store(a_sum, results.bands + band * kFramesAtOnce);
    store(b_sum, results.bands + band * kFramesAtOnce + kLanes);
  }
  if (results.match_power == nullptr) return;
  store(a_match, results.match_power);
  store(b_match, results.match_power + kLanes);
  if (results.cross == nullptr) return;
  store(a_cross, results.cross);
  store(b_cross, results.cross + kLanes);
}

template <typename Register>
__attribute__((always_inline)) inline void transform_lanes_in(float* re, float* im, std::size_t size,
                                                              const float* twiddles) {
  for (int lane = 0; lane < kLanes; lane += kWidthOf<Register>)
    transform_first_lanes<Register>(re + lane, im + lane, size, twiddles);
}

template <typename Register>
__attribute__((always_inline)) inline void sum_lanes_in(const float* re, const float* im, std::span<const int> place,
                                                        const LaneSums& of, const LaneResults& results) {
  for (int lane = 0; lane < kLanes; lane += kWidthOf<Register>) {
    const auto here = [lane](auto* row) { return row == nullptr ? nullptr : row + lane; };
    sum_first_lanes<Register>(re + lane, im + lane, place, of,
                              {here(results.bands), here(results.match_power), here(results.cross), here(results.other),
                               here(results.spectrum)});
  }
}

}  // namespace
}  // namespace vqas::scoring
