#pragma once

#include <memory>
#include <span>
#include <vector>

struct soxr;

namespace vqas {

/// Quality of a stream's resampler.
enum class StreamQuality {
  high,    ///< for measuring; returns its output as early as possible
  medium,  ///< fewer taps for less delay; images stay below G.711's own noise. Output in small pieces
};

/// Converts a stream from one rate to another with libsoxr, linear phase: output sample n lies at the time of input
/// sample n·from/to, however much output is held back. Equal rates pass unchanged. For one thread; allocates.
class StreamResampler {
 public:
  StreamResampler(double from_hz, double to_hz, StreamQuality quality = StreamQuality::high);
  ~StreamResampler();
  StreamResampler(const StreamResampler&) = delete;
  StreamResampler& operator=(const StreamResampler&) = delete;

  /// The output that is ready after `samples`; valid until the next call.
  std::span<const float> process(std::span<const float> samples);

 private:
  struct Free {
    void operator()(soxr* resampler) const;
  };
  double ratio_;
  std::size_t spare_;  // room for output that was held back
  std::unique_ptr<soxr, Free> resampler_;
  std::vector<float> out_;
};

}  // namespace vqas
