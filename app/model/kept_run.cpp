#include "model/kept_run.h"

#include <QStringList>
#include <algorithm>
#include <system_error>

#include "model/repeats/kept_campaign.h"
#include "model/words.h"
#include "vqas/campaign/earlier_run.h"
#include "vqas/campaign/operator_note.h"
#include "vqas/campaign/run_folder.h"
#include "vqas/node/run_lock.h"
#include "vqas/report/report.h"
#include "vqas/store/run_store.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

QString tag(const RunAbout& about, const std::string& name) {
  const auto found = about.tags.find(name);
  return found == about.tags.end() ? QString() : QString::fromStdString(found->second);
}

QString line_words(const RunResults& run) {
  if (run.simulated.empty()) return QString::fromStdString(run.line);
  if (!run.profile.empty()) return u"Simulated, by a profile"_s;
  const LineConditions& conditions = run.simulated.begin()->second;
  return u"Simulated, bit error ratio %1"_s.arg(QString::number(conditions.ber, 'g', 3).replace(u"e-0"_s, u"e-"_s));
}

QString words_of(const FolderSurvey& survey, bool resumable) {
  if (survey.state == FolderState::damaged) return QString::fromStdString(survey.why);
  if (survey.state == FolderState::complete) return u"complete"_s;
  return resumable ? u"broken off, can be resumed"_s : u"broken off"_s;
}

// The window's own simulated line ended with its run; one that nodes serve is still there. A campaign starts its
// simulated line again.
bool can_be_resumed(const std::filesystem::path& folder, const FolderSurvey& survey) {
  if (survey.state != FolderState::resumable || !survey.session) return false;
  if (const auto campaign = campaign_with_repeats(folder)) return resumable_campaign(*campaign).has_value();
  return !has_own_line(folder, survey.session->holder);
}

KeptRun kept_run(const std::filesystem::path& folder, const FolderSurvey& survey) {
  KeptRun kept;
  kept.folder = folder;
  kept.state = survey.state;
  std::error_code unknown;
  kept.has_report = std::filesystem::is_regular_file(folder / "report.html", unknown);
  if (!survey.run) {
    kept.state_words = words_of(survey, false);
    return kept;
  }
  const RunResults& run = survey.run->results;
  kept.in_progress = run_goes_on(folder);
  kept.resumable = !kept.in_progress && can_be_resumed(folder, survey);
  kept.state_words = kept.in_progress ? u"being measured"_s : words_of(survey, kept.resumable);
  kept.started = QDateTime::fromString(QString::fromStdString(run.started_utc), Qt::ISODate);
  kept.mode = run.mode;
  kept.line = line_words(run) + (run.mode == ScoreMode::wideband ? u", wideband (MOS-LQOW)"_s : QString());
  kept.site = tag(run.about, "site");
  kept.circuit = tag(run.about, "circuit");
  QStringList notes{QString::fromStdString(run.about.notes)};
  for (const OperatorNote& one : run.notes) notes += QString::fromStdString(one.text);
  notes.removeAll(QString());
  kept.notes = notes.join(u"; "_s);
  for (const DirectionRun& direction : run.directions) {
    DirectionSummary summary = summarise(direction, run.sampling);
    kept.measured += summary.outcomes.total();
    kept.scored += summary.outcomes.of(Outcome::scored);
    kept.directions[direction.from == End::a ? 0 : 1] = std::move(summary);
  }
  return kept;
}

}  // namespace

Result<StoredRun> load_kept(const KeptRun& run) {
  if (run.store.isEmpty()) return load_run(run.folder);
  auto store = RunStore::open(run.store.toStdString(), RunStore::Access::read);
  if (!store) return store.error();
  return store->load(run.uuid.toStdString());
}

std::vector<KeptRun> read_kept_runs(const std::filesystem::path& folder) {
  std::vector<KeptRun> runs;
  const auto folders = run_folders(folder);
  if (!folders) return runs;
  for (const std::filesystem::path& one : *folders) {
    const FolderSurvey survey = survey_folder(one);
    if (holds_a_run(survey.state)) runs.push_back(kept_run(one, survey));
  }
  std::ranges::stable_sort(runs, [](const KeptRun& a, const KeptRun& b) { return a.started > b.started; });
  return runs;
}

QString run_name(const KeptRun& run, const QString& date_format) {
  QStringList parts;
  for (const QString& part : {run.site, run.circuit})
    if (!part.isEmpty()) parts += part;
  if (run.started.isValid()) parts += run.started.toLocalTime().toString(date_format);
  return parts.isEmpty() ? QString::fromStdString(run.folder.filename().string()) : parts.join(u", "_s);
}

Result<std::filesystem::path> write_comparison(const std::vector<KeptRun>& runs, const std::filesystem::path& folder) {
  std::vector<StoredRun> read;
  std::vector<std::string> names;
  for (const KeptRun& one : runs) {
    auto run = load_kept(one);
    if (!run) return run.error();
    read.push_back(*std::move(run));
    const QString name = run_name(one);
    const bool alike =
        std::ranges::count_if(runs, [&name](const KeptRun& other) { return run_name(other) == name; }) > 1;
    const QString place =
        one.store.isEmpty() ? QString::fromStdString(one.folder.filename().string()) : one.uuid.left(8);
    const QString in_folder = u"%1 (%2)"_s.arg(name, place);
    names.push_back((alike ? in_folder : name).toStdString());
  }
  std::filesystem::path page = folder / "comparison.html";
  if (const Status written = write_campaign_page(page, read, names, true); !written) return written.error();
  return page;
}

}  // namespace vqas::app
