#include "line/wide_path.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "line/media/pcm16.h"
#include "vqas/channel/random.h"
#include "vqas/signal/level.h"
#include "vqas/signal/wide_rate.h"

namespace vqas {
namespace {

// 8 s can be pushed before they are pulled.
constexpr std::size_t kSlack = std::size_t{8} * kWideRateHz;

// Substreams of Random(seed, stream), as in LineDirection.
constexpr std::uint64_t kNoiseSubstream = 1, kFirstTransmissionSubstream = 2;

std::size_t samples_of(double seconds) {
  return static_cast<std::size_t>(std::llround(seconds * kWideRateHz));
}

double clock_ratio(const LineConditions& conditions) {
  return (1 + conditions.sender_clock_ppm * 1e-6) / (1 + conditions.receiver_clock_ppm * 1e-6);
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
    : conditions_(profile.line),
      seed_(seed),
      stream_(stream),
      reader_(clock_ratio(conditions_)),
      octets_(profile, seed, stream),
      noise_(circuit_noise_rms(conditions_.circuit_noise_dbm0p, conditions_.law) * std::numbers::sqrt2,
             Random(seed, stream, kNoiseSubstream)),
      queue_(samples_ahead(codec, conditions_) + kSlack),
      end_silence_(samples_of(conditions_.end_silence_s)) {
  if (codec == LineCodec::g722) codec_.emplace(kWideRateHz);
  begin_transmission();
  const std::array<float, 1> nothing{};
  for (std::size_t i = 0; i < samples_ahead(codec, conditions_); ++i) queue_.put(nothing);
}

void WidePath::begin_transmission() {
  Random random(seed_, stream_, kFirstTransmissionSubstream + transmissions_);
  ++transmissions_;
  const double phase = random.next_unit() - 0.5;
  const double ripple_db = conditions_.gain_ripple_db * (2 * random.next_unit() - 1);
  if (conditions_.fresh_phase) reader_.set_phase(phase);
  gain_ = static_cast<float>(db_to_amplitude(conditions_.gain_db + ripple_db));
}

void WidePath::set_end_silence_s(double end_silence_s) {
  const std::size_t wanted = samples_of(end_silence_s);
  if (silence_ >= end_silence_) {
    silence_ = std::max(silence_, wanted);
  } else if (silence_ >= wanted) {
    begin_transmission();
  }
  end_silence_ = wanted;
}

void WidePath::push(std::span<const float> sent) {
  for (const float sample : sent) {
    silence_ = sample == 0.0F ? silence_ + 1 : 0;
    reader_.write(sample);
    if (silence_ == end_silence_) begin_transmission();
    while (reader_.ready()) carry(gain_ * reader_.read());
  }
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
