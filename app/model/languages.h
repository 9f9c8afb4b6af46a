#pragma once

#include <QStringList>
#include <QTranslator>
#include <optional>

class QSettings;

namespace vqas::app {

/// The languages of the window by their codes, "en" and "de".
QStringList language_codes();

/// The name of a language in that language, "Deutsch". For a code that language_codes() lacks: the code.
QString language_name(const QString& code);

/// The language of the program and of its numbers on the screen. One for each program, in the thread of its window, and
/// while the application lives. Files keep English words and the decimal point.
class Languages {
 public:
  /// Remembers the choice in `settings`, which outlive this object; null: nothing is remembered.
  explicit Languages(QSettings* settings = nullptr) : settings_(settings) {}
  ~Languages();
  Languages(const Languages&) = delete;
  Languages& operator=(const Languages&) = delete;

  /// Begins with `asked`, if it is a language; else with the one that was chosen last; else with the system's, or
  /// English.
  void begin(const QString& asked = {});
  /// From now on the program speaks this language, and does when it is started again.
  void choose(const QString& code);
  const QString& code() const { return code_; }

 private:
  void use(const QString& code);

  QSettings* settings_;
  QString code_ = QStringLiteral("en");
  QTranslator words_;  // of this program
  QTranslator qt_;     // of Qt's own dialogs, if they are installed
};

}  // namespace vqas::app
