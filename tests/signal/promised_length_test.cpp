#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sndfile.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "support/temporary_folder.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/audio_reader.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

constexpr int kFrames = 4000;

class PromisedLength : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, int format) const {
    SF_INFO info{};
    info.samplerate = 8000;
    info.channels = 1;
    info.format = format | SF_FORMAT_PCM_16;
    const auto path = folder_.path() / name;
    SNDFILE* file = sf_open(path.c_str(), SFM_WRITE, &info);
    if (file == nullptr) throw std::runtime_error(sf_strerror(nullptr));
    std::vector<short> samples(kFrames);
    for (int n = 0; n < kFrames; ++n) samples[static_cast<std::size_t>(n)] = static_cast<short>(37 * n);
    sf_writef_short(file, samples.data(), kFrames);
    sf_close(file);
    return path;
  }
  /// Writes `bytes` behind `name`, after skipping `skip` bytes.
  static void put(const std::filesystem::path& path, const std::string& name, std::size_t skip,
                  const std::string& bytes) {
    std::string text = test::read_text(path);
    const std::size_t at = text.find(name);
    ASSERT_NE(at, std::string::npos) << name;
    text.replace(at + name.size() + skip, bytes.size(), bytes);
    std::ofstream(path, std::ios::binary) << text;
  }
  static std::string little(std::uint64_t value, std::size_t bytes) {
    std::string text;
    for (std::size_t n = 0; n < bytes; ++n) text += static_cast<char>(value >> (8 * n) & 255);
    return text;
  }
  static void expect_refused(const std::filesystem::path& path) {
    const auto whole = read_audio(path);
    ASSERT_FALSE(whole) << path;
    EXPECT_THAT(whole.error().message, HasSubstr("cut short")) << path;
    const auto reader = AudioReader::open(path);
    ASSERT_FALSE(reader) << path;
    EXPECT_THAT(reader.error().message, HasSubstr("cut short")) << path;
  }
  static void expect_whole(const std::filesystem::path& path) {
    const auto whole = read_audio(path);
    ASSERT_TRUE(whole) << path << ": " << whole.error().message;
    EXPECT_EQ(whole->size(), static_cast<std::size_t>(kFrames)) << path;
    const auto reader = AudioReader::open(path);
    ASSERT_TRUE(reader) << path << ": " << reader.error().message;
    EXPECT_NEAR(reader->seconds(), kFrames / 8000.0, 1e-9) << path;
  }

  test::TemporaryFolder folder_;
};

TEST_F(PromisedLength, OggWithoutItsLastPageIsRefused) {
  const auto path = folder_.path() / "speech.ogg";
  for (const int codec : {SF_FORMAT_VORBIS, SF_FORMAT_OPUS}) {
    SF_INFO info{};
    info.samplerate = 8000;
    info.channels = 1;
    info.format = SF_FORMAT_OGG | codec;
    SNDFILE* file = sf_open(path.c_str(), SFM_WRITE, &info);
    ASSERT_NE(file, nullptr) << sf_strerror(nullptr);
    std::vector<float> samples(80000);
    for (std::size_t n = 0; n < samples.size(); ++n) samples[n] = static_cast<float>((n * n) % 1009) / 2018;
    sf_writef_float(file, samples.data(), static_cast<sf_count_t>(samples.size()));
    sf_close(file);
    const auto whole = read_audio(path);
    ASSERT_TRUE(whole) << whole.error().message;
    const std::string bytes = test::read_text(path);
    std::ofstream(path, std::ios::binary) << bytes << "trailing bytes";
    EXPECT_TRUE(read_audio(path)) << "what follows is no page";
    const std::size_t last_page = bytes.rfind("OggS");
    for (const std::size_t kept : {bytes.size() - 1, last_page + 30, last_page + 10, last_page, bytes.size() / 2}) {
      std::ofstream(path, std::ios::binary) << bytes.substr(0, kept);
      expect_refused(path);
    }
  }
}

