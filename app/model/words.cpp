#include "model/words.h"

#include <QLocale>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "model/phrases.h"
#include "model/text.h"
#include "vqas/report/summary.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

QString direction_label(End from) {
  return from == End::a ? Text::tr("A to B") : Text::tr("B to A");
}

QString outcome_words(Outcome outcome) {
  switch (outcome) {
    case Outcome::scored:
      return Text::tr("Scored");
    case Outcome::not_found:
      return Text::tr("Nothing of the sentence was found");
    case Outcome::not_aligned:
      return Text::tr("What arrived does not match the sentence");
    case Outcome::no_speech:
      return Text::tr("No speech in what was received");
    case Outcome::too_short:
      return Text::tr("Too little arrived");
    case Outcome::clipped_input:
      return Text::tr("The receiver's input was overdriven");
    case Outcome::bad_input:
      return Text::tr("A recording could not be used");
    case Outcome::audio_fault:
      return Text::tr("Spoilt by the sound device, the machine or another sender");
    case Outcome::line_lost:
      return Text::tr("The line was lost");
    case Outcome::cancelled:
      return Text::tr("Stopped before it was measured");
  }
  return Text::tr("Unknown outcome");
}

QString impairment_words(Impairment impairment) {
  return translated(QString::fromUtf8(to_string(impairment)).replace(u'_', u' '));
}

QString mos_words(std::optional<double> mos) {
  return mos && std::isfinite(*mos) ? number_words(*mos, 2) : u"–"_s;
}

QString scale_words(ScoreMode mode) {
  return QString::fromUtf8(scale_name(mode));
}

QString half_width_words(std::optional<double> half_width, ScoreMode mode) {
  return half_width && std::isfinite(*half_width) ? translated(half_width_text(*half_width, mode)) : QString();
}

QString confidence_words(double confidence) {
  return QLocale().toString(confidence * 100, 'g', 4) + u" %"_s;
}

QString model_error_words(const Provenance& provenance) {
  if (provenance.model_error_mos <= 0) return Text::tr("The model's own error comes on top and is not known.");
  return Text::tr("The model's own error comes on top: about ±%1 MOS (1 σ, against %2).")
      .arg(number_words(provenance.model_error_mos, 2), translated(provenance.model_error_label));
}

QString number_words(double value, int decimals) {
  return QLocale().toString(value, 'f', decimals);
}

QString number_words(double value) {
  return QLocale().toString(value, 'g', 3);
}

QString measurements_words(std::size_t count) {
  return count == 1 ? Text::tr("1 measurement") : Text::tr("%1 measurements").arg(count);
}

QString date_format() {
  return Text::tr("yyyy-MM-dd HH:mm");
}

QString told(const QString& english, int lines) {
  return sentence(message_words(english), lines);
}

QString told(const std::string& english, int lines) {
  return told(QString::fromStdString(english), lines);
}

QString sentence(const QString& message, int lines) {
  static const QRegularExpression ordinary_word(u"^\\p{L}+(\\s|$)"_s);
  QStringList rows = message.trimmed().split(u'\n', Qt::SkipEmptyParts);
  if (rows.isEmpty()) return {};
  const bool cut = rows.size() > lines;
  if (cut) rows = rows.mid(0, lines);
  QString text = rows.join(u'\n');
  // The name of a file, an option or the command itself keeps its spelling.
  if (ordinary_word.match(text).hasMatch() && !text.startsWith(u"vqas"_s)) text[0] = text[0].toUpper();
  if (cut) return text + u" …"_s;
  const bool ends = text.endsWith(u'.') || text.endsWith(u'?') || text.endsWith(u'!') || text.endsWith(u'…');
  return ends ? text : text + u'.';
}

QString duration_words(double seconds) {
  const auto whole = static_cast<long long>(std::ceil(std::max(seconds, 1.0)));
  if (whole < 60) return Text::tr("%1 s").arg(whole);
  if (whole < 3600) {
    const QString minutes = Text::tr("%1 min").arg(whole / 60);
    return whole % 60 == 0 ? minutes : Text::tr("%1 %2 s").arg(minutes).arg(whole % 60);
  }
  const auto minutes = (whole + 59) / 60;
  const QString hours = Text::tr("%1 h").arg(minutes / 60);
  return minutes % 60 == 0 ? hours : Text::tr("%1 %2 min").arg(hours).arg(minutes % 60);
}

}  // namespace vqas::app
