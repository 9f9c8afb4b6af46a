#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "calls/media/call_part.h"
#include "receive/reference_speech.h"
#include "vqas/corpus/corpus.h"
#include "vqas/signal/end.h"
#include "vqas/sync/mark.h"

namespace vqas {

/// The stimuli of the calls in memory. Immutable; safe to read from several threads.
class CallCorpus {
 public:
  /// `chosen`: ids of the stimuli that are sent and expected; empty: all. `rate_hz` is the lines', 8000 or 16000.
  /// Fails with bad_input, as check() does and where a recording cannot be read.
  static Result<CallCorpus> load(const Corpus& corpus, const std::vector<std::string>& chosen, int rate_hz);
  /// Without reading a recording.
  static Status check(const Corpus& corpus, const std::vector<std::string>& chosen, int rate_hz);

  std::uint16_t digest() const { return digest_; }
  const std::vector<ReferenceSpeech>& references() const { return references_; }
  const std::string& id(std::size_t stimulus) const { return ids_[stimulus]; }
  /// Of all stimuli, in samples at 8 kHz.
  std::vector<std::size_t> lengths() const;
  /// Places of the chosen stimuli in the corpus, ascending.
  const std::vector<std::size_t>& chosen() const { return chosen_; }
  /// As the order of a sender over the line alone has it (status_marks.h), with true for each chosen stimulus.
  std::vector<bool> wanted() const;
  /// Silence, marks and sentence, as a node sends them.
  SpokenItem spoken(const MarkData& data) const;
  /// Of the longest chosen one, in samples at 8 kHz.
  std::size_t longest() const;

 private:
  std::uint16_t digest_ = 0;
  std::vector<std::string> ids_;
  std::vector<ReferenceSpeech> references_;
  std::vector<std::size_t> chosen_;
};

/// Numbers of the chosen stimuli's transmissions in the order of a sender over the line alone: at least `least`, whole
/// rounds, with their places in the corpus.
struct NumberedStimulus {
  std::uint32_t number = 0;
  std::size_t stimulus = 0;
};
std::vector<NumberedStimulus> numbered_rounds(const CallCorpus& corpus, std::uint32_t run_id, std::size_t least);

}  // namespace vqas
