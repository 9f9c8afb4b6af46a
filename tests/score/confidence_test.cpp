// Guarantees for a score's confidence; its calibration is described in libvqas/doc/record/confidence-error.md.
#include "score/confidence/confidence.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "score/compare/step_places.h"
#include "score/engine.h"
#include "score/recipes.h"
#include "vqas/score/score.h"

namespace vqas {
namespace {

TEST(Confidence, IsGivenWithEveryScoreAndOnlyThen) {
  Scorer scorer;
  const Signal speech = test::corpus_sentence("M1");
  for (const double ber : {0.0, 1e-3, 1e-2}) {
    const Score score = scorer.score(speech, test::with_bit_errors(speech, ber, 1));
    ASSERT_TRUE(score.confidence) << ber;
    EXPECT_GT(*score.confidence, 0.5) << ber;
    EXPECT_LE(*score.confidence, 1) << ber;
  }
  EXPECT_FALSE(scorer.score(speech, test::corpus_sentence("F4")).confidence);
  EXPECT_FALSE(scorer.score(speech, Signal{}).confidence);
}

constexpr double kWorst = 40;  // AD that leaves nothing of MOS above its lowest

double confidence_at(double mos, const scoring::Circumstances& circumstances, double drift_ppm,
                     const scoring::ScoreModel& model) {
  const double distance = mos > model.scale.bottom ? model.scale.distance_of(mos) : kWorst;
  return confidence_of(distance, error_scale(circumstances, drift_ppm, model.listening), model);
}

TEST(Confidence, FallsOnlyWithItsTerms) {
  const scoring::ScoreModel model = scoring::score_model(ScoreMode::narrowband);
  const scoring::Circumstances plain;
  const double best = confidence_at(4.55, plain, 0, model);
  EXPECT_GT(best, 0.98);
  EXPECT_LT(best, 1);
  EXPECT_GT(confidence_at(1.0, plain, 0, model), 0.999) << "far below what leads to 1.5";
  EXPECT_LT(confidence_at(2.775, plain, 0, model), best);
  EXPECT_LT(confidence_at(4.55, plain, 300, model), best);
  EXPECT_EQ(confidence_at(4.55, plain, -300, model), confidence_at(4.55, plain, 300, model));
  EXPECT_GT(confidence_at(4.55, plain, 10000, model), confidence_at(4.55, plain, 12500, model));
  EXPECT_LT(confidence_at(4.55, plain, 10000, model), 0.7) << "a wrong speed matters more than a drift";
  EXPECT_LT(confidence_at(4.55, plain, 5000, model), confidence_at(4.55, plain, 3000, model));
  const auto falls = [&](auto&& change) {
    scoring::Circumstances less = plain;
    change(less);
    return confidence_at(4.55, less, 0, model) < best &&
           confidence_at(2.775, less, 0, model) < confidence_at(2.775, plain, 0, model);
  };
  EXPECT_TRUE(falls([](auto& less) { less.shortness = 0.5; }));
  EXPECT_TRUE(falls([](auto& less) { less.step_distance = 0.3; }));
  EXPECT_TRUE(falls([](auto& less) { less.long_step_distance = 0.3; }));
  EXPECT_TRUE(falls([](auto& less) { less.foreign_s = 1; }));
  EXPECT_TRUE(falls([](auto& less) { less.noise = 0.5; }));
  EXPECT_TRUE(falls([](auto& less) { less.tone = 0.5; }));
  EXPECT_TRUE(falls([](auto& less) { less.stretched = 0.03; }));
  EXPECT_TRUE(falls([](auto& less) { less.ends_lost_s = 1; }));
  EXPECT_TRUE(falls([](auto& less) { less.taken = 0.1; }));
  EXPECT_TRUE(falls([](auto& less) { less.by_pattern = true; }));
  scoring::Circumstances steps = plain;
  steps.step_distance = 0.3;
  scoring::Circumstances more = plain;
  more.step_distance = 1;
  EXPECT_LT(confidence_at(4.55, more, 0, model), confidence_at(4.55, steps, 0, model))
      << "the more the steps cost, the more doubt";
}

// Quantiles as in printed tables: with three degrees of freedom 0.90 are below 1.638 and 0.975 below 3.182. The rooms
// follow from P.862.1's scale, AD = 2.0655 + ln(4/(MOS - 1) - 1), by hand: at the top that to 4.05, in the middle that
// to 3.275, at the bottom that to 1.7; in wideband from 4.6439 to 4.1439.
TEST(Confidence, IsTheShareOfStudentsErrorsWithinTheSmallerRoom) {
  struct Case {
    ScoreMode mode;
    double mos;
    double room;
  };
  for (const auto& [mode, mos, room] :
       {Case{ScoreMode::narrowband, 4.55, 0.8991}, Case{ScoreMode::narrowband, 2.775, 0.5027},
        Case{ScoreMode::narrowband, 1.2, 1.3938}, Case{ScoreMode::wideband, 4.6439, 0.9621}}) {
    const scoring::ScoreModel model = scoring::score_model(mode);
    const double here = model.scale.distance_of(mos);
    EXPECT_NEAR(scoring::confidence_of(here, room / 1.638, model), 0.80, 0.001) << mos;
    if (mode == ScoreMode::wideband) continue;  // has a limit below 0.95
    EXPECT_NEAR(scoring::confidence_of(here, room / 3.182, model), 0.95, 0.001) << mos;
  }
}

TEST(Confidence, IsThatOfTheDistanceWhichRoundingMadeThoughTheScoreForgivesIt) {
  const scoring::ScoreModel model = scoring::score_model(ScoreMode::narrowband);
  const double room = model.scale.distance_of(4.05);
  const auto confidence = [&](double forgiven) { return scoring::confidence_of(0, 0.1, model, forgiven); };
  EXPECT_EQ(confidence(0), scoring::confidence_of(0, 0.1, model));
  EXPECT_GT(confidence(room / 2), 0.95);
  EXPECT_NEAR(confidence(room), 0.5, 0.01) << "the label is as likely below 4.05 as above";
  EXPECT_LT(confidence(2 * room), 0.05);

  Signal speech = test::corpus_sentence("F1");
  const auto stored = [&](double gain) {
    Signal soft = test::with_gain(speech, gain);
    for (float& sample : soft.samples) sample = std::round(sample * 32768) / 32768;
    return soft;
  };
  speech = stored(1);
  // 40 dB of speech over the rounding, the least that is forgiven: a mean power of 1e4/12 steps².
  const Score softest = Scorer().score(speech, stored(30.0 / 32768 / test::rms(speech)));
  EXPECT_EQ(softest.auditory_distance.value_or(1), 0);
  EXPECT_LT(softest.confidence.value_or(1), 0.9);
  const Score louder = Scorer().score(speech, stored(0.3));
  EXPECT_EQ(louder.auditory_distance.value_or(1), 0);
  EXPECT_GT(louder.confidence.value_or(0), 0.98);
  EXPECT_EQ(louder.reason, "");
}

TEST(Confidence, IsNoneWhereTheDistanceIsNoNumber) {
  const scoring::ScoreModel model = scoring::score_model(ScoreMode::narrowband);
  EXPECT_EQ(scoring::confidence_of(std::nan(""), 0.1, model), 0);
  EXPECT_EQ(scoring::confidence_of(HUGE_VAL, 0.1, model), 0);
  EXPECT_GT(scoring::confidence_of(0, 0.1, model), 0.99);
  EXPECT_GT(scoring::confidence_of(1000, 0.1, model), 0.99);
}

// A change of one of these must change the version and the history in libvqas/doc/record/score-versions.md.
TEST(Confidence, BelongsToTheScoreVersion) {
  EXPECT_STREQ(kScoreVersion, "vqas-nb-32");
  const scoring::ScoreModel model = scoring::score_model(ScoreMode::narrowband);
  scoring::Circumstances plain;
  const auto rounded = [&](double mos, double drift_ppm) {
    return std::round(1e4 * confidence_at(mos, plain, drift_ppm, model));
  };
  EXPECT_EQ(rounded(4.55, 0), 9986);
  EXPECT_EQ(rounded(2.775, 0), 9926);
  EXPECT_EQ(rounded(4.55, 1000), 9837);
  plain.shortness = 0.5;
  EXPECT_EQ(rounded(4.55, 0), 9977);
  plain.step_distance = 0.5;
  EXPECT_EQ(rounded(4.55, 0), 9499);
  plain = {};
  plain.foreign_s = 1;
  EXPECT_EQ(rounded(4.55, 0), 9833);
  plain = {};
  plain.noise = 0.5;
  EXPECT_EQ(rounded(2.775, 0), 9913);
  plain = {};
  plain.by_pattern = true;
  EXPECT_EQ(rounded(2.775, 0), 8998);
  plain = {};
  plain.stretched = 0.05;
  EXPECT_EQ(rounded(4.55, 0), 9940);
}

TEST(Confidence, OfTheWidebandModelBelongsToItsVersionAndHasALimit) {
  EXPECT_STREQ(score_version(ScoreMode::wideband), "vqas-wb-24");
  const scoring::ScoreModel model = scoring::score_model(ScoreMode::wideband);
  scoring::Circumstances plain;
  const auto rounded = [&](double mos, double drift_ppm) {
    return std::round(1e4 * confidence_at(mos, plain, drift_ppm, model));
  };
  EXPECT_EQ(rounded(4.6439, 0), 8900) << "the limit";
  EXPECT_EQ(rounded(2.8433, 0), 8900) << "the limit";
  EXPECT_EQ(rounded(4.6439, 10000), 3667);
  plain.noise = 1;
  EXPECT_EQ(rounded(2.8433, 0), 8900);
  plain = {};
  plain.by_pattern = true;
  EXPECT_EQ(rounded(4.6439, 0), 8801);
}

TEST(Confidence, IsLowerAfterADeletionOfSpeech) {
  Scorer scorer;
  const Signal speech = test::corpus_sentence("M5");
  const double whole = scorer.score(speech, speech).confidence.value_or(0);
  const double shorter = scorer.score(speech, test::with_jump(speech, 0.5, -800)).confidence.value_or(1);
  EXPECT_GT(whole, 0.95);
  EXPECT_LT(shorter, whole - 0.02);
}

TEST(Confidence, FallsTheMoreIsTakenOutOfSpeech) {
  Scorer scorer;
  std::array<double, 3> mean{};
  constexpr std::array kTakenMs = {40, 150, 300};
  const std::vector<std::string> names = {"M1", "M4", "M5", "M6", "F1", "F4"};
  for (const std::string& name : names) {
    const Signal speech = test::corpus_sentence(name);
    for (std::size_t k = 0; k < kTakenMs.size(); ++k) {
      const Score score = scorer.score(speech, test::with_jump(speech, 0.4, -8 * kTakenMs[k]));
      mean[k] += score.confidence.value_or(0) / static_cast<double>(names.size());
    }
  }
  EXPECT_LT(mean[1], mean[0] - 0.05);
  EXPECT_LT(mean[2], mean[1]);
}

Signal four_sentences() {
  Signal all{{}, kLineRateHz};
  for (const char* next : {"M1", "M6", "M5", "M4"}) {
    const Signal more = test::corpus_sentence(next);
    all.samples.insert(all.samples.end(), more.samples.begin(), more.samples.end());
  }
  return all;
}

TEST(Confidence, DelayThatGrowsInAShortSentenceIsTrustedLessThanInALongOne) {
  const Signal longer = four_sentences();
  ASSERT_GT(longer.size(), 8U * kLineRateHz);
  constexpr std::size_t kStep = 480;
  const auto stretched = [](const Signal& speech, bool by_sound) {
    Signal grown = speech;
    const std::size_t at = test::corpus_sentence("M1").size() / 2;
    std::vector<float> inserted(kStep, 0.0F);
    for (std::size_t n = 0; by_sound && n < kStep; ++n) inserted[n] = speech.samples[at - 160 + n % 160];
    grown.samples.insert(grown.samples.begin() + static_cast<std::ptrdiff_t>(at), inserted.begin(), inserted.end());
    return grown;
  };
  const Signal sentence = test::corpus_sentence("M1");
  Scorer scorer;
  for (const bool by_sound : {false, true}) {
    const double in_short = scorer.score(sentence, stretched(sentence, by_sound)).confidence.value_or(1);
    EXPECT_LT(in_short, 0.91) << by_sound;
    EXPECT_GT(scorer.score(longer, stretched(longer, by_sound)).confidence.value_or(0), in_short + 0.03) << by_sound;
  }
}

/// So many times 6 ms taken out, 0.1 s apart, each with a fade, as by a play-out buffer that empties.
Signal shrunk(const Signal& speech, std::size_t from, int count) {
  constexpr std::size_t kPeriod = 48;
  constexpr std::size_t kApart = kLineRateHz / 10;
  Signal result{{speech.samples.begin(), speech.samples.begin() + static_cast<std::ptrdiff_t>(from)}, kLineRateHz};
  std::size_t at = from;
  for (int n = 0; n < count; ++n, at += kApart) {
    for (std::size_t k = 0; k < kPeriod; ++k) {
      const float share = static_cast<float>(k) / kPeriod;
      result.samples.push_back((1 - share) * speech.samples[at + k] + share * speech.samples[at + kPeriod + k]);
    }
    result.samples.insert(result.samples.end(), speech.samples.begin() + static_cast<std::ptrdiff_t>(at + 2 * kPeriod),
                          speech.samples.begin() + static_cast<std::ptrdiff_t>(at + kApart));
  }
  result.samples.insert(result.samples.end(), speech.samples.begin() + static_cast<std::ptrdiff_t>(at),
                        speech.samples.end());
  return result;
}

TEST(Confidence, FallsWhereSpeechIsShrunkLittleByLittleAndSaysSo) {
  const Signal speech = four_sentences();
  Scorer scorer;
  const auto is_told = [](const Score& score) { return score.reason.find("stretched or shrunk") != score.reason.npos; };
  const Score once = scorer.score(speech, shrunk(speech, 20000, 1));
  const Score often = scorer.score(speech, shrunk(speech, 20000, 12));
  EXPECT_FALSE(is_told(once)) << once.reason;
  EXPECT_TRUE(is_told(often)) << often.reason;
  EXPECT_LT(often.confidence.value_or(1), 0.95);
  EXPECT_GT(once.confidence.value_or(0), often.confidence.value_or(0) + 0.03);
}

// The label follows a delay of each utterance, and no speech is stretched.
TEST(Confidence, DelayThatMovesInPausesIsNoStretchedSpeech) {
  const Signal sentence = test::corpus_sentence("F2");
  const auto words = [&](std::size_t pause) {
    Signal all{std::vector<float>(4000, 0.0F), kLineRateHz};
    for (std::size_t from = 0; from + 3200 <= sentence.size(); from += 3200) {
      const auto begin = sentence.samples.begin() + static_cast<std::ptrdiff_t>(from);
      all.samples.insert(all.samples.end(), begin, begin + 3200);
      all.samples.insert(all.samples.end(), pause, 0.0F);
    }
    return all;
  };
  Scorer scorer;
  for (const std::size_t shorter : {64U, 120U}) {
    const Score score = scorer.score(words(2800), words(2800 - shorter));
    EXPECT_EQ(score.reason, "") << shorter;
    EXPECT_GE(score.delay_track.size(), 4U) << "else it shows nothing";
  }
}

TEST(Confidence, StretchIsTheMotionOfTheDelayWithinASecondOfSpeechByStepsBelowAPacket) {
  const scoring::PerceptualModel model;
  const scoring::StepPlaces places(model);
  const auto stretched_ms = [&](int frames, int every, std::initializer_list<int> steps, int pause) {
    std::vector<int> delay;
    std::vector<char> active;
    int now = 0;
    for (int n = 0; n * every < frames; ++n) {
      for (int k = 0; k < every; ++k) {
        delay.push_back(now);
        active.push_back(k < every - pause ? 1 : 0);
      }
      now += steps.begin()[static_cast<std::size_t>(n) % steps.size()];
    }
    return 1000 * places.stretched(delay, active, {});
  };
  EXPECT_EQ(stretched_ms(300, 10, {0}, 0), 0);
  EXPECT_NEAR(stretched_ms(300, 10, {80}, 0), 60, 10) << "10 ms, six times a second";
  EXPECT_NEAR(stretched_ms(300, 10, {-80}, 0), 60, 10);
  EXPECT_NEAR(stretched_ms(300, 10, {80, 80, 80, -80, -80, -80}, 0), 30, 1) << "out and back within a second";
  EXPECT_EQ(stretched_ms(300, 10, {160}, 0), 0) << "a packet";
  EXPECT_EQ(stretched_ms(300, 30, {80}, 13), 0) << "in pauses of 0.2 s and more";
  EXPECT_GT(stretched_ms(300, 30, {80}, 8), 20) << "in speech that has short pauses";
  EXPECT_EQ(places.stretched({}, {}, {}), 0);
}

// A listener hears a longer pause. P.862 gives 1.4 to 4.5 for it.
TEST(Confidence, FallsWithTheSecondsByWhichAPauseLastsLongerAndSaysSo) {
  Scorer scorer;
  const Signal first = test::corpus_sentence("M1");
  const Signal second = test::corpus_sentence("M5");
  const auto with_pause = [&](std::size_t samples) { return test::joined(first, samples, second); };
  const Score shorter = scorer.score(with_pause(2000), with_pause(3000));
  EXPECT_GT(shorter.confidence.value_or(0), 0.9) << "0.125 s longer";
  EXPECT_EQ(shorter.reason, "");
  // P.862 agreed on 0.83 of 24 recordings at 0.4 s, 0.14 of 28 at 4 s.
  for (const auto& [samples, most] :
       {std::pair{4000U, 0.9}, std::pair{5600U, 0.85}, std::pair{10000U, 0.5}, std::pair{34000U, 0.2}}) {
    const Score score = scorer.score(with_pause(2000), with_pause(samples));
    EXPECT_GT(score.mos_lqo.value_or(0), 4.4) << samples;
    EXPECT_LE(score.confidence.value_or(1), most) << samples;
    EXPECT_GE(score.confidence.value_or(0), most - 0.1) << samples;
    EXPECT_NE(score.reason.find("pauses last longer"), std::string::npos) << score.reason;
  }
}

// P.862 agreed on 16 of 32 recordings with 0.5 s and more in all, and on 9 of 9 of 16 to 100 s whose pauses move back
// and forth.
TEST(Confidence, AddsUpPausesThatEachLastALittleLonger) {
  const auto sentences = [](std::initializer_list<int> pauses) {
    Signal speech = test::corpus_sentence("M1");
    const char* const ids[] = {"F2", "M3", "F4"};
    int n = 0;
    for (const int pause : pauses) speech = test::joined(speech, pause, test::corpus_sentence(ids[n++]));
    return speech;
  };
  Scorer scorer;
  const Signal even = sentences({2400, 2400, 2400});
  const Score longer = scorer.score(even, sentences({4000, 4000, 4000}));
  EXPECT_GT(longer.mos_lqo.value_or(0), 4.4);
  EXPECT_LE(longer.confidence.value_or(1), 0.5) << "0.2 s, three times";
  EXPECT_NE(longer.reason.find("moves speech by 0.6 s"), std::string::npos) << longer.reason;
  const Score shaken = scorer.score(even, sentences({3200, 1600, 3200}));
  EXPECT_GT(shaken.mos_lqo.value_or(0), 4.4);
  EXPECT_GT(shaken.confidence.value_or(0), 0.9) << "0.1 s to and fro";
  EXPECT_EQ(shaken.reason, "");
}

// The reason tells it from 0.5 MOS on, so it is read here.
TEST(Confidence, LongStepsInAPauseTakeNextToNothingOff) {
  const Signal first = test::corpus_sentence("M2");
  const Signal second = test::corpus_sentence("F4");
  const Signal speech = test::joined(first, 4000, second);
  scoring::Engine engine(scoring::score_model(ScoreMode::narrowband));
  const auto cost_mos = [&](const Signal& reference, const Signal& degraded) {
    std::optional<scoring::Engine::Evaluation> evaluation;
    const Score score = engine.score(reference, degraded, {}, {.evaluation = &evaluation, .account = true});
    EXPECT_EQ(score.outcome, Outcome::scored) << score.reason;
    if (!evaluation) return 5.0;
    const double distance = evaluation->auditory_distance;
    return mos_from_auditory_distance(distance - evaluation->circumstances.long_step_distance) -
           mos_from_auditory_distance(distance);
  };
  for (const int step : {4800, 8000, 16000, 24000}) {
    const Signal longer = test::joined(first, 4000 + step, second);
    EXPECT_LE(cost_mos(speech, longer), 0.1) << step;
    EXPECT_LE(cost_mos(longer, speech), 0.1) << -step;
  }
}

TEST(Confidence, CountsTheMotionByPausesAndByLongSteps) {
  const scoring::PerceptualModel model;
  const scoring::StepPlaces places(model);
  struct Piece {
    int frames;
    bool is_active;
    int delay;
  };
  const auto moved = [&](std::initializer_list<Piece> pieces, bool is_first_lost = false) {
    std::vector<int> delay;
    std::vector<char> active, lost;
    for (const Piece& piece : pieces) {
      lost.resize(lost.size() + piece.frames, is_first_lost && lost.empty() ? '\1' : '\0');
      delay.resize(lost.size(), piece.delay);
      active.resize(lost.size(), piece.is_active ? '\1' : '\0');
    }
    return std::lround(places.moved_by_pauses(delay, active, lost) * model.rate_hz);
  };
  EXPECT_EQ(moved({{10, true, 0}, {8, false, 0}, {10, true, 400}}), 400) << "50 ms";
  EXPECT_EQ(moved({{10, true, 0}, {8, false, 0}, {10, true, -400}}), 400);
  EXPECT_EQ(moved({{10, true, 0}, {4, false, 0}, {1, false, 130}, {4, false, 300}, {10, true, 400}}), 400)
      << "in parts";
  EXPECT_EQ(moved({{10, true, 0}, {8, false, 0}, {10, true, 400}, {8, false, 0}, {10, true, 800}}), 800);
  EXPECT_EQ(moved({{10, true, 0}, {8, false, 0}, {10, true, 400}, {8, false, 0}, {10, true, 0}}), 400) << "and back";
  EXPECT_EQ(moved({{10, true, 0}, {8, false, 0}, {10, true, 160}}), 0) << "a packet";
  EXPECT_EQ(moved({{10, true, 0}, {10, true, 400}}), 0) << "in speech it is heard";
  EXPECT_EQ(moved({{10, true, 0}, {model.jump_reach - 1, false, 0}, {10, true, 400}}), 0);
  EXPECT_EQ(moved({{10, true, 0}, {10, true, 4000}}), 4000) << "longer than any step of the fit";
  EXPECT_EQ(moved({{10, true, 0}, {8, false, 0}, {10, true, 400}}, true), 0) << "no speech was found before the step";
  EXPECT_EQ(places.moved_by_pauses({}, {}, {}), 0);
}

TEST(Confidence, CountsSpeechThatIsMissingAtEitherEndAlone) {
  const scoring::PerceptualModel model;
  const double hop_s = static_cast<double>(model.hop) / model.rate_hz;
  const auto hops = [&](const std::vector<char>& active, const std::vector<char>& lost) {
    return scoring::ends_lost_s(active, lost, model) / hop_s;
  };
  const std::vector<char> active = {0, 1, 1, 1, 0, 1, 1, 1, 1, 0};
  EXPECT_EQ(hops(active, {}), 0) << "all was found";
  EXPECT_EQ(hops(active, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}), 0);
  EXPECT_EQ(hops(active, {1, 1, 1, 0, 0, 0, 0, 0, 1, 1}), 3);
  EXPECT_EQ(hops(active, {0, 0, 1, 1, 1, 1, 0, 0, 0, 0}), 0) << "in the middle";
  EXPECT_EQ(hops(active, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}), 0) << "nothing was found";
}

