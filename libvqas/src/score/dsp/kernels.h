#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "signal/fft.h"

namespace vqas::scoring {

// The inner loops, written so that a compiler vectorises them without being allowed to reorder a sum: the order of
// every addition is fixed here, so a result does not depend on the address of the data nor on the processor.

inline constexpr int kLanes = 16;

/// Sum of a[n]·b[n]; `length` is a multiple of kLanes.
float dot_product(const float* a, const float* b, int length);

/// Sums of a[n]·b[n] and of b[n]²; `length` is a multiple of kLanes.
struct Products {
  float cross = 0;
  float energy = 0;
};
Products products(const float* a, const float* b, int length);

/// The same of `a` with each of `at`: one value of each to `cross` and to `energy`.
void products_at(const float* a, std::span<const float* const> at, int length, std::span<float> cross,
                 std::span<float> energy);

/// Dot products of `a` with b + 0, b + 1, … b + out.size() - 1; `length` is a multiple of kLanes.
void sliding_products(const float* a, const float* b, int length, std::span<float> out);

/// What one pass over the samples tells.
struct SampleSums {
  double sum = 0;
  double square = 0;
  bool within = true;  ///< every sample is finite and within ±limit
};
SampleSums sums_of(std::span<const float> samples, float limit);

/// to[n] = (from[n] - offset)·gain.
void subtract_and_scale(std::span<const float> from, float offset, float gain, std::span<float> to);

/// Magnitudes and squares summed over each `step` samples; both results have samples.size()/step values.
void sum_steps(std::span<const float> samples, int step, std::span<float> magnitude, std::span<float> square);

/// to[n] = x[step·n] + … + x[step·n + 2·step - 1], added in this order: low-passed and thinned.
void decimate(const float* x, int step, std::span<float> to);

/// Sum of (x[n] - factor·x[n-1])² over n = 0..length-1, a multiple of kLanes; reads x[-1].
float difference_energy(const float* x, float factor, int length);

/// values[n] = (values[n]·scale + floor)^exponent.
void to_power(std::span<float> values, float scale, float floor, float exponent);

/// Takes the spectrum of a + i·b (`size` complex values) apart by symmetry: twice the spectra of `a` and of `b`, bins
/// first..first+count-1, as real and imaginary parts. 1 <= first, first + count <= size/2.
struct SplitSpectrum {
  float* re = nullptr;
  float* im = nullptr;
};
void split_spectrum(const Complex* both, int size, int first, int count, const SplitSpectrum& a,
                    const SplitSpectrum& b);

/// Adds the powers and the cross-spectrum conj(from)·to of two spectra, each given twice as large, to sums.
struct CrossSums {
  double* from_power = nullptr;
  double* to_power = nullptr;
  double* re = nullptr;
  double* im = nullptr;
};
void add_cross_spectrum(const SplitSpectrum& from, const SplitSpectrum& to, std::size_t count, const CrossSums& sums);

/// power[k] = re[k]² + im[k]².
void to_square(std::span<const float> re, std::span<const float> im, std::span<float> power);

/// Adds up the bins edges[band]..edges[band+1]-1 of four frames' powers, which begin at edges.front(), times `scale`,
/// to columns of a table of bands and frames; frames may be the same one. `work` has 4 values a bin.
struct CellColumns {
  float* cells = nullptr;
  std::size_t stride = 0;  ///< from band to band
  std::array<std::size_t, 4> frame{};
};
void sum_bands(const std::array<const float*, 4>& power, std::span<const int> edges, float scale, std::span<float> work,
               const CellColumns& to);

/// out[n] = a[n] + i·b[n].
void interleave(const float* a, const float* b, int size, Complex* out);

/// out[n] = window[n]·(a[n] + i·b[n]).
void interleave_windowed(const float* a, const float* b, const float* window, int size, Complex* out);

/// re[n] + i·im[n] = from[n]·scale.
void take_apart(const Complex* from, float scale, std::span<float> re, std::span<float> im);

/// out[k] = conj(a[k])·b[k]; `out` is neither of them.
void conjugate_product(const Complex* a, const Complex* b, std::size_t size, Complex* out);

/// out[k] += conj(a[k])·b[k].
void add_conjugate_product(const Complex* a, const Complex* b, int size, Complex* out);

/// `a` and `b` are the spectra of x1 + i·x2 and y1 + i·y2. Writes the spectrum of c1 + i·c2 with c the circular
/// cross-correlations of x1 with y1 and of x2 with y2, times 4.
void correlate_two(const Complex* a, const Complex* b, int size, Complex* out);

/// out[n] = (half[n] + half[n+row]) / sqrt(energy[n]·(seen[n] + seen[n+row]) + floor).
void normalise_correlation(std::span<const float> half, std::span<const float> seen, std::size_t row,
                           std::span<const float> energy, float floor, std::span<float> out);

/// sum[n] += values[n].
void add_to(std::span<const float> values, std::span<float> sum);

/// sum[k] += values[k - shift[n]] of each row n in their order, as far as both exist. Rows are as long as the sum.
void add_shifted(std::span<const float> rows, std::span<const int> shift, std::span<float> sum);

/// Position of the largest value, the first of several; `values` is not empty.
std::size_t largest_of(std::span<const float> values);

/// error[n] = |received[n] - gain·expected[n]|; returns the largest of them and of |gain·expected[n]|. `length` is a
/// multiple of kLanes.
struct LargestOf {
  float error = 0;
  float expected = 0;
};
LargestOf step_error(const float* received, const float* expected, float gain, int length, float* error);

/// Sums of products over each step of `length` samples, for kLanes steps that follow each other: of b[n-1], b[n] and
/// b[n+1] (a, b, c) with one another and with y[n]. Each sum is in the order of n. Reads b[-1] and b[kLanes·length].
/// `length` is at most kLongestStep.
inline constexpr int kLongestStep = 64;
struct StepProducts {
  enum Sum { aa, ab, ac, bb, bc, cc, ya, yb, yc, yy, count };
  float of[count][kLanes];
};
void step_products(const float* b, const float* y, int length, StepProducts& sums);

/// Of kLanes steps of `length` samples that follow each other: the sum of each, in double precision, and the sum of its
/// squares, in single precision; both in the order of the samples.
void step_sums(const float* x, int length, double* sums);
void step_squares(const float* x, int length, float* sums);

/// The upper median of the magnitudes of each of kLanes pieces of `length` samples that follow each other. `length` is
/// at most kLongestPiece. No sample is NaN.
inline constexpr int kLongestPiece = 128;
void median_magnitudes(const float* x, int length, float* medians);

/// Magnitudes above `most` become `most`.
void limit_magnitudes(float most, std::span<float> values);

/// to[k] = sum of re[n]² + im[n]² over n = kGroup·k .. kGroup·k + kGroup - 1, in the order of n.
inline constexpr int kGroup = 8;
void group_powers(std::span<const float> re, std::span<const float> im, std::span<float> to);

/// Spectra of kBlocks blocks lie bin by bin, the blocks of a bin side by side: value [kBlocks·n + k] is bin n of block
/// k.
inline constexpr std::size_t kBlocks = 8;

/// Writes the cross-spectrum conj(from)·to of one block among others: `re` and `im` are its places at the first bin.
void cross_spectrum(const SplitSpectrum& from, const SplitSpectrum& to, std::size_t count, float* re, float* im);

/// sums[n] += factor·values[n].
void add_scaled(std::span<const float> values, double factor, std::span<double> sums);

/// A complex number of each block.
struct Phasors {
  double re[kBlocks] = {}, im[kBlocks] = {};
};
/// Bin n of each block times begin·step^n.
void turn_blocks(const float* re, const float* im, std::size_t bins, const Phasors& begin, const Phasors& step,
                 float* to_re, float* to_im);

/// Adds to each bin that of all blocks times their share, one block after the other.
void pool_blocks(const float* re, const float* im, const double* share, std::span<double> pooled_re,
                 std::span<double> pooled_im);

/// What all blocks say of a bin: its angular frequency, the conjugate of their common phase times the bin's weight, and
/// that weight over the size of the sum.
struct PooledPhase {
  std::span<const double> omega;
  std::span<const float> re, im, own;
};
/// Of each block: the sums over its bins that give its delay beside the common phase.
struct PhaseSlopes {
  double slope[kBlocks] = {}, curvature[kBlocks] = {}, most[kBlocks] = {};
};
void slopes_of(const float* re, const float* im, const double* share, const PooledPhase& pooled, PhaseSlopes& slopes);

/// to[n] = gain·expected[n] + share·(to[n] - gain·expected[n]).
void approach(const float* expected, float gain, float share, int length, float* to);

/// values[n] *= factors[n].
void multiply(std::span<const float> factors, std::span<float> values);

/// One row of a best path where each state is near to the ones beside it: next[i] is gain[i]·weight plus the largest of
/// total[i], from_anywhere, total[i±1] - near_change; came_from[i] says which (earlier ones win). total[-1] and
/// total[states] must be readable.
struct PathStep {
  float from_anywhere = 0;
  float near_change = 0;
  float weight = 0;
  int best = 0;  ///< where from_anywhere comes from
};
void step_along(const float* total, const float* gain, int states, const PathStep& step, float* next, int* came_from);

/// Multiplies by `gain` and adds the products to `sum`.
void scale_and_add(std::span<float> cells, float gain, std::span<float> sum);

/// gain[j] = (p[j] + floor)/(q[j] + floor), limited.
void limited_ratio(std::span<const float> p, std::span<const float> q, float floor, float lowest, float highest,
                   std::span<float> gain);

/// Adds the loudness difference E = |(q·gain + floor)^exponent - (p + floor)^exponent| of one band to the sums of all
/// frames: `weight` times E^changed_norm to `changed`, `weight` times E^raised_norm to `raised` where
/// q·gain + ratio_floor > ratio·(p + ratio_floor).
struct LoudnessLaw {
  float floor = 0;  ///< > 0
  float exponent = 1;
  float ratio_floor = 0;  ///< >= 0
  float ratio = 1;
  float raised_norm = 1;
  float weight = 1;
};
void add_loudness_difference(std::span<const float> p, std::span<const float> q, std::span<const float> gain,
                             const LoudnessLaw& law, std::span<float> changed, std::span<float> raised);

/// Writes (power + floor)^exponent to `loudness`.
void to_loudness(std::span<const float> power, float floor, float exponent, std::span<float> loudness);

}  // namespace vqas::scoring
