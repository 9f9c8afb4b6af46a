#include "signal/sound_header.h"

#include <fmt/format.h>

namespace vqas {
namespace {

constexpr int kMostChannels = 64;
constexpr int kLowestRateHz = 1000;  // as in resample()
constexpr int kHighestRateHz = 1000000;

}  // namespace

Error bad_recording(const std::filesystem::path& path, const std::string& what) {
  return {ErrorCode::bad_input, fmt::format("{}: {}", path.string(), what)};
}

Error too_long_recording(const std::filesystem::path& path, double max_seconds) {
  return bad_recording(path, fmt::format("is longer than {:.0f} s; cut it into shorter recordings", max_seconds));
}

Status check_header(const std::filesystem::path& path, const SF_INFO& info, const AudioReadOptions& options) {
  if (info.channels < 1 || info.channels > kMostChannels) {
    return bad_recording(path,
                         fmt::format("has {} channels; give a recording with 1 to {}", info.channels, kMostChannels));
  }
  if (options.channel == 0 && info.channels != 1) {
    return bad_recording(
        path, fmt::format("has {} channels; choose one of them (--channel 1 to {}) or give a mono file", info.channels,
                          info.channels));
  }
  if (options.channel < 0 || options.channel > info.channels) {
    return bad_recording(path, fmt::format("has no channel {}; it has {}", options.channel, info.channels));
  }
  if (info.samplerate < kLowestRateHz || info.samplerate > kHighestRateHz) {
    return bad_recording(path, fmt::format("has a sampling rate of {} Hz; rates of {} to {} Hz can be read",
                                           info.samplerate, kLowestRateHz, kHighestRateHz));
  }
  // Checked before reading; a length missing from the header is checked while reading.
  const bool is_known = info.frames > 0 && info.frames != SF_COUNT_MAX;
  if (is_known && static_cast<double>(info.frames) > options.max_seconds * info.samplerate)
    return too_long_recording(path, options.max_seconds);
  return success();
}

}  // namespace vqas
