// State kept between two scores, or shared between threads or processors, changes no score.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "score/recipes.h"
#include "support/process.h"
#include "vqas/score/score.h"

namespace vqas {
namespace {

struct Pair {
  Signal reference;
  Signal degraded;
};

// All references have the same length, so that everything kept from one would fit another. Jumps, bit errors and drift
// cover every choice of blocks in the alignment.
std::vector<Pair> pairs_of_one_length() {
  std::vector<Pair> pairs;
  for (const char* id : {"M1", "F2", "M5"}) {
    Signal speech = test::corpus_sentence(id);
    speech.samples.resize(static_cast<std::size_t>(3) * kLineRateHz);
    Signal last_sample_differs = speech;
    last_sample_differs.samples.back() += 0.01F;
    for (const Signal& reference : {speech, last_sample_differs}) {
      pairs.push_back({reference, test::with_jump(test::with_noise(speech, 20, 1), 0.5, 320)});
      pairs.push_back({reference, test::with_bit_errors(speech, 1e-2, 2)});
      pairs.push_back({reference, test::with_noise(speech, 0, 3)});
      pairs.push_back({reference, test::resampled_by_clock(speech, 8000, 0)});
      pairs.push_back({reference, speech});
    }
  }
  return pairs;
}

// Exactly, not approximately.
void expect_same(const Score& found, const Score& expected, std::size_t pair) {
  EXPECT_EQ(found.outcome, expected.outcome) << pair;
  EXPECT_EQ(found.reason, expected.reason) << pair;
  EXPECT_EQ(found.auditory_distance, expected.auditory_distance) << pair;
  EXPECT_EQ(found.confidence, expected.confidence) << pair;
  EXPECT_EQ(found.delay_ms, expected.delay_ms) << pair;
  EXPECT_EQ(found.clock_drift_ppm, expected.clock_drift_ppm) << pair;
  EXPECT_EQ(found.level_difference_db, expected.level_difference_db) << pair;
  ASSERT_EQ(found.delay_track.size(), expected.delay_track.size()) << pair;
  for (std::size_t n = 0; n < found.delay_track.size(); ++n) {
    EXPECT_EQ(found.delay_track[n].start_s, expected.delay_track[n].start_s) << pair;
    EXPECT_EQ(found.delay_track[n].delay_ms, expected.delay_track[n].delay_ms) << pair;
  }
}

std::vector<Score> scores_of_fresh_instances(const std::vector<Pair>& pairs) {
  std::vector<Score> scores;
  scores.reserve(pairs.size());
  for (const Pair& pair : pairs) scores.push_back(Scorer().score(pair.reference, pair.degraded));
  return scores;
}

TEST(ScorerReuse, AlternatingReferencesGiveTheScoresOfNewInstances) {
  const auto pairs = pairs_of_one_length();
  const auto expected = scores_of_fresh_instances(pairs);
  Scorer scorer;
  // With the first step neighbours share a reference; with the others, which no period of the list divides, they never
  // do.
  for (const std::size_t step : {1, 7, 11}) {
    for (std::size_t n = 0; n < pairs.size(); ++n) {
      const std::size_t k = n * step % pairs.size();
      expect_same(scorer.score(pairs[k].reference, pairs[k].degraded), expected[k], k);
    }
  }
}

TEST(ScorerReuse, ARefusalDoesNotAffectTheNextScore) {
  const auto pairs = pairs_of_one_length();
  const Score expected = Scorer().score(pairs[0].reference, pairs[0].degraded);
  Scorer scorer;
  Signal silence = pairs[0].reference;
  std::fill(silence.samples.begin(), silence.samples.end(), 0.0F);
  for (const auto& [reference, degraded] : {Pair{silence, pairs[0].degraded}, Pair{pairs[0].reference, silence},
                                            Pair{pairs[10].reference, pairs[0].degraded}, Pair{Signal{}, silence}}) {
    EXPECT_NE(scorer.score(reference, degraded).outcome, Outcome::scored);
    expect_same(scorer.score(pairs[0].reference, pairs[0].degraded), expected, 0);
  }
}

TEST(ScorerReuse, ThreadsWithTheirOwnInstancesAgree) {
  const auto pairs = pairs_of_one_length();
  const auto expected = scores_of_fresh_instances(pairs);
  constexpr std::size_t kThreads = 6;
  std::vector<std::vector<Score>> found(kThreads, std::vector<Score>(pairs.size()));
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      Scorer scorer;
      for (std::size_t n = 0; n < pairs.size(); ++n) {
        const std::size_t k = (n + 5 * thread) % pairs.size();
        found[thread][k] = scorer.score(pairs[k].reference, pairs[k].degraded);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& scores : found) {
    for (std::size_t k = 0; k < pairs.size(); ++k) expect_same(scores[k], expected[k], k);
  }
}

TEST(ScorerReuse, SamplesOfTheCallerGiveTheScoresOfSignals) {
  const std::vector<Pair> pairs = pairs_of_one_length();
  const auto expected = scores_of_fresh_instances(pairs);
  Scorer scorer;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    // Both recordings lie in one block, beside samples of something else.
    const auto& [reference, degraded] = pairs[k];
    std::vector<float> block(1, 0.5F);
    block.insert(block.end(), reference.samples.begin(), reference.samples.end());
    block.insert(block.end(), degraded.samples.begin(), degraded.samples.end());
    block.push_back(0.5F);
    const SignalView from({block.data() + 1, reference.size()}, reference.rate_hz);
    const SignalView to({from.samples.data() + from.size(), degraded.size()}, degraded.rate_hz);
    expect_same(scorer.score(from, to), expected[k], k);
  }
}

std::ptrdiff_t count_of(std::string_view text, std::string_view wanted) {
  std::ptrdiff_t count = 0;
  for (std::size_t at = text.find(wanted); at != text.npos; at = text.find(wanted, at + 1)) ++count;
  return count;
}

TEST(ScorerReuse, EveryInstructionSetGivesTheSameBits) {
  constexpr int kPairs = 22;  // of score_bytes.cpp

  const auto chosen = test::run_command(VQAS_SCORE_BYTES);
  const auto baseline = test::run_command(VQAS_SCORE_BYTES_BASELINE);
  ASSERT_EQ(chosen.exit_code, 0) << chosen.output;
  const std::ptrdiff_t findings = count_of(chosen.output, "\n  ");
  EXPECT_GE(findings, kPairs) << "each pair has indices";
  EXPECT_EQ(std::count(chosen.output.begin(), chosen.output.end(), '\n') - findings, kPairs)
      << "one line for each pair, and lines of its findings set in";
  EXPECT_EQ(baseline.exit_code, 0);
  EXPECT_EQ(baseline.output, chosen.output);
}

}  // namespace
}  // namespace vqas
