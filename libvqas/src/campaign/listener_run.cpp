#include "vqas/campaign/listener_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "vqas/campaign/earlier_run.h"
#include "vqas/signal/unfinished_files.h"

namespace vqas {

namespace fs = std::filesystem;

Result<ListenerRun> prepare_listener_run(const fs::path& folder, bool resume, bool force,
                                         const std::string& corpus_digest, const std::string& command) {
  RecorderOptions options;
  options.command = command;
  options.baseline.clear();  // a baseline covers both ends
  if (!resume || !fs::exists(folder / kJournalFile)) {
    FolderAdvice advice;
    advice.to_continue = "continue it: give the same command with --resume";
    auto made = prepare_run_folder(folder, force, advice);
    if (!made) return made.error();
    return ListenerRun{RunRecorder::create(*std::move(made), std::move(options)), {}};
  }
  auto lock = RunLock::take(folder);
  if (!lock) return lock.error();
  remove_unfinished_files(folder);
  auto earlier = read_stored_run(folder);
  if (!earlier) return earlier.error();
  if (Status same = check_score_version(folder, *earlier); !same) return same.error();
  if (earlier->results.corpus_digest != corpus_digest || earlier->results.directions.size() != 1) {
    return Error{ErrorCode::bad_input,
                 fmt::format("the run in {} was measured with another corpus or by two nodes; name another folder",
                             folder.string())};
  }
  for (const StimulusRun& stimulus : earlier->results.directions[0].stimuli) {
    if (std::ranges::all_of(stimulus.measurements, [](const Measurement& one) { return one.sent_as.has_value(); }))
      continue;
    return Error{
        ErrorCode::bad_input,
        fmt::format("the run in {} does not say which transmissions it has counted, because an earlier release "
                    "wrote it, and what is heard again would count twice; name another folder",
                    folder.string())};
  }
  options.about = earlier->results.about;
  auto recorder = RunRecorder::resume(folder, *std::move(lock), earlier->results, std::move(options));
  return ListenerRun{std::move(recorder), std::move(earlier->results)};
}

std::string recording_name(const DirectionRun& direction, const std::string& stimulus, std::uint32_t sequence) {
  return fmt::format("recordings/{}-{}-{:04}.flac", direction_name(direction.from), stimulus, sequence);
}

}  // namespace vqas
