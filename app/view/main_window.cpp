#include "view/main_window.h"

#include <QAccessible>
#include <QCloseEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "model/form_memory.h"
#include "view/check_page.h"
#include "view/direction_panel.h"
#include "view/log_view.h"
#include "view/message_bar.h"
#include "view/note_dialog.h"
#include "view/results_page.h"
#include "view/settings_panel.h"
#include "view/wrapped_label.h"
#include "vqas/report/report.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

MainWindow::MainWindow(WindowServices services, QWidget* parent)
    : QMainWindow(parent), services_(std::move(services)), message_(new MessageBar) {
  setWindowTitle(u"VQAS"_s);
  auto* body = new QSplitter(Qt::Horizontal);
  body->setChildrenCollapsible(false);
  body->addWidget(make_settings());
  body->addWidget(make_results());
  body->setStretchFactor(1, 1);

  auto* measure = new QWidget;
  auto* of_measure = new QVBoxLayout(measure);
  of_measure->addWidget(make_top());
  of_measure->addWidget(body, 1);
  of_measure->addWidget(make_error_note());
  pages_ = new QTabWidget;
  pages_->setObjectName(u"pages"_s);
  pages_->setDocumentMode(true);
  pages_->addTab(measure, u"Measure"_s);
  pages_->addTab(make_check_page(), u"Check"_s);
  pages_->addTab(make_kept_runs(), u"Results"_s);

  auto* centre = new QWidget;
  auto* layout = new QVBoxLayout(centre);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(message_);
  layout->addWidget(pages_, 1);
  setCentralWidget(centre);
  resize(1280, 720);

  connect_models();
  set_phase(RunPhase::idle);
  start_->setFocus();
}

MainWindow::~MainWindow() {
  // The session's last signals must not reach a window that is partly destroyed.
  if (session_) session_->disconnect(this);
}

QWidget* MainWindow::make_top() {
  auto* top = new QWidget;
  state_ = new WrappedLabel(2);
  state_->setObjectName(u"state"_s);
  state_->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  QFont large = state_->font();
  large.setPointSizeF(large.pointSizeF() * 1.8);
  large.setBold(true);
  state_->setFont(large);
  progress_ = new QProgressBar;
  progress_->setObjectName(u"progress"_s);
  progress_->setTextVisible(false);
  progress_->setMaximumHeight(8);
  progress_->setAccessibleName(u"Progress of the run"_s);

  const auto add = [this](const QString& caption, const QString& name, const QKeySequence& shortcut,
                          const QString& tip) {
    auto* button = new QPushButton(caption);
    button->setObjectName(name);
    button->setShortcut(shortcut);
    button->setToolTip(u"%1 (%2)"_s.arg(tip, shortcut.toString(QKeySequence::NativeText)));
    return button;
  };
  start_ = add(u"Start"_s, u"start"_s, Qt::CTRL | Qt::Key_R, u"Measure the chosen line"_s);
  resume_ = add(u"Resume…"_s, u"resume"_s, Qt::CTRL | Qt::SHIFT | Qt::Key_R,
                u"Resume an interrupted run in its results folder"_s);
  stop_ = add(u"Stop"_s, u"stop"_s, Qt::CTRL | Qt::Key_Period, u"End the run; what was measured is kept"_s);
  disagree_ = add(u"Sounds different"_s, u"sounds_different"_s, Qt::CTRL | Qt::Key_D,
                  u"Note that a measurement sounds different from its score, and measure its stimulus again"_s);
  open_report_ = add(u"Open report"_s, u"open_report"_s, Qt::CTRL | Qt::Key_O, u"Show the report of the last run"_s);
  open_folder_ = add(u"Open folder"_s, u"open_folder"_s, Qt::CTRL | Qt::SHIFT | Qt::Key_O,
                     u"Show the results and recordings of the last run"_s);
  start_->setAutoDefault(true);
  connect(start_, &QPushButton::clicked, this, &MainWindow::start);
  connect(resume_, &QPushButton::clicked, this, &MainWindow::choose_run);
  connect(stop_, &QPushButton::clicked, this, &MainWindow::stop);
  connect(disagree_, &QPushButton::clicked, this, &MainWindow::ask_for_note);
  connect(open_report_, &QPushButton::clicked, this, [this] { services_.open_path(last_end_.report); });
  connect(open_folder_, &QPushButton::clicked, this, [this] { services_.open_path(last_end_.folder); });

  auto* row = new QHBoxLayout;
  row->addWidget(state_, 1);
  for (QPushButton* button : {start_, resume_, stop_, disagree_, open_report_, open_folder_}) row->addWidget(button);
  auto* layout = new QVBoxLayout(top);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addLayout(row);
  layout->addWidget(progress_);
  return top;
}

