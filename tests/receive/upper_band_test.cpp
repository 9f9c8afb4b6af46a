#include "receive/upper_band.h"

#include <gtest/gtest.h>

#include "support/places.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/resample.h"

namespace vqas {
namespace {

Signal wide(const std::string& id) {
  return read_audio(std::filesystem::path(test::source_dir()) / "corpus" / "16k" / (id + ".wav")).value();
}

Signal through_8_khz(const Signal& signal) {
  Signal narrow = *resample(*resample(signal, kLineRateHz), 16000);
  narrow.samples.resize(signal.size());
  return narrow;
}

// White over the whole band, as bit errors and circuit noise of a wide path are.
Signal with_noise(Signal signal, float rms) {
  std::uint32_t state = 1;
  for (float& sample : signal.samples) {
    state = state * 1664525U + 1013904223U;
    sample += 3.46F * rms * (static_cast<float>(state >> 8U) / 16777216.0F - 0.5F);
  }
  return signal;
}

TEST(UpperBand, IsLackingBehindAPathOf8KHzForEverySentenceAndOnlyThere) {
  for (const std::string id : {"M1", "M2", "M3", "M4", "M5", "M6", "F1", "F2", "F3", "F4", "F5", "F6"}) {
    const Signal speech = wide(id);
    EXPECT_FALSE(lacks_upper_band(speech, speech)) << id;
    EXPECT_FALSE(lacks_upper_band(with_noise(speech, 0.02F), speech)) << id;
    const Signal narrow = through_8_khz(speech);
    EXPECT_TRUE(lacks_upper_band(narrow, speech)) << id;
    EXPECT_TRUE(lacks_upper_band(through_8_khz(with_noise(speech, 0.02F)), speech)) << id << ", a noisy gateway";
  }
}

TEST(UpperBand, IsNotSpokenOfAt8KHzNorOfSilence) {
  const Signal speech = wide("M1"), narrow = *resample(speech, kLineRateHz);
  EXPECT_FALSE(lacks_upper_band(narrow, narrow));
  EXPECT_FALSE(lacks_upper_band(Signal{std::vector<float>(16000), 16000}, speech));
  EXPECT_FALSE(lacks_upper_band(Signal{{}, 16000}, speech));
}

}  // namespace
}  // namespace vqas
