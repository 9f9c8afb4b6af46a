// In a program of its own, because it counts the allocations of the whole program.
#include <gtest/gtest.h>

#include <vector>

#include "score/align/aligner.h"
#include "score/compare/perception.h"
#include "score/prepare/preparation.h"
#include "score/recipes.h"
#include "support/counted_allocations.h"
#include "vqas/score/score.h"

namespace vqas {
namespace {

/// The sentence, repeated `times` times.
Signal speech_of(int times) {
  const Signal once = test::corpus_sentence("M1");
  Signal speech{{}, once.rate_hz};
  for (int n = 0; n < times; ++n) {
    speech.samples.insert(speech.samples.end(), once.samples.begin(), once.samples.end());
  }
  return speech;
}

/// A constant delay, a track that must be searched, and a jump with two sides.
std::vector<Signal> lines_of(const Signal& speech) {
  return {test::with_noise(speech, 30, 1), test::with_noise(speech, 0, 2), test::with_bit_errors(speech, 1e-2, 3),
          test::with_jump(speech, 0.5, 320)};
}

scoring::DcFree centred(const Signal& signal) {
  scoring::Recording recording;
  recording.own(signal);
  scoring::DcFree result;
  scoring::remove_dc(recording, result);
  return result;
}

TEST(ScoreAllocation, IsCounted) {
  const std::size_t before = allocations;
  const std::vector<int> some(100);
  EXPECT_EQ(allocations, before + 1);
}

TEST(ScoreAllocation, NoneInTheLoopsOverFrames) {
  const Signal speech = speech_of(1);
  const auto reference = centred(speech);
  scoring::Aligner aligner{scoring::AlignmentModel()};
  scoring::Perception perception{scoring::PerceptualModel()};
  aligner.assign(reference.signal);
  perception.assign(reference.signal);
  const auto lines = lines_of(speech);
  for (std::size_t n = 0; n < lines.size(); ++n) {
    auto degraded = centred(lines[n]);
    const scoring::DelayRange range{-degraded.signal.size(), degraded.signal.size()};
    std::size_t inside_align = 0;
    std::size_t inside_compare = 0;
    for (int round = 0; round < 2; ++round) {
      const std::size_t before = allocations;
      const auto& alignment = aligner.align(degraded.signal, range);
      const std::size_t between = allocations;
      perception.transform(degraded.signal, alignment.delay, {alignment.skipped, alignment.deleted, alignment.lost});
      perception.compare(alignment.delay, 0);
      inside_align = between - before;
      inside_compare = allocations - between;
    }
    // The search for lost phrases keeps small lists; allocations per frame would count in hundreds.
    EXPECT_LE(inside_align, 4U) << n;
    EXPECT_EQ(inside_compare, 0U) << n;
  }
}

// The allocations of a score beside its frames (mostly its result) do not depend on the length.
TEST(ScoreAllocation, AsManyForALongPairAsForAShortOne) {
  const auto counts = [](int times) {
    const Signal speech = speech_of(times);
    Scorer scorer;
    std::vector<std::size_t> each;
    for (const Signal& line : lines_of(speech)) {
      scorer.score(speech, line);
      const std::size_t before = allocations;
      const Score score = scorer.score(speech, line);
      each.push_back(allocations - before);
      EXPECT_EQ(score.outcome, Outcome::scored);
    }
    return each;
  };
  const auto few = counts(1);
  const auto many = counts(4);
  for (std::size_t n = 0; n < few.size(); ++n) {
    EXPECT_LE(few[n], 40U) << n;
    EXPECT_LE(many[n], few[n] + 20) << n;
  }
}

}  // namespace
}  // namespace vqas
