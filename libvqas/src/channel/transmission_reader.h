#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "channel/fractional_reader.h"
#include "vqas/channel/line_direction.h"
#include "vqas/channel/random.h"
#include "vqas/signal/level.h"

namespace vqas {

/// Substreams of Random(seed, stream) in a direction of a line: 0 belongs to the bit errors.
inline constexpr std::uint64_t kNoiseSubstream = 1, kFirstTransmissionSubstream = 2;

/// Reads what a sender's converter plays by the receiver's clock, at the rate of the line's ends. Each transmission has
/// a sub-sample phase and a gain of its own; a digital silence ends one. Does not allocate after construction; for one
/// thread.
class TransmissionReader {
 public:
  /// `rate_hz` is 8000 or 16000.
  TransmissionReader(const LineConditions& conditions, std::uint64_t seed, std::uint64_t stream, int rate_hz)
      : conditions_(conditions),
        seed_(seed),
        stream_(stream),
        rate_hz_(rate_hz),
        reader_((1 + conditions.sender_clock_ppm * 1e-6) / (1 + conditions.receiver_clock_ppm * 1e-6)),
        end_silence_(samples_of(conditions.end_silence_s)) {
    begin_transmission();
  }

  /// Takes a sample of the sender; `read` gets each sample of the receiver that is ready, none to two of them.
  template <typename Read>
  void push(float sample, Read read) {
    silence_ = sample == 0.0F ? silence_ + 1 : 0;
    reader_.write(sample);
    if (silence_ == end_silence_) begin_transmission();
    while (reader_.ready()) read(gain_ * reader_.read());
  }

  /// A silence that has ended one transmission ends no other.
  void set_end_silence_s(double end_silence_s) {
    const std::size_t wanted = samples_of(end_silence_s);
    if (silence_ >= end_silence_) {
      silence_ = std::max(silence_, wanted);
    } else if (silence_ >= wanted) {
      begin_transmission();
    }
    end_silence_ = wanted;
  }

  /// Started so far; the samples before the first silence count as one.
  std::uint64_t transmissions() const { return transmissions_; }

 private:
  std::size_t samples_of(double seconds) const { return static_cast<std::size_t>(std::llround(seconds * rate_hz_)); }

  void begin_transmission() {
    Random random(seed_, stream_, kFirstTransmissionSubstream + transmissions_);
    ++transmissions_;
    const double phase = random.next_unit() - 0.5;
    const double ripple_db = conditions_.gain_ripple_db * (2 * random.next_unit() - 1);
    if (conditions_.fresh_phase) reader_.set_phase(phase);
    gain_ = static_cast<float>(db_to_amplitude(conditions_.gain_db + ripple_db));
  }

  const LineConditions conditions_;
  const std::uint64_t seed_, stream_;
  const int rate_hz_;
  FractionalReader reader_;
  float gain_ = 1;
  std::size_t end_silence_, silence_ = 0;  // samples; the latter are zeros at the end of what was sent
  std::uint64_t transmissions_ = 0;
};

}  // namespace vqas
