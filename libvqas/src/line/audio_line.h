#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "line/audio_backend.h"
#include "line/audio_port.h"
#include "line/spoilt_runs.h"
#include "line/stream_clock.h"
#include "line/stream_resampler.h"
#include "vqas/line/line.h"

namespace vqas {

/// Options of "audio:DEVICE?…".
struct AudioLineOptions {
  std::string name;           ///< the whole name
  std::string input, output;  ///< devices; empty: the default one
  std::string host;           ///< token of the host API; empty: any
  std::string client;         ///< name at a JACK server
  std::string monitor;        ///< device that plays the received signal; empty: none
  int rate_hz = 0;            ///< of the device; 0: the input's own
  int line_hz = kLineRateHz;  ///< of the line's blocks, 8000 or 16000
  int period = 0;             ///< frames; 0: the device's preference
  int input_channel = 1, output_channel = 1;
  int buffer_ms = 0;  ///< lead of the output; 0: 100 at 8 kHz, 300 at other rates (the resampler's blocks)
  /// How long a device may be silent before the line is lost.
  std::chrono::milliseconds patience{2000};
};
/// Fails with bad_input.
Result<AudioLineOptions> parse_audio_line(const std::string& name);

/// A line on a sound device. The device's callback only moves samples through rings (AudioPort); all processing is in
/// the thread of exchange().
class AudioLine final : public Line {
 public:
  /// Fails with bad_input or io.
  static Result<std::unique_ptr<Line>> open(const AudioLineOptions& options, std::unique_ptr<AudioBackend> backend);
  ~AudioLine() override;
  AudioLine(const AudioLine&) = delete;
  AudioLine& operator=(const AudioLine&) = delete;

  LineDescription description() const override { return description_; }
  Result<BlockTime> exchange(std::span<const float> sent, std::span<float> heard, Round round) override;
  void interrupt() override { interrupted_ = true; }

 private:
  struct Monitor;
  AudioLine(AudioLineOptions options, int rate_hz);
  Status start(AudioBackend& backend, const AudioStreamRequest& request);
  Status wait_for_block();
  void take_heard();
  void take_times();
  void play(std::span<const float> sent, bool busy);
  LineStatistics notice();
  double heard_frame() const;

  const AudioLineOptions options_;
  const int rate_hz_;
  const std::size_t block_;  // samples at the line's rate
  LineDescription description_;
  std::shared_ptr<AudioPort> port_;
  std::unique_ptr<AudioStream> stream_;
  std::unique_ptr<Monitor> monitor_;
  std::atomic<bool> interrupted_ = false;
  bool lost_ = false;

  StreamResampler down_, up_;
  StreamClock heard_clock_, played_clock_;
  std::vector<float> raw_, ready_;  // from the ring, and at the line's rate
  std::uint64_t index_ = 0;
  std::size_t held_ = 0;      // frames of silence by which the output leads
  std::int64_t shift_ = 0;    // frames added to the output since, less those removed or not taken
  std::uint64_t unsent_ = 0;  // frames for which the output's ring had no room, since the previous block
  SpoiltRuns spoilt_;
  // Totals up to the previous block.
  std::uint32_t input_overflows_ = 0, input_underflows_ = 0, output_overflows_ = 0, output_underflows_ = 0;
  std::uint64_t dropped_ = 0, missing_ = 0;
};

}  // namespace vqas
