#include "node/line_only/line_stimuli.h"

#include <fmt/format.h>

#include <algorithm>

#include "node/line_only/status_marks.h"

namespace vqas {

Status check_line_stimuli(const Corpus& corpus, const std::vector<std::string>& chosen, int rate_hz) {
  if (corpus.stimuli().empty() || corpus.stimuli().size() >= kSignPlace)
    return Error{ErrorCode::bad_input, "over the line alone a corpus may have 1 to 254 stimuli"};
  for (const Stimulus& one : corpus.stimuli()) {
    const bool is_chosen = chosen.empty() || std::ranges::find(chosen, one.id) != chosen.end();
    if (!is_chosen || one.files.contains(rate_hz)) continue;
    return Error{
        ErrorCode::bad_input,
        fmt::format("the corpus has no recording of {} at 16 kHz, which a line of HD voice needs; leave hd=yes "
                    "out, or import the corpus from recordings of 16 kHz or more",
                    one.id)};
  }
  return success();
}

}  // namespace vqas
