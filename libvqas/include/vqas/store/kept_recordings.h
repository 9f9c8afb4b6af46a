#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vqas/signal/result.h"

namespace vqas {

/// Which recordings stay in the folders of a campaign's runs. The numbers of a run never depend on it.
struct KeepRules {
  bool chosen = false;          ///< of each run only those without a score, the worst and a random sample
  std::size_t worst = 5;        ///< of a run, by MOS
  std::size_t sample = 5;       ///< of a run, of the others, by the run's seed
  double days = 0;              ///< since the run ended; 0: no limit
  std::uint64_t cap_bytes = 0;  ///< of the campaign; 0: no cap

  bool any() const { return chosen || days > 0 || cap_bytes > 0; }
  bool operator==(const KeepRules&) const = default;
};

/// What makes a recording worth its place, from the least to the most.
enum class Interest { ordinary, sample, worst, unscored };
/// "ordinary", "sample", "worst", "unscored".
std::string_view to_string(Interest interest);
std::optional<Interest> interest_from_string(std::string_view name);

/// The rule that removed a recording.
enum class RemovedBy { choice, age, size };
/// "choice", "age", "size".
std::string_view to_string(RemovedBy rule);
std::optional<RemovedBy> removed_by_from_string(std::string_view name);

struct KeptRecording {
  std::string name;         ///< "recordings/a-to-b-M6-0001.flac"
  std::uint64_t bytes = 0;  ///< of the file when its run ended
  Interest interest = Interest::ordinary;
  std::optional<RemovedBy> removed;
};

/// What the rules left of a run's recordings.
struct KeptRecordings {
  std::string ended_utc;  ///< of the run, ISO 8601
  std::vector<KeptRecording> recordings;

  std::uint64_t bytes() const;  ///< of those that were not removed
  std::size_t removed() const;
  bool was_removed(std::string_view name) const;
};

/// Says which recordings of a run were removed by rule; written before they are removed. No such file: all are kept.
inline constexpr const char* kKeptRecordingsFile = "recordings.json";
inline constexpr const char* kKeptRecordingsSchema = "vqas-recordings/1";

/// Fails with bad_input if the file is missing or damaged.
Result<KeptRecordings> read_kept_recordings(const std::filesystem::path& run);
/// Replaces the file as a whole; it is on the disk when this returns. Fails with io.
Status write_kept_recordings(const std::filesystem::path& run, const KeptRecordings& kept);

/// "7 of 12 recordings were removed by the plan's rules on recordings: 5 by choice, 2 by age"; empty if none was.
std::string removed_in_words(const KeptRecordings& kept);

}  // namespace vqas
