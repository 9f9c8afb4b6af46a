#include "node/line_only/line_stimuli.h"

#include <fmt/format.h>

#include "node/line_only/status_marks.h"

namespace vqas {

Status check_line_stimuli(const Corpus& corpus, int rate_hz) {
  if (corpus.stimuli().empty() || corpus.stimuli().size() >= kSignPlace)
    return Error{ErrorCode::bad_input, "over the line alone a corpus may have 1 to 254 stimuli"};
  for (const Stimulus& one : corpus.stimuli()) {
    if (one.files.contains(rate_hz)) continue;
    return Error{
        ErrorCode::bad_input,
        fmt::format("the corpus has no recording of {} at 16 kHz, which a line of HD voice needs; leave hd=yes "
                    "out, or import the corpus from recordings of 16 kHz or more",
                    one.id)};
  }
  return success();
}

}  // namespace vqas