/// Fills the silence of `samples` samples at `from` at the recording's own level.
void put(Signal& signal, std::ptrdiff_t from, std::size_t samples, const std::function<double(std::size_t)>& sound) {
  const double level = test::rms(signal);
  for (std::size_t n = 0; n < samples; ++n) {
    signal.samples[static_cast<std::size_t>(from) + n] = static_cast<float>(level * sound(n));
  }
}

TEST(Confidence, IsLowForAWrongSpeed) {
  const Signal speech = test::corpus_sentence("M1");
  for (const double ppm : {-15000.0, 20000.0}) {
    const Score score = Scorer().score(speech, test::resampled_by_clock(speech, ppm, 0));
    ASSERT_EQ(score.outcome, Outcome::scored) << ppm;
    EXPECT_LT(score.confidence.value_or(1), 0.9) << ppm;
  }
}

TEST(Confidence, IsLowerForAToneThanForNoiseOfItsLevel) {
  const Signal speech = test::padded(test::corpus_sentence("M1"), 4000, 4000);
  Signal tone = speech;
  for (std::size_t n = 0; n < tone.size(); ++n) {
    tone.samples[n] += static_cast<float>(0.1 * test::rms(speech) *
                                          std::sin(2 * std::numbers::pi * 3000 * static_cast<double>(n) / kLineRateHz));
  }
  Scorer scorer;
  const double noisy = scorer.score(speech, test::with_noise(speech, 23, 1)).confidence.value_or(0);
  EXPECT_GT(noisy, 0.9);
  EXPECT_LT(scorer.score(speech, tone).confidence.value_or(1), noisy - 0.02);
}

