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

/// A run as it was kept, with the versions that made it (which need not be those of the program that reads it).
struct StoredRun {
  RunResults results;
  Provenance provenance;
  std::size_t damaged = 0;   ///< lines of the journal that are left out, and that no resumed run made good
  bool sealed = false;       ///< its lines carry digests; of a journal of an earlier release no change can be noticed
  std::size_t replaced = 0;  ///< lines that were damaged; a resumed run wrote or measured again what they held
};

inline constexpr const char* kJournalFile = "journal.jsonl";
/// What is to be said of a journal that is not sealed.
inline constexpr const char* kUnsealedNotice =
    "lines without digests, by an earlier release of VQAS; one that was changed or taken out is not noticed";
inline constexpr const char* kJournalSchema = "vqas-journal/2";

/// What keeps a run through a kill at any instant: one line of JSON for the plan, one for each measurement in the order
/// in which they were made, one for the end. A measurement is on the disk (fsync) when append() has returned, and no
/// line is ever changed. Each line carries a digest over itself and over that of the line before it. For one thread;
/// not real-time safe.
class RunJournal {
 public:
  /// Begins `journal.jsonl` in `folder`, which is made if it is not there. Of `plan` are kept: seed, corpus digest,
  /// line and its simulated conditions, sampling options, directions with the names of their stimuli, the start time;
  /// measurements in it are ignored. A journal that is there already is never overwritten: bad_input. A folder that
  /// cannot be written: io.
  static Result<RunJournal> create(const std::filesystem::path& folder, const RunResults& plan);

  /// Goes on with the journal in `folder`, of which `so_far` was read; its sampling options, and what it belongs to,
  /// hold from here on in place of those that the run was begun with. A last line that a kill tore is cut off. Fails
  /// with bad_input when there is none, with io when it cannot be written. What `so_far` holds and the journal does not
  /// (it was read elsewhere because the line is damaged) is written again. `next_sequence`, by direction: a number
  /// below it that `so_far` does not hold is of a measurement that this journal has lost; it is written down, so that
  /// whoever took it before (RunStore) lets it go: another one will take its place. What comes later under such a
  /// number counts.
  static Result<RunJournal> resume(const std::filesystem::path& folder, const RunResults& so_far,
                                   const std::vector<std::uint32_t>& next_sequence = {});

  /// Adds a measurement of `stimulus` from one end to the other; all three names must be those of the plan
  /// (bad_input), the sequence number must be new in its direction (bad_input) or one that an earlier part of the run
  /// gave up as line_lost. When writing fails (io; a full disk for example), the journal is as it was before.
  Status append(const std::string& from, const std::string& to, const std::string& stimulus,
                const Measurement& measurement);

  /// Writes why each stimulus of `results` stopped, why the run ended, and its times. Not needed to read a journal.
  Status close(const RunResults& results);

  RunJournal(RunJournal&&) noexcept;
  RunJournal& operator=(RunJournal&&) noexcept;
  ~RunJournal();

 private:
  struct File;
  explicit RunJournal(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
};

/// Rebuilds what was measured from the journal in `folder`. A last line that was torn by a kill is left out. So is any
/// other line that is damaged, does not fit its digest or says what cannot be, and a line that is missing counts as
/// one; `ended_because` then says so and names the first, unless a line
/// `{"resumed": {"damaged": …}}` counts it: then it was made good, and StoredRun::replaced counts it too. A damaged
/// header is bad_input. A measurement takes the place of an earlier one of its number that is line_lost: its receiver
/// kept it, and a resumed run fetched it. Without the line of the end, `ended_because` says so, and the samplers are
/// run again over the scores to tell why each stimulus stopped (`cancelled` when it had not). A journal larger than 256
/// MiB is refused. Re-entrant.
Result<StoredRun> read_stored_run(const std::filesystem::path& folder);

/// The same without the versions.
Result<RunResults> read_journal(const std::filesystem::path& folder);

}  // namespace vqas
