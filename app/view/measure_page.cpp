#include "view/measure_page.h"

#include <QAccessible>
#include <QFileDialog>
#include <QFileInfo>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <QtConcurrent>

#include "model/form_memory.h"
#include "model/phrases.h"
#include "model/plan_form.h"
#include "model/words.h"
#include "view/direction_panel.h"
#include "view/findings_view.h"
#include "view/flow_layout.h"
#include "view/listen_view.h"
#include "view/message_bar.h"
#include "view/settings_panel.h"
#include "view/time_view.h"
#include "view/wrapped_label.h"
#include "vqas/report/report.h"
#include "vqas/signal/audio_file.h"
#include "vqas/store/plan_text.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int kForecastMs = 300;       // after the last key
constexpr int kStopNowAfterMs = 1000;  // longer than a double click
constexpr int kSilenceMs = 4000;       // it is told each second while it lasts

}  // namespace

MeasurePage::MeasurePage(const WindowServices& services, MessageBar& message, QWidget* parent)
    : Page(parent), services_(services), message_(message) {
  auto* body = new FlowLayout;
  body->addWidget(make_settings());
  body->add(make_results(), 1);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(make_top());
  layout->addLayout(body, 1);
  layout->addWidget(make_error_note());
  connect_models();
  in_each_language(this, [this] { write_texts(); });
  show_zone();
  set_phase(RunPhase::idle);
  start_->setFocus();
}

MeasurePage::~MeasurePage() {
  // The session's last signals must not reach a page that is partly destroyed.
  if (session_) session_->disconnect(this);
  forecasting_.disconnect(this);
  forecasting_.waitForFinished();
}

void MeasurePage::set_codes(const std::map<QString, QString>& codes) {
  for (const auto& [address, code] : codes) codes_[address] = code;
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
    note_change();
  });
  connect(settings_, &SettingsPanel::plan_opened, this, &MeasurePage::open_plan);
  connect(settings_, &SettingsPanel::plan_saved, this, &MeasurePage::save_plan);
  forecast_soon_.setSingleShot(true);
  forecast_soon_.setInterval(kForecastMs);
  connect(&forecast_soon_, &QTimer::timeout, this, &MeasurePage::forecast);
  connect(&forecasting_, &QFutureWatcher<QString>::finished, this, [this] {
    status_.forecast = forecasting_.result();
    refresh_state();
  });
  stopped_just_now_.setSingleShot(true);
  stopped_just_now_.setInterval(kStopNowAfterMs);
  connect(&stopped_just_now_, &QTimer::timeout, this, &MeasurePage::refresh_buttons);
  for (const End from : {End::a, End::b}) {
    QTimer& told = silence_told_.at(from == End::a ? 0 : 1);
    told.setSingleShot(true);
    told.setInterval(kSilenceMs);
    connect(&told, &QTimer::timeout, this, [this, from] { end_silence(from); });
  }
  connect(&numbers_, &RunModel::changed, this, &MeasurePage::refresh_panels);
  connect(&log_, &QAbstractItemModel::rowsInserted, this, &MeasurePage::refresh_panels);
  connect(&log_, &QAbstractItemModel::modelReset, this, &MeasurePage::refresh_panels);
}

void MeasurePage::set_form(const SettingsForm& form) {
  settings_->set_form(form);
  note_change();
}

void MeasurePage::note_change() {
  forecast_soon_.start();
  emit form_changed();
}

// Beside the window's thread, because it reads the corpus.
void MeasurePage::forecast() {
  const FormReading now = reading();
  if (!services_.forecast || !now.faults.empty()) {
    status_.forecast.clear();
    return refresh_state();
  }
  forecasting_.setFuture(QtConcurrent::run(services_.forecast, now.settings));
}

SettingsForm MeasurePage::form() const {
  return settings_->form();
}

FormReading MeasurePage::reading() const {
  FormReading read = read_form(settings_->form(), services_.home, services_.now());
  read.settings.codes = codes_;
  return read;
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
  settings.codes = codes_;
  begin(settings);
}

