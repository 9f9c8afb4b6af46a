#include "signal/sound_header.h"

#include <fmt/format.h>

#include <string>

namespace vqas {
namespace {

constexpr int kMostChannels = 64;
constexpr int kLowestRateHz = 1000;
constexpr int kHighestRateHz = 1000000;

Error bad(const std::filesystem::path& path, const std::string& what) {
  return Error{ErrorCode::bad_input, fmt::format("{}: {}", path.string(), what)};
}

}  // namespace

Error too_long(const std::filesystem::path& path, int rate_hz, const SoundLimits& limits) {
  if (limits.seconds * rate_hz <= static_cast<double>(limits.samples)) {
    return bad(path, fmt::format("is longer than {:.0f} s; cut it into shorter recordings", limits.seconds));
  }
  return bad(path, fmt::format("holds more than {} samples of a channel, the most that are read; cut it, or convert it "
                               "to a lower rate",
                               limits.samples));
}

Status check_header(const std::filesystem::path& path, const SF_INFO& info, int channel, const SoundLimits& limits) {
  if (info.channels < 1 || info.channels > kMostChannels) {
    return bad(path, fmt::format("has {} channels; give a recording with 1 to {}", info.channels, kMostChannels));
  }
  if (channel == 0 && info.channels != 1) {
    return bad(path, fmt::format("has {} channels; choose one of them (--channel 1 to {}) or give a mono file",
                                 info.channels, info.channels));
  }
  if (channel < 0 || channel > info.channels) {
    return bad(path, fmt::format("has no channel {}; it has {}", channel, info.channels));
  }
  if (info.samplerate < kLowestRateHz || info.samplerate > kHighestRateHz) {
    return bad(path, fmt::format("has a sampling rate of {} Hz; rates of {} to {} Hz can be read", info.samplerate,
                                 kLowestRateHz, kHighestRateHz));
  }
  const bool is_known = info.frames > 0 && info.frames != SF_COUNT_MAX;
  if (is_known && static_cast<std::size_t>(info.frames) > limits.at(info.samplerate)) {
    return too_long(path, info.samplerate, limits);
  }
  return success();
}

}  // namespace vqas
