#pragma once

#include "vqas/run/run.h"
#include "vqas/score/score.h"
#include "vqas/sync/capture.h"

namespace vqas {

/// Scores what was received for one transmission: where its mark was found and read the place of the speech is known
/// and what arrived there is scored, whatever it is. Without a mark, or with one that does not say what it belongs to,
/// the score's own search decides, and speech that it does not recognise as the reference gets no score. Leaves delay
/// and recording empty. The result depends on the capture and the reference alone.
///
/// Where the marks tell that the line's delay stepped between them, the speech is looked for from the leading mark's
/// place to the trailing mark's. Speech that is found nowhere there is looked for in all that was received, and scored
/// elsewhere only where it is recognised as the reference, whole; so is speech of which much is missing where the
/// trailing mark is lost. Where the marks tell of a step, the search in all that was received is always made, too, and
/// the better score counts. `placement` is where the speech was looked for in the end; nothing where that was
/// everywhere.
///
/// `clock_drift_ppm` is the marks' where the capture before had the same and the speech does not contradict it by more
/// than 30 ppm, or the speech agrees; else the speech's own.
///
/// Overdriven input: four or more samples in a row within one 16-bit step of full scale and of one sign are taken for
/// a clipped converter. What a G.711 decoder gives cannot be mistaken for it: its largest value is 32124/32768 (mu-law)
/// or 32256/32768 (A-law), so a line that was overdriven at the far end is scored as the line that it is.
Measurement measure_capture(const Capture& capture, const Signal& reference, Scorer& scorer);

struct PlacedMeasurement {
  Measurement measurement;
  /// How far the speech was found behind the place that its mark gives, in ms; nothing without either.
  std::optional<double> speech_moved_ms;
  /// What the speech itself shows of the clocks; nothing where it shows nothing, or nothing precise.
  std::optional<double> speech_drift_ppm = std::nullopt;
};

/// The same, and where the speech was. Re-entrant for scorers of their own.
PlacedMeasurement measure_and_place(const Capture& capture, const Signal& reference, Scorer& scorer);

/// True when the receiver's own input was overdriven, by the rule above.
bool is_clipped(const Signal& recording);

/// "both", "leading_only", "trailing_only", "none".
std::string_view to_string(MarksFound marks);

/// The samples as a 16-bit recording holds them, so that the score of a kept recording can be repeated exactly.
Signal as_recorded(const Signal& signal);

}  // namespace vqas
