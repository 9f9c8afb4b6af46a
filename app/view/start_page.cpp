#include "view/start_page.h"

#include <QComboBox>
#include <QCommandLinkButton>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <QtConcurrent>

#include "model/call/call_form.h"
#include "model/form_memory.h"
#include "model/languages.h"
#include "model/repeats/kept_campaign.h"
#include "model/words.h"
#include "view/flow_layout.h"
#include "view/heading.h"
#include "view/wrapped_label.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int kUsualMinutes = 20, kMostMinutes = 600;
constexpr int kMostListed = 6;

}  // namespace

StartPage::StartPage(QWidget* parent) : Page(parent) {
  auto* actions = new QWidget;
  auto* left = new QVBoxLayout(actions);
  left->setContentsMargins(0, 0, 0, 0);
  left->addWidget(make_measure());
  left->addWidget(make_actions());
  left->addStretch();
  left->addWidget(make_languages());
  auto* columns = new FlowLayout(24);
  columns->add(actions, 3);
  columns->add(make_lists(), 2);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(columns);
  connect(&reading_, &QFutureWatcher<std::vector<KeptRun>>::finished, this, &StartPage::show_broken_off);
  set_recent({});
  show_broken_off();
  in_each_language(this, [this] {
    set_recent(recent_);
    show_broken_off();
  });
}

StartPage::~StartPage() {
  reading_.disconnect(this);
  reading_.waitForFinished();
}

// Its label is in both languages, so that a reader of either finds it.
QWidget* StartPage::make_languages() {
  language_ = new QComboBox;
  language_->setObjectName(u"language"_s);
  language_->setAccessibleName(u"Language / Sprache"_s);
  for (const QString& code : language_codes()) language_->addItem(language_name(code), code);
  connect(language_, &QComboBox::activated, this,
          [this] { emit language_chosen(language_->currentData().toString()); });
  auto* caption = new QLabel(u"&Language / Sprache"_s);
  caption->setBuddy(language_);
  language_row_ = new QWidget;
  auto* row = new QHBoxLayout(language_row_);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(caption);
  row->addWidget(language_);
  row->addStretch();
  language_row_->hide();
  return language_row_;
}

void StartPage::offer_languages(const QString& code) {
  language_->setCurrentIndex(language_->findData(code));
  language_row_->show();
}

QWidget* StartPage::make_measure() {
  auto* measure = new QPushButton;
  measure->setObjectName(u"start_measure"_s);
  QFont large = measure->font();
  large.setPointSizeF(large.pointSizeF() * 2);
  large.setBold(true);
  measure->setFont(large);
  measure->setMinimumHeight(measure->fontMetrics().height() * 2);
  starters_.push_back(measure);
  minutes_ = new QSpinBox;
  minutes_->setObjectName(u"start_minutes"_s);
  minutes_->setRange(1, kMostMinutes);
  minutes_->setValue(kUsualMinutes);
  in_each_language(measure, [this, measure] {
    measure->setText(tr("&Measure"));
    measure->setToolTip(tr("Measures the line below for as many minutes of line time as stand beside"));
    minutes_->setSuffix(tr(" min"));
    minutes_->setAccessibleName(tr("Budget of line time in minutes"));
    minutes_->setToolTip(tr("The measurement ends before it uses more of the line than this"));
  });
  line_ = new WrappedLabel(2);
  line_->setObjectName(u"start_line"_s);
  connect(measure, &QPushButton::clicked, this, [this] { emit measure_requested(minutes_->value()); });

  auto* row = new QHBoxLayout;
  row->addWidget(measure, 1);
  row->addWidget(label([] { return tr("&Budget"); }, minutes_));
  row->addWidget(minutes_);
  auto* box = new QFrame;
  box->setFrameShape(QFrame::StyledPanel);
  auto* layout = new QVBoxLayout(box);
  layout->addLayout(row);
  layout->addWidget(line_);
  return box;
}

QWidget* StartPage::make_actions() {
  auto* actions = new QWidget;
  auto* layout = new QVBoxLayout(actions);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  const auto add = [this, layout](const QString& name, const Words& caption, const Words& what,
                                  void (StartPage::*chosen)(), bool needs_line) {
    auto* button = new QCommandLinkButton;
    button->setObjectName(name);
    in_each_language(button, [button, caption, what] {
      button->setText(caption());
      button->setDescription(what());
      button->setAccessibleDescription(what());
    });
    connect(button, &QCommandLinkButton::clicked, this, chosen);
    layout->addWidget(button);
    if (needs_line) starters_.push_back(button);
  };
  add(
      u"start_partner"_s, [] { return tr("Measure a line with a &partner"); },
      [] { return tr("Your partner at the other end waits; you measure"); }, &StartPage::partner_requested, false);
  add(
      u"start_waiting"_s, [] { return tr("&Wait for a partner"); },
      [] { return tr("This laptop is one end of the line; your partner measures"); }, &StartPage::waiting_requested,
      false);
  if (can_call())
    add(
        u"start_call"_s, [] { return tr("Place a c&all"); },
        [] { return tr("This laptop dials by SIP; VQAS answers at the other end"); }, &StartPage::call_requested,
        false);
  add(
      u"start_check"_s, [] { return tr("&Check my equipment"); },
      [] { return tr("Levels, noise, echo, clocks and delay, in less than a minute"); }, &StartPage::check_requested,
      false);
  add(
      u"start_results"_s, [] { return tr("&Results"); }, [] { return tr("Earlier runs: read, listen, compare"); },
      &StartPage::results_requested, false);
  add(
      u"start_follow"_s, [] { return tr("&Follow a run"); },
      [] { return tr("Another program measures; look on, note, stop"); }, &StartPage::follow_requested, true);
  add(
      u"start_trial"_s, [] { return tr("&Try it on a simulated line"); },
      [] { return tr("Needs no equipment; starts at once"); }, &StartPage::trial_requested, true);
  return actions;
}

