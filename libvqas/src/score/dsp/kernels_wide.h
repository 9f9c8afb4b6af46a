#pragma once

#include <span>

#include "score/dsp/lane_fft.h"

namespace vqas::scoring {

// The heaviest inner loops once more, in registers of 16 floats for x86-64-v4 (AVX-512). One register holds the lanes
// that the plain version keeps in two, and they are added up in the same order: same bytes.

/// Whether the program was built with these and the processor has what they need.
bool has_wide_kernels();
/// Asked once: a call in front of each loop would have to save the loop's arguments.
inline const bool kHasWideKernels = has_wide_kernels();

/// As sliding_products().
void wide_sliding_products(const float* a, const float* b, int length, std::span<float> out);
/// As products_at().
void wide_filter_samples(const float* x, std::span<const float> taps, std::span<float> to);
void wide_products_at(const float* a, std::span<const float* const> at, int length, std::span<float> cross,
                      std::span<float> energy);
/// As high_pass().
void wide_high_pass(std::span<const float> from, const HighPass& filter, std::size_t settles, std::span<float> to);
/// As load_lanes(), transform_lanes() and sum_lanes().
void wide_load_lanes(const LaneFft::Frames& frames, std::span<const float> window, float* re, float* im);
void wide_transform_lanes(float* re, float* im, std::size_t size, const float* twiddles);
void wide_sum_lanes(const float* re, const float* im, std::span<const int> place, const LaneSums& of,
                    const LaneResults& results);

/// As path_frame() and tell_against_best().
void wide_path_frame(const PathFrame& from, const PathFrame::Losses& losses, std::span<float> best, float* received,
                     float* lost);
float wide_tell_against_best(std::span<float> received, std::span<float> lost);

}  // namespace vqas::scoring
