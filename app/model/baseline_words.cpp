#include "model/baseline_words.h"

#include <QDateTime>

#include "model/text.h"
#include "model/words.h"
#include "vqas/campaign/baseline.h"
#include "vqas/corpus/corpus.h"

namespace vqas::app {

QString baseline_words(const std::filesystem::path& folder, const QDateTime& now) {
  std::error_code unknown;
  if (!std::filesystem::exists(folder, unknown)) return Text::tr("No baseline is kept yet.");
  const auto baseline = read_baseline(folder);
  if (!baseline) return sentence(QString::fromStdString(baseline.error().message));
  return sentence(QString::fromStdString(
      baseline_sentence(baseline->run, folder, now.toUTC().toString(Qt::ISODate).toStdString())));
}

Status make_baseline(const std::filesystem::path& run, const std::filesystem::path& corpus) {
  const auto read = Corpus::load(corpus);
  if (!read) return read.error();
  return keep_baseline(run, *read);
}

}  // namespace vqas::app
