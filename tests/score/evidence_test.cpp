#include "score/align/evidence.h"

#include <gtest/gtest.h>

#include "support/places.h"
#include "vqas/score/score.h"
#include "vqas/signal/audio_file.h"

namespace vqas::scoring {
namespace {

Alignment alignment_of(std::vector<int> delay, float correlation) {
  Alignment alignment;
  alignment.correlation.assign(delay.size(), correlation);
  alignment.weight.assign(delay.size(), 1);
  alignment.delay = std::move(delay);
  return alignment;
}

TEST(AlignmentEvidence, GrowsWithTheCorrelation) {
  const DelayRange range{-400, 400};
  const std::vector<int> still(50, 0);
  const double little = evidence_of(alignment_of(still, 0.3F), range);
  const double much = evidence_of(alignment_of(still, 0.9F), range);
  EXPECT_GT(much, little);
  EXPECT_EQ(evidence_of(alignment_of(still, -0.9F), range), evidence_of(alignment_of(still, 0), range))
      << "an inverted waveform is no evidence";
}

TEST(AlignmentEvidence, FramesWhereNobodyTalksSayNothing) {
  const DelayRange range{-400, 400};
  Alignment alignment = alignment_of(std::vector<int>(50, 0), 0.9F);
  const double all = evidence_of(alignment, range);
  alignment.weight.assign(50, 0);
  EXPECT_GT(all, evidence_of(alignment, range));
  alignment.correlation.assign(50, 0);
  EXPECT_EQ(evidence_of(alignment, range), evidence_of(alignment_of(std::vector<int>(50, 0), 0), range));
}

TEST(AlignmentEvidence, AStepCostsMoreTheFurtherItCouldHaveGone) {
  std::vector<int> stepped(50, 0);
  std::fill(stepped.begin() + 25, stepped.end(), 100);
  const DelayRange near{-400, 400};
  const DelayRange far{-40000, 40000};
  const Alignment still = alignment_of(std::vector<int>(50, 0), 0.9F);
  const Alignment moved = alignment_of(stepped, 0.9F);
  EXPECT_GT(evidence_of(still, near), evidence_of(moved, near));
  EXPECT_GT(evidence_of(still, near) - evidence_of(moved, far), evidence_of(still, near) - evidence_of(moved, near));
}

// Of true speech and of another sentence at the same place.
TEST(AlignmentEvidence, TellsWhatWasSentFromAnotherSentence) {
  const auto speech = [](const char* name) {
    return read_audio(std::filesystem::path(test::source_dir()) / "corpus" / "8k" / (std::string(name) + ".wav"))
        .value();
  };
  const Signal sent = speech("M1");
  Scorer scorer;
  const KnownPlacement start{0};
  const Score same = scorer.score(sent, sent, start);
  const Score other = scorer.score(sent, speech("F5"), start);
  ASSERT_TRUE(same.alignment_evidence);
  ASSERT_TRUE(other.alignment_evidence);
  EXPECT_GT(*same.alignment_evidence, 10 * *other.alignment_evidence);
}

}  // namespace
}  // namespace vqas::scoring
