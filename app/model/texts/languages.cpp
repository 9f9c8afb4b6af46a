#include "model/languages.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QSettings>

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

// Of the system's languages the first one that the program has.
QString language_of_system() {
  for (const QString& name : QLocale::system().uiLanguages()) {
    const QString code = name.left(2);
    if (language_codes().contains(code)) return code;
  }
  return u"en"_s;
}

}  // namespace

QStringList language_codes() {
  return {u"en"_s, u"de"_s};
}

QString language_name(const QString& code) {
  if (code == u"en"_s) return u"English"_s;
  return code == u"de"_s ? u"Deutsch"_s : code;
}

Languages::~Languages() {
  use(u"en"_s);
}

void Languages::begin(const QString& asked) {
  const QString chosen = settings_ != nullptr ? settings_->value(u"language"_s).toString() : QString();
  for (const QString& code : {asked, chosen})
    if (language_codes().contains(code)) return use(code);
  use(language_of_system());
}

void Languages::choose(const QString& code) {
  if (!language_codes().contains(code)) return;
  if (settings_ != nullptr) {
    settings_->setValue(u"language"_s, code);
    settings_->sync();
  }
  use(code);
}

void Languages::use(const QString& code) {
  code_ = code;
  QCoreApplication::removeTranslator(&words_);
  QCoreApplication::removeTranslator(&qt_);
  QLocale locale(code);
  locale.setNumberOptions(QLocale::OmitGroupSeparator);
  QLocale::setDefault(locale);
  if (code == u"en"_s) return;
  if (qt_.load(u"qtbase_"_s + code, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
    QCoreApplication::installTranslator(&qt_);
  if (words_.load(u":/translations/vqas_"_s + code)) QCoreApplication::installTranslator(&words_);
}

}  // namespace vqas::app
