#include "model/phrases.h"

#include <QHash>
#include <QLocale>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <optional>
#include <vector>

#include "model/text.h"
#include "model/texts/phrase_book.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int kDeepest = 6;        // parts of parts
constexpr qsizetype kOfAPart = 4;  // a phrase with fewer letters of its own only joins parts

struct Phrase {
  const char* english;
  QRegularExpression pattern;
  qsizetype letters;  // beside the placeholders
};

const QRegularExpression& placeholder() {
  static const QRegularExpression found(u"%([1-9])"_s);
  return found;
}

Phrase phrase_of(const char* english) {
  QString pattern = QRegularExpression::escape(QString::fromUtf8(english));
  // The escape of % is \%.
  pattern.replace(QRegularExpression(u"\\\\%[1-9]"_s), u"(.+?)"_s);
  return {
      english,
      QRegularExpression(QRegularExpression::anchoredPattern(pattern), QRegularExpression::DotMatchesEverythingOption),
      QString::fromUtf8(english).remove(placeholder()).size()};
}

/// Whole texts, and those with placeholders: the ones with more words of their own first, because they say more.
struct Book {
  QHash<QString, const char*> whole;
  std::vector<Phrase> composed;
};

const Book& book() {
  static const Book made = [] {
    Book book;
    for (const char* const english : phrase_book()) {
      const QString text = QString::fromUtf8(english);
      if (text.contains(placeholder()))
        book.composed.push_back(phrase_of(english));
      else
        book.whole.insert(text, english);
    }
    std::ranges::stable_sort(book.composed, std::ranges::greater(), &Phrase::letters);
    return book;
  }();
  return made;
}

bool is_english() {
  return Text::tr("en", "code of this language") == u"en"_s;
}

/// A decimal point becomes that of the language; those of addresses and names stay.
QString with_numbers(QString text) {
  static const QRegularExpression number(u"(?<![\\w.])([-+±<>]?\\d+)\\.(\\d+)(?![\\w.]|:\\d)"_s);
  return text.replace(number, u"\\1"_s + QLocale().decimalPoint() + u"\\2"_s);
}

std::optional<QString> found(const QString& english, int depth) {
  if (const char* const whole = book().whole.value(english)) return QCoreApplication::translate("Phrase", whole);
  if (depth > kDeepest) return std::nullopt;
  for (const Phrase& phrase : book().composed) {
    if (depth == 0 && phrase.letters < kOfAPart) continue;
    const QRegularExpressionMatch match = phrase.pattern.match(english);
    if (!match.hasMatch()) continue;
    // The placeholders of the source may stand in any order.
    QString text = QCoreApplication::translate("Phrase", phrase.english), made;
    const QString source = QString::fromUtf8(phrase.english);
    QHash<QString, QString> parts;
    int group = 0;
    for (auto it = placeholder().globalMatch(source); it.hasNext();) {
      const QString part = match.captured(++group);
      parts[it.next().captured(1)] = found(part, depth + 1).value_or(with_numbers(part));
    }
    qsizetype end = 0;
    for (auto it = placeholder().globalMatch(text); it.hasNext();) {
      const QRegularExpressionMatch place = it.next();
      made += text.mid(end, place.capturedStart() - end) + parts.value(place.captured(1));
      end = place.capturedEnd();
    }
    return made + text.mid(end);
  }
  return std::nullopt;
}

}  // namespace

QString translated(const QString& english) {
  if (is_english()) return english;
  return found(english, 0).value_or(with_numbers(english));
}

QString translated(const std::string& english) {
  return translated(QString::fromStdString(english));
}

QString message_words(const QString& english) {
  if (english.isEmpty() || is_english()) return english;
  const std::optional<QString> words = found(english, 0);
  return words ? *words : Text::tr("Message: “%1”").arg(english);
}

QString message_words(const std::string& english) {
  return message_words(QString::fromStdString(english));
}

QStringList phrases() {
  QStringList all;
  for (const char* const english : phrase_book()) all += QString::fromUtf8(english);
  return all;
}

}  // namespace vqas::app
