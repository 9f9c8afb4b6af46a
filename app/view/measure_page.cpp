#include "view/measure_page.h"

#include <QAccessible>
#include <QFileDialog>
#include <QFileInfo>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "model/form_memory.h"
#include "view/direction_panel.h"
#include "view/listen_view.h"
#include "view/log_view.h"
#include "view/message_bar.h"
#include "view/note_dialog.h"
#include "view/settings_panel.h"
#include "view/wrapped_label.h"
#include "vqas/report/report.h"

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

}  // namespace

MeasurePage::MeasurePage(const WindowServices& services, MessageBar& message, QWidget* parent)
    : QWidget(parent), services_(services), message_(message) {
  auto* body = new QSplitter(Qt::Horizontal);
  body->setChildrenCollapsible(false);
  body->addWidget(make_settings());
  body->addWidget(make_results());
  body->setStretchFactor(1, 1);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(make_top());
  layout->addWidget(body, 1);
  layout->addWidget(make_error_note());
  connect_models();
  set_phase(RunPhase::idle);
  start_->setFocus();
}

MeasurePage::~MeasurePage() {
  // The session's last signals must not reach a page that is partly destroyed.
  if (session_) session_->disconnect(this);
}

void MeasurePage::set_line_free(bool free) {
  line_is_free_ = free;
  refresh_buttons();
}

void MeasurePage::abandon() {
  session_.reset();
  status_.phase = RunPhase::cancelled;
}

void MeasurePage::connect_models() {
  connect(settings_, &SettingsPanel::edited, this, [this] {
    if (faults_shown_) check_fields(false);
  });
  connect(&numbers_, &RunModel::changed, this, &MeasurePage::refresh_panels);
  connect(&log_, &QAbstractItemModel::rowsInserted, this, &MeasurePage::refresh_panels);
  connect(&log_, &QAbstractItemModel::modelReset, this, &MeasurePage::refresh_panels);
}

void MeasurePage::connect_session() {
  connect(session_.get(), &RunSession::phase_changed, this, &MeasurePage::set_phase);
  connect(session_.get(), &RunSession::updated, this,
          [this](const SharedResults& results) { show_results(results, false); });
  connect(session_.get(), &RunSession::progressed, this, [this](const RunProgress& progress, const QString& current) {
    status_.progress = progress;
    status_.current = current;
    refresh_state();
  });
  connect(session_.get(), &RunSession::noted, this, [this](const QString& fault) {
    message_.show_message(fault.isEmpty() ? u"Noted. This stimulus is measured again, up to the cap"_s
                                          : u"The note was not kept: %1"_s.arg(fault));
  });
  connect(session_.get(), &RunSession::noticed, this, [this](const QString& what) { message_.show_message(what); });
  connect(session_.get(), &RunSession::waiting, this, [this](const QString& for_what) {
    status_.waiting = for_what;
    refresh_state();
  });
  connect(session_.get(), &RunSession::silent, this, &MeasurePage::show_silence);
  connect(session_.get(), &RunSession::asked_to_trust, this, &MeasurePage::ask_for_trust);
  connect(session_.get(), &RunSession::finished, this, &MeasurePage::end_run);
}

void MeasurePage::set_form(const SettingsForm& form) {
  settings_->set_form(form);
}

FormReading MeasurePage::reading() const {
  return read_form(settings_->form(), services_.home, services_.now());
}

QStringList MeasurePage::faults() const {
  QStringList messages;
  for (const FieldFault& fault : reading().faults) messages.append(fault.message);
  return messages;
}

void MeasurePage::check_fields(bool take_focus) {
  const auto faults = reading().faults;
  settings_->show_faults(faults, take_focus);
  faults_shown_ = !faults.empty();
}

void MeasurePage::start() {
  if (is_running(status_.phase) || !line_is_free_) return;
  const FormReading checked = reading();
  check_fields(true);
  if (!checked.faults.empty()) return emit refused();
  if (services_.memory != nullptr) {
    services_.memory->remember(settings_->form());
    settings_->set_recent(services_.memory->recent());
  }
  begin(checked.settings);
}

void MeasurePage::resume(const QString& folder) {
  if (is_running(status_.phase) || !line_is_free_) return;
  const SettingsForm form = settings_->form();
  RunSettings settings;
  settings.line = LineKind::nodes;
  settings.resumes = true;
  settings.folder = typed_path(folder, services_.home);
  settings.access_a = typed_path(form.access_a, services_.home);
  settings.access_b = typed_path(form.access_b, services_.home);
  begin(settings);
}

void MeasurePage::choose_run() {
  // Opens beside the window without blocking it.
  auto* dialog = new QFileDialog(this, u"Resume the run in this results folder"_s, results_home());
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this, &MeasurePage::resume);
  dialog->open();
}

void MeasurePage::begin(const RunSettings& settings) {
  message_.hide();
  numbers_.clear();
  measurements_.clear();
  listen_->set_folder(settings.folder.toStdString());
  last_end_ = RunEnd{};
  shown_.reset();
  status_ = RunStatus{};
  for (DirectionPanel* panel : panels_) panel->show_warning({});
  status_.simulated = settings.line == LineKind::simulated;
  status_.resumed = settings.resumes;
  session_ = services_.make_session(settings);
  connect_session();
  set_phase(RunPhase::preparing);
  stop_->setFocus();
  session_->start();
}

