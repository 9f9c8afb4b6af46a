// Which speech arrived, on recordings with planted faults.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "score/planted_alignment.h"
#include "vqas/score/explanation.h"
#include "vqas/score/score.h"

namespace vqas {
namespace {

struct Frames {
  int received = 0, called_missing = 0;
  int missing = 0, found = 0;
};

// Of active frames; what lies on the border of a gap is not counted.
Frames frames_of(const std::string& kind, std::uint64_t seed) {
  std::vector<Signal> speech;
  for (const char* id : {"M1", "F2", "M3", "F4"}) speech.push_back(test::corpus_sentence(id));
  test::AlignmentPlanter planter(speech, seed);
  Scorer scorer;
  Frames frames;
  for (int pair = 0; pair < 2; ++pair) {
    const test::PlantedPair planted = planter.plant(kind);
    const ExplainedScore explained = scorer.explain(planted.reference, planted.degraded);
    EXPECT_EQ(explained.score.outcome, Outcome::scored) << kind << ": " << explained.score.reason;
    if (!explained.explanation) continue;
    const auto is_missing = [&](double at_s) {
      return std::any_of(explained.explanation->missing.begin(), explained.explanation->missing.end(),
                         [&](const Segment& s) { return at_s >= s.start_s && at_s < s.start_s + s.length_s; });
    };
    for (std::size_t j = 0; j < planted.active.size(); ++j) {
      if (planted.active[j] == 0) continue;
      const double middle_s = (static_cast<double>(j) * 128 + 128) / kLineRateHz;
      const bool called = is_missing(middle_s);
      if (planted.arrived[j] > 0.99) {
        ++frames.received;
        frames.called_missing += called ? 1 : 0;
      } else if (planted.arrived[j] < 0.4) {
        ++frames.missing;
        frames.found += called ? 1 : 0;
      }
    }
  }
  return frames;
}

TEST(Received, SpeechThatWasMutedOrRepeatedIsFoundMissing) {
  for (const auto& [kind, share] : {std::pair{"muted", 0.97}, {"loss_zero", 0.9}, {"loss_repeat", 0.5}}) {
    const Frames frames = frames_of(kind, 5);
    ASSERT_GT(frames.missing, 5) << kind;
    EXPECT_GE(frames.found, share * frames.missing) << kind << ": " << frames.found << " of " << frames.missing;
    EXPECT_LE(frames.called_missing, 0.01 * frames.received) << kind;
  }
}

TEST(Received, SpeechBehindNoiseCodecsAndFiltersIsNotCalledMissing) {
  for (const char* kind : {"mu", "white10", "white0", "noisy10", "mnru8", "clipped", "band", "wow", "displaced"}) {
    const Frames frames = frames_of(kind, 6);
    EXPECT_GT(frames.received, 300) << kind;
    EXPECT_LE(frames.called_missing, 0.01 * frames.received) << kind;
  }
}

}  // namespace
}  // namespace vqas