void MeasurePage::open_plan(const QString& path) {
  auto plan = read_plan(path.toStdString());
  if (!plan) return message_.show_message([why = plan.error().message] { return message_words(why); });
  plan_ = *std::move(plan);
  QStringList left_out;
  set_form(form_of(plan_, left_out));
  show_zone();
  if (left_out.isEmpty()) return message_.hide();
  message_.show_message([file = QFileInfo(path).fileName(), left_out] {
    QStringList parts;
    for (const QString& one : left_out) parts += translated(one);
    return tr("The window measures this plan without its %2. Only \"vqas measure %1\" heeds them; they stay in the "
              "plan "
              "when you save it")
        .arg(file, parts.join(u", "_s));
  });
}

void MeasurePage::show_zone() {
  settings_->show_zone(QString::fromStdString(local_zone()),
                       plan_.at_min.empty() ? QString() : QString::fromStdString(plan_.zone));
}

void MeasurePage::save_plan(const QString& path) {
  const FormReading now = reading();
  check_fields(true);
  if (!now.faults.empty())
    return message_.show_message([] { return tr("The plan is not saved: see the marked fields"); });
  const std::string text = plan_text(plan_with(now.settings, plan_));
  Status saved = success();
  if (const auto readable = parse_plan(text, path.toStdString()); !readable) saved = readable.error();
  if (saved) saved = write_file_atomically(path.toStdString(), text);
  if (saved)
    message_.show_message(
        [file = QFileInfo(path).fileName()] { return tr("Saved. \"vqas measure %1\" measures the same").arg(file); });
  else
    message_.show_message([why = saved.error().message] { return message_words(why); });
}

void MeasurePage::choose_run() {
  // Opens beside the window without blocking it.
  auto* dialog = new QFileDialog(this, tr("Resume the run in this results folder"), results_home());
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this, &MeasurePage::resume);
  dialog->open();
}

void MeasurePage::begin(const RunSettings& settings) {
  message_.hide();
  forget_run();
  show_run_of(settings.folder);
  status_.simulated = settings.line == LineKind::simulated;
  status_.resumed = settings.resumes;
  status_.followed = settings.follows;
  session_ = services_.make_session(settings);
  connect_session();
  set_phase(RunPhase::preparing);
  stop_->setFocus();
  session_->start();
}

void MeasurePage::stop() {
  if (!is_running(status_.phase) || status_.phase == RunPhase::stopping) return;
  stopped_just_now_.start();
  // A run that is followed is being stopped once its program is asked to.
  if (!status_.followed) set_phase(RunPhase::stopping);
  session_->cancel();
}

void MeasurePage::stop_now() {
  if (status_.phase == RunPhase::stopping && !status_.followed) session_->cancel();
}

void MeasurePage::pause_or_continue() {
  if (status_.followed) return leave_followed();
  status_.pausing = !status_.pausing;
  if (!status_.pausing) status_.held = false;
  session_->hold(status_.pausing);
  refresh_buttons();
  refresh_state();
}

void MeasurePage::set_phase(RunPhase phase) {
  // A run that is being stopped may still report that it has begun to measure. One that is followed measures on if its
  // program does not stop it.
  if (status_.phase == RunPhase::stopping && phase == RunPhase::measuring && !status_.followed) return;
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
  const bool stopping = status_.phase == RunPhase::stopping;
  pause_->setEnabled(running && (status_.followed || !stopping));
  pause_->setText(pause_words());
  pause_->setShortcut(Qt::CTRL | Qt::Key_P);  // which a new text takes away
  start_->setEnabled(!running && line_is_free_);
  resume_->setEnabled(!running && line_is_free_);
  stop_->setEnabled(running && !(stopping && (status_.followed || stopped_just_now_.isActive())));
  stop_->setText(stop_words());
  // Another key, because a key that is held repeats.
  stop_->setShortcut(stopping ? Qt::CTRL | Qt::SHIFT | Qt::Key_Period : Qt::CTRL | Qt::Key_Period);
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

QString MeasurePage::results_home() const {
  return QFileInfo(default_results_folder(services_.home, services_.now())).path();
}

}  // namespace vqas::app