QWidget* MainWindow::make_settings() {
  settings_ = new SettingsPanel;
  if (services_.memory != nullptr) settings_->set_recent(services_.memory->recent());
  auto* scroll = new QScrollArea;
  scroll->setWidget(settings_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  const int width = std::max(scroll->fontMetrics().horizontalAdvance(u'0') * 30, settings_->minimumSizeHint().width());
  scroll->setMinimumWidth(width + scroll->verticalScrollBar()->sizeHint().width());
  return scroll;
}

QWidget* MainWindow::make_results() {
  panels_ = {new DirectionPanel(u"A to B"_s), new DirectionPanel(u"B to A"_s)};
  panels_[0]->setObjectName(u"panel_0"_s);
  panels_[1]->setObjectName(u"panel_1"_s);
  auto* plots = new QWidget;
  auto* row = new QHBoxLayout(plots);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(16);
  for (DirectionPanel* panel : panels_) row->addWidget(panel, 1);

  log_view_ = new LogView(log_, {u"Measurements without a score"_s, u"Nothing has been measured yet"_s, true});
  tabs_ = new QTabWidget;
  tabs_->setObjectName(u"tabs"_s);
  tabs_->addTab(log_view_, u"Not scored"_s);
  tabs_->addTab(new LogView(numbers_, {u"Figures of each stimulus"_s, u"Nothing has been measured yet"_s, false}),
                u"Numbers"_s);
  listen_ = new ListenView(measurements_, services_.listening);
  tabs_->addTab(listen_, u"Listen"_s);

  auto* results = new QSplitter(Qt::Vertical);
  results->setChildrenCollapsible(false);
  results->addWidget(plots);
  results->addWidget(tabs_);
  results->setStretchFactor(0, 3);
  results->setStretchFactor(1, 1);
  return results;
}

QWidget* MainWindow::make_check_page() {
  check_ = new CheckPage;
  connect(check_, &CheckPage::requested, this, &MainWindow::check_line);
  connect(check_, &CheckPage::asked_to_trust, this, &MainWindow::ask_to_trust);
  connect(check_, &CheckPage::running_changed, this, [this] { set_phase(status_.phase); });
  return check_;
}

void MainWindow::check_line() {
  const FormReading checked = reading();
  check_fields(true);
  if (!checked.faults.empty()) {
    pages_->setCurrentIndex(0);
    return;
  }
  if (checked.settings.line == LineKind::simulated)
    return message_->show_message(
        u"A simulated line needs no check. Choose \"Two nodes\" on the Measure page and write their addresses"_s);
  check_->begin(services_.make_check(checked.settings));
}

QWidget* MainWindow::make_kept_runs() {
  kept_runs_ = new ResultsPage(services_.open_path);
  kept_runs_->setObjectName(u"kept_runs"_s);
  connect(kept_runs_, &ResultsPage::resume_requested, this, [this](const QString& folder) {
    pages_->setCurrentIndex(0);
    resume(folder);
  });
  connect(kept_runs_, &ResultsPage::show_requested, this, &MainWindow::show_kept);
  connect(kept_runs_, &ResultsPage::failed, this, [this](const QString& why) { message_->show_message(why); });
  connect(pages_, &QTabWidget::currentChanged, this, [this](int page) {
    if (pages_->widget(page) == kept_runs_) kept_runs_->read(results_home());
  });
  return kept_runs_;
}

QString MainWindow::results_home() const {
  return QFileInfo(default_results_folder(services_.home, services_.now())).path();
}

QWidget* MainWindow::make_error_note() {
  auto* note = new QLabel(u"± is the repeatability: how closely another run on this line would agree. "_s +
                          services_.model_error_words);
  note->setObjectName(u"model_error"_s);
  note->setTextFormat(Qt::PlainText);
  note->setWordWrap(true);
  return note;
}

void MainWindow::connect_models() {
  connect(settings_, &SettingsPanel::edited, this, [this] {
    if (faults_shown_) check_fields(false);
  });
  connect(&numbers_, &RunModel::changed, this, &MainWindow::refresh_panels);
  connect(&log_, &QAbstractItemModel::rowsInserted, this, &MainWindow::refresh_panels);
  connect(&log_, &QAbstractItemModel::modelReset, this, &MainWindow::refresh_panels);
}

void MainWindow::connect_session() {
  connect(session_.get(), &RunSession::phase_changed, this, &MainWindow::set_phase);
  connect(session_.get(), &RunSession::updated, this,
          [this](const SharedResults& results) { show_results(results, false); });
  connect(session_.get(), &RunSession::progressed, this, [this](const RunProgress& progress, const QString& current) {
    status_.progress = progress;
    status_.current = current;
    refresh_state();
  });
  connect(session_.get(), &RunSession::noted, this, [this](const QString& fault) {
    message_->show_message(fault.isEmpty() ? u"Noted. This stimulus is measured again, up to the cap"_s
                                           : u"The note was not kept: %1"_s.arg(fault));
  });
  connect(session_.get(), &RunSession::noticed, this, [this](const QString& what) { message_->show_message(what); });
  connect(session_.get(), &RunSession::waiting, this, [this](const QString& for_what) {
    status_.waiting = for_what;
    refresh_state();
  });
  connect(session_.get(), &RunSession::silent, this, &MainWindow::show_silence);
  connect(session_.get(), &RunSession::asked_to_trust, this, &MainWindow::ask_for_trust);
  connect(session_.get(), &RunSession::finished, this, &MainWindow::end_run);
}

void MainWindow::set_form(const SettingsForm& form) {
  settings_->set_form(form);
}

FormReading MainWindow::reading() const {
  return read_form(settings_->form(), services_.home, services_.now());
}

QStringList MainWindow::faults() const {
  QStringList messages;
  for (const FieldFault& fault : reading().faults) messages.append(fault.message);
  return messages;
}

void MainWindow::check_fields(bool take_focus) {
  const auto faults = reading().faults;
  settings_->show_faults(faults, take_focus);
  faults_shown_ = !faults.empty();
}

void MainWindow::start() {
  if (is_running(status_.phase) || check_->is_running()) return;
  const FormReading checked = reading();
  check_fields(true);
  if (!checked.faults.empty()) return emit refused();
  if (services_.memory != nullptr) {
    services_.memory->remember(settings_->form());
    settings_->set_recent(services_.memory->recent());
  }
  begin(checked.settings);
}

void MainWindow::resume(const QString& folder) {
  if (is_running(status_.phase) || check_->is_running()) return;
  const SettingsForm form = settings_->form();
  RunSettings settings;
  settings.line = LineKind::nodes;
  settings.resumes = true;
  settings.folder = typed_path(folder, services_.home);
  settings.access_a = typed_path(form.access_a, services_.home);
  settings.access_b = typed_path(form.access_b, services_.home);
  begin(settings);
}

void MainWindow::choose_run() {
  // Opens beside the window without blocking it.
  auto* dialog = new QFileDialog(this, u"Resume the run in this results folder"_s, results_home());
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::resume);
  dialog->open();
}

