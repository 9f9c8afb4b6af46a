#include "signal/read_channel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace vqas {
namespace {

// Samples read at a time: few enough to stay in the second cache until they are converted.
constexpr sf_count_t kReadSamples = 1 << 15;
// Samples for which memory is taken before they are read, so that a header with a false length costs little.
constexpr sf_count_t kMostReserved = 1 << 20;

Error bad(const std::filesystem::path& path, const std::string& what) {
  return Error{ErrorCode::bad_input, fmt::format("{}: {}", path.string(), what)};
}

// 16 bits come as they are: libsndfile converts one sample after the other, which takes longer than reading them.
constexpr float kOfFullScale = 1.0F / 32768;

bool holds_16_bits(const SF_INFO& info) {
  const int kind = info.format & SF_FORMAT_TYPEMASK;
  return (info.format & SF_FORMAT_SUBMASK) == SF_FORMAT_PCM_16 && (kind == SF_FORMAT_WAV || kind == SF_FORMAT_WAVEX);
}

/// Reads one channel of an open file block by block.
class ChannelReader {
 public:
  ChannelReader(SNDFILE* file, const SF_INFO& info, std::size_t channel)
      : file_(file),
        channels_(static_cast<std::size_t>(info.channels)),
        channel_(channel),
        frames_(std::max<sf_count_t>(1, kReadSamples / info.channels)),
        is_short_(holds_16_bits(info)) {
    const std::size_t block = static_cast<std::size_t>(frames_) * channels_;
    if (is_short_) {
      shorts_ = std::make_unique_for_overwrite<short[]>(block);
    } else {
      floats_.resize(block);
    }
  }

  /// Whether a sample may be no finite number.
  bool is_floating() const { return !is_short_; }

  /// Reads the next block to `samples` from `at` on, which grow as needed. Returns their number, 0 where there are
  /// none.
  std::size_t read(std::vector<float>& samples, std::size_t at) {
    const sf_count_t got =
        is_short_ ? sf_readf_short(file_, shorts_.get(), frames_) : sf_readf_float(file_, floats_.data(), frames_);
    if (got <= 0) return 0;
    const auto count = static_cast<std::size_t>(got);
    if (samples.size() < at + count) samples.resize(at + count);
    const auto to = std::span(samples).subspan(at, count);
    const auto as_it_is = [](float sample) { return sample; };
    const auto of_full_scale = [](short sample) { return kOfFullScale * static_cast<float>(sample); };
    is_short_ ? take(std::span<const short>(shorts_.get(), count * channels_), to, of_full_scale)
              : take(std::span<const float>(floats_), to, as_it_is);
    return count;
  }

 private:
  template <typename Sample, typename Convert>
  void take(std::span<const Sample> from, std::span<float> to, const Convert& convert) const {
    if (channels_ == 1) {
      // Apart, as only samples that follow each other are converted several at a time.
      std::transform(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(to.size()), to.begin(), convert);
    } else {
      for (std::size_t n = 0; n < to.size(); ++n) to[n] = convert(from[n * channels_ + channel_]);
    }
  }

  SNDFILE* file_;
  std::size_t channels_, channel_;
  sf_count_t frames_;
  bool is_short_;
  std::unique_ptr<short[]> shorts_;  // filled with nothing before it is read
  std::vector<float> floats_;
};

}  // namespace

Result<std::vector<float>> read_channel(const std::filesystem::path& path, const SoundFile& file, int channel,
                                        const SoundLimits& limits, std::vector<float> samples) {
  const SF_INFO& info = file.info();
  const bool is_promised = info.frames > 0 && info.frames != SF_COUNT_MAX;
  // Once, as what grows is filled with zeros first.
  if (is_promised) samples.resize(static_cast<std::size_t>(std::min(info.frames, kMostReserved)));
  ChannelReader reader(file.handle(), info, static_cast<std::size_t>(std::max(channel, 1) - 1));
  std::size_t filled = 0;
  // At the end of what was promised libsndfile would fill a block with zeros.
  while (!is_promised || filled < static_cast<std::size_t>(info.frames)) {
    const std::size_t count = reader.read(samples, filled);
    if (count == 0) break;
    const auto begin = samples.begin() + static_cast<std::ptrdiff_t>(filled);
    filled += count;
    const auto end = samples.begin() + static_cast<std::ptrdiff_t>(filled);
    const auto is_bad = [](float sample) { return !std::isfinite(sample); };
    // Counted first: nearly always there is none, and counting has no branch.
    if (reader.is_floating() && std::count_if(begin, end, is_bad) > 0) {
      const auto place = std::find_if(begin, end, is_bad) - samples.begin();
      return bad(path, fmt::format("sample {} is not a finite number; export the recording again", place));
    }
    if (filled > limits.at(info.samplerate)) return too_long(path, info.samplerate, limits);
  }
  samples.resize(filled);
  if (const std::string fault = file.fault(); !fault.empty())
    return bad(path, fmt::format("cannot be read to its end: {}", fault));
  if (samples.empty()) return bad(path, "holds no samples; record or export it again");
  if (is_promised && samples.size() < static_cast<std::size_t>(info.frames)) {
    return bad(path,
               fmt::format("is cut short: its header promises {} samples, {} are there", info.frames, samples.size()));
  }
  return samples;
}

}  // namespace vqas
