#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include "model/form_memory.h"
#include "view/direction_panel.h"
#include "view/findings_view.h"
#include "view/flow_layout.h"
#include "view/listen_view.h"
#include "view/log_view.h"
#include "view/measure_page.h"
#include "view/page_area.h"
#include "view/settings_panel.h"
#include "view/time_view.h"
#include "view/wrapped_label.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

// Least width of the state line and of the settings.
constexpr int kStateLetters = 20, kSettingsLetters = 34;

}  // namespace

QWidget* MeasurePage::make_top() {
  auto* top = new QWidget;
  state_ = new WrappedLabel(4);
  state_->setObjectName(u"state"_s);
  state_->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  QFont large = state_->font();
  large.setPointSizeF(large.pointSizeF() * 1.8);
  large.setBold(true);
  state_->setFont(large);
  state_->setMinimumWidth(state_->fontMetrics().averageCharWidth() * kStateLetters);
  progress_ = new QProgressBar;
  progress_->setObjectName(u"progress"_s);
  progress_->setTextVisible(false);
  progress_->setMaximumHeight(8);

  const auto add = [](const Words& caption, const QString& name, const QKeySequence& shortcut, const Words& tip) {
    auto* button = new QPushButton;
    button->setObjectName(name);
    in_each_language(button, [button, caption, shortcut, tip] {
      button->setText(caption());
      button->setShortcut(shortcut);  // which a new text takes away
      button->setToolTip(u"%1 (%2)"_s.arg(tip(), shortcut.toString(QKeySequence::NativeText)));
    });
    return button;
  };
  start_ =
      add([] { return tr("Start"); }, u"start"_s, Qt::CTRL | Qt::Key_R, [] { return tr("Measure the chosen line"); });
  resume_ = add([] { return tr("Resume…"); }, u"resume"_s, Qt::CTRL | Qt::SHIFT | Qt::Key_R,
                [] { return tr("Resume an interrupted run in its results folder"); });
  pause_ =
      add([this] { return pause_words(); }, u"pause"_s, Qt::CTRL | Qt::Key_P,
          [] {
            return tr(
                "Stop after the sentence under way and keep the line, or continue. No sentence can be skipped: a mean "
                "over other sentences than planned would look like the planned one");
          });
  stop_ = add(
      [this] { return stop_words(); }, u"stop"_s, Qt::CTRL | Qt::Key_Period,
      [] {
        return tr(
            "End the run after the sentence under way; then \"Stop now\" ends it at once. What was measured is kept");
      });
  disagree_ =
      add([] { return tr("Sounds different"); }, u"sounds_different"_s, Qt::CTRL | Qt::Key_D,
          [] { return tr("Note that a measurement sounds different from its score, and measure its stimulus again"); });
  open_report_ = add([] { return tr("Open report"); }, u"open_report"_s, Qt::CTRL | Qt::Key_O,
                     [] { return tr("Show the report of the last run"); });
  open_folder_ = add([] { return tr("Open folder"); }, u"open_folder"_s, Qt::CTRL | Qt::SHIFT | Qt::Key_O,
                     [] { return tr("Show the results and recordings of the last run"); });
  start_->setAutoDefault(true);
  connect(start_, &QPushButton::clicked, this, &MeasurePage::start);
  connect(resume_, &QPushButton::clicked, this, &MeasurePage::choose_run);
  connect(pause_, &QPushButton::clicked, this, &MeasurePage::pause_or_continue);
  connect(stop_, &QPushButton::clicked, this, [this] { status_.phase == RunPhase::stopping ? stop_now() : stop(); });
  connect(disagree_, &QPushButton::clicked, this, &MeasurePage::ask_for_note);
  connect(open_report_, &QPushButton::clicked, this, [this] { services_.open_path(last_end_.report); });
  connect(open_folder_, &QPushButton::clicked, this, [this] { services_.open_path(last_end_.folder); });

  auto* row = new FlowLayout;
  row->add(state_, 1);
  for (QPushButton* button : {start_, resume_, pause_, stop_, disagree_, open_report_, open_folder_})
    row->addWidget(button);
  auto* layout = new QVBoxLayout(top);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addLayout(row);
  layout->addWidget(progress_);
  return top;
}

QWidget* MeasurePage::make_settings() {
  settings_ = new SettingsPanel;
  if (services_.memory != nullptr) settings_->set_recent(services_.memory->recent());
  settings_->setMinimumWidth(settings_->fontMetrics().averageCharWidth() * kSettingsLetters);
  return new ColumnArea(settings_);
}

QWidget* MeasurePage::make_results() {
  panels_ = {new DirectionPanel(End::a), new DirectionPanel(End::b)};
  panels_[0]->setObjectName(u"panel_0"_s);
  panels_[1]->setObjectName(u"panel_1"_s);
  auto* plots = new QWidget;
  auto* row = new QHBoxLayout(plots);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(16);
  for (DirectionPanel* panel : panels_) row->addWidget(panel, 1);

  const Words nothing = [] { return tr("Nothing has been measured yet"); };
  log_view_ = new LogView(log_, {[] { return tr("Measurements without a score"); }, nothing, true});
  tabs_ = new QTabWidget;
  tabs_->setObjectName(u"tabs"_s);
  findings_ = new FindingsView;
  time_ = new TimeView;
  listen_ = new ListenView(measurements_, services_.listening);
  figures_ = new LogView(numbers_, {[] { return tr("Figures of each stimulus"); }, nothing, false});
  for (QWidget* const one : std::initializer_list<QWidget*>{findings_, log_view_, figures_, time_, listen_})
    tabs_->addTab(one, QString());

  auto* results = new QSplitter(Qt::Vertical);
  results->setChildrenCollapsible(false);
  results->addWidget(plots);
  results->addWidget(tabs_);
  results->setStretchFactor(0, 3);
  results->setStretchFactor(1, 2);
  // Room for a header and six rows.
  tabs_->setMinimumHeight(tabs_->fontMetrics().lineSpacing() * 11);
  return results;
}

QWidget* MeasurePage::make_error_note() {
  error_note_ = new QLabel;
  error_note_->setObjectName(u"model_error"_s);
  error_note_->setTextFormat(Qt::PlainText);
  error_note_->setWordWrap(true);
  return error_note_;
}

void MeasurePage::refresh_error_note() {
  const auto& error = services_.model_error_words;
  error_note_->setText(tr("± is the repeatability: within it lies, with the confidence beside it, the mean of endless "
                          "measurements. %1")
                           .arg(error ? error(shown_ ? shown_->mode : ScoreMode::narrowband) : QString()));
}

// What the page shows is in the language of the moment.
void MeasurePage::write_texts() {
  progress_->setAccessibleName(tr("Progress of the run"));
  refresh_error_note();
  const std::pair<QWidget*, QString> titles[] = {
      {findings_, tr("What it means")}, {figures_, tr("Numbers")}, {time_, tr("Over time")}, {listen_, tr("Listen")}};
  for (const auto& [page, title] : titles) tabs_->setTabText(tabs_->indexOf(page), title);
  if (shown_) {
    measurements_.update(*shown_);
    numbers_.update(*shown_, shown_over_);
  }
  if (services_.memory != nullptr) settings_->set_recent(services_.memory->recent());
  if (faults_shown_) check_fields(false);
  if (!status_.forecast.isEmpty()) forecast_soon_.start();
  refresh_state();
  refresh_panels();
}

}  // namespace vqas::app
