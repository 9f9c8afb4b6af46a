#include "view/listen_view.h"

#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "model/words.h"
#include "view/flow_layout.h"
#include "view/read_table.h"
#include "view/wrapped_label.h"
#include "vqas/campaign/stored_runs.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/resample.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int kToldLetters = 24;    // least width of what is told
constexpr double kBetween_s = 0.7;  // silence between the two parts of a blind comparison

QPushButton* add_button(QLayout& row, const Words& caption, const QString& name, const QKeySequence& key,
                        const Words& tip) {
  auto* button = new QPushButton;
  button->setObjectName(name);
  in_each_language(button, [button, caption, key, tip] {
    button->setText(caption());
    button->setShortcut(key);  // which a new text takes away
    button->setToolTip(u"%1 (%2)"_s.arg(tip(), key.toString(QKeySequence::NativeText)));
  });
  row.addWidget(button);
  return button;
}

}  // namespace

ListenView::ListenView(MeasurementsModel& model, ListenServices services, QWidget* parent)
    : QWidget(parent),
      model_(model),
      services_(std::move(services)),
      table_(new ReadTable(model, [] { return tr("Measurements"); })),
      told_(new WrappedLabel(4)) {
  table_->setObjectName(u"measurements"_s);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  told_->setObjectName(u"listening"_s);
  told_->setMinimumWidth(told_->fontMetrics().averageCharWidth() * kToldLetters);

  auto* row = new FlowLayout;
  received_ = add_button(
      *row, [] { return tr("Received"); }, u"play_received"_s, Qt::CTRL | Qt::Key_1,
      [] { return tr("Play what arrived"); });
  original_ = add_button(
      *row, [] { return tr("Original"); }, u"play_original"_s, Qt::CTRL | Qt::Key_2,
      [] { return tr("Play what was sent"); });
  blind_ = add_button(
      *row, [] { return tr("Blind A/B"); }, u"play_blind"_s, Qt::CTRL | Qt::Key_3,
      [] { return tr("Play both in an order that is told only after your answer"); });
  stop_ = add_button(
      *row, [] { return tr("Silence"); }, u"stop_playing"_s, Qt::CTRL | Qt::Key_0, [] { return tr("Stop playing"); });
  row->add(told_, 1);
  first_ = add_button(
      *row, [] { return tr("The first"); }, u"answer_first"_s, Qt::CTRL | Qt::Key_Left,
      [] { return tr("The first of the two was the original"); });
  second_ = add_button(
      *row, [] { return tr("The second"); }, u"answer_second"_s, Qt::CTRL | Qt::Key_Right,
      [] { return tr("The second of the two was the original"); });
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(table_, 1);
  layout->addLayout(row);

  connect(received_, &QPushButton::clicked, this,
          [this] { play(received(), [] { return tr("Playing what arrived"); }); });
  connect(original_, &QPushButton::clicked, this,
          [this] { play(original(), [] { return tr("Playing what was sent"); }); });
  connect(blind_, &QPushButton::clicked, this, &ListenView::play_blind);
  connect(first_, &QPushButton::clicked, this, [this] { answer(true); });
  connect(second_, &QPushButton::clicked, this, [this] { answer(false); });
  connect(stop_, &QPushButton::clicked, this, [this] {
    if (player_) player_->stop();
  });
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ListenView::refresh_buttons);
  connect(&model_, &QAbstractItemModel::modelReset, this, &ListenView::refresh_buttons);
  refresh_buttons();
}

std::optional<MeasurementsModel::Row> ListenView::chosen() const {
  const QModelIndexList rows = table_->selectionModel()->selectedRows();
  return rows.isEmpty() ? std::nullopt : std::optional(model_.row(rows.front().row()));
}

void ListenView::refresh_buttons() {
  const auto row = chosen();
  const bool kept = row && !row->recording.empty();
  received_->setEnabled(kept);
  original_->setEnabled(row.has_value());
  blind_->setEnabled(kept);
  first_->hide();
  second_->hide();
  told_->show_text([kept, any = row.has_value()] {
    if (!any) return tr("Choose a measurement to listen to it");
    return kept ? QString() : tr("The recording of this measurement was not kept");
  });
}

Result<Signal> ListenView::received() const {
  const auto file = RunRecordings(folder_).find(chosen()->recording);
  return file ? read_audio(*file) : Result<Signal>(file.error());
}

Result<Signal> ListenView::original() const {
  return services_.original(chosen()->stimulus.toStdString());
}

bool ListenView::play(const Result<Signal>& signal, const Words& meanwhile) {
  first_->hide();
  second_->hide();
  if (!player_) player_ = services_.make_player();
  const Status played = signal ? player_->play(*signal) : Status(signal.error());
  if (played)
    told_->show_text(meanwhile);
  else
    told_->show_text([why = played.error().message] { return told(why); });
  return static_cast<bool>(played);
}

void ListenView::play_blind() {
  Result<Signal> one = original();
  Result<Signal> other = received();
  if (one && other && other->rate_hz != one->rate_hz) other = resample(*other, one->rate_hz);
  if (!one || !other) {
    play(one ? other : one, {});
    return;
  }
  original_was_first_ = services_.toss();
  if (!original_was_first_) std::swap(*one, *other);
  one->samples.resize(one->size() + static_cast<std::size_t>(kBetween_s * one->rate_hz));
  one->samples.insert(one->samples.end(), other->samples.begin(), other->samples.end());
  if (!play(one, [] { return tr("Playing both. Which one was the original?"); })) return;
  first_->show();
  second_->show();
}

void ListenView::answer(bool first) {
  first_->hide();
  second_->hide();
  told_->show_text([right = first == original_was_first_, was_first = original_was_first_] {
    if (right) return was_first ? tr("Right: the original was the first") : tr("Right: the original was the second");
    return was_first ? tr("No: the original was the first") : tr("No: the original was the second");
  });
}

}  // namespace vqas::app
