#include "places.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include "vqas/corpus/default_corpus.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

std::filesystem::path find_program(const std::string& option) {
  if (!option.empty()) return option;
  const QDir here(QCoreApplication::applicationDirPath());
  for (const QString& candidate : {here.filePath(u"vqas"_s), here.filePath(u"../tools/vqas"_s)}) {
    const QFileInfo file(candidate);
    if (file.isFile() && file.isExecutable()) return file.canonicalFilePath().toStdString();
  }
  return QStandardPaths::findExecutable(u"vqas"_s).toStdString();
}

Result<std::filesystem::path> find_corpus(const std::string& option) {
  CorpusPlaces places;
  places.option = option;
  places.environment = qEnvironmentVariable("VQAS_CORPUS").toStdString();
  const QDir here(QCoreApplication::applicationDirPath());
  places.fallbacks.emplace_back(here.filePath(u"../share/vqas/corpus"_s).toStdString());
  for (const char* const folder : {VQAS_CORPUS_DIRS}) places.fallbacks.emplace_back(folder);
  return find_default_corpus(places);
}

}  // namespace vqas::app
