#pragma once

#include <gtest/gtest.h>
#include <sndfile.h>

#include <filesystem>
#include <vector>

namespace vqas::test {

/// A WAV file of these samples as they are, also ones that write_audio() refuses; interleaved where it has channels.
inline std::filesystem::path write_float(const std::filesystem::path& path, const std::vector<float>& samples,
                                         int channels = 1, int rate_hz = 8000) {
  SF_INFO info{};
  info.samplerate = rate_hz;
  info.channels = channels;
  info.format = SF_FORMAT_WAV | SF_FORMAT_FLOAT;
  SNDFILE* file = sf_open(path.c_str(), SFM_WRITE, &info);
  EXPECT_NE(file, nullptr);
  sf_write_float(file, samples.data(), static_cast<sf_count_t>(samples.size()));
  sf_close(file);
  return path;
}

}  // namespace vqas::test
