#pragma once

#include <complex>
#include <span>
#include <vector>

#include "score/diagnose/frame_spectra.h"
#include "score/dsp/kernels.h"
#include "score/model/model.h"
#include "signal/fft.h"
#include "vqas/score/indices.h"

namespace vqas::scoring {

/// The line as a linear filter: response by cross-spectrum (J. Bendat and A. Piersol, "Random Data", ch. 6), its band,
/// and what the reference sounds like behind it. Holds its plan and work space; for one thread.
class LineResponse {
 public:
  explicit LineResponse(const PerceptualModel& model);

  int frame() const { return frame_; }
  /// Samples before and behind its place by which the response may move a part of the speech.
  int reach() const { return tap_count_ / 2; }
  /// Of frames of frame() samples of both recordings, laid beside each other at one delay for each frame of the
  /// alignment. Without `waveform_kept` the phases mean nothing and the response is that of the powers. `gain`, one a
  /// step of kStep samples or none, is taken out of what was received.
  void measure(FrameSpectra& sent, FrameSpectra& received, std::span<const int> delay, bool waveform_kept,
               std::span<const float> gain = {});
  /// The same of the frames without a sample that `is_peak` marks, one a sample: what is clipped says nothing about a
  /// filter. All frames where those are too few.
  void measure_beside(FrameSpectra& sent, FrameSpectra& received, std::span<const int> delay,
                      std::span<const char> is_peak);
  /// The middle of the band (500 to 2500 Hz, or what passes around it): its bins, half open, and the gain of the line
  /// there in dB.
  struct Passed {
    int first = 0, last = 0;
    double level_db = 0;
  };
  /// Of what measure() found.
  Passed passed() const;
  BandLoss band_loss(const Passed& passed) const;
  /// The reference as the line alone, without noise or distortion, would have passed it.
  std::span<const float> predicted() const { return predicted_; }

 private:
  /// Of the bins first..last-1.
  double median_db(int first, int last) const;
  /// `from` and `to` bound the middle of the band.
  Passed find_passed(int first_bin, int last_bin, int from, int to) const;
  /// Returns the number of frames.
  int accumulate(FrameSpectra& sent, FrameSpectra& received, std::span<const int> delay, std::span<const float> gain,
                 std::span<const char> is_peak);
  void note_frame(std::span<const float> sent, std::span<const float> received, const CrossWeights& weights);
  /// Puts the power's response where the waveform was replaced, and says where that is.
  void follow_power(bool waveform_kept);
  /// What of `level_db` a bin counts as having.
  double counted_db(int bin, double level_db) const;
  void make_taps(bool waveform_kept);
  void filter(FrameSpectra& sent);

  PerceptualModel model_;
  int frame_, tap_count_, fade_;  // samples
  double highest_hz_;
  RealFft fft_;
  RealInverse inverse_;
  FftBuffer<Complex> spectrum_;
  FftBuffer<float> impulse_;
  AlignedVector<float> sums_;  // of the powers and the cross-spectrum
  std::vector<double> reference_power_, degraded_power_;
  std::vector<double> cross_re_, cross_im_;
  std::vector<double> response_db_;
  std::vector<float> sent_, arrived_;  // power of every frame in groups of bins
  std::vector<char> replaced_;         // one a bin: what is there is not the reference's waveform
  AlignedVector<float> predicted_;
};

}  // namespace vqas::scoring
