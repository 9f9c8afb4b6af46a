#include "line/audio_port.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vqas {
namespace {

constexpr std::size_t kTimes = 4096;
constexpr std::size_t kPart = 256;

void count(std::atomic<std::uint32_t>& counter, bool flag) noexcept {
  if (flag) counter.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

AudioPort::AudioPort(Channels channels, std::size_t room, std::size_t lead)
    : heard(room), to_play(room + lead), heard_times(kTimes), played_times(kTimes), channels_(channels) {}

void AudioPort::hear(const AudioBuffers& buffers) noexcept {
  heard_times.push({heard_frames_, buffers.now_ns});
  heard_frames_ += buffers.frames;
  std::array<float, kPart> part;
  const auto stride = static_cast<std::size_t>(channels_.input_count);
  const float* from = buffers.in + channels_.input_pick - 1;
  for (std::size_t done = 0; done < buffers.frames;) {
    const std::size_t size = std::min(kPart, buffers.frames - done);
    for (std::size_t i = 0; i < size; ++i, from += stride) part[i] = std::isfinite(*from) ? *from : 0.0F;
    const std::size_t taken = heard.push(part.data(), size);
    counters.dropped.fetch_add(size - taken, std::memory_order_relaxed);
    done += size;
  }
}

void AudioPort::play(const AudioBuffers& buffers) noexcept {
  played_times.push({played_frames_, buffers.now_ns});
  played_frames_ += buffers.frames;
  const auto stride = static_cast<std::size_t>(channels_.output_count);
  std::fill_n(buffers.out, buffers.frames * stride, 0.0F);
  std::array<float, kPart> part;
  float* to = buffers.out + channels_.output_pick - 1;
  for (std::size_t done = 0; done < buffers.frames;) {
    const std::size_t size = std::min(kPart, buffers.frames - done);
    const std::size_t given = to_play.pop(part.data(), size);
    for (std::size_t i = 0; i < given; ++i, to += stride) *to = part[i];
    to += (size - given) * stride;
    counters.missing.fetch_add(size - given, std::memory_order_relaxed);
    done += size;
  }
}

void AudioPort::audio(const AudioBuffers& buffers) noexcept {
  count(counters.input_overflows, buffers.input_overflow);
  count(counters.input_underflows, buffers.input_underflow);
  count(counters.output_overflows, buffers.output_overflow);
  count(counters.output_underflows, buffers.output_underflow);
  if (buffers.in != nullptr) hear(buffers);
  if (buffers.out != nullptr) play(buffers);
  counters.callbacks.fetch_add(1, std::memory_order_release);
}

}  // namespace vqas