QListWidget* StartPage::make_list(const QString& name, const Words& accessible_name) {
  auto* list = new QListWidget;
  list->setObjectName(name);
  in_each_language(list, [list, accessible_name] { list->setAccessibleName(accessible_name()); });
  list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list->setWordWrap(true);
  list->setAlternatingRowColors(true);
  list->setMinimumHeight(list->fontMetrics().lineSpacing() * 4);
  return list;
}

QWidget* StartPage::make_lists() {
  resume_heading_ = heading([] { return tr("Resume what was broken off"); });
  recent_heading_ = heading([] { return tr("Last setups"); });
  nothing_yet_ = label([] { return tr("Your last setups, and runs that were broken off, will be listed here."); });
  nothing_yet_->setWordWrap(true);
  nothing_yet_->setForegroundRole(QPalette::PlaceholderText);
  nothing_yet_->setAlignment(Qt::AlignTop);
  resume_list_ = make_list(u"start_resume"_s, [] { return tr("Runs that were broken off"); });
  recent_list_ = make_list(u"start_recent"_s, [] { return tr("Last setups"); });
  starters_.push_back(resume_list_);
  starters_.push_back(recent_list_);
  const auto resume = [this](const QListWidgetItem* item) {
    emit resume_requested(
        QString::fromStdString(broken_off_.at(static_cast<std::size_t>(resume_list_->row(item))).folder.string()));
  };
  const auto choose = [this](const QListWidgetItem* item) {
    emit setup_chosen(recent_.at(static_cast<std::size_t>(recent_list_->row(item))));
  };
  // Some desktops activate by one click, others only by two or a key; a second request changes nothing.
  for (const auto how : {&QListWidget::itemClicked, &QListWidget::itemActivated}) {
    connect(resume_list_, how, this, resume);
    connect(recent_list_, how, this, choose);
  }
  auto* lists = new QWidget;
  auto* layout = new QVBoxLayout(lists);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(resume_heading_);
  layout->addWidget(resume_list_, 1);
  layout->addWidget(recent_heading_);
  layout->addWidget(recent_list_, 1);
  layout->addWidget(nothing_yet_);
  layout->addStretch();
  return lists;
}

void StartPage::set_line(const QString& words) {
  line_->show_text(words);
}

void StartPage::set_recent(const std::vector<SettingsForm>& forms) {
  recent_ = forms;
  if (recent_.size() > kMostListed) recent_.resize(kMostListed);
  recent_list_->clear();
  for (const SettingsForm& form : recent_) {
    auto* item = new QListWidgetItem(setup_words(form), recent_list_);
    item->setToolTip(setup_words(form));
  }
  recent_heading_->setVisible(!recent_.empty());
  recent_list_->setVisible(!recent_.empty());
  nothing_yet_->setVisible(recent_.empty() && broken_off_.empty());
}

void StartPage::read(const QString& folder) {
  reading_.setFuture(QtConcurrent::run(read_resumable_runs, std::filesystem::path(folder.toStdString())));
}

void StartPage::show_broken_off() {
  broken_off_ = reading_.future().resultCount() > 0 ? reading_.result() : std::vector<KeptRun>();
  if (broken_off_.size() > kMostListed) broken_off_.resize(kMostListed);
  resume_list_->clear();
  for (const KeptRun& run : broken_off_) {
    const QString name = run_name(run, date_format());
    const QString words = run.slots_in_all > 0
                              ? tr("%1: %2 of %3 repeats are over").arg(name).arg(run.slots_over).arg(run.slots_in_all)
                              : tr("%1: %2 measured").arg(name).arg(run.measured);
    auto* item = new QListWidgetItem(words, resume_list_);
    item->setToolTip(u"%1\n%2"_s.arg(words, QString::fromStdString(run.folder.string())));
  }
  resume_heading_->setVisible(!broken_off_.empty());
  resume_list_->setVisible(!broken_off_.empty());
  nothing_yet_->setVisible(recent_.empty() && broken_off_.empty());
  emit shown();
}

void StartPage::allow_measuring(bool allowed) {
  for (QWidget* one : starters_) one->setEnabled(allowed);
}

}  // namespace vqas::app