// A run of another time in the place of the last one.
void MeasurePage::show_kept(const QString& folder) {
  const auto run = load_run(folder.toStdString());
  if (!run) return message_.show_message(QString::fromStdString(run.error().message));
  measurements_.clear();
  listen_->set_folder(folder.toStdString());
  status_ = RunStatus{};
  last_end_ = RunEnd{};
  status_.kept = QFileInfo(folder).fileName();
  last_end_.folder = folder;
  const QString report = folder + u"/report.html"_s;
  if (QFileInfo::exists(report)) last_end_.report = report;
  show_results(std::make_shared<const RunResults>(run->results), true);
  set_phase(run->results.ended_because.empty() ? RunPhase::finished : RunPhase::failed);
}

void MeasurePage::stop() {
  if (!is_running(status_.phase) || status_.phase == RunPhase::stopping) return;
  set_phase(RunPhase::stopping);
  session_->cancel();
}

void MeasurePage::set_phase(RunPhase phase) {
  // A run that is being stopped may still report that it has begun to measure.
  if (status_.phase == RunPhase::stopping && phase == RunPhase::measuring) return;
  status_.phase = phase;
  refresh_buttons();
  refresh_state();
  refresh_panels();
  QAccessibleEvent told(state_, QAccessible::Alert);
  QAccessible::updateAccessibility(&told);
  emit phase_changed(phase);
}

void MeasurePage::refresh_buttons() {
  const bool running = is_running(status_.phase);
  settings_->setEnabled(!running);
  start_->setEnabled(!running && line_is_free_);
  resume_->setEnabled(!running && line_is_free_);
  stop_->setEnabled(running && status_.phase != RunPhase::stopping);
  refresh_disagree();
  open_report_->setEnabled(!running && !last_end_.report.isEmpty());
  open_folder_->setEnabled(!running && !last_end_.folder.isEmpty());
}

void MeasurePage::refresh_state() {
  state_->show_text(state_line(status_));
  const int permille = progress_permille(status_);
  progress_->setRange(0, permille < 0 ? 0 : 1000);
  if (permille >= 0) progress_->setValue(permille);
}

void MeasurePage::refresh_panels() {
  std::array<const DirectionPlot*, 2> plots{};
  for (int direction = 0; direction < numbers_.directions(); ++direction) {
    const DirectionPlot& plot = numbers_.plot(direction);
    // A run of B to A alone belongs on the right.
    plots[plot.title == u"B to A"_s ? 1 : 0] = &plot;
  }
  for (std::size_t i = 0; i < plots.size(); ++i) {
    if (plots[i] != nullptr)
      panels_[i]->show_plot(*plots[i]);
    else
      panels_[i]->show_nothing();
  }
  const int unscored = log_.rowCount();
  tabs_->setTabText(0, unscored == 0 ? u"Not scored"_s : u"Not scored (%1)"_s.arg(unscored));
  if (numbers_.measured() > 0)
    log_view_->set_empty_text(is_running(status_.phase) ? u"Every measurement so far was scored"_s
                                                        : u"Every measurement was scored"_s);
  else
    log_view_->set_empty_text(u"Nothing has been measured yet"_s);
}

void MeasurePage::show_results(const SharedResults& results, bool over) {
  shown_ = results;
  measurements_.update(*results);
  numbers_.update(*results, over);
  clear_silence(*results);
  status_.measured = numbers_.measured();
  status_.scored = numbers_.scored();
  refresh_disagree();
  refresh_state();
  // An empty list of unscored measurements is of no use.
  if (over && log_.rowCount() == 0 && numbers_.measured() > 0) tabs_->setCurrentIndex(1);
}

// Only while more can be measured.
void MeasurePage::refresh_disagree() {
  disagree_->setEnabled(status_.phase == RunPhase::measuring && status_.scored > 0);
}

void MeasurePage::show_silence(End from, const QString& what) {
  panels_[panel_of(from)]->show_warning(what);
  if (!status_.silent.contains(letter(from))) status_.silent.append(letter(from));
  refresh_state();
}

// The warning of a direction goes when something of it has arrived.
void MeasurePage::clear_silence(const RunResults& results) {
  for (const DirectionRun& direction : results.directions) {
    const bool heard = std::ranges::any_of(direction.stimuli, [](const StimulusRun& run) {
      return std::ranges::any_of(run.measurements, [](const Measurement& one) {
        return any_mark(one.marks_found) || one.outcome == Outcome::scored;
      });
    });
    if (!heard) continue;
    panels_[panel_of(direction.from)]->show_warning({});
    status_.silent.removeAll(letter(direction.from));
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
  set_phase(end.phase);
  // The question whether to stop this run is no longer needed.
  message_.hide();
  if (auto* const note = findChild<NoteDialog*>()) note->reject();
  if (end.resumable && !end.message.isEmpty())
    message_.show_message(end.message, {{u"&Resume"_s, [this] { resume(last_end_.folder); }}, {u"&Dismiss"_s, {}}});
  else if (!end.message.isEmpty())
    message_.show_message(end.message);
  (open_report_->isEnabled() ? open_report_ : start_)->setFocus();
  emit run_finished(end);
}

QString MeasurePage::results_home() const {
  return QFileInfo(default_results_folder(services_.home, services_.now())).path();
}

}  // namespace vqas::app
