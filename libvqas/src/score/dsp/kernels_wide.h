#pragma once

#include <span>

namespace vqas::scoring {

// The heaviest inner loops once more, in registers of 16 floats for x86-64-v4 (AVX-512). One register holds the lanes
// that the plain version keeps in two, and they are added up in the same order: same bytes.

/// Whether the program was built with these and the processor has what they need.
bool has_wide_kernels();

/// As sliding_products().
void wide_sliding_products(const float* a, const float* b, int length, std::span<float> out);
/// As products_at().
void wide_filter_samples(const float* x, std::span<const float> taps, std::span<float> to);
void wide_products_at(const float* a, std::span<const float* const> at, int length, std::span<float> cross,
                      std::span<float> energy);

}  // namespace vqas::scoring
