#include "signal/read_channel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace vqas {
namespace {

// Frames read at a time: a block that stays in the cache.
constexpr std::size_t kReadFrames = 1 << 12;
// Samples for which memory is taken before they are read, so that a header with a false length costs little.
constexpr sf_count_t kMostReserved = 1 << 20;

Error bad(const std::filesystem::path& path, const std::string& what) {
  return Error{ErrorCode::bad_input, fmt::format("{}: {}", path.string(), what)};
}

}  // namespace

Result<std::vector<float>> read_channel(const std::filesystem::path& path, SNDFILE* file, const SF_INFO& info,
                                        int channel, const SoundLimits& limits) {
  const auto channels = static_cast<std::size_t>(info.channels);
  const auto first = static_cast<std::size_t>(std::max(channel, 1) - 1);
  std::vector<float> samples;
  samples.reserve(static_cast<std::size_t>(std::clamp<sf_count_t>(info.frames, 0, kMostReserved)));
  std::vector<float> block(kReadFrames * channels);
  while (true) {
    const sf_count_t got = sf_readf_float(file, block.data(), static_cast<sf_count_t>(kReadFrames));
    if (got <= 0) break;
    const std::size_t before = samples.size();
    samples.resize(before + static_cast<std::size_t>(got));
    for (std::size_t n = before, at = first; n < samples.size(); ++n, at += channels) {
      if (!std::isfinite(block[at]))
        return bad(path, fmt::format("sample {} is not a finite number; export the recording again", n));
      samples[n] = block[at];
    }
    if (samples.size() > limits.at(info.samplerate)) return too_long(path, info.samplerate, limits);
  }
  if (sf_error(file) != SF_ERR_NO_ERROR)
    return bad(path, fmt::format("cannot be read to its end: {}", sf_strerror(file)));
  if (samples.empty()) return bad(path, "holds no samples; record or export it again");
  if (info.frames > 0 && info.frames != SF_COUNT_MAX && samples.size() < static_cast<std::size_t>(info.frames)) {
    return bad(path,
               fmt::format("is cut short: its header promises {} samples, {} are there", info.frames, samples.size()));
  }
  return samples;
}

}  // namespace vqas
