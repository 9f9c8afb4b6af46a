#include "line/wide_path.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "line/media/pcm16.h"
#include "vqas/signal/wide_rate.h"

namespace vqas {
namespace {

// 8 s can be pushed before they are pulled.
constexpr std::size_t kSlack = std::size_t{8} * kWideRateHz;

std::size_t samples_of(double seconds) {
  return static_cast<std::size_t>(std::llround(seconds * kWideRateHz));
}

// Samples that the receiver hears before the first one that was sent.
std::size_t samples_ahead(LineCodec codec, const LineConditions& conditions) {
  return samples_of(conditions.delay_s) - samples_of(WidePath::shortest_delay_s(codec)) + FractionalReader::kLatency;
}

}  // namespace

double WidePath::shortest_delay_s(LineCodec codec) {
  const std::size_t coding = codec == LineCodec::g722 ? G722::kDelay : 0;
  return static_cast<double>(FractionalReader::kLatency + coding) / kWideRateHz;
}

WidePath::WidePath(LineCodec codec, const Profile& profile, std::uint64_t seed, std::uint64_t stream)
    : reader_(profile.line, seed, stream, kWideRateHz),
      octets_(profile, seed, stream),
      noise_(circuit_noise_rms(profile.line.circuit_noise_dbm0p, profile.line.law) * std::numbers::sqrt2,
             Random(seed, stream, kNoiseSubstream)),
      queue_(samples_ahead(codec, profile.line) + kSlack) {
  if (codec == LineCodec::g722) codec_.emplace(kWideRateHz);
  const std::array<float, 1> nothing{};
  for (std::size_t i = 0; i < samples_ahead(codec, profile.line); ++i) queue_.put(nothing);
}

void WidePath::set_end_silence_s(double end_silence_s) {
  reader_.set_end_silence_s(end_silence_s);
}

void WidePath::push(std::span<const float> sent) {
  for (const float sample : sent) reader_.push(sample, [this](float read) { carry(read); });
}

void WidePath::carry(float sample) {
  pair_.at(waiting_++) = sample;
  if (waiting_ < pair_.size()) return;
  waiting_ = 0;
  code_pair();
  queue_.put(pair_);
}

// L16 is rounded too.
void WidePath::code_pair() {
  std::array linear{as_pcm16(pair_[0]), as_pcm16(pair_[1])};
  if (codec_) {
    std::array<std::uint8_t, 1> octet{};
    codec_->encode(linear, octet);
    octets_.process(octet);
    codec_->decode(octet, linear);
  }
  from_pcm16(linear, pair_);
}

void WidePath::pull(std::span<float> heard) {
  const auto there = heard.first(std::min(heard.size(), queue_.size()));
  queue_.take(there);
  noise_.add_to(there);
  std::fill(heard.begin() + static_cast<std::ptrdiff_t>(there.size()), heard.end(), 0.0F);
}

}  // namespace vqas
