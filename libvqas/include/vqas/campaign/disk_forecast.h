#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vqas/signal/result.h"
#include "vqas/store/plan.h"

namespace vqas {

/// Bytes of a run on the disk of its campaign.
struct RunBytes {
  std::uint64_t most = 0;        ///< while it is measured, before the rules of [keep]
  std::uint64_t recordings = 0;  ///< that stay in its folder
  std::uint64_t others = 0;      ///< that stay besides: journal, reports, copies in an archive on the same disk
};

/// What is known of a campaign's disk before a run.
struct DiskOutlook {
  std::uint64_t free_bytes = 0;
  RunBytes planned;                    ///< a run by its plan, at most
  std::span<const RunBytes> measured;  ///< the last runs; empty: the plan counts
  /// When the runs that are left begin, in s from the next one's beginning, which is the first of them; those beyond
  /// kForeseen_s may be left out.
  std::vector<double> begins_s = {0};
  std::uint64_t recordings_held = 0;  ///< bytes of all runs so far
  /// Bytes that recordings of all runs grow to by the rules of [keep]; nothing: without end.
  std::optional<std::uint64_t> recordings_cap;
};

struct DiskForecast {
  std::uint64_t free_bytes = 0;
  std::uint64_t run_bytes = 0;  ///< that the next run needs, with kSpareShare
  bool fits = true;             ///< the next run
  /// Seconds until a run will not fit, if that comes within kForeseen_s and before the campaign ends.
  std::optional<double> full_in_s;
};

/// A run varies in the number of its transmissions, so it gets that much more room than the largest of those before.
inline constexpr double kSpareShare = 0.25;
/// How far the forecast looks, and when an operator is told. They differ so that a forecast at the edge is told once.
inline constexpr double kForeseen_s = 1.25 * 86400, kFullSoon_s = 86400;

/// The need of the runs that are left against the free space: from the plan, and once runs were measured, from the
/// largest of these for the next run and their mean for what stays. Re-entrant; asks no disk.
DiskForecast foresee_disk(const DiskOutlook& outlook);

/// A run of the plan with so many stimuli, at most: each with the longest recording of the corpus.
RunBytes planned_bytes(const CampaignPlan& plan, std::size_t stimuli);
/// What `runs` runs need at most until the last of them has ended.
std::uint64_t bytes_needed(const RunBytes& run, std::size_t runs, std::optional<std::uint64_t> recordings_cap);
/// What the rules of [keep] let all recordings of the campaign grow to if each run leaves `recordings` bytes; nothing:
/// without end.
std::optional<std::uint64_t> recordings_cap(const CampaignPlan& plan, std::uint64_t recordings);

/// "the run needs 120 MB, and the disk of winter has 14 MB free; make room" for a run that does not fit.
std::string disk_full_in_words(const DiskForecast& forecast, const std::filesystem::path& folder);

/// Free space for this user on the disk of `folder`, or of its nearest parent that exists; nothing if the system does
/// not tell.
std::optional<std::uint64_t> free_bytes_of(const std::filesystem::path& folder);
/// Bytes of all regular files below `folder`; follows no links.
std::uint64_t bytes_below(const std::filesystem::path& folder);

}  // namespace vqas
