#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "vqas/corpus/corpus.h"
#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// One sentence to be spoken for the project's corpus.
struct Utterance {
  std::string id;      ///< "M1" to "M6", "F1" to "F6"
  std::string talker;  ///< "M" or "F"
  std::string voice;   ///< name of the synthesis voice: "rms" (male) or "slt" (female)
  std::string text;
  double stretch = 1;  ///< duration relative to the voice's own speed; keeps each stimulus within 3 to 6 s
};

/// The twelve sentences, male talker first: sentences 1 to 6 of NTIA Report 98-354, table in its section 2.
std::vector<Utterance> project_utterances();

/// A voice for the utterances: a synthesiser, or a test double.
struct Synthesiser {
  std::string name;  ///< program and version, for the manifest's recipe
  std::string licence;
  /// Returns the speech at 16 kHz or more.
  std::function<Result<Signal>(const Utterance&)> speak;
};

/// Makes the project's corpus in `folder`. Each utterance is synthesised, high-pass filtered, brightened, trimmed to
/// its speech, given pauses of room noise, brought to -26 dBov (ITU-T P.56) and written at 8 and 16 kHz with the
/// manifest (doc/corpus.md gives the recipe with its reasons). The same speech gives the same bytes. Existing
/// recordings of the same names are replaced. Fails with bad_input when the folder holds a corpus with other stimuli,
/// with the synthesiser's own error, or with io.
Result<Corpus> build_corpus(const std::filesystem::path& folder, const Synthesiser& synthesiser);

}  // namespace vqas
