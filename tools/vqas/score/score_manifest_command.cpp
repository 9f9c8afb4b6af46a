#include "score/score_manifest_command.h"

#include <fmt/format.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "terminal/command.h"
#include "terminal/interrupts.h"
#include "terminal/plain_streams.h"

namespace vqas::cli {
namespace {

std::string duration(double seconds) {
  const auto whole = static_cast<long>(std::ceil(seconds));
  if (whole >= 3600) return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
  return whole >= 60 ? fmt::format("{} min {} s", whole / 60, whole % 60) : fmt::format("{} s", whole);
}

std::string progress_text(const BatchProgress& progress) {
  std::string text = fmt::format("{} of {} pairs", progress.written, progress.pairs);
  const std::size_t now = progress.written - progress.found;
  if (now == 0) return text;
  const auto left = static_cast<double>(progress.pairs - progress.written);
  return text + ", " + duration(left * progress.seconds / static_cast<double>(now)) + " left";
}

void print(const BatchSummary& summary, const BatchOptions& options) {
  fmt::print("{} of {} pairs are in {}, {} with a score", summary.progress.written, summary.progress.pairs,
             options.out.string(), summary.scored);
  if (summary.progress.found > 0) fmt::print("; {} were there already", summary.progress.found);
  fmt::print(".\n");
  const auto [narrowband, wideband] = summary.scored_by_mode;
  if (wideband > 0) {
    fmt::print("{} scores are MOS-LQOW (wideband), {} MOS-LQON (column score_version){}.\n", wideband, narrowband,
               narrowband > 0 ? ": never average or compare the two; --mode nb scores all by one model" : "");
  }
  for (const Outcome outcome : kAllOutcomes) {
    const std::size_t count = summary.outcomes[static_cast<std::size_t>(outcome)];
    if (outcome != Outcome::scored && count > 0)
      fmt::print("{}: {} (column error says why)\n", to_string(outcome), count);
  }
  if (summary.cancelled) fmt::print("Stopped. Give the same command again to continue.\n");
}

void print_json(const BatchSummary& summary, const BatchOptions& options) {
  nlohmann::ordered_json json;
  json["manifest"] = options.manifest.string();
  json["out"] = options.out.string();
  json["pairs"] = summary.progress.pairs;
  json["written"] = summary.progress.written;
  json["found"] = summary.progress.found;
  json["scored"] = summary.scored;
  const auto [narrowband, wideband] = summary.scored_by_mode;
  json["scored_by_mode"] = {{"nb", narrowband}, {"wb", wideband}};
  json["cancelled"] = summary.cancelled;
  json["seconds"] = summary.progress.seconds;
  json["outcomes"] = nlohmann::ordered_json::object();
  for (const Outcome outcome : kAllOutcomes) {
    const std::size_t count = summary.outcomes[static_cast<std::size_t>(outcome)];
    if (count > 0) json["outcomes"][std::string(to_string(outcome))] = count;
  }
  std::cout << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
}

// Most commands take a dash for a standard stream; a batch cannot.
Status check_names(const BatchOptions& options) {
  if (options.manifest == "-") {
    return Error{ErrorCode::bad_input,
                 "--manifest -: the manifest is read more than once, so it cannot come from standard input; name a "
                 "file, or write ./- for a file named -"};
  }
  if (options.out == "-") {
    return Error{ErrorCode::bad_input,
                 "--out -: a batch continues from what its file holds, so the scores cannot go to standard output; "
                 "name a file, or write ./- for a file named -"};
  }
  return success();
}

// Each pair needs about the memory of the one before: to hand it back to the system and to fetch it again takes a 25th
// of the time of a score. Of the process, so a library call does not decide it.
void keep_freed_memory() {
#if defined(__GLIBC__)
  constexpr int kMiB = 1 << 20;
  ::mallopt(M_MMAP_THRESHOLD, 32 * kMiB);  // the most that glibc takes
  ::mallopt(M_TRIM_THRESHOLD, 256 * kMiB);
  ::mallopt(M_TOP_PAD, 4 * kMiB);
#endif
}

}  // namespace

int score_manifest_command(const BatchOptions& options, bool json) {
  if (const Status named = check_names(options); !named) return report_error(named.error());
  keep_freed_memory();
  Interrupts interrupts;
  const bool on_terminal = ::isatty(STDERR_FILENO) != 0;
  const auto summary = score_manifest(options, [&](const BatchProgress& progress) {
    if (on_terminal) {
      move_cursor(std::cerr, kToLineStart);
      std::cerr << progress_text(progress) << std::flush;
    }
    return !interrupts.arrived();
  });
  if (on_terminal) move_cursor(std::cerr, kToLineStart);
  if (!summary) return report_error(summary.error());
  json ? print_json(*summary, options) : print(*summary, options);
  if (summary->cancelled) return kCancelled;
  return summary->scored == summary->progress.pairs ? kOk : kNotMeasured;
}

}  // namespace vqas::cli
