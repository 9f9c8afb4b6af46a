#include "receive/overdue_mark.h"

#include <algorithm>
#include <limits>

#include "vqas/signal/idle_noise.h"
#include "vqas/signal/level.h"

namespace vqas {
namespace {

// The weighted level of a transmission's first 4 s, without its mark, is at most this far below the active level of its
// speech. Measured: 6.0 to 10.4 dB over the stimuli of the corpus.
constexpr double kLeastOfSpeech_db = 11;
// Room for changes of the line's gain, where the noise is far below.
constexpr double kMargin_db = 6;
// Nearer levels cannot be told apart: two windows of 4 s of the same noise differ by less than 1 dB.
constexpr double kApart_db = 3;

// Between both marks the sentence came whole: the level of one that was cut off is too low.
const Measurement* last_whole(const DirectionRun& direction) {
  const Measurement* last = nullptr;
  for (const StimulusRun& stimulus : direction.stimuli) {
    for (const Measurement& one : stimulus.measurements) {
      if (one.marks_found == MarksFound::both && one.level_difference_db &&
          (last == nullptr || last->sequence < one.sequence))
        last = &one;
    }
  }
  return last;
}

}  // namespace

bool may_be_speech(const IdleInput& heard, const DirectionRun& before) {
  if (heard.kind != IdleInput::Kind::noise) return false;
  const Measurement* const last = last_whole(before);
  if (last == nullptr || !heard.level_dbm0p) return true;
  const double gain_db = *last->level_difference_db;
  const double speech_dbov = kNominalSpeechLevelDbov + gain_db - kLeastOfSpeech_db;
  double noise_dbov = -std::numeric_limits<double>::infinity();
  if (last->findings && last->findings->noise_dbm0p)
    noise_dbov = *last->findings->noise_dbm0p + zero_dbm0_dbov(gain_db);
  const double apart_db = speech_dbov - noise_dbov;
  if (apart_db < kApart_db) return true;
  return *heard.level_dbm0p + kZeroDbm0MuLawDbov > speech_dbov - std::min(apart_db / 2, kMargin_db);
}

}  // namespace vqas
