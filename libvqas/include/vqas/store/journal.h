#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "vqas/run/provenance.h"
#include "vqas/run/run.h"
#include "vqas/signal/result.h"

namespace vqas {

/// A stored run, with the versions that made it (which may differ from those of the program that reads it).
struct StoredRun {
  RunResults results;
  Provenance provenance;
  std::size_t damaged = 0;   ///< lines of the journal that are left out and were not replaced by a resumed run
  bool sealed = false;       ///< its lines carry digests; in a journal of an earlier release changes cannot be detected
  std::size_t replaced = 0;  ///< damaged lines whose content a resumed run wrote or measured again
};

inline constexpr const char* kJournalFile = "journal.jsonl";
/// Remark on a journal that is not sealed.
inline constexpr const char* kUnsealedNotice =
    "lines without digests, by an earlier release of VQAS; changed or removed lines cannot be detected";
inline constexpr const char* kJournalSchema = "vqas-journal/2";

/// Keeps a run safe when the program is killed at any instant: one line of JSON for the plan, one for each measurement
/// in the order of measuring, one for the end. A measurement is on the disk (fsync) when append() returns, and no line
/// is ever changed. Each line carries a digest over itself and the digest of the line before it. For one thread; not
/// real-time safe.
class RunJournal {
 public:
  /// Starts `journal.jsonl` in `folder`, which is created if missing. Keeps from `plan`: seed, corpus digest, line and
  /// its simulated conditions, sampling options, directions with the names of their stimuli, and the start time; its
  /// measurements are ignored. Fails with bad_input if a journal exists, which is never overwritten, and with io if the
  /// folder cannot be written.
  static Result<RunJournal> create(const std::filesystem::path& folder, const RunResults& plan);

  /// Resumes the journal in `folder`, which was read as `so_far`. From here on its sampling options and its labels
  /// replace those from the start of the run. A torn last line is cut off. Fails with bad_input if there is no journal,
  /// with io if it cannot be written. What `so_far` holds and the journal does not, because the line is damaged and was
  /// read elsewhere, is written again. `next_sequence` is by direction: a lower number that `so_far` does not hold
  /// belongs to a measurement that this journal has lost. The loss is written down, so that a RunStore that took it
  /// before drops it, because another measurement replaces it. A later measurement with such a number counts.
  static Result<RunJournal> resume(const std::filesystem::path& folder, const RunResults& so_far,
                                   const std::vector<std::uint32_t>& next_sequence = {});

  /// Adds a measurement of `stimulus` in the direction that starts at `from`. Both must be in the plan (bad_input). The
  /// sequence number must be new in its direction (bad_input), or one that an earlier part of the run recorded as
  /// line_lost. If writing fails (io; for example a full disk), the journal is unchanged.
  Status append(End from, const std::string& stimulus, const Measurement& measurement);

  /// Writes why each stimulus of `results` stopped, why the run ended, and its times. A journal can be read without it.
  Status close(const RunResults& results);

  RunJournal(RunJournal&&) noexcept;
  RunJournal& operator=(RunJournal&&) noexcept;
  ~RunJournal();

 private:
  struct File;
  explicit RunJournal(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
};

/// Rebuilds the measurements from the journal in `folder`. A last line that was torn by a kill is left out. Any other
/// line that is damaged, does not match its digest or holds impossible values is left out and counted; a missing line
/// counts as one. `ended_because` then says so and names the first, unless a line `{"resumed": {"damaged": …}}` counts
/// it: then a resumed run replaced it, and StoredRun::replaced counts it. A damaged header is bad_input. A measurement
/// replaces an earlier one with its number that is line_lost: its receiver kept it, and a resumed run fetched it.
/// Without the line of the end, `ended_because` says so, and the samplers run again over the scores to find why each
/// stimulus stopped (`cancelled` if it had not). A journal larger than 256 MiB is refused. Re-entrant.
Result<StoredRun> read_stored_run(const std::filesystem::path& folder);

}  // namespace vqas
