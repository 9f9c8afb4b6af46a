#include "vqas/signal/audio_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "support/float_wav.h"
#include "support/signals.h"
#include "support/temporary_folder.h"
#include "vqas/signal/audio_reader.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class AudioFile : public ::testing::Test {
 protected:
  fs::path write_raw(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_.path() / name, std::ios::binary) << bytes;
    return folder_.path() / name;
  }
  fs::path write_float(const std::string& name, const std::vector<float>& samples, int channels,
                       int rate = 8000) const {
    return test::write_float(folder_.path() / name, samples, channels, rate);
  }
  static std::string message(const fs::path& path, const AudioReadOptions& options = {}) {
    const auto read = read_audio(path, options);
    EXPECT_FALSE(read);
    return read ? "" : read.error().message;
  }

  test::TemporaryFolder folder_;
};

TEST_F(AudioFile, SixteenBitSamplesAreReadAsWritten) {
  const Signal signal = test::noise(0.9, 0.3, 6);
  for (const auto format : {AudioFormat::wav16, AudioFormat::flac16}) {
    const fs::path path = folder_.path() / "copy";
    ASSERT_TRUE(write_audio(path, signal, format));
    const auto read = read_audio(path);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->rate_hz, 8000);
    EXPECT_EQ(to_int16(*read), to_int16(signal));
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1) << "no half-written file is left";
}

// A FLAC file of silence whose header declares `samples`.
void declare(const fs::path& flac, std::uint64_t samples) {
  std::fstream file(flac, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(21);
  const auto high = static_cast<unsigned>(file.get()) & 0xF0U;
  file.seekp(21);
  file.put(static_cast<char>(high | (samples >> 32U)));
  for (int shift = 24; shift >= 0; shift -= 8) file.put(static_cast<char>(samples >> static_cast<unsigned>(shift)));
}

TEST_F(AudioFile, MoreSamplesThanTheLimitAreRefusedWhateverTheirDuration) {
  const auto path = folder_.path() / "silence.flac";
  ASSERT_TRUE(write_audio(path, {std::vector<float>(9600), 96000}, AudioFormat::flac16));
  declare(path, 691200001);  // two hours
  EXPECT_THAT(message(path), HasSubstr("holds more than 691200000 samples"));
  declare(path, 691200000);
  EXPECT_THAT(message(path), HasSubstr("is cut short"));
}

TEST_F(AudioFile, ReadsTheRequestedChannelAndNeverChoosesOne) {
  const auto path = write_float("stereo.wav", {0.1F, -0.2F, 0.3F, -0.4F}, 2);
  EXPECT_THAT(message(path), HasSubstr("--channel"));
  EXPECT_THAT(message(path, {.channel = 3}), HasSubstr("no channel 3"));
  EXPECT_EQ(read_audio(path, {.channel = 2})->samples, (std::vector<float>{-0.2F, -0.4F}));
}

// A WAV file of some kB with this codec's number, in the chunk's extension too where the first is that of WAVEX.
std::string wav_of_codec(unsigned format, unsigned extension = 0) {
  const auto number = [](unsigned value, int bytes) {
    std::string text;
    for (int n = 0; n < bytes; ++n) text += static_cast<char>(value >> static_cast<unsigned>(8 * n));
    return text;
  };
  std::string chunk = number(format, 2) + number(1, 2) + number(16000, 4) + number(8000, 4) + number(1, 2);
  chunk += number(4, 2) + number(22, 2) + number(4, 2) + number(0, 4) + number(extension, 2) + std::string(14, '\0');
  const std::string list = "LIST" + number(5, 4) + "INFOx" + std::string(1, '\0');  // padded to an even length
  const std::string all = "WAVE" + list + "fmt " + number(static_cast<unsigned>(chunk.size()), 4) + chunk + "data" +
                          number(4000, 4) + std::string(4000, 'a');
  return "RIFF" + number(static_cast<unsigned>(all.size()), 4) + all;
}

TEST_F(AudioFile, ACodecThatIsNotReadIsNamedWithTheCommandThatConvertsIt) {
  const auto g722 = write_raw("g722.wav", wav_of_codec(0x028F));
  const std::string cure = "convert it to PCM (ffmpeg -i \"" + g722.string() + "\" -c:a pcm_s16le converted.wav)";
  EXPECT_THAT(message(g722), HasSubstr("is a WAV file with G.722 (format 0x028F), which is not read; " + cure));
  EXPECT_THAT(message(write_raw("g723.wav", wav_of_codec(0x0042))), HasSubstr("G.723.1 (format 0x0042)"));
  EXPECT_THAT(message(write_raw("x.wav", wav_of_codec(0xFFFE, 0x0083))), HasSubstr("G.729 (format 0x0083)"));
  EXPECT_THAT(message(write_raw("new.wav", wav_of_codec(0x1234))),
              HasSubstr("a codec that is not known (format 0x1234), which is not read; convert it to PCM"));
  const auto reader = AudioReader::open(g722);
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().message, message(g722));
}