void MainWindow::begin(const RunSettings& settings) {
  message_->hide();
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
void MainWindow::show_kept(const QString& folder) {
  const auto run = load_run(folder.toStdString());
  if (!run) return message_->show_message(QString::fromStdString(run.error().message));
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
  pages_->setCurrentIndex(0);
}

void MainWindow::stop() {
  if (!is_running(status_.phase) || status_.phase == RunPhase::stopping) return;
  set_phase(RunPhase::stopping);
  session_->cancel();
}

void MainWindow::set_phase(RunPhase phase) {
  // A run that is being stopped may still report that it has begun to measure.
  if (status_.phase == RunPhase::stopping && phase == RunPhase::measuring) return;
  status_.phase = phase;
  const bool running = is_running(phase);
  settings_->setEnabled(!running);
  const bool free = !running && !check_->is_running();
  start_->setEnabled(free);
  resume_->setEnabled(free);
  kept_runs_->allow_measuring(free);
  check_->allow(free);
  stop_->setEnabled(running && phase != RunPhase::stopping);
  refresh_disagree();
  open_report_->setEnabled(!running && !last_end_.report.isEmpty());
  open_folder_->setEnabled(!running && !last_end_.folder.isEmpty());
  refresh_state();
  refresh_panels();
  QAccessibleEvent told(state_, QAccessible::Alert);
  QAccessible::updateAccessibility(&told);
}

void MainWindow::refresh_state() {
  state_->show_text(state_line(status_));
  const int permille = progress_permille(status_);
  progress_->setRange(0, permille < 0 ? 0 : 1000);
  if (permille >= 0) progress_->setValue(permille);
}

void MainWindow::refresh_panels() {
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

void MainWindow::show_results(const SharedResults& results, bool over) {
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
void MainWindow::refresh_disagree() {
  disagree_->setEnabled(status_.phase == RunPhase::measuring && status_.scored > 0);
}

namespace {

// In the order of the panels.
std::size_t panel_of(End from) {
  return from == End::a ? 0 : 1;
}

QString letter(End end) {
  return end == End::a ? u"A"_s : u"B"_s;
}

}  // namespace

void MainWindow::show_silence(End from, const QString& what) {
  panels_[panel_of(from)]->show_warning(what);
  if (!status_.silent.contains(letter(from))) status_.silent.append(letter(from));
  refresh_state();
}

// The warning of a direction goes when something of it has arrived.
void MainWindow::clear_silence(const RunResults& results) {
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

void MainWindow::ask_for_note() {
  auto* dialog = new NoteDialog(heard_measurements(*shown_), services_.now, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &NoteDialog::written, this, [this](const OperatorNote& note) { session_->note(note); });
  dialog->open();
}

void MainWindow::ask_for_trust(const QString& question) {
  status_.waiting = u"your answer"_s;
  refresh_state();
  ask_to_trust(question, [this](bool yes) {
    status_.waiting.clear();
    refresh_state();
    session_->trust(yes);
  });
}

void MainWindow::ask_to_trust(const QString& question, const std::function<void(bool)>& answer) {
  constexpr int kLinesOfTwoNodes = 8;
  message_->show_message(
      question,
      {{u"Do &not trust"_s, [answer] { answer(false); }}, {u"&Trust and continue"_s, [answer] { answer(true); }}},
      kLinesOfTwoNodes);
}

void MainWindow::end_run(const RunEnd& end, const SharedResults& results) {
  if (results) show_results(results, true);
  last_end_ = end;
  set_phase(end.phase);
  // The question whether to stop this run is no longer needed.
  message_->hide();
  if (auto* const note = findChild<NoteDialog*>()) note->reject();
  if (end.resumable && !end.message.isEmpty())
    message_->show_message(end.message, {{u"&Resume"_s, [this] { resume(last_end_.folder); }}, {u"&Dismiss"_s, {}}});
  else if (!end.message.isEmpty())
    message_->show_message(end.message);
  (open_report_->isEnabled() ? open_report_ : start_)->setFocus();
  emit run_finished(end);
  if (closing_) close();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  const bool running = is_running(status_.phase);
  if (!running) return event->accept();
  event->ignore();
  if (closing_) {  // asked again while the run is being stopped: do not make the user wait
    session_.reset();
    status_.phase = RunPhase::cancelled;
    return event->accept();
  }
  ask_before_closing();
}

void MainWindow::ask_before_closing() {
  message_->show_message(u"A measurement is running. Stop it and close? What was measured is kept"_s,
                         {{u"Stop and &close"_s, [this] { close_after_run(); }}, {u"&Keep measuring"_s, {}}});
}

void MainWindow::close_after_run() {
  closing_ = true;
  if (!is_running(status_.phase)) {
    close();
    return;
  }
  stop();
}

}  // namespace vqas::app
