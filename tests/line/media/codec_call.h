#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "line/rtp_stream.h"
#include "support/places.h"
#include "vqas/score/score.h"
#include "vqas/signal/audio_file.h"

namespace vqas::test {

inline constexpr std::int64_t kBlock_ns = 20'000'000;
inline constexpr int kBufferBlocks = 3;

/// The sentence M4 at 8 or 16 kHz.
inline const Signal& spoken(int rate_hz) {
  static std::map<int, Signal> read;
  Signal& speech = read[rate_hz];
  if (speech.empty()) {
    auto found = read_audio(std::string(source_dir()) + "/corpus/" + std::to_string(rate_hz / 1000) + "k/M4.wav");
    EXPECT_TRUE(found);
    if (found) speech = std::move(found).value();
  }
  return speech;
}

/// A block of 20 ms of the sentence; silence after its end.
inline std::vector<float> spoken_block(int rate_hz, std::size_t number) {
  const Signal& speech = spoken(rate_hz);
  std::vector<float> block(line_block(rate_hz));
  for (std::size_t i = 0; i < block.size() && number * block.size() + i < speech.size(); ++i)
    block[i] = speech.samples[number * block.size() + i];
  return block;
}

struct HeardCall {
  Signal signal;
  LineStatistics sum;
};

/// What a receiver plays of the sentence; `comes` says which packets come.
template <typename Comes>
HeardCall codec_call(const RtpFormat& format, Comes comes) {
  RtpSender sender(format, 7, 0xFFF0, 0xFFFFF000);  // both wrap soon
  RtpReceiver receiver(format, kBufferBlocks);
  HeardCall heard{{{}, format.rate_hz}, {}};
  const std::size_t blocks = spoken(format.rate_hz).size() / line_block(format.rate_hz) + 10;
  for (std::size_t n = 0; n < blocks; ++n) {
    std::vector<float> block = spoken_block(format.rate_hz, n);
    const auto packet = sender.packet(block);
    const auto now_ns = static_cast<std::int64_t>(n) * kBlock_ns;
    if (comes(n)) {
      EXPECT_TRUE(receiver.take(packet, now_ns));
    }
    receiver.play_next_at(now_ns);
    receiver.play(block);
    heard.signal.samples.insert(heard.signal.samples.end(), block.begin(), block.end());
    heard.sum += receiver.notice();
  }
  return heard;
}

/// On the scale of the call's rate.
inline double mos_of(const HeardCall& heard) {
  const int rate_hz = heard.signal.rate_hz;
  const Score score = Scorer(mode_for_rates(rate_hz, rate_hz)).score(spoken(rate_hz), heard.signal);
  EXPECT_EQ(score.outcome, Outcome::scored) << score.reason;
  return score.mos_lqo.value_or(0);
}

/// The lag with the highest correlation over the second second, in samples, beyond the jitter buffer.
inline int codec_delay(const Signal& heard) {
  const Signal& speech = spoken(heard.rate_hz);
  const int buffer = kBufferBlocks * static_cast<int>(line_block(heard.rate_hz));
  double best = 0;
  int lag = -1;
  for (int d = -40; d < 200; ++d) {
    double sum = 0;
    for (int n = heard.rate_hz; n < 2 * heard.rate_hz; ++n) {
      sum += static_cast<double>(speech.samples.at(static_cast<std::size_t>(n))) *
             heard.samples.at(static_cast<std::size_t>(n + d + buffer));
    }
    if (sum > best) {
      best = sum;
      lag = d;
    }
  }
  return lag;
}

}  // namespace vqas::test