TEST_F(AudioFile, AContainerThatIsNotReadIsNamedAndADamagedHeaderIsNoCodec) {
  EXPECT_THAT(message(write_raw("a.m4a", std::string("\0\0\0\x20", 4) + "ftypM4A " + std::string(500, '\0'))),
              HasSubstr("is an MP4 file, which is not read; convert it to PCM"));
  EXPECT_THAT(message(write_raw("a.amr", "#!AMR\n" + std::string(500, 'a'))), HasSubstr("is an AMR file"));
  for (const std::string& other :
       {wav_of_codec(0x0002), std::string("no recording"), std::string("RIFF"), wav_of_codec(0x028F).substr(0, 26)}) {
    EXPECT_THAT(message(write_raw("other.wav", other)), Not(HasSubstr("which is not read"))) << other.size();
  }
}

TEST_F(AudioFile, ConvertsTheRateWhenAsked) {
  const auto path = write_float("wide.wav", test::sine(1020, 0.5, 1, 48000).samples, 1, 48000);
  const auto read = read_audio(path, {.rate_hz = 8000});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->rate_hz, 8000);
  EXPECT_EQ(read->size(), 8000U);
}

TEST_F(AudioFile, BadInputNamesTheFileAndTheRemedy) {
  EXPECT_THAT(message(folder_.path() / "gone.wav"), AllOf(HasSubstr("gone.wav"), HasSubstr("no such file")));
  EXPECT_THAT(message(folder_.path()), HasSubstr("folder"));
  EXPECT_THAT(message(write_raw("empty.wav", "")), HasSubstr("empty"));
  EXPECT_THAT(message(write_raw("text.wav", "this is not a recording")), HasSubstr("cannot be read"));
  EXPECT_THAT(message(write_float("none.wav", {}, 1)), HasSubstr("no samples"));
  EXPECT_THAT(message(write_float("nan.wav", {0.F, std::nanf("")}, 1)), HasSubstr("sample 1 is not a finite number"));
  EXPECT_THAT(message(write_float("inf.wav", {std::numeric_limits<float>::infinity()}, 1)), HasSubstr("not a finite"));
  EXPECT_THAT(message(write_float("long.wav", std::vector<float>(40000), 1), {.max_seconds = 2}),
              HasSubstr("longer than"));
  // The limit is checked against the header: the invalid sample beyond it is never read.
  std::vector<float> far(40000);
  far[8000] = std::nanf("");
  EXPECT_THAT(message(write_float("far.wav", far, 1), {.max_seconds = 2}), HasSubstr("longer than"));
}

TEST_F(AudioFile, PipeOrDeviceIsRefusedWithoutWaiting) {
  ASSERT_EQ(::mkfifo((folder_.path() / "pipe.wav").c_str(), 0600), 0);
  for (const fs::path& path : {folder_.path() / "pipe.wav", fs::path("/dev/zero")}) {
    const auto read = read_audio(path);
    ASSERT_FALSE(read) << path;
    EXPECT_EQ(read.error().code, ErrorCode::bad_input);
    EXPECT_THAT(read.error().message, HasSubstr(path.string()));
    EXPECT_THAT(read.error().message, HasSubstr("not a file; write the recording to a file"));
  }
}

TEST_F(AudioFile, TruncatedFileIsRefused) {
  const auto path = write_float("whole.wav", test::noise(0.5, 1, 7).samples, 1);
  fs::resize_file(path, fs::file_size(path) / 2);
  EXPECT_THAT(message(path), HasSubstr("cut short"));

  const fs::path flac = folder_.path() / "whole.flac";
  ASSERT_TRUE(write_audio(flac, test::noise(0.5, 1, 8), AudioFormat::flac16));
  fs::resize_file(flac, fs::file_size(flac) / 2);
  EXPECT_FALSE(read_audio(flac));
}