TEST(Confidence, IsLoweredByLoudSoundWithinSpeechMoreThanBySilence) {
  const Signal first = test::corpus_sentence("M1");
  const Signal second = test::corpus_sentence("M6");
  constexpr std::size_t kPause = 4000;
  constexpr std::size_t kInserted = 16000;
  const auto joined = [&](std::size_t pause) {
    Signal both = first;
    both.samples.resize(first.size() + pause, 0.0F);
    both.samples.insert(both.samples.end(), second.samples.begin(), second.samples.end());
    return both;
  };
  const Signal reference = joined(kPause);
  const Signal silent = joined(kPause + kInserted);
  const auto from = static_cast<std::ptrdiff_t>(first.size() + kPause / 2);
  Signal noise = silent;
  test::Random random(1);
  put(noise, from, kInserted, [&](std::size_t) { return random.normal(); });
  Signal tone = silent;
  put(tone, from, kInserted,
      [](std::size_t n) { return std::sin(2 * std::numbers::pi * 425 * static_cast<double>(n) / kLineRateHz); });

  Scorer scorer;
  const Score quiet = scorer.score(reference, silent);
  ASSERT_EQ(quiet.outcome, Outcome::scored);
  EXPECT_EQ(quiet.reason.find("loud sound"), std::string::npos) << quiet.reason;
  EXPECT_GE(quiet.confidence.value_or(0), 0.36) << "as the pause lasts 2 s longer";
  for (const Signal& heard : {noise, tone}) {
    const Score score = scorer.score(reference, heard);
    ASSERT_EQ(score.outcome, Outcome::scored);
    EXPECT_LE(score.confidence.value_or(1), 0.55) << "too much: 9 of 34 such pairs are within 0.5 of the label";
    EXPECT_LT(score.mos_lqo.value_or(5), quiet.mos_lqo.value_or(0) - 0.5) << "the label loses more yet";
    EXPECT_NE(score.reason.find("2.0 s of loud sound"), std::string::npos) << score.reason;
  }
}

}  // namespace
}  // namespace vqas
