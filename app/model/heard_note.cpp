#include "model/heard_note.h"

#include <algorithm>

#include "model/text.h"
#include "model/words.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

std::vector<HeardMeasurement> heard_measurements(const RunResults& results) {
  std::vector<HeardMeasurement> heard;
  for (const DirectionRun& direction : results.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& one : stimulus.measurements) {
        if (!one.mos_lqo) continue;
        heard.push_back({direction.from, one.sequence,
                         Text::tr("No. %1, %2: %3, %4")
                             .arg(QString::number(one.sequence), direction_label(direction.from),
                                  QString::fromStdString(stimulus.stimulus), mos_words(one.mos_lqo))});
      }
    }
  }
  std::stable_sort(heard.begin(), heard.end(), [](const HeardMeasurement& a, const HeardMeasurement& b) {
    return a.sequence != b.sequence ? a.sequence > b.sequence : a.from < b.from;
  });
  return heard;
}

NoteReading read_note(const std::optional<HeardMeasurement>& measured, const QString& words, const QDateTime& now) {
  // In UTF-8 this stays below the limit of a run's notes.
  constexpr qsizetype kLongest = 1000;
  const QString text = words.simplified();
  if (!measured) return {{}, Text::tr("Choose the measurement that sounds different")};
  if (text.isEmpty()) return {{}, Text::tr("Write what you heard")};
  if (text.size() > kLongest) return {{}, Text::tr("Shorten the note to %1 characters").arg(kLongest)};
  OperatorNote note;
  note.from = measured->from;
  note.sequence = measured->sequence;
  note.text = text.toStdString();
  note.sounds_different = true;
  note.written_utc = now.toUTC().toString(Qt::ISODate).toStdString();
  return {note, {}};
}

}  // namespace vqas::app