TEST_F(AudioFile, WritingToAMissingFolderFails) {
  const auto wrote =
      write_audio(folder_.path() / "no" / "such" / "x.wav", test::sine(100, 0.1, 0.1), AudioFormat::wav16);
  ASSERT_FALSE(wrote);
  EXPECT_EQ(wrote.error().code, ErrorCode::io);
  const auto text = write_file_atomically(folder_.path() / "no" / "such" / "x.txt", "words");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::io);
}

TEST_F(AudioFile, FullDiskIsReportedWithARemedyAndLeavesNoFile) {
  // The temporary file is a link to a device that is always full.
  for (const char* name : {"x.flac", "x.wav", "x.txt"}) {
    const fs::path part = folder_.path() / ("." + std::string(name) + "." + std::to_string(::getpid()) + ".part");
    fs::create_symlink("/dev/full", part);
    const fs::path path = folder_.path() / name;
    const Status wrote = path.extension() == ".txt"    ? write_file_atomically(path, "words")
                         : path.extension() == ".flac" ? write_audio(path, test::noise(0.5, 1, 7), AudioFormat::flac16)
                                                       : write_audio(path, test::noise(0.5, 1, 7), AudioFormat::wav16);
    ASSERT_FALSE(wrote) << name;
    EXPECT_EQ(wrote.error().code, ErrorCode::io);
    EXPECT_THAT(wrote.error().message, HasSubstr(path.string()));
    EXPECT_THAT(wrote.error().message, HasSubstr("No space left"));
    EXPECT_THAT(wrote.error().message, HasSubstr("free space on the disk of " + folder_.path().string()));
    EXPECT_FALSE(fs::exists(fs::symlink_status(part)));
    EXPECT_FALSE(fs::exists(path));
  }
}

TEST_F(AudioFile, TextIsReplacedWhole) {
  const fs::path path = folder_.path() / "a.txt";
  ASSERT_TRUE(write_file_atomically(path, "first and long"));
  ASSERT_TRUE(write_file_atomically(path, "second"));
  std::ifstream in(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "second");
}

TEST_F(AudioFile, LinkIsFollowedAndTheFileKeepsItsPermissions) {
  fs::create_directories(folder_.path() / "elsewhere");
  const fs::path file = folder_.path() / "elsewhere" / "private.txt";
  ASSERT_TRUE(write_file_atomically(file, "first"));
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(fs::path("elsewhere") / "private.txt", folder_.path() / "near");
  fs::create_symlink("near", folder_.path() / "link");
  fs::create_symlink(fs::path("elsewhere") / "new.txt", folder_.path() / "dangling");
  ASSERT_TRUE(write_file_atomically(folder_.path() / "link", "second"));
  ASSERT_TRUE(write_file_atomically(folder_.path() / "dangling", "new"));
  for (const char* name : {"near", "link", "dangling"}) EXPECT_TRUE(fs::is_symlink(folder_.path() / name)) << name;
  std::ifstream in(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "second");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_TRUE(fs::is_regular_file(folder_.path() / "elsewhere" / "new.txt"));
}

TEST_F(AudioFile, PipesDevicesAndFoldersAreNeverReplaced) {
  ASSERT_EQ(::mkfifo((folder_.path() / "pipe").c_str(), 0600), 0);
  fs::create_directories(folder_.path() / "folder");
  fs::create_symlink("pipe", folder_.path() / "to-pipe");
  fs::create_symlink("round", folder_.path() / "round");
  for (const char* name : {"pipe", "folder", "to-pipe", "round"}) {
    const auto type = fs::symlink_status(folder_.path() / name).type();
    const Status wrote = write_file_atomically(folder_.path() / name, "words");
    ASSERT_FALSE(wrote) << name;
    EXPECT_EQ(wrote.error().code, ErrorCode::bad_input);
    EXPECT_THAT(wrote.error().message, HasSubstr((folder_.path() / name).string()));
    EXPECT_EQ(fs::symlink_status(folder_.path() / name).type(), type) << name;
    EXPECT_FALSE(write_audio(folder_.path() / name, test::sine(100, 0.1, 0.1), AudioFormat::wav16)) << name;
    EXPECT_EQ(fs::symlink_status(folder_.path() / name).type(), type) << name;
  }
}

}  // namespace
}  // namespace vqas
