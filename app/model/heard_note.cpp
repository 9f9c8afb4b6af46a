#include "model/heard_note.h"

#include <algorithm>

#include "model/words.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

std::vector<HeardMeasurement> heard_measurements(const RunResults& results) {
  std::vector<HeardMeasurement> heard;
  for (const DirectionRun& direction : results.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& one : stimulus.measurements) {
        if (!one.mos_lqo) continue;
        heard.push_back(
            {direction.from, one.sequence,
             u"No. %1, %2: %3, %4"_s.arg(QString::number(one.sequence), direction_label(direction.from),
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
  if (!measured) return {{}, u"Choose the measurement that sounds different"_s};
  if (text.isEmpty()) return {{}, u"Write what you heard"_s};
  if (text.size() > kLongest) return {{}, u"Shorten the note to %1 characters"_s.arg(kLongest)};
  OperatorNote note;
  note.from = measured->from;
  note.sequence = measured->sequence;
  note.text = text.toStdString();
  note.sounds_different = true;
  note.written_utc = now.toUTC().toString(Qt::ISODate).toStdString();
  return {note, {}};
}

}  // namespace vqas::app
