#pragma once

#include <memory>
#include <span>
#include <vector>

struct soxr;

namespace vqas {

/// What a stream's resampler spends.
enum class StreamQuality {
  high,    ///< for measuring; gives what it has as soon as it has it
  medium,  ///< fewer taps, because they are delay; images stay below G.711's own noise. Little more out than in
};

/// Converts a stream from one rate to another with libsoxr, linear phase: output sample n lies at the time of input
/// sample n·from/to, however much is held back meanwhile. Equal rates pass unchanged. For one thread; allocates.
class StreamResampler {
 public:
  StreamResampler(double from_hz, double to_hz, StreamQuality quality = StreamQuality::high);
  ~StreamResampler();
  StreamResampler(const StreamResampler&) = delete;
  StreamResampler& operator=(const StreamResampler&) = delete;

  /// What comes out while `samples` go in; valid until the next call.
  std::span<const float> process(std::span<const float> samples);

 private:
  struct Free {
    void operator()(soxr* resampler) const;
  };
  double ratio_;
  std::size_t spare_;  // what was held back may come besides
  std::unique_ptr<soxr, Free> resampler_;
  std::vector<float> out_;
};

}  // namespace vqas
