// What the page shows of a run in progress.
#include <QFileInfo>
#include <QPushButton>
#include <QTabWidget>
#include <QtConcurrent>
#include <algorithm>

#include "model/findings.h"
#include "model/phrases.h"
#include "model/words.h"
#include "view/direction_panel.h"
#include "view/findings_view.h"
#include "view/listen_view.h"
#include "view/log_view.h"
#include "view/measure_page.h"
#include "view/message_bar.h"
#include "view/note_dialog.h"
#include "view/time_view.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

// In the order of the panels.
std::size_t panel_of(End from) {
  return from == End::a ? 0 : 1;
}

QString letter(End end) {
  return end == End::a ? u"A"_s : u"B"_s;
}

// Transmissions of a direction of which something arrived.
std::ptrdiff_t heard_count(const RunResults& results, End from) {
  std::ptrdiff_t heard = 0;
  for (const DirectionRun& direction : results.directions) {
    if (direction.from != from) continue;
    for (const StimulusRun& run : direction.stimuli)
      heard += std::ranges::count_if(run.measurements, [](const Measurement& one) {
        return any_mark(one.marks_found) || one.outcome == Outcome::scored;
      });
  }
  return heard;
}

}  // namespace

void MeasurePage::connect_session() {
  connect(session_.get(), &RunSession::phase_changed, this, &MeasurePage::set_phase);
  connect(session_.get(), &RunSession::updated, this,
          [this](const SharedResults& results) { show_results(results, false); });
  connect(session_.get(), &RunSession::progressed, this, [this](const RunProgress& progress, const QString& current) {
    status_.progress = progress;
    status_.current = current;
    refresh_state();
  });
  connect(session_.get(), &RunSession::noted, this, [this](const QString& fault, const QString& follows) {
    message_.show_message([fault, follows] {
      if (!fault.isEmpty()) return tr("The note was not kept: %1").arg(translated(fault));
      return follows.isEmpty() ? tr("Noted. This stimulus is measured again, up to the cap")
                               : tr("Noted: %1").arg(translated(follows));
    });
  });
  connect(session_.get(), &RunSession::run_begins, this, &MeasurePage::show_run_of);
  connect(session_.get(), &RunSession::noticed, this,
          [this](const QString& what) { message_.show_message([what] { return message_words(what); }); });
  connect(session_.get(), &RunSession::waiting, this, [this](const QString& for_what) {
    status_.waiting = for_what;
    refresh_disagree();
    refresh_state();
  });
  connect(session_.get(), &RunSession::held, this, [this](bool yes) {
    status_.pausing = status_.held = yes;
    refresh_buttons();
    refresh_state();
  });
  connect(session_.get(), &RunSession::silent, this, &MeasurePage::show_silence);
  connect(session_.get(), &RunSession::asked_to_trust, this, &MeasurePage::ask_for_trust);
  connect(session_.get(), &RunSession::finished, this, &MeasurePage::end_run);
}

QString MeasurePage::pause_words() const {
  if (status_.followed) return tr("Leave");
  return status_.pausing ? tr("Continue") : tr("Pause");
}

// On a dead line the sentence under way does not come.
QString MeasurePage::stop_words() const {
  return status_.phase == RunPhase::stopping ? tr("Stop now") : tr("Stop");
}

void MeasurePage::follow(const QString& folder) {
  if (is_running(status_.phase) || !line_is_free_) return;
  RunSettings settings;
  settings.line = LineKind::nodes;
  settings.follows = true;
  settings.folder = folder;
  begin(settings);
}

// The other program measures on.
void MeasurePage::leave_followed() {
  session_->disconnect(this);
  session_.release()->deleteLater();
  status_.followed = false;
  set_phase(RunPhase::idle);
}

// A server may be slow to answer.
void MeasurePage::show_kept(const KeptRun& kept) {
  using Loaded = std::shared_ptr<const Result<StoredRun>>;
  message_.show_message([] { return tr("Reading the run"); });
  QtConcurrent::run([kept]() -> Loaded {
    return std::make_shared<const Result<StoredRun>>(load_kept(kept));
  }).then(this, [this, kept, asked = ++kept_asked_](const Loaded& run) {
    if (asked != kept_asked_) return;
    if (!*run) return message_.show_message([why = run->error().message] { return message_words(why); });
    message_.hide();
    show_loaded(kept, **run);
  });
}

// A run of another time in the place of the last one.
void MeasurePage::show_loaded(const KeptRun& kept, const StoredRun& run) {
  forget_run();
  listen_->set_folder(kept.folder);
  status_.kept = kept.store.isEmpty() ? QString::fromStdString(kept.folder.filename().string()) : run_name(kept);
  last_end_.folder = QString::fromStdString(kept.folder.string());
  const QString report = last_end_.folder + u"/report.html"_s;
  if (kept.store.isEmpty() && QFileInfo::exists(report)) last_end_.report = report;
  show_results(std::make_shared<const RunResults>(run.results), true);
  set_phase(run.results.ended_because.empty() ? RunPhase::finished : RunPhase::failed);
}

