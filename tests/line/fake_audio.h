#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "line/audio_backend.h"

namespace vqas::test {

/// A sound device that the test advances, with a clock of the test.
struct FakeDevice {
  AudioStreamRequest request;
  std::shared_ptr<AudioCallback> callback;
  std::size_t period = 80;
  std::int64_t now_ns = 5'000'000'000;
  std::size_t loop_delay = 0;                ///< frames from its output to its input, at least one period
  std::deque<float> looped;                  ///< samples in transit
  std::function<float(std::size_t)> source;  ///< of a frame of the input, instead of the loop
  std::size_t frame = 0;
  bool open = false;
  AudioBuffers flags;          ///< of the next callback
  bool output_stands = false;  ///< its callbacks ask for no output

  std::int64_t period_ns() const { return static_cast<std::int64_t>(period) * 1'000'000'000 / request.rate_hz; }
  /// One callback. Only the last input channel receives a signal.
  void tick(bool zeroed = false) {
    const auto in_channels = static_cast<std::size_t>(request.input_channels);
    const auto out_channels = static_cast<std::size_t>(request.output_channels);
    std::vector<float> in(period * in_channels, 0.25F), out(period * out_channels, 9.0F);
    for (std::size_t i = 0; i < period; ++i) {
      float sample = 0;
      if (source) {
        sample = source(frame + i);
      } else if (!looped.empty()) {
        sample = looped.front();
        looped.pop_front();
      }
      in[i * in_channels + in_channels - 1] = zeroed ? 0.0F : sample;
    }
    AudioBuffers buffers = flags;
    flags = {};
    buffers.in = in.data();
    buffers.out = output_stands ? nullptr : out.data();
    buffers.frames = period;
    buffers.now_ns = now_ns;
    callback->audio(buffers);
    for (std::size_t i = 0; i < period && !output_stands; ++i)
      looped.push_back(out[i * out_channels + out_channels - 1]);
    others_silent = true;
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (i % out_channels != out_channels - 1 && out[i] != 0.0F) others_silent = false;
    }
    frame += period;
    now_ns += period_ns();
  }
  /// Time passes without samples.
  void miss_a_period() { now_ns += period_ns(); }
  bool others_silent = true;
};

class FakeStream final : public AudioStream {
 public:
  explicit FakeStream(std::shared_ptr<FakeDevice> device) : device_(std::move(device)) {}
  ~FakeStream() override { device_->open = false; }
  bool one_clock() const override { return true; }

 private:
  std::shared_ptr<FakeDevice> device_;
};

class FakeBackend final : public AudioBackend {
 public:
  explicit FakeBackend(std::shared_ptr<FakeDevice> device) : device_(std::move(device)) {}
  Result<std::vector<AudioDevice>> devices() override {
    AudioDevice speaker;
    speaker.host = "fake";
    speaker.name = "speaker";
    speaker.outputs = 2;
    speaker.rate_hz = 48000;
    AudioDevice card;
    card.number = 1;
    card.host = "fake";
    card.name = "card";
    card.inputs = 4;
    card.outputs = 4;
    card.rate_hz = 8000;
    card.default_input = card.default_output = true;
    return std::vector{speaker, card};
  }
  Result<std::unique_ptr<AudioStream>> open(const AudioStreamRequest& request,
                                            std::shared_ptr<AudioCallback> callback) override {
    device_->request = request;
    device_->callback = std::move(callback);
    device_->looped.assign(device_->loop_delay > device_->period ? device_->loop_delay - device_->period : 0, 0.0F);
    // The loop holds played samples until the callback after the next.
    device_->looped.insert(device_->looped.end(), device_->loop_delay > 0 ? device_->period : 0, 0.0F);
    device_->open = true;
    return std::unique_ptr<AudioStream>(std::make_unique<FakeStream>(device_));
  }

 private:
  std::shared_ptr<FakeDevice> device_;
};

}  // namespace vqas::test
