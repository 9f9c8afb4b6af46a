#include "vqas/campaign/recording_keeper.h"

#include <QDateTime>
#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "campaign/run_files.h"
#include "vqas/campaign/renewed_report.h"
#include "vqas/node/run_lock.h"
#include "vqas/report/report.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

constexpr double kDay_s = 86400;

// 0 for what is no time: age does not reach such a run, and a cap reaches it first.
double seconds_of(const std::string& utc) {
  const auto time = QDateTime::fromString(QString::fromStdString(utc), Qt::ISODate);
  return time.isValid() ? 1e-3 * static_cast<double>(time.toMSecsSinceEpoch()) : 0;
}

bool is_left_over(const fs::path& run, const KeptRecordings& kept) {
  return std::ranges::any_of(kept.recordings, [&](const KeptRecording& one) {
    std::error_code failed;
    return one.removed && fs::exists(fs::symlink_status(run / one.name, failed));
  });
}

}  // namespace

Status RecordingKeeper::know(const fs::path& run) {
  auto kept = read_kept_recordings(run);
  if (!kept) return add(run);
  Known known{*std::move(kept), 0, false};
  known.ended_s = seconds_of(known.kept.ended_utc);
  Status mended = success();
  if (is_left_over(run, known.kept)) mended = write(run, known);
  runs_.insert_or_assign(run, std::move(known));
  return mended;
}

Status RecordingKeeper::add(const fs::path& run) {
  const auto stored = load_run(run);
  if (!stored) return stored.error();
  const auto before = read_kept_recordings(run);
  Known known{choose_recordings(stored->results, rules_), 0, false};
  known.ended_s = seconds_of(known.kept.ended_utc);
  for (KeptRecording& one : known.kept.recordings) {
    std::error_code failed;
    const std::uintmax_t bytes = fs::file_size(run / one.name, failed);
    one.bytes = failed ? 0 : bytes;
    // A resumed run chooses anew among what is left; what is gone stays gone, and by the rule that removed it.
    if (!before) continue;
    const auto same = std::ranges::find(before->recordings, one.name, &KeptRecording::name);
    if (same == before->recordings.end() || !same->removed) continue;
    one.bytes = same->bytes;
    one.removed = same->removed;
  }
  const Status written = write(run, known);
  runs_.insert_or_assign(run, std::move(known));
  return written;
}

Status RecordingKeeper::write(const fs::path& run, Known& known) const {
  known.changed = true;
  const auto lock = RunLock::take(run);
  if (!lock && lock.error().code == ErrorCode::io) return lock.error();
  if (!lock) return success();  // another process measures there; tidy() tries again
  if (Status written = write_kept_recordings(run, known.kept); !written) return written;
  if (known.kept.removed() > 0) {
    if (const auto renewed = renew_report(run); !renewed) return renewed.error();
    std::vector<std::string> names;
    for (const KeptRecording& one : known.kept.recordings) {
      if (one.removed) names.push_back(one.name);
    }
    if (Status removed = remove_recordings(run, names); !removed) return removed;
  }
  known.changed = false;
  return success();
}

void RecordingKeeper::remove_the_old(double utc_s) {
  if (rules_.days <= 0) return;
  for (auto& [run, known] : runs_) {
    if (known.ended_s <= 0 || known.ended_s + rules_.days * kDay_s >= utc_s) continue;
    for (KeptRecording& one : known.kept.recordings) {
      if (one.removed) continue;
      one.removed = RemovedBy::age;
      known.changed = true;
    }
  }
}

void RecordingKeeper::remove_the_surplus() {
  std::uint64_t held = bytes();
  if (rules_.cap_bytes == 0 || held <= rules_.cap_bytes) return;
  struct Place {
    KeptRecording* one;
    Known* run;
  };
  std::vector<Place> left;
  for (auto& [run, known] : runs_) {
    for (KeptRecording& one : known.kept.recordings) {
      if (!one.removed) left.push_back({&one, &known});
    }
  }
  // Stable: of runs that ended in one second the order of their folders counts.
  std::ranges::stable_sort(left, {},
                           [](const Place& place) { return std::pair(place.one->interest, place.run->ended_s); });
  for (const Place& place : left) {
    if (held <= rules_.cap_bytes) break;
    place.one->removed = RemovedBy::size;
    place.run->changed = true;
    held -= place.one->bytes;
  }
}

Result<std::size_t> RecordingKeeper::tidy(double utc_s) {
  const auto removed = [this] {
    std::size_t count = 0;
    for (const auto& [run, known] : runs_) count += known.kept.removed();
    return count;
  };
  const std::size_t before = removed();
  remove_the_old(utc_s);
  remove_the_surplus();
  // One folder that cannot be written does not keep the others from being tidied.
  std::optional<Error> fault;
  for (auto& [run, known] : runs_) {
    if (!known.changed) continue;
    if (const Status written = write(run, known); !written && !fault) fault = written.error();
  }
  return fault ? Result<std::size_t>(*fault) : Result<std::size_t>(removed() - before);
}

std::uint64_t RecordingKeeper::bytes() const {
  std::uint64_t sum = 0;
  for (const auto& [run, known] : runs_) sum += known.kept.bytes();
  return sum;
}

std::uint64_t RecordingKeeper::bytes_of(const fs::path& run) const {
  const auto known = runs_.find(run);
  return known == runs_.end() ? 0 : known->second.kept.bytes();
}

std::uint64_t RecordingKeeper::removed_bytes_of(const fs::path& run) const {
  const auto known = runs_.find(run);
  std::uint64_t sum = 0;
  if (known == runs_.end()) return sum;
  for (const KeptRecording& one : known->second.kept.recordings) sum += one.removed ? one.bytes : 0;
  return sum;
}

}  // namespace vqas
