#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "signal/fft.h"

namespace vqas::scoring {

// The inner loops, written so that a compiler vectorises them without being allowed to reorder a sum: the order of
// every addition is fixed here, so a result does not depend on the address of the data nor on the processor.

inline constexpr int kLanes = 16;

/// Sum of a[n]·b[n]; `length` is a multiple of kLanes.
float dot_product(const float* a, const float* b, int length);

/// Of pieces of `length` samples that follow each other, a multiple of kLanes: the sums of x[n]², of |x[n]|, and of
/// (x[n] - factor·x[n-1])², which reads x[-1].
void energies(const float* x, int length, std::span<float> to);
void magnitude_sums(const float* x, int length, std::span<float> to);
void difference_energies(const float* x, float factor, int length, std::span<float> to);

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

/// to[n] = taps[0]·x[n] + taps[1]·x[n+1] + …, added as dot_product() does. Reads kFilteredAtOnce values behind the last
/// one.
inline constexpr std::size_t kFilteredAtOnce = 4 * kLanes;
void filter_samples(const float* x, std::span<const float> taps, std::span<float> to);

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

/// `values` times `scale` go through two low-passes y[n] = smoothing·y[n-1] + (1 - smoothing)·x[n], one behind the
/// other; of each result the exponent as a power of two, floor(log2(y)), very small for 0. A multiple of kLanes values.
void smooth_twice(std::span<const float> values, double smoothing, double scale, std::span<std::int32_t> exponents);
/// In double precision.
double sum_of(std::span<const float> values);

/// Sums of (values[n] - expected[n])² and of values[n]², in double precision.
struct ErrorEnergy {
  double error = 0, all = 0;
};
ErrorEnergy error_energy(std::span<const float> values, std::span<const float> expected);

/// to[n] = x[step·n] + … + x[step·n + 2·step - 1], added in this order: low-passed and thinned.
void decimate(const float* x, int step, std::span<float> to);

/// values[n] = (values[n]·scale + floor)^exponent.
void to_power(std::span<float> values, float scale, float floor, float exponent);

/// to[n] = above[n]/(below[n]·share + max(floor, beside[n]) + leak[n] + least) + offset.
struct ErrorRatio {
  std::span<const float> above, below, beside, leak;
  float share = 1, floor = 0, least = 0, offset = 0;
};
void error_ratios(const ErrorRatio& of, std::span<float> to);

/// values[n] = log2(values[n]), of positive normal numbers, and 2^values[n], of values within ±126; as fast_power.h.
void to_log2(std::span<float> values);
void to_exp2(std::span<float> values);

/// to[n] = -log(1 - min(r², most)) of correlations r, 0 of those below 0, and to[n] = log(1 + factor·values[n]²), both
/// with the error of to_log2().
void shared_logarithms(std::span<const float> correlation, float most, std::span<float> to);
void logarithms_above_one(std::span<const float> values, float factor, std::span<float> to);

/// Takes the spectrum of a + i·b (`size` complex values) apart by symmetry: twice the spectra of `a` and of `b`, bins
/// first..first+count-1, as real and imaginary parts. 1 <= first, first + count <= size/2.
struct SplitSpectrum {
  float* re = nullptr;
  float* im = nullptr;
};
void split_spectrum(const Complex* both, int size, int first, int count, const SplitSpectrum& a,
                    const SplitSpectrum& b);

/// The same of bins 1..size/2-1, seen through a periodic Hann window; `size` is at least 2·kLanes. Reads the value
/// behind the spectrum, which must be the first once more.
void split_windowed(const Complex* both, int size, const SplitSpectrum& a, const SplitSpectrum& b);

/// Adds the powers and the cross-spectrum conj(from)·to of two spectra, each times a weight, to sums. `count` is a
/// multiple of kLanes.
struct CrossSums {
  float* from_power = nullptr;
  float* to_power = nullptr;
  float* re = nullptr;
  float* im = nullptr;
};
struct CrossWeights {
  float from_power = 1, to_power = 1, cross = 1;
};
void add_cross_spectrum(const SplitSpectrum& from, const SplitSpectrum& to, std::size_t count,
                        const CrossWeights& weights, const CrossSums& sums);

/// power[k] = re[k]² + im[k]².
void to_square(std::span<const float> re, std::span<const float> im, std::span<float> power);

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

/// The largest value of the same sum of rows with silence on either side: each has kSummedAtOnce values, with as many
/// zeros before and behind them. No shift is larger than that.
inline constexpr std::size_t kSummedAtOnce = 4 * kLanes;
float largest_shifted_sum(std::span<const float> rows, std::span<const int> shift);

/// steps[n]: how far a value lies from `middle`, rounded to whole steps, at most ±most of them.
void steps_from(std::span<const double> values, double middle, double step, double most, std::span<int> steps);

/// to[n] = values[n] / sqrt(behind[n] - before[n] + floor).
void relative_to_energy(std::span<const float> values, std::span<const double> before, std::span<const double> behind,
                        double floor, std::span<float> to);

/// to[n]: the median of values[n] .. values[n + kMedianOf - 1].
inline constexpr std::size_t kMedianOf = 15;
void running_medians(std::span<const double> values, std::span<double> to);

/// The largest magnitude, 0 of none.
float largest_magnitude(std::span<const float> values);

/// The correlation of two recordings that both went through a pre-emphasis by `factor`, from that of those that did
/// not, its ends 0; the largest magnitude becomes 1. Returns its lowest and highest value, and what became 1.
struct ValueRange {
  float lowest = 0, highest = 0;
  float largest = 0;
};
ValueRange flatten(std::span<const float> lags, float factor, std::span<float> flat);

/// Position of the largest value, the first of several; `values` is not empty.
std::size_t largest_of(std::span<const float> values);

/// error[n] = |received[n] - gain·expected[n]|; returns the largest of them and of |gain·expected[n]|. `length` is a
/// multiple of kLanes.
struct LargestOf {
  float error = 0;
  float expected = 0;
};
LargestOf step_error(const float* received, const float* expected, float gain, int length, float* error);

/// How many values are above `limit`. `length` is a multiple of kLanes.
int count_above(const float* values, float limit, int length);

/// Of gain·expected in these steps of `length` samples, a multiple of 8: squares, and products with what was received,
/// where its magnitude is above kTopOfPeak of `peak`, and where it is between 0.1 and 0.25 of it; and squares of what
/// was received above. `gain` has one value a step.
inline constexpr float kTopOfPeak = 0.6F;  // by hand
struct PeakSums {
  float top = 0, top_received = 0, received_power = 0;
  float middle = 0, middle_received = 0;
};
PeakSums peak_sums(const float* received, const float* expected, const float* gain, std::span<const int> steps,
                   int length, float peak);

/// Sums of products over each step of `length` samples, a multiple of 8, for kLanes steps that follow each other: of
/// b[n-1], b[n] and b[n+1] (a, b, c) with one another and with y[n]; those that are missing are others moved by a
/// sample. Reads b[-1] and b[kLanes·length].
struct StepProducts {
  enum Sum { bb, ab, ac, ya, yb, yc, yy, count };
  float of[kLanes][8];
};
void step_products(const float* b, const float* y, int length, StepProducts& sums);

/// Of kLanes steps of `length` samples that follow each other: the sum of each, in the order of the samples.
void step_sums(const float* x, int length, double* sums);

/// A high-pass of second order: y[n] = norm·(x[n] - 2·x[n-1] + x[n-2]) - a1·y[n-1] - a2·y[n-2], with silence before.
/// Each output waits for the one before it, so pieces of the recording are filtered side by side; each begins `settles`
/// samples before its part, in which the filter must forget that it began with silence.
struct HighPass {
  double norm = 1, a1 = 0, a2 = 0;
};
void high_pass(std::span<const float> from, const HighPass& filter, std::size_t settles, std::span<float> to);

/// The upper median of the magnitudes of each of kLanes pieces of `length` samples that follow each other, to 0.4 %.
/// `length` is a multiple of kLanes, at most kLongestPiece. No sample is NaN.
inline constexpr int kLongestPiece = 128;
void median_magnitudes(const float* x, int length, float* medians);

/// Writes the values to `to`; magnitudes above `most` become `most`.
void limit_magnitudes(std::span<const float> from, float most, float* to);

/// to[k] = sum of re[n]² + im[n]² over n = kGroup·k .. kGroup·k + kGroup - 1, in the order of n.
inline constexpr int kGroup = 8;
void group_powers(std::span<const float> re, std::span<const float> im, std::span<float> to);

/// Spectra of kBlocks blocks lie bin by bin, the blocks of a bin side by side: value [kBlocks·n + k] is bin n of block
/// k.
inline constexpr std::size_t kBlocks = 16;

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
void pool_blocks(const float* re, const float* im, const float* share, std::span<double> pooled_re,
                 std::span<double> pooled_im);

/// What all blocks say of a bin: its angular frequency, the conjugate of their common phase times the bin's weight, and
/// that weight over the size of the sum.
struct PooledPhase {
  std::span<const float> omega, re, im, own;
};
/// Of each block: the sums over its bins that give its delay beside the common phase.
struct PhaseSlopes {
  float slope[kBlocks] = {}, curvature[kBlocks] = {}, most[kBlocks] = {};
};
void slopes_of(const float* re, const float* im, const float* share, const PooledPhase& pooled, PhaseSlopes& slopes);

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

/// One frame of a path; rows have a value for each delay and are filled up to a multiple of kLanes. A delay is received
/// after it was received, after it was lost, after a step from another one (`near_cost`, a row for each that is left)
/// or from anywhere (`behind`, its cost taken off): the largest total counts. `best` is work space of a row.
struct PathFrame {
  const float* received = nullptr;
  const float* lost = nullptr;
  const float* behind = nullptr;
  const float* near_cost = nullptr;
  /// Of kLanes delays each: those from which a step to one of them is near by.
  struct Near {
    std::size_t first = 0, end = 0;
  };
  const Near* near = nullptr;
  const float* evidence = nullptr;
  struct Losses {
    float begin = 0, stay = 0, end = 0;
  };
};
void path_frame(const PathFrame& from, const PathFrame::Losses& losses, std::span<float> best, float* received,
                float* lost);

/// Takes the largest value of both rows from all of them and returns it.
float tell_against_best(std::span<float> received, std::span<float> lost);

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
