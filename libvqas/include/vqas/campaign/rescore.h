#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "vqas/campaign/stored_runs.h"
#include "vqas/corpus/corpus.h"
#include "vqas/score/outcome.h"

namespace vqas {

/// One recording, as it was scored and as it is scored today.
struct RescoredRecording {
  End from = End::a;  ///< the direction
  std::string stimulus;
  std::uint32_t sequence = 0;
  Outcome before = Outcome::scored, now = Outcome::scored;
  std::optional<double> mos_before, mos_now;
  std::optional<double> distance_before, distance_now;

  /// Both are rounded when they are scored, so that equal scores are equal to the last bit.
  bool changed() const { return before != now || mos_before != mos_now || distance_before != distance_now; }
};

/// A run scored by this release.
struct RescoredRun {
  std::vector<RescoredRecording> recordings;
  std::size_t missing = 0;       ///< recordings that are gone or damaged
  std::size_t removed = 0;       ///< recordings that a rule of the campaign's plan removed
  std::size_t not_by_score = 0;  ///< measurements whose outcome does not come from the score; they are left as they are

  std::vector<RescoredRecording> changes() const;
};

/// Fails with bad_input when the run was measured with another corpus.
Status check_corpus_of(const StoredRun& run, const Corpus& corpus);

/// Scores the run's recordings by this release's score; changes nothing. `recordings` says where they are.
/// `on_progress`, if set, is called before each measurement with the share that is done; false stops the call
/// (cancelled). Fails with bad_input as check_corpus_of() does. For one thread.
Result<RescoredRun> rescore(const StoredRun& run, const Corpus& corpus, const RunRecordings& recordings,
                            const std::function<bool(double done)>& on_progress = {});

}  // namespace vqas
