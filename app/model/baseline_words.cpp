#include "model/baseline_words.h"

#include <QDateTime>

#include "vqas/campaign/baseline.h"
#include "vqas/corpus/corpus.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

QString baseline_words(const std::filesystem::path& folder, const QDateTime& now) {
  std::error_code unknown;
  if (!std::filesystem::exists(folder, unknown)) return u"no baseline is kept yet"_s;
  const auto baseline = read_baseline(folder);
  if (!baseline) return QString::fromStdString(baseline.error().message);
  return QString::fromStdString(
      baseline_sentence(baseline->run, folder, now.toUTC().toString(Qt::ISODate).toStdString()));
}

Status make_baseline(const std::filesystem::path& run, const std::filesystem::path& corpus) {
  const auto read = Corpus::load(corpus);
  if (!read) return read.error();
  return keep_baseline(run, *read);
}

}  // namespace vqas::app
