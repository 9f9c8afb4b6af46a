#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "vqas/corpus/corpus.h"
#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// Why a recording is refused for a corpus.
enum class Refusal {
  none,
  unreadable,    ///< not a readable recording: missing, damaged, of an unknown format, stereo without a chosen channel,
                 ///< not finite
  bad_name,      ///< id, talker, text or licence is not valid in a manifest
  taken,         ///< the corpus already has a stimulus with that id
  rate_too_low,  ///< sampled below 8 kHz
  silent,        ///< digital silence, or nothing above the room
  too_quiet,     ///< speech so quiet that 16-bit quantisation would be heard after levelling
  no_speech,     ///< a sound without the variation of speech
  clipped,       ///< flat tops
  noisy,         ///< too small a distance between the speech and the noise floor
  narrow,        ///< the upper part of the telephone band is missing
  cut_off,       ///< speech at the very first or last instant
  too_short,     ///< less than kShortestStimulusS with its pauses
  too_long,      ///< more than kLongestStimulusS with its pauses
  too_peaky,     ///< peaks would exceed full scale at the nominal level
};

/// The refusal's name in JSON: "clipped".
const char* name_of(Refusal refusal);

/// Shortest and longest stimulus, pauses included, in seconds. Below two there is too little speech for a stable level
/// (P.56 settles with 30 ms and holds 200 ms) and score; above ten line time is wasted (NTIA 98-354 used 3 to 6).
inline constexpr double kShortestStimulusS = 2.0;
inline constexpr double kLongestStimulusS = 10.0;

/// Properties of a recording, as far as the checks went.
struct ImportFigures {
  int source_rate_hz = 0;
  double source_level_dbov = 0;  ///< active speech level (P.56) of the file as given
  double snr_db = 0;             ///< active speech level minus noise floor
  double duration_s = 0;         ///< of the stimulus, pauses included
  bool wide = false;             ///< a 16 kHz recording is made, or could be: the speech extends above 4 kHz
};

/// The verdict on one recording.
struct Examination {
  Refusal refusal = Refusal::none;
  std::string reason;  ///< why, and the remedy, without a final full stop; empty when accepted
  ImportFigures figures;
  Signal master;  ///< levelled, with its pauses, at 16 kHz when `wide`, otherwise 8 kHz; empty when refused
};

/// Examines a recording and makes a stimulus from it: checks, trims, levels (doc/corpus.md gives every threshold with
/// its reason). Pure: the same signal and id give the same stimulus. `id` seeds the room noise. Re-entrant.
Examination examine_recording(const Signal& recording, const std::string& id);

/// A recording to import into a corpus.
struct ImportRequest {
  std::filesystem::path file;
  int channel = 0;  ///< counted from 1; 0: the file must be mono
  std::string id;
  std::string talker;
  std::string text;
  std::string licence;
};

/// Result of one request.
struct ImportOutcome {
  ImportRequest request;
  Refusal refusal = Refusal::none;
  std::string reason;  ///< names the file; empty when the recording was accepted
  ImportFigures figures;
};

/// Imports recordings into the corpus in `folder`, which is created if necessary. Refused recordings are reported, the
/// others are imported. The manifest is replaced atomically after all recordings are on disk, so a reader sees the old
/// corpus or the new one. Outcomes are in the order of the requests. Fails with bad_input when the folder holds a
/// manifest that cannot be read, with io on a system error or when another import holds the folder.
Result<std::vector<ImportOutcome>> import_recordings(const std::filesystem::path& folder,
                                                     const std::vector<ImportRequest>& requests);

}  // namespace vqas
