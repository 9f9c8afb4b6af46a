// Random faults of known size: how often they are measured within the bounds that the score guarantees, with the exact
// bound of that share. Every draw can be repeated from the seed in its line.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "score/planted_faults.h"
#include "score/recipes.h"
#include "support/share_bound.h"
#include "vqas/score/score.h"

namespace vqas {
namespace {

constexpr double kSampleMs = 0.125;
const char* const kSentences[] = {"M1", "M2", "M3", "M4", "M5", "M6", "F1", "F2", "F3", "F4", "F5", "F6"};

/// Counts successes and reports the failed draws.
class Tally {
 public:
  void count(bool success, const std::string& draw) {
    ++trials_;
    successes_ += success ? 1 : 0;
    if (!success) failed_ += "\n  " + draw;
  }
  void count_within(double tolerance, double found, double expected, const std::string& draw) {
    count(std::abs(found - expected) <= tolerance,
          draw + ": " + std::to_string(found) + " instead of " + std::to_string(expected));
  }
  void expect_at_least(double share) const {
    EXPECT_GE(test::share_at_least(successes_, trials_), share)
        << successes_ << " of " << trials_ << "; the others:" << failed_;
  }

 private:
  int successes_ = 0;
  int trials_ = 0;
  std::string failed_;
};

// Two sentences in sequence, six seconds of them.
Signal six_seconds(const std::string& first, const std::string& second) {
  Signal speech = test::corpus_sentence(first);
  const Signal more = test::corpus_sentence(second);
  speech.samples.insert(speech.samples.end(), more.samples.begin(), more.samples.end());
  speech.samples.resize(static_cast<std::size_t>(6) * kLineRateHz);
  return speech;
}

void delays_come_back(double ber, double tolerance_samples, int draws, double share) {
  Scorer scorer;
  Tally tally;
  std::uint64_t seed = 100;
  for (const char* id : kSentences) {
    const Signal speech = test::corpus_sentence(id);
    for (int draw = 0; draw < draws; ++draw) {
      test::Random random(++seed);
      const int delay = static_cast<int>(random.between(0, 80000));
      const Signal recording = test::padded(test::with_bit_errors(speech, ber, seed), delay, 2000);
      const double found_ms = scorer.score(speech, recording).delay_ms.value_or(-1e9);
      tally.count_within(tolerance_samples, found_ms / kSampleMs, delay,
                         std::string(id) + " seed " + std::to_string(seed));
    }
  }
  tally.expect_at_least(share);
}

TEST(AlignmentBounds, AConstantDelayUpToTenSecondsWithinASampleWithoutErrors) {
  delays_come_back(0, 1, 12, 0.97);
}

TEST(AlignmentBounds, AConstantDelayWithinASampleAtABitErrorInTenThousand) {
  delays_come_back(1e-4, 1, 12, 0.97);
}

TEST(AlignmentBounds, AConstantDelayWithinASampleAtABitErrorInAThousand) {
  delays_come_back(1e-3, 1, 25, 0.98);
}

TEST(AlignmentBounds, AConstantDelayWithinFourSamplesAtABitErrorInAHundred) {
  delays_come_back(1e-2, 4, 25, 0.98);
}

TEST(AlignmentBounds, AClockDriftUpToOnePerCentWithinFivePpmOverSixSeconds) {
  Scorer scorer;
  Tally tally;
  std::uint64_t seed = 500;
  for (int pair = 0; pair < 6; ++pair) {
    const Signal speech = six_seconds(kSentences[pair], kSentences[pair + 6]);
    for (const double largest : {0.0, 100.0, 1000.0, 10000.0}) {
      test::Random random(++seed);
      const double ppm = random.between(-largest, largest);
      const Signal drifted = test::resampled_by_clock(speech, ppm, random.between(0, 4000));
      for (const double ber : {0.0, 1e-4, 1e-3}) {
        const double found =
            scorer.score(speech, test::with_bit_errors(drifted, ber, seed)).clock_drift_ppm.value_or(1e9);
        tally.count_within(
            5, found, ppm,
            "pair " + std::to_string(pair) + " seed " + std::to_string(seed) + " BER " + std::to_string(ber));
      }
    }
  }
  tally.expect_at_least(0.9);
}

TEST(AlignmentBounds, StepsOfTheDelayFromTwoTo300MillisecondsAreFollowed) {
  Scorer scorer;
  Tally tally;
  std::uint64_t seed = 900;
  for (const char* id : kSentences) {
    const Signal speech = test::corpus_sentence(id);
    for (const int step : {16, 40, 80, 160, 400, 800, 1600, 2400}) {
      for (const int signed_step : {step, -step}) {
        test::Random random(++seed);
        const double share = random.between(0.3, 0.7);
        const Signal recording =
            test::padded(test::with_bit_errors(test::with_jump(speech, share, signed_step), 1e-4, seed), 500, 0);
        const Score score = scorer.score(speech, recording);
        bool good = score.delay_track.size() >= 2;
        if (good) {
          const double before = score.delay_track.front().delay_ms;
          const double after = score.delay_track.back().delay_ms;
          good = std::abs(before - 500 * kSampleMs) <= kSampleMs &&
                 std::abs(after - (500 + signed_step) * kSampleMs) <= kSampleMs;
        }
        tally.count(good, std::string(id) + " seed " + std::to_string(seed) + " step " + std::to_string(signed_step));
      }
    }
  }
  tally.expect_at_least(0.9);
}

TEST(AlignmentBounds, NoDriftIsReportedOnALineWithoutDrift) {
  // Vocoder-like and very bad lines too: a drift that is not known to a few ppm is not reported.
  Scorer scorer;
  Tally tally;
  std::uint64_t seed = 1300;
  for (const char* id : kSentences) {
    const Signal speech = test::corpus_sentence(id);
    for (const double ber : {0.0, 1e-3, 1e-2, 3e-2, 1e-1}) {
      const auto drift = scorer.score(speech, test::with_bit_errors(speech, ber, ++seed)).clock_drift_ppm;
      tally.count_within(10, drift.value_or(0), 0, std::string(id) + " BER " + std::to_string(ber));
    }
    const auto noisy = scorer.score(speech, test::with_noise(speech, 0, ++seed)).clock_drift_ppm;
    tally.count_within(10, noisy.value_or(0), 0, std::string(id) + " noise");
  }
  tally.expect_at_least(0.95);
}

/// The delay steps by up to 50 ms every 0.4 to 1.2 s.
Signal with_random_steps(const Signal& speech, std::uint64_t seed) {
  test::Random random(seed);
  Signal line{{}, speech.rate_hz};
  for (std::ptrdiff_t at = 0; at < static_cast<std::ptrdiff_t>(speech.size());) {
    const auto length = static_cast<std::ptrdiff_t>(random.between(0.4, 1.2) * kLineRateHz);
    const auto end = std::min(static_cast<std::ptrdiff_t>(speech.size()), at + length);
    line.samples.insert(line.samples.end(), speech.samples.begin() + at, speech.samples.begin() + end);
    const auto step = static_cast<std::ptrdiff_t>(random.between(-400, 400));
    if (step > 0) line.samples.insert(line.samples.end(), static_cast<std::size_t>(step), 0.0F);
    at = end == static_cast<std::ptrdiff_t>(speech.size()) ? end : end - std::min<std::ptrdiff_t>(step, 0);
  }
  return line;
}

TEST(AlignmentBounds, NoDriftIsReportedForRandomSteps) {
  Scorer scorer;
  Tally tally;
  for (const char* id : kSentences) {
    const Signal speech = test::corpus_sentence(id);
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const auto drift = scorer.score(speech, with_random_steps(speech, seed)).clock_drift_ppm;
      tally.count_within(5, drift.value_or(0), 0, std::string(id) + " seed " + std::to_string(seed));
    }
  }
  tally.expect_at_least(0.95);
}

// Each delays some frequencies more than others, by 0.3 to 1.5 ms.
std::vector<std::pair<std::string, std::function<Signal(Signal)>>> dispersive_lines() {
  return {{"high-pass 600 Hz, order 2", [](Signal s) { return test::high_passed(std::move(s), 600, 2); }},
          {"high-pass 300 Hz, order 4", [](Signal s) { return test::high_passed(std::move(s), 300, 4); }},
          {"high-pass 300 Hz, order 8", [](Signal s) { return test::high_passed(std::move(s), 300, 8); }},
          {"tilt", [](Signal s) { return test::tilted(std::move(s), 0.7); }},
          {"steep tilt", [](Signal s) { return test::tilted(std::move(s), 0.95); }},
          {"falling tilt", [](Signal s) { return test::tilted(std::move(s), -0.7); }},
          {"two all-passes", [](Signal s) { return test::all_passed(test::all_passed(std::move(s), 0.6), 0.6); }}};
}

TEST(AlignmentBounds, NoDriftIsReportedForAFilter) {
  Scorer scorer;
  Tally tally;
  Tally told;
  for (const auto& [name, filter] : dispersive_lines()) {
    for (const char* id : kSentences) {
      const Signal speech = test::corpus_sentence(id);
      const auto drift = scorer.score(speech, filter(speech)).clock_drift_ppm;
      tally.count_within(5, drift.value_or(0), 0, std::string(id) + " " + name);
      told.count(drift.has_value(), std::string(id) + " " + name);
    }
  }
  tally.expect_at_least(0.95);
  told.expect_at_least(0.8);
}

TEST(AlignmentBounds, AClockDriftAfterAFilterWithinFivePpmIfReported) {
  Scorer scorer;
  Tally tally;
  Tally told;
  std::uint64_t seed = 1500;
  for (const auto& [name, filter] : dispersive_lines()) {
    for (int pair = 0; pair < 6; ++pair) {
      const Signal speech = six_seconds(kSentences[pair], kSentences[pair + 6]);
      test::Random random(++seed);
      const double ppm = random.between(-300, 300);
      const Signal line = filter(test::resampled_by_clock(speech, ppm, random.between(0, 4000)));
      const double ber = pair % 2 == 0 ? 0.0 : 1e-3;
      const auto drift = scorer.score(speech, test::with_bit_errors(line, ber, seed)).clock_drift_ppm;
      const std::string draw = name + " pair " + std::to_string(pair) + " seed " + std::to_string(seed);
      tally.count_within(5, drift.value_or(ppm), ppm, draw);
      told.count(drift.has_value(), draw);
    }
  }
  tally.expect_at_least(0.9);
  told.expect_at_least(0.75);
}

TEST(AlignmentBounds, WithEitherHalfMissingQualityIsBelowFair) {
  Scorer scorer;
  for (const char* id : kSentences) {
    const Signal speech = test::corpus_sentence(id);
    for (const double from : {0.0, 0.5}) {
      const Score score = scorer.score(speech, test::silenced(speech, from, from + 0.5));
      EXPECT_LE(score.mos_lqo.value_or(1), 2.3) << id << " from " << from;
    }
  }
}

}  // namespace
}  // namespace vqas
