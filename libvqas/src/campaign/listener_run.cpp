#include "vqas/campaign/listener_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "vqas/campaign/earlier_run.h"
#include "vqas/run/recording_name.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

// The number in "a-to-b-M6-0001.flac"; 0: the file is no recording of that direction.
std::uint32_t number_of(const fs::path& recording, const DirectionRun& direction) {
  const std::string name = recording.stem().string();
  const std::size_t dash = name.rfind('-');
  if (!name.starts_with(fmt::format("{}-", direction_name(direction.from))) || dash == std::string::npos) return 0;
  std::uint32_t number = 0;
  const auto [end, fault] = std::from_chars(name.data() + dash + 1, name.data() + name.size(), number);
  return fault == std::errc() && end == name.data() + name.size() ? number : 0;
}

// A lost line of the journal has left its recording, which is written first.
std::uint32_t last_sequence_of(const fs::path& folder, const DirectionRun& direction) {
  std::uint32_t last = 0;
  for (const StimulusRun& stimulus : direction.stimuli) {
    for (const Measurement& one : stimulus.measurements) last = std::max(last, one.sequence);
  }
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / kRecordingsFolder, failed))
    last = std::max(last, number_of(entry.path(), direction));
  return last;
}

}  // namespace

Result<ListenerRun> prepare_listener_run(const fs::path& folder, bool resume, bool force,
                                         const std::string& corpus_digest, const std::string& command) {
  RecorderOptions options;
  options.command = command;
  options.baseline.clear();  // a baseline covers both ends
  if (!resume) {
    FolderAdvice advice;
    advice.to_continue = "continue it: give the same command with --resume";
    auto made = prepare_run_folder(folder, force, advice);
    if (!made) return made.error();
    return ListenerRun{RunRecorder::create(*std::move(made), std::move(options)), {}, 0, {}};
  }
  auto claimed = claim_run(folder);
  if (!claimed) return claimed.error();
  const StoredRun& stored = *claimed->survey.run;
  const RunResults& earlier = stored.results;
  if (claimed->survey.session || earlier.directions.size() != 1 || earlier.corpus_digest != corpus_digest) {
    return Error{ErrorCode::bad_input,
                 fmt::format("the run in {} was measured with another corpus or by two nodes; name another folder",
                             folder.string())};
  }
  // Of an earlier release, which did not write them.
  for (const StimulusRun& stimulus : earlier.directions[0].stimuli) {
    if (std::ranges::all_of(stimulus.measurements, [](const Measurement& one) { return one.sent_as.has_value(); }))
      continue;
    return Error{ErrorCode::bad_input,
                 fmt::format("the run in {} does not say which transmissions it has counted, and what is heard again "
                             "would count twice; name another folder",
                             folder.string())};
  }
  options.about = earlier.about;
  const std::uint32_t last = last_sequence_of(folder, earlier.directions[0]);
  // The senders' numbers have gaps. Numbers are lost only where lines are.
  const std::vector<std::uint32_t> next = stored.damaged > 0 ? std::vector{last + 1} : std::vector<std::uint32_t>();
  auto recorder = RunRecorder::resume(folder, std::move(claimed->lock), earlier, next, std::move(options));
  return ListenerRun{std::move(recorder), earlier, last, std::move(claimed->notice)};
}

}  // namespace vqas
