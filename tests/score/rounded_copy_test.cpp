#include "score/prepare/rounded_copy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "score/recipes.h"

namespace vqas::scoring {
namespace {

std::vector<float> stored(const std::vector<float>& samples, double gain, double steps_of_dc, double noise_steps) {
  test::Random random(5);
  std::vector<float> result;
  for (const float sample : samples) {
    const double steps = sample * gain * 32768 + steps_of_dc + noise_steps * random.normal();
    result.push_back(static_cast<float>(std::round(steps) / 32768));
  }
  return result;
}

TEST(RoundedCopy, IsRecognisedAtAnyGainPolarityAndOffset) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto speech = stored(test::recipe_speech(seed).samples, 1, 0, 0);
    for (const double gain : {0.1, -0.1, 0.0562, 0.5, 0.9}) {
      EXPECT_TRUE(is_rounded_copy(stored(speech, gain, 0, 0), speech)) << seed << " " << gain;
      EXPECT_TRUE(is_rounded_copy(stored(speech, gain, 300.3, 0), speech)) << seed << " " << gain;
    }
  }
}

TEST(RoundedCopy, IsRecognisedAfterTruncationToo) {
  const auto speech = test::recipe_speech(4).samples;
  std::vector<float> copy;
  for (const float sample : speech) copy.push_back(static_cast<float>(std::trunc(sample * 0.1 * 32768) / 32768));
  EXPECT_TRUE(is_rounded_copy(copy, speech));
}

TEST(RoundedCopy, IsNotRecognisedWithTheLeastNoiseOfALine) {
  const auto speech = test::recipe_speech(5).samples;
  // 13 dB below the noise of the rounding itself.
  EXPECT_FALSE(is_rounded_copy(stored(speech, 0.1, 0, 0.065), speech));
  auto one_off = stored(speech, 0.1, 0, 0);
  one_off[one_off.size() / 2] += 1.0F / 32768;
  EXPECT_FALSE(is_rounded_copy(one_off, speech)) << "a single sample by a single step";
}

TEST(RoundedCopy, IsNotRecognisedOffTheGridOrWithSpeechOfFewSteps) {
  const auto speech = test::recipe_speech(6).samples;
  std::vector<float> soft;
  for (const float sample : speech) soft.push_back(sample * 0.1F);
  EXPECT_FALSE(is_rounded_copy(soft, speech));
  EXPECT_FALSE(is_rounded_copy(stored(speech, 0.001, 0, 0), speech));
  EXPECT_FALSE(is_rounded_copy(std::vector<float>(speech.size(), 0.0F), speech));
  EXPECT_FALSE(is_rounded_copy({}, {}));
  EXPECT_FALSE(is_rounded_copy(std::span(speech).first(100), speech));
}

}  // namespace
}  // namespace vqas::scoring
