#include "calls/scoring/call_corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "node/line_only/line_stimuli.h"
#include "node/line_only/status_marks.h"
#include "node/play/outgoing.h"

namespace vqas {

Status CallCorpus::check(const Corpus& corpus, const std::vector<std::string>& chosen, int rate_hz) {
  for (const std::string& id : chosen) {
    if (corpus.find(id) != nullptr) continue;
    return Error{ErrorCode::bad_input,
                 fmt::format("the corpus has no stimulus \"{}\"; \"vqas corpus list\" shows them", id)};
  }
  return check_line_stimuli(corpus, chosen, rate_hz);
}

Result<CallCorpus> CallCorpus::load(const Corpus& corpus, const std::vector<std::string>& chosen, int rate_hz) {
  if (const Status checked = check(corpus, chosen, rate_hz); !checked) return checked.error();
  CallCorpus loaded;
  loaded.digest_ = short_digest(corpus.digest());
  for (const Stimulus& one : corpus.stimuli()) {
    // Of those that are not chosen the length alone is needed.
    auto recording = corpus.recording(one.id, one.files.contains(rate_hz) ? rate_hz : kLineRateHz);
    if (!recording) return recording.error();
    if (chosen.empty() || std::ranges::find(chosen, one.id) != chosen.end())
      loaded.chosen_.push_back(loaded.ids_.size());
    loaded.ids_.push_back(one.id);
    loaded.references_.emplace_back(std::move(recording).value());
  }
  return loaded;
}

std::vector<std::size_t> CallCorpus::lengths() const {
  std::vector<std::size_t> lengths;
  for (const ReferenceSpeech& one : references_) lengths.push_back(length_at_mark_rate(one.at_line_rate()));
  return lengths;
}

std::vector<bool> CallCorpus::wanted() const {
  std::vector<bool> wanted(ids_.size(), false);
  for (const std::size_t one : chosen_) wanted[one] = true;
  return wanted;
}

SpokenItem CallCorpus::spoken(const MarkData& data) const {
  PlayItem item = compose_outgoing(references_[data.stimulus].at_line_rate(), data, {}, {});
  return {item.silence, std::make_shared<const std::vector<float>>(std::move(item.samples))};
}

std::size_t CallCorpus::longest() const {
  const TransmissionOptions options;
  std::size_t longest = 0;
  for (const std::size_t one : chosen_) {
    const std::size_t length = length_at_mark_rate(references_[one].at_line_rate());
    longest = std::max(longest, transmission_layout(length, options).total);
  }
  return longest + static_cast<std::size_t>(gap_for_guard(options.guard_s) * kLineRateHz);
}

std::vector<NumberedStimulus> numbered_rounds(const CallCorpus& corpus, std::uint32_t run_id, std::size_t least) {
  const std::vector<bool> wanted = corpus.wanted();
  std::vector<NumberedStimulus> numbered;
  for (std::uint32_t number = 1; numbered.size() < least || (number - 1) % wanted.size() != 0; ++number) {
    const std::size_t stimulus = stimulus_of(run_id, number, wanted.size());
    if (wanted[stimulus]) numbered.push_back({number, stimulus});
  }
  return numbered;
}

}  // namespace vqas