// libsndfile 1.2.0 writes "Error A : 00" to standard output for each damaged block of one.
TEST_F(PromisedLength, MidiSampleDumpIsRefusedBeforeItIsOpened) {
  const auto path = write("dump.sds", SF_FORMAT_SDS);
  std::string damaged = test::read_text(path);
  damaged.replace(21, 127, std::string(127, '\0'));
  std::ofstream(path, std::ios::binary) << damaged;
  testing::internal::CaptureStdout();
  const auto whole = read_audio(path);
  const auto reader = AudioReader::open(path);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  ASSERT_FALSE(whole);
  EXPECT_THAT(whole.error().message, HasSubstr("MIDI sample dump"));
  EXPECT_FALSE(reader);
}

TEST_F(PromisedLength, DataChunkLongerThanTheFileIsRefused) {
  for (const std::uint64_t claim :
       {std::uint64_t{2} << 30, (std::uint64_t{2} << 30) - 2, std::uint64_t{2 * kFrames + 4}}) {
    const auto path = write("claim.wav", SF_FORMAT_WAV);
    put(path, "data", 0, little(claim, 4));
    expect_refused(path);
  }
}

TEST_F(PromisedLength, TruncatedFilesAreRefusedAndWholeOnesReadInEveryFormat) {
  for (const auto& [name, format] : {std::pair<const char*, int>{"a.wav", SF_FORMAT_WAV},
                                     {"b.wav", SF_FORMAT_WAV | SF_ENDIAN_BIG},
                                     {"c.wav", SF_FORMAT_RF64},
                                     {"d.w64", SF_FORMAT_W64},
                                     {"e.aiff", SF_FORMAT_AIFF},
                                     {"f.au", SF_FORMAT_AU},
                                     {"g.au", SF_FORMAT_AU | SF_ENDIAN_LITTLE}}) {
    const auto path = write(name, format);
    expect_whole(path);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1000);
    expect_refused(path);
  }
}

TEST_F(PromisedLength, PlaceholderLengthsOfStreamingProgramsAreAccepted) {
  constexpr std::uint64_t kOnes = 0xFFFFFFFF, kSox = 0x7FFFF000;
  constexpr std::uint64_t kArecord = 0x80000000;
  for (const auto& [riff, data] : {std::pair{kOnes, kOnes}, {kSox + 36, kSox}, {kArecord + 36, kArecord}}) {
    const auto path = write("stream.wav", SF_FORMAT_WAV);
    put(path, "RIFF", 0, little(riff, 4));
    put(path, "data", 0, little(data, 4));
    expect_whole(path);
  }
  const auto stopped = write("stopped.wav", SF_FORMAT_WAV);
  put(stopped, "data", 0, little(0, 4));
  const auto read = read_audio(stopped);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("8000 bytes follow: the program that wrote it was stopped"));
  const auto au = write("stream.au", SF_FORMAT_AU);
  put(au, ".snd", 4, little(kOnes, 4));
  expect_whole(au);
  const auto aiff = write("stream.aiff", SF_FORMAT_AIFF);
  put(aiff, "FORM", 0, {"\x7F\x00\x00\x2E", 4});
  put(aiff, "SSND", 0, {"\x7F\x00\x00\x08", 4});
  expect_whole(aiff);
  const auto wave64 = write("stream.w64", SF_FORMAT_W64);
  put(wave64, "riff", 12, little(~std::uint64_t{0}, 8));
  put(wave64, "data", 12, little(~std::uint64_t{0} >> 1, 8));
  expect_whole(wave64);
}

TEST_F(PromisedLength, PlaceholderLengthBesideATrueFileLengthIsRefused) {
  for (const std::uint64_t data : {std::uint64_t{0x7FFFF000}, std::uint64_t{0x80000000}}) {
    const auto path = write("contradiction.wav", SF_FORMAT_WAV);
    put(path, "data", 0, little(data, 4));
    expect_refused(path);
  }
}

}  // namespace
}  // namespace vqas
