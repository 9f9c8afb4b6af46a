#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "support/places.h"
#include "support/signals.h"
#include "vqas/signal/audio_file.h"
#include "vqas/sync/capture.h"

namespace vqas::test {

/// A stimulus of the corpus, at 8 kHz.
inline Signal stimulus(const std::string& name) {
  auto signal = read_audio(std::filesystem::path(source_dir()) / "corpus" / "8k" / (name + ".wav"));
  EXPECT_TRUE(signal);
  return std::move(signal).value();
}

/// Half a second of noise on both sides, as in a receiver's captures.
inline Capture around(const Signal& speech, MarksFound marks, std::uint32_t seed = 5) {
  Capture capture;
  capture.expectation.data.sequence = 12;
  capture.marks = marks;
  capture.recording = noise(1e-4, speech.seconds() + 1, seed);
  for (std::size_t n = 0; n < speech.size(); ++n) capture.recording.samples[4000 + n] += speech.samples[n];
  if (marks != MarksFound::none) capture.speech_start = 4000.0;
  if (marks == MarksFound::both) capture.clock_drift_ppm = 0.0;
  capture.data_confirmed = marks == MarksFound::both || marks == MarksFound::leading_only;
  return capture;
}

}  // namespace vqas::test
