#include "model/speech_port.h"

#include <array>
#include <chrono>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "vqas/signal/resample.h"

namespace vqas::app {

namespace {

constexpr std::size_t kBlock = 160;  // 20 ms at 8 kHz
constexpr std::chrono::milliseconds kBlockTime{20};
constexpr double kPause_s = 0.5;

/// Speech and a pause, for ever. Allocates only when it is made.
class Loop {
 public:
  explicit Loop(const Signal& speech) : samples_(speech.samples) {
    samples_.resize(samples_.size() + static_cast<std::size_t>(kPause_s * speech.rate_hz));
  }
  void fill(std::span<float> block) {
    for (float& one : block) {
      one = samples_[next_];
      next_ = (next_ + 1) % samples_.size();
    }
  }

 private:
  std::vector<float> samples_;
  std::size_t next_ = 0;
};

class SilentSpeech : public SoundPort {
 public:
  explicit SilentSpeech(const Signal& speech) : rate_hz_(speech.rate_hz), loop_(speech) {}
  const std::string& input() const override { return input_; }
  const std::string& output() const override { return output_; }
  double rate_hz() const override { return rate_hz_; }
  Status start(SoundUser& user) override {
    thread_ = std::jthread([this, &user](const std::stop_token& over) {
      auto due = std::chrono::steady_clock::now();
      std::array<float, kBlock> in{}, out{};
      while (!over.stop_requested()) {
        loop_.fill(in);
        user.heard(in, false);
        user.wanted(out, false);
        due += kBlockTime;
        std::this_thread::sleep_until(due);
      }
    });
    return success();
  }

 private:
  const std::string input_ = "speech", output_ = "none";
  const double rate_hz_;
  Loop loop_;
  std::jthread thread_;
};

class HeardSpeech : public SoundPort, SoundUser {
 public:
  HeardSpeech(const Signal& speech, std::unique_ptr<SoundPort> devices)
      : loop_(speech), block_(static_cast<std::size_t>(speech.rate_hz)), devices_(std::move(devices)) {}
  const std::string& input() const override { return input_; }
  const std::string& output() const override { return devices_->output(); }
  double rate_hz() const override { return devices_->rate_hz(); }
  Status start(SoundUser& user) override {
    user_ = &user;
    return devices_->start(*this);
  }

 private:
  // The devices' input only gives the pace.
  void heard(std::span<const float> samples, bool device_lost) override {
    const std::span<float> block = std::span(block_).first(std::min(samples.size(), block_.size()));
    loop_.fill(block);
    user_->heard(block, device_lost);
  }
  void wanted(std::span<float> samples, bool device_lost) override { user_->wanted(samples, device_lost); }

  const std::string input_ = "speech";
  Loop loop_;
  std::vector<float> block_;
  SoundUser* user_ = nullptr;
  std::unique_ptr<SoundPort> devices_;  // last: its callbacks end first
};

}  // namespace

std::unique_ptr<SoundPort> silent_speech_port(const Signal& speech) {
  return std::make_unique<SilentSpeech>(speech);
}

Result<std::unique_ptr<SoundPort>> heard_speech_port(const Signal& speech, std::unique_ptr<SoundPort> devices) {
  const auto at_rate = resample(speech, static_cast<int>(devices->rate_hz()));
  if (!at_rate) return at_rate.error();
  return std::unique_ptr<SoundPort>(std::make_unique<HeardSpeech>(*at_rate, std::move(devices)));
}

}  // namespace vqas::app
