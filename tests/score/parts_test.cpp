// The parts of the score, each against its definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "score/align/full_correlator.h"
#include "score/align/viterbi.h"
#include "score/compare/perception.h"
#include "score/dsp/fast_power.h"
#include "score/dsp/kernels.h"
#include "score/dsp/padded_signal.h"
#include "score/prepare/active_level.h"
#include "score/recipes.h"
#include "signal/fft.h"
#include "support/signals.h"
#include "vqas/score/score.h"
#include "vqas/signal/level.h"

namespace vqas::scoring {
namespace {

TEST(FastPower, IsCorrectOverTheWholeRange) {
  for (double log10 = -37; log10 < 37; log10 += 0.0137) {
    const auto x = static_cast<float>(std::pow(10, log10));
    EXPECT_NEAR(fast_log2(x), std::log2(static_cast<double>(x)), 4e-6) << x;
    for (const float exponent : {1.0F / 6, 0.1527F, 0.3F, -0.05F, 1.0F}) {
      const double bits = exponent * std::log2(static_cast<double>(x));
      EXPECT_NEAR(fast_power(x, exponent) / std::exp2(bits), 1, 1e-6 * std::max(1.0, std::abs(bits) / 4)) << x;
    }
  }
  for (double x = -126; x <= 126; x += 0.0173) {
    const auto single = static_cast<float>(x);
    EXPECT_NEAR(fast_exp2(single) / std::exp2(static_cast<double>(single)), 1, 3e-7) << x;
  }
}

TEST(Kernels, TwoCorrelationsShareOneTransformWithoutMixing) {
  test::Random random(3);
  constexpr int kSize = 64;
  std::vector<float> x1(kSize), x2(kSize), y1(kSize), y2(kSize);
  for (auto* values : {&x1, &x2, &y1, &y2}) {
    for (float& value : *values) value = static_cast<float>(random.normal());
  }
  const ComplexFft fft(kSize);
  FftBuffer<Complex> work(kSize), a(kSize), b(kSize), product(kSize);
  interleave(x1.data(), x2.data(), kSize, work.data());
  fft.forward(work.data(), a.data());
  interleave(y1.data(), y2.data(), kSize, work.data());
  fft.forward(work.data(), b.data());
  const auto expected = [](const std::vector<float>& x, const std::vector<float>& y, int lag) {
    double sum = 0;
    for (int n = 0; n < kSize; ++n) sum += static_cast<double>(x[n]) * y[(n + lag) % kSize];
    return sum;
  };
  correlate_two(a.data(), b.data(), kSize, product.data());
  fft.inverse(product.data(), work.data());
  for (int lag = 0; lag < kSize; ++lag) {
    EXPECT_NEAR(work[lag].real() / (4 * kSize), expected(x1, y1, lag), 1e-3) << lag;
    EXPECT_NEAR(work[lag].imag() / (4 * kSize), expected(x2, y2, lag), 1e-3) << lag;
  }
  std::fill(product.begin(), product.end(), Complex());
  add_conjugate_product(a.data(), b.data(), kSize, product.data());
  fft.inverse(product.data(), work.data());
  for (int lag = 0; lag < kSize; ++lag) {
    EXPECT_NEAR(work[lag].real() / kSize, expected(x1, y1, lag) + expected(x2, y2, lag), 1e-3) << lag;
  }
}

TEST(Kernels, TheLargestIsTheFirstOfSeveral) {
  std::vector<float> values(70, -3.0F);
  EXPECT_EQ(largest_of(values), 0U);
  values[69] = 1;
  EXPECT_EQ(largest_of(values), 69U);
  values[33] = 1;
  EXPECT_EQ(largest_of(values), 33U);
  EXPECT_EQ(largest_of(std::span(values).first(1)), 0U);
}

TEST(Kernels, ValuesNotFiniteOrTooLargeAreFoundAnywhere) {
  std::vector<float> samples(77, 0.5F);
  EXPECT_TRUE(sums_of(samples, 1).within);
  EXPECT_DOUBLE_EQ(sums_of(samples, 1).sum, 38.5);
  EXPECT_DOUBLE_EQ(sums_of(samples, 1).square, 19.25);
  for (const std::size_t place : {0, 7, 30, 71, 72, 76}) {
    for (const float bad : {std::nanf(""), 1.5F, -1.5F, HUGE_VALF}) {
      auto damaged = samples;
      damaged[place] = bad;
      EXPECT_FALSE(sums_of(damaged, 1).within) << place;
    }
  }
}

TEST(Kernels, ManyProductsEqualSingleOnes) {
  std::vector<float> a(256);
  std::vector<float> b(600);
  for (std::size_t n = 0; n < a.size(); ++n) a[n] = std::sin(0.37F * static_cast<float>(n * n));
  for (std::size_t n = 0; n < b.size(); ++n) b[n] = std::sin(0.21F * static_cast<float>(n * n) + 1);
  // More than the wide kernels process in one step, and not a multiple of it.
  std::vector<float> lags(131);
  sliding_products(a.data(), b.data(), 256, lags);
  std::vector<const float*> places;
  for (std::size_t n = 0; n < lags.size(); ++n) {
    EXPECT_EQ(lags[n], dot_product(a.data(), b.data() + n, 256)) << n;
    places.push_back(b.data() + n);
  }
  std::vector<float> cross(places.size());
  std::vector<float> energy(places.size());
  products_at(a.data(), places, 128, cross, energy);
  for (std::size_t n = 0; n < places.size(); ++n) {
    const Products both = products(a.data(), places[n], 128);
    EXPECT_EQ(cross[n], both.cross) << n;
    EXPECT_EQ(energy[n], both.energy) << n;
  }
}

TEST(Kernels, TheDotProductDoesNotDependOnTheAddress) {
  test::Random random(1);
  std::vector<float> a(160), b(160);
  for (std::size_t n = 0; n < a.size(); ++n) {
    a[n] = static_cast<float>(random.normal());
    b[n] = static_cast<float>(random.normal());
  }
  double exact = 0;
  for (int n = 0; n < 128; ++n) exact += static_cast<double>(a[n]) * b[n];
  const float at_start = dot_product(a.data(), b.data(), 128);
  EXPECT_NEAR(at_start, exact, 1e-4);
  for (int shift = 1; shift < 16; ++shift) {
    std::vector<float> moved(a.size() + 16);
    std::copy(a.begin(), a.end(), moved.begin() + shift);
    EXPECT_EQ(dot_product(moved.data() + shift, b.data(), 128), at_start);
    EXPECT_EQ(products(moved.data() + shift, b.data(), 128).cross, at_start);
  }
}

TEST(Kernels, OnlyRaisedCellsCountAsRaised) {
  const std::vector<float> p{1, 1, 1}, q{1, 2, 10}, gain{1, 1, 1};
  std::vector<float> changed(3), raised(3);
  const LoudnessLaw law{1e-9F, 1.0F / 6, 1e-9F, 5.0F, 3.0F, 1.0F};
  add_loudness_difference(p, q, gain, law, changed, raised);
  EXPECT_NEAR(changed[0], 0, 1e-12);
  EXPECT_GT(changed[1], 0);
  EXPECT_EQ(raised[1], 0);
  const double difference = std::pow(10, 1.0 / 6) - 1;
  EXPECT_NEAR(changed[2], difference * difference, 1e-5);
  EXPECT_NEAR(raised[2], difference * difference * difference, 1e-5);
}

TEST(PaddedSignal, IsSilentOutsideAndExactInside) {
  PaddedSignal signal;
  signal.assign(std::vector<float>{1, 2, 3});
  EXPECT_EQ(signal.at(0, 3)[2], 3);
  EXPECT_EQ(signal.at(-2, 4)[2], 1);
  EXPECT_EQ(signal.at(2, 3)[1], 0);
  for (const int far : {-1000000, 1000000}) {
    EXPECT_EQ(signal.at(far, PaddedSignal::kLongestRead)[0], 0);
    EXPECT_EQ(signal.energy(far, PaddedSignal::kLongestRead), 0);
  }
  EXPECT_DOUBLE_EQ(signal.energy(-14, 16), 5);
  EXPECT_DOUBLE_EQ(signal.energy(0, 16), 14);
}

TEST(FullCorrelator, FindsAShiftOfEitherSign) {
  test::Random random(2);
  std::vector<float> x(300), y(700);
  for (float& value : x) value = static_cast<float>(random.normal());
  for (std::size_t n = 0; n < x.size(); ++n) y[n + 211] = -x[n];
  FullCorrelator correlator;
  const auto found = correlator.peaks(x, y, {-300, 700, 1, 0, true});
  EXPECT_EQ(found.front().delay, 211);
  EXPECT_NEAR(found.front().correlation, 1, 0.02);
  EXPECT_NE(correlator.peaks(x, y, {-300, 700, 1, 0, false}).front().delay, 211);
  EXPECT_EQ(correlator.peaks(y, x, {-700, 300, 1, 0, true}).front().delay, -211);
  const auto limited = correlator.peaks(x, y, {-50, 100, 3, 5, true});
  for (const auto& peak : limited) {
    EXPECT_GE(peak.delay, -50);
    EXPECT_LE(peak.delay, 100);
  }
}

TEST(Viterbi, ChangesStateOnlyIfTheGainExceedsTheCost) {
  // Two states; the second is better by 0.5 per row from row 10 on.
  std::vector<float> gains, weights(20, 1.0F);
  for (int row = 0; row < 20; ++row) {
    gains.push_back(row < 10 ? 0.5F : 0.0F);
    gains.push_back(row < 10 ? 0.0F : 0.5F);
  }
  Viterbi viterbi;
  std::vector<int> path;
  const auto is_changed_at_ten = [&path] {
    return std::all_of(path.begin(), path.begin() + 10, [](int state) { return state == 0; }) &&
           std::all_of(path.begin() + 10, path.end(), [](int state) { return state == 1; });
  };
  viterbi.run(gains, weights, 2, {6.0, 0.25}, path);
  EXPECT_TRUE(is_changed_at_ten()) << "neighbours change for little";
  viterbi.run(gains, weights, 2, {6.0, 3.0}, path);
  EXPECT_TRUE(is_changed_at_ten());
  viterbi.run(gains, weights, 2, {6.0, 6.0}, path);
  for (int row = 1; row < 20; ++row) EXPECT_EQ(path[row], path[0]) << "a change at 6 does not pay";
}

TEST(ActiveLevel, AgreesWithTheMeterOfTheSignalRoom) {
  ActiveLevel meter;
  for (const char* id : {"M1", "F4", "M5"}) {
    const Signal speech = test::corpus_sentence(id);
    for (const Signal& line : {speech, test::with_gain(speech, 0.01), test::with_noise(speech, 10, 1),
                               test::with_losses(speech, 0.2, 2), test::padded(speech, 24000, 16000)}) {
      const auto wanted = measure_speech_level(line.samples, line.rate_hz);
      ASSERT_TRUE(wanted);
      EXPECT_NEAR(meter.measure(line.samples, line.rate_hz).value_or(99), wanted->active_level_dbov, 0.02) << id;
    }
  }
  EXPECT_NEAR(meter.measure(test::sine(1000, 1, 10).samples, 8000).value_or(99), -3.01, 0.02);
  EXPECT_FALSE(meter.measure(std::vector<float>(8000), 8000));
  EXPECT_FALSE(meter.measure({}, 8000));
}

PaddedSignal padded(const Signal& signal) {
  PaddedSignal result;
  result.assign(signal.samples);
  return result;
}

TEST(Perception, IdenticalFramesHaveNoDistanceAndFullMatch) {
  const Signal speech = test::recipe_speech(3, 3);
  PaddedSignal degraded;
  degraded.assign(speech.samples);
  Perception perception{PerceptualModel{}};
  perception.assign(padded(speech));
  const std::vector<int> delay((speech.size() - 256) / 128 + 1, 0);
  perception.transform(degraded, delay);
  const Measurements same = perception.compare(delay, 0);
  EXPECT_NEAR(same.changed, 0, 1e-6);
  EXPECT_NEAR(same.raised, 0, 1e-6);
  EXPECT_NEAR(perception.waveform_match(delay), 1, 0.01);
  EXPECT_NEAR(perception.pattern_match(), 1, 1e-6);
  degraded.invert_polarity();
  perception.transform(degraded, delay);
  EXPECT_NEAR(perception.waveform_match(delay), -1, 0.01);
}

TEST(Perception, BothSpectraOfOneTransformAreCorrect) {
  // A loud frame next to a faint one: leakage would show in the faint one's power.
  const Signal loud = test::recipe_speech(4, 3);
  const Signal faint = test::with_gain(test::recipe_speech(5, 3), 1e-2);
  const auto length = static_cast<int>(loud.size());
  std::vector<float> all(3 * loud.size(), 0.0F);  // loud, faint, silent
  std::copy(loud.samples.begin(), loud.samples.end(), all.begin());
  std::copy(faint.samples.begin(), faint.samples.begin() + length, all.begin() + length);
  PaddedSignal degraded;
  degraded.assign(all);
  Perception perception{PerceptualModel{}};
  perception.assign(padded(loud));
  const auto power_of = [&](int even, int odd) {
    std::vector<int> delay(static_cast<std::size_t>(perception.frames()));
    for (std::size_t j = 0; j < delay.size(); ++j) delay[j] = (j % 2 == 0 ? even : odd) * length;
    perception.transform(degraded, delay);
    return perception.degraded_power();
  };
  constexpr int kLoud = 0;
  constexpr int kFaint = 1;
  constexpr int kSilent = 2;
  EXPECT_NEAR((power_of(kLoud, kFaint) - power_of(kLoud, kSilent)) / power_of(kSilent, kFaint), 1, 1e-3);
  EXPECT_NEAR((power_of(kFaint, kLoud) - power_of(kSilent, kLoud)) / power_of(kFaint, kSilent), 1, 1e-3);
  EXPECT_NEAR(power_of(kLoud, kLoud) / perception.reference_power(), 1, 1e-6);
}

TEST(Perception, HumAsLoudAsTheVoiceIsNotHeardInTheBandsAboveIt) {
  // A handset passes none of it. What a window lets through of it in other bins would be heard in pauses.
  const Signal speech = test::corpus_sentence("F1");
  Signal hummed = speech;
  const double amplitude =
      std::sqrt(2.0) * std::pow(10, measure_speech_level(speech.samples, speech.rate_hz)->active_level_dbov / 20);
  for (std::size_t n = 0; n < hummed.size(); ++n) {
    const double phase = 2 * std::numbers::pi * 50 * static_cast<double>(n) / hummed.rate_hz;
    hummed.samples[n] += static_cast<float>(amplitude * std::sin(phase));
  }
  Perception perception{PerceptualModel{}};
  perception.assign(padded(speech));
  const std::vector<int> delay(static_cast<std::size_t>(perception.frames()), 0);
  perception.transform(padded(hummed), delay);
  const Measurements hum = perception.compare(delay, 0);
  const double mos = ScoreModel{}.scale.mos_of(auditory_distance(hum, PerceptualModel{}));
  EXPECT_GT(mos, 4.2) << hum.changed << ' ' << hum.raised;
}

TEST(Perception, JumpsCountByDirectionAndOnlyDuringSpeech) {
  const Signal speech = test::recipe_speech(6, 3);
  PaddedSignal degraded;
  degraded.assign(speech.samples);
  Perception perception{PerceptualModel{}};
  perception.assign(padded(speech));
  std::vector<int> delay((speech.size() - 256) / 128 + 1, 0);
  perception.transform(degraded, delay);
  std::size_t talking = 0;
  for (std::size_t j = 8; j + 8 < delay.size() && talking == 0; ++j) {
    bool all = true;
    for (std::size_t k = j - 4; k < j + 4; ++k) all = all && perception.active()[k] != 0;
    if (all) talking = j;
  }
  ASSERT_GT(talking, 0U);
  std::fill(delay.begin() + static_cast<std::ptrdiff_t>(talking), delay.end(), 400);
  const Measurements inserted = perception.compare(delay, 0);
  EXPECT_NEAR(inserted.inserted, 0.5 * 60 / perception.active_frames(), 1e-9);
  std::fill(delay.begin() + static_cast<std::ptrdiff_t>(talking), delay.end(), -400);
  perception.transform(degraded, delay);
  EXPECT_EQ(perception.compare(delay, 0).inserted, 0) << "a shrinking delay inserts nothing";
}

TEST(Perception, FramesBesideAJumpAreComparedAtBothDelays) {
  // The recordings are equal; the track is wrong by 5 ms from frame 60 on. With the other side the three frames before
  // are wrong too, and no frame improves.
  const Signal speech = test::recipe_speech(6, 3);
  PaddedSignal degraded;
  degraded.assign(speech.samples);
  std::vector<int> delay((speech.size() - 256) / 128 + 1, 0);
  std::fill(delay.begin() + 60, delay.end(), 40);
  PerceptualModel model;
  model.jump_reach = 0;
  Perception one_side(model);
  one_side.assign(padded(speech));
  one_side.transform(degraded, delay);
  const Measurements one = one_side.compare(delay, 0);
  model.jump_reach = 3;
  Perception both_sides(model);
  both_sides.assign(padded(speech));
  both_sides.transform(degraded, delay);
  const Measurements both = both_sides.compare(delay, 0);
  EXPECT_GE(both.changed, one.changed);
  EXPECT_GE(both.raised, one.raised);
  // A track without a jump has no other side.
  const std::vector<int> steady(delay.size(), 0);
  both_sides.transform(degraded, steady);
  EXPECT_NEAR(both_sides.compare(steady, 0).changed, 0, 1e-6);

  // A deletion of 60 ms that the track follows exactly is measured at its seam, and only with the other side.
  const Signal shorter = test::with_jump(speech, 0.5, -480);
  degraded.assign(shorter.samples);
  std::fill(delay.begin(), delay.end(), 0);
  const auto seam = static_cast<std::ptrdiff_t>(0.5 * static_cast<double>(speech.size()) / 128) + 4;
  std::fill(delay.begin() + seam, delay.end(), -480);
  one_side.transform(degraded, delay);
  both_sides.transform(degraded, delay);
  EXPECT_GT(both_sides.compare(delay, 0).changed, one_side.compare(delay, 0).changed);
}

TEST(Perception, SpeechThatAStepLeftOutIsHeardAsTheStep) {
  const Signal speech = test::recipe_speech(6, 12);
  constexpr int kFrames = 20;
  constexpr std::ptrdiff_t kFirst = 90;
  PaddedSignal degraded;
  degraded.assign(
      test::with_jump(speech, (kFirst + 0.5) * 128 / static_cast<double>(speech.size()), -kFrames * 128).samples);
  std::vector<int> delay((speech.size() - 256) / 128 + 1, 0);
  std::fill(delay.begin() + kFirst + kFrames / 2, delay.end(), -kFrames * 128);
  std::vector<char> skipped(delay.size(), 0);
  std::fill(skipped.begin() + kFirst, skipped.begin() + kFirst + kFrames, 1);
  Perception perception{PerceptualModel{}};
  perception.assign(padded(speech));
  perception.transform(degraded, delay);
  const Measurements in_place = perception.compare(delay, 0);
  perception.transform(degraded, delay, {.skipped = skipped});
  const Measurements left_out = perception.compare(delay, 0);
  EXPECT_EQ(left_out.changed, in_place.changed) << "what is heard is the same";
  EXPECT_GT(left_out.changed, 0.02);
  // What is left is the response, which is that of all active frames.
  EXPECT_GT(left_out.stepped, 0.8 * left_out.changed);
  EXPECT_LT(in_place.stepped, 0.5 * in_place.changed);
  // So it is where the step is a long one, and costs nothing.
  ASSERT_TRUE(perception.without_steps(delay, kFrames * 128 - 1));
  EXPECT_LT(perception.without_steps(delay, kFrames * 128 - 1)->changed, 0.2 * left_out.changed);
}

TEST(StepPlaces, FramesBetweenTwoPiecesBelongToNeither) {
  PerceptualModel model;
  StepPlaces places(model);
  std::vector<int> delay(40, 100);
  const std::vector<char> active(delay.size(), 1);
  std::fill(delay.begin() + 20, delay.end(), 100 + 4000);
  places.find(delay, active, {});
  ASSERT_EQ(places.between().size(), 1U);
  const auto& [from, frames] = places.between().front();
  const int ends = model.jump_reach * model.hop;  // heard by the frames of either side
  EXPECT_EQ(from, 19 * model.hop + model.frame + 100 + ends) << "behind the last frame of the first piece";
  const int end = from + (frames - 1) * model.hop + model.frame;
  EXPECT_LE(end, 20 * model.hop + 4100 - ends) << "before the first frame of the second";
  EXPECT_GT(end + model.hop, 20 * model.hop + 4100 - ends) << "and no frame more has room";
  const int least = 2 * model.frame - model.hop + 2 * ends;
  std::fill(delay.begin() + 20, delay.end(), 100 + least);
  places.find(delay, active, {});
  EXPECT_EQ(places.between().size(), 1U);
  std::fill(delay.begin() + 20, delay.end(), 100 + least - 1);
  places.find(delay, active, {});
  EXPECT_TRUE(places.between().empty()) << "the frames of either side hear all of a step below 144 ms";
  std::fill(delay.begin() + 20, delay.end(), 100 - 4000);
  places.find(delay, active, {});
  EXPECT_TRUE(places.between().empty()) << "a delay that shrinks puts nothing in";
}

TEST(Perception, SoundThatAStepPutInIsHeardAsInAPauseAndSilenceIsNot) {
  const Signal speech = test::recipe_speech(6, 12);
  constexpr int kFirst = 90;
  Perception perception{PerceptualModel{}};
  perception.assign(padded(speech));
  const auto compare_with = [&](int samples, double level) {
    Signal longer = speech;
    test::Random random(1);
    std::vector<float> put(static_cast<std::size_t>(samples));
    for (float& one : put) one = static_cast<float>(level * test::rms(speech) * random.normal());
    longer.samples.insert(longer.samples.begin() + (kFirst + 1) * 128, put.begin(), put.end());
    std::vector<int> delay((speech.size() - 256) / 128 + 1, 0);
    std::fill(delay.begin() + kFirst, delay.end(), samples);
    perception.transform(padded(longer), delay);
    return perception.compare(delay, 0);
  };
  const Measurements silent = compare_with(4000, 0);
  EXPECT_EQ(perception.sound_between_s(), 0);
  EXPECT_EQ(compare_with(16000, 0).changed, silent.changed);
  double changed = silent.changed;
  double raised = silent.raised;
  for (const int samples : {4000, 8000, 16000, 32000}) {
    const Measurements heard = compare_with(samples, 1);
    EXPECT_GT(heard.changed, 1.05 * changed) << samples;
    EXPECT_GT(heard.raised, 1.05 * raised) << samples;
    EXPECT_NEAR(perception.sound_between_s(), samples / 8000.0, 0.04);
    changed = heard.changed;
    raised = heard.raised;
  }
}

}  // namespace
}  // namespace vqas::scoring