void MeasurePage::forget_run() {
  ++kept_asked_;
  numbers_.clear();
  measurements_.clear();
  findings_->show_findings({});
  time_->show_results({});
  last_end_ = RunEnd{};
  shown_.reset();
  refresh_error_note();
  status_ = RunStatus{};
  heard_before_ = {};
  for (const End from : {End::a, End::b}) end_silence(from);
}

// Each run of a campaign has its own folder. A note of the run before would be kept in the wrong one.
void MeasurePage::show_run_of(const QString& folder) {
  if (auto* const note = findChild<NoteDialog*>()) note->reject();
  measurements_.clear();
  listen_->set_folder(folder.toStdString());
}

void MeasurePage::refresh_panels() {
  std::array<const DirectionPlot*, 2> plots{};
  for (int direction = 0; direction < numbers_.directions(); ++direction) {
    const DirectionPlot& plot = numbers_.plot(direction);
    // A run of B to A alone belongs on the right.
    plots[panel_of(plot.from)] = &plot;
  }
  for (std::size_t i = 0; i < plots.size(); ++i) {
    if (plots[i] != nullptr)
      panels_[i]->show_plot(*plots[i]);
    else
      panels_[i]->show_nothing();
  }
  const int unscored = log_.rowCount();
  tabs_->setTabText(tabs_->indexOf(log_view_), unscored == 0 ? tr("Not scored") : tr("Not scored (%1)").arg(unscored));
  if (numbers_.measured() > 0)
    log_view_->set_empty_text([running = is_running(status_.phase)] {
      return running ? tr("Every measurement so far was scored") : tr("Every measurement was scored");
    });
  else
    log_view_->set_empty_text([] { return tr("Nothing has been measured yet"); });
}

void MeasurePage::show_results(const SharedResults& results, bool over) {
  const bool other_scale = (shown_ ? shown_->mode : ScoreMode::narrowband) != results->mode;
  // What arrived in another run says nothing of this one.
  if (shown_ && shown_->about.uuid != results->about.uuid) {
    heard_before_ = {};
    for (const End from : {End::a, End::b}) end_silence(from);
  }
  shown_ = results;
  shown_over_ = over;
  if (other_scale) refresh_error_note();
  measurements_.update(*results);
  numbers_.update(*results, over);
  time_->show_results(time_plot(*results));
  findings_->show_findings(findings_of(*results));
  clear_silence(*results);
  status_.measured = numbers_.measured();
  status_.scored = numbers_.scored();
  refresh_disagree();
  refresh_state();
  if (over && numbers_.measured() > 0) tabs_->setCurrentWidget(findings_);
}

// Only while more can be measured: between two runs of a campaign the first is over.
void MeasurePage::refresh_disagree() {
  disagree_->setEnabled(status_.phase == RunPhase::measuring && status_.scored > 0 && status_.waiting.isEmpty());
}

void MeasurePage::show_silence(End from, const QString& what) {
  panels_[panel_of(from)]->show_warning([what] { return told(what); });
  heard_before_[panel_of(from)] = shown_ ? heard_count(*shown_, from) : 0;
  if (!status_.silent.contains(letter(from))) status_.silent.append(letter(from));
  status_.silent.sort();
  silence_told_[panel_of(from)].start();
  refresh_state();
}

void MeasurePage::end_silence(End from) {
  silence_told_[panel_of(from)].stop();
  panels_[panel_of(from)]->show_warning({});
  status_.silent.removeAll(letter(from));
  refresh_state();
}

// The warning of a direction goes when something more of it has arrived, or when its receiver does not repeat it.
void MeasurePage::clear_silence(const RunResults& results) {
  for (const DirectionRun& direction : results.directions) {
    if (heard_count(results, direction.from) <= heard_before_[panel_of(direction.from)]) continue;
    end_silence(direction.from);
  }
}

void MeasurePage::ask_for_note() {
  auto* dialog = new NoteDialog(heard_measurements(*shown_), services_.now, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &NoteDialog::written, this, [this](const OperatorNote& note) { session_->note(note); });
  dialog->open();
}

void MeasurePage::ask_for_trust(const QString& question) {
  status_.waiting = u"your answer"_s;
  refresh_state();
  emit asked_to_trust(question, [this](bool yes) {
    status_.waiting.clear();
    refresh_state();
    session_->trust(yes);
  });
}

void MeasurePage::end_run(const RunEnd& end, const SharedResults& results) {
  if (results) show_results(results, true);
  last_end_ = end;
  status_.pausing = status_.held = false;
  set_phase(end.phase);
  // The question whether to stop this run is no longer needed.
  message_.hide();
  if (auto* const note = findChild<NoteDialog*>()) note->reject();
  const Words why = [message = end.message] { return message_words(message); };
  if (end.resumable && !end.message.isEmpty())
    message_.show_message(why, {{[] { return tr("&Resume"); }, [this] { resume(last_end_.folder); }},
                                {[] { return tr("&Dismiss"); }, {}}});
  else if (!end.message.isEmpty())
    message_.show_message(why);
  (open_report_->isEnabled() ? open_report_ : start_)->setFocus();
  emit run_finished(end);
}

}  // namespace vqas::app
