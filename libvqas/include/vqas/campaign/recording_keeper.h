#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>

#include "vqas/run/run.h"
#include "vqas/signal/result.h"
#include "vqas/store/kept_recordings.h"

namespace vqas {

/// Which recordings of a run are worth their place, in the order of its measurements: without a score, the `worst` by
/// MOS, and a random `sample` of the others, by the run's seed. With `rules.chosen` the others are marked as removed by
/// choice. `bytes` are 0. Re-entrant; the same run gives the same answer.
KeptRecordings choose_recordings(const RunResults& results, const KeepRules& rules);

/// Applies a campaign's rules to the recordings in its runs' folders. No number is changed: the list recordings.json is
/// written first, then the report says how many were removed, then the files go. A kill in between is made up for by
/// the next start. Of the files only those that the run's journal names are removed. A folder in which another process
/// measures is left for later. For one thread.
class RecordingKeeper {
 public:
  explicit RecordingKeeper(KeepRules rules) : rules_(rules) {}

  /// Takes in a run that ended before, and finishes what a kill interrupted there. A run without a list counts as new:
  /// the rules may be younger than it.
  Status know(const std::filesystem::path& run);
  /// Takes in a run that ended just now, or anew.
  Status add(const std::filesystem::path& run);
  /// Removes what is too old at `utc_s`, seconds since 1970, or too much. Returns the number removed.
  Result<std::size_t> tidy(double utc_s);

  /// Bytes of the recordings that are left, of all runs or of one.
  std::uint64_t bytes() const;
  std::uint64_t bytes_of(const std::filesystem::path& run) const;
  std::uint64_t removed_bytes_of(const std::filesystem::path& run) const;

 private:
  struct Known {
    KeptRecordings kept;
    double ended_s = 0;  ///< since 1970
    bool changed = false;
  };
  Status write(const std::filesystem::path& run, Known& known) const;
  void remove_the_old(double utc_s);
  void remove_the_surplus();

  const KeepRules rules_;
  std::map<std::filesystem::path, Known> runs_;
};

}  // namespace vqas
