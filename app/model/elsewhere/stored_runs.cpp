#include "model/elsewhere/stored_runs.h"

#include <QUrl>
#include <algorithm>
#include <limits>

#include "model/run_settings.h"
#include "vqas/report/summary.h"
#include "vqas/store/run_store.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

QString tag(const StoredRunInfo& run, const char* name) {
  const auto found = run.tags.find(name);
  return found == run.tags.end() ? QString() : QString::fromStdString(found->second);
}

// A store lists means without their intervals; the run itself has them.
KeptRun kept_run(const StoredRunInfo& run, const QString& url) {
  KeptRun kept;
  kept.store = url;
  kept.uuid = QString::fromStdString(run.uuid);
  kept.started = QDateTime::fromString(QString::fromStdString(run.started_utc), Qt::ISODate);
  kept.line = QString::fromStdString(run.line);
  kept.mode = run.is_wideband() ? ScoreMode::wideband : ScoreMode::narrowband;
  kept.site = tag(run, "site");
  kept.circuit = tag(run, "circuit");
  kept.measured = run.measurements;
  kept.scored = run.scored;
  kept.state = run.ended_because.empty() ? FolderState::complete : FolderState::resumable;
  kept.state_words = run.ended_because.empty() ? u"complete"_s : u"broken off"_s;
  for (const StoredMean& one : run.means) {
    DirectionSummary summary;
    summary.mean.mean = one.mos_lqo;
    summary.mean.strata = 1;
    summary.mean.half_width = std::numeric_limits<double>::infinity();
    summary.conditional = one.share_unscored > kConditionalShare || one.largest_share_unscored >= 1;
    kept.directions.at(one.from == End::a ? 0 : 1) = summary;
  }
  return kept;
}

}  // namespace

QString store_url(const QString& typed, const QString& home) {
  const QString text = typed.trimmed();
  const QString sqlite = u"sqlite:"_s;
  // Whatever is no file is told, where it is opened, if it is no server of the right kind.
  if (text.isEmpty() || (text.contains(u"://"_s) && !text.startsWith(sqlite))) return text;
  const QString path = text.startsWith(sqlite) ? text.mid(sqlite.size()) : text;
  return sqlite + typed_path(path, home);
}

QString without_password(const QString& url) {
  if (!url.contains(u"://"_s)) return url;
  // An address that cannot be taken apart may hold a password anywhere.
  const QUrl parsed(url);
  return parsed.isValid() ? parsed.toString(QUrl::RemovePassword) : QString();
}

Result<std::vector<KeptRun>> read_stored_runs(const QString& url) {
  auto store = RunStore::open(url.toStdString(), RunStore::Access::read);
  if (!store) return store.error();
  const auto listed = store->list();
  if (!listed) return listed.error();
  std::vector<KeptRun> runs;
  for (const StoredRunInfo& one : *listed) runs.push_back(kept_run(one, url));
  std::ranges::reverse(runs);
  return runs;
}

Result<std::size_t> put_into_store(const std::vector<KeptRun>& runs, const QString& url) {
  auto store = RunStore::open(url.toStdString());
  if (!store) return store.error();
  std::size_t added = 0;
  for (const KeptRun& one : runs) {
    const auto taken = store->take(one.folder);
    if (!taken) return taken.error();
    added += taken->measurements;
  }
  return added;
}

}  // namespace vqas::app
