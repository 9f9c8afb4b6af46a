#pragma once

#include <memory>
#include <span>
#include <vector>

struct soxr;

namespace vqas {

/// Converts a stream from one rate to another with libsoxr, linear phase: output sample n lies at the time of input
/// sample n·from/to, however much is held back meanwhile. Equal rates pass unchanged. For one thread; allocates.
class StreamResampler {
 public:
  StreamResampler(int from_hz, int to_hz);
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
  std::unique_ptr<soxr, Free> resampler_;
  std::vector<float> out_;
};

}  // namespace vqas
