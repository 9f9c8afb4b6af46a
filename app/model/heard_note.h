#pragma once

#include <QDateTime>
#include <QString>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vqas/run/run.h"

namespace vqas::app {

/// A measurement that an operator may have listened to.
struct HeardMeasurement {
  End from = End::a;           ///< the direction
  std::uint32_t sequence = 0;  ///< its number in its direction
  QString words;               ///< "No. 12, A to B: M6, 3.41"
};

/// The measurements of a run that have a score, the highest number first, and A to B before B to A.
/// Pure, re-entrant.
std::vector<HeardMeasurement> heard_measurements(const RunResults& results);

/// The result of a form: a note, or its fault.
struct NoteReading {
  std::optional<OperatorNote> note;
  QString fault;  ///< with the cure; empty when there is a note
};

/// The note that `measured` sounds different from its score, in the operator's words; at most 1000 characters and not
/// empty. `now` is when it was written. Pure, re-entrant.
NoteReading read_note(const std::optional<HeardMeasurement>& measured, const QString& words, const QDateTime& now);

}  // namespace vqas::app
