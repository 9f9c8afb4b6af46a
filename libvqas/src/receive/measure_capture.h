#pragma once

#include "vqas/run/run.h"
#include "vqas/score/score.h"
#include "vqas/sync/capture.h"

namespace vqas {

/// Scores the capture of one transmission. If its mark was found and decoded, the position of the speech is known, and
/// whatever arrived there is scored. Without a mark, or with one that does not identify the transmission, the score's
/// own search decides, and speech that it does not recognise as the reference gets no score. Leaves delay and recording
/// empty. The result depends only on the capture and the reference.
///
/// If the marks show that the line's delay stepped between them, the speech is searched for from the leading mark's
/// position to the trailing mark's. Speech not found there is searched for in everything received, and scored elsewhere
/// only if it is recognised as the reference, complete; the same applies to speech of which much is missing if the
/// trailing mark is lost. If the marks show a step, everything received is always searched too, and the better score
/// counts. `placement` is the range finally searched; nothing for everything.
///
/// `clock_drift_ppm` is the marks' drift if the previous capture had the same and the speech does not contradict it by
/// more than 30 ppm, or if the speech agrees; else the speech's own.
///
/// Overdriven input: 0.5 ms or more (four samples at 8 kHz) within one 16-bit step of full scale and of one sign count
/// as a clipped converter. The output of a G.711 decoder cannot be mistaken for it: its largest value is 32124/32768
/// (mu-law) or 32256/32768 (A-law), so a line that was overdriven at the far end is scored as it is.
Measurement measure_capture(const Capture& capture, const Signal& reference, Scorer& scorer);

struct PlacedMeasurement {
  Measurement measurement;
  /// How far the speech was found after the position given by its mark, in ms; nothing without either.
  std::optional<double> speech_moved_ms;
  /// The drift that the speech itself shows; nothing if it shows none, or none precise enough.
  std::optional<double> speech_drift_ppm = std::nullopt;
};

/// The same, with the position of the speech. Re-entrant with separate scorers.
PlacedMeasurement measure_and_place(const Capture& capture, const Signal& reference, Scorer& scorer);

/// True if the receiver's own input was overdriven, by the rule above.
bool is_clipped(const Signal& recording);

/// The samples as in a 16-bit recording, so that the score of a stored recording can be repeated exactly.
Signal as_recorded(const Signal& signal);

}  // namespace vqas
