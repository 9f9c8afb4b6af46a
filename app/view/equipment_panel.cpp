#include "view/equipment_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "model/words.h"
#include "view/plot_style.h"
#include "view/wrapped_label.h"
#include "vqas/signal/level.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

constexpr double kLowest_dbfs = -60;  // of the bar
constexpr int kBarLetters = 28;

}  // namespace

MeterBar::MeterBar(const Words& accessible_name, QWidget* parent) : QWidget(parent) {
  in_each_language(this, [this, accessible_name] {
    setAccessibleName(accessible_name());
    setAccessibleDescription(meter_words(reading_));
  });
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize MeterBar::sizeHint() const {
  return {fontMetrics().averageCharWidth() * kBarLetters, fontMetrics().lineSpacing() * 2};
}

void MeterBar::show_reading(const MeterReading& reading) {
  reading_ = reading;
  setAccessibleDescription(meter_words(reading_));
  update();
}

void MeterBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const PlotStyle style = plot_style(palette(), font());
  const double edge = fontMetrics().horizontalAdvance(u"-60"_s) / 2.0;
  const QRectF bar(edge, 1, width() - 2 * edge, height() - fontMetrics().lineSpacing() - 2);
  const auto x_of = [&bar](double dbfs) {
    return bar.left() + std::clamp((dbfs - kLowest_dbfs) / -kLowest_dbfs, 0.0, 1.0) * bar.width();
  };
  painter.fillRect(bar, style.background);
  if (reading_.active_dbm0) {
    const double right = x_of(*reading_.active_dbm0 + kZeroDbm0MuLawDbov);
    painter.fillRect(QRectF(bar.topLeft(), QPointF(right, bar.bottom())), style.mean);
  }
  if (reading_.peak_dbfs) {
    painter.setPen(QPen(style.unscored, 3));
    const double x = x_of(*reading_.peak_dbfs);
    painter.drawLine(QPointF(x, bar.top()), QPointF(x, bar.bottom()));
  }
  painter.setPen(style.faint);
  painter.drawRect(bar);
  const QRectF below(0, bar.bottom(), width(), fontMetrics().lineSpacing());
  for (const int dbfs : {-60, -40, -20, 0})
    painter.drawText(QRectF(x_of(dbfs) - edge, below.top(), 2 * edge, below.height()), Qt::AlignCenter,
                     QString::number(dbfs));
}

EquipmentPanel::EquipmentPanel(MakeSession make_session, QWidget* parent)
    : QGroupBox(parent),
      make_session_(std::move(make_session)),
      line_(new QComboBox),
      signal_(new QComboBox),
      monitor_(new QCheckBox),
      toggle_(new QPushButton),
      state_(new WrappedLabel(6)) {
  line_->setObjectName(u"equipment_line"_s);
  line_->setEditable(true);
  line_->setInsertPolicy(QComboBox::NoInsert);
  line_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  line_->setMinimumContentsLength(16);
  signal_->setObjectName(u"equipment_signal"_s);
  signal_->addItems(QStringList(3));  // as TestSignal
  monitor_->setObjectName(u"equipment_monitor"_s);
  toggle_->setObjectName(u"equipment_toggle"_s);
  state_->setObjectName(u"equipment_state"_s);
  auto* form = new QFormLayout;
  form->setContentsMargins(0, 0, 0, 0);
  form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->addRow(label([] { return tr("&Device"); }, line_), line_);
  form->addRow(label([] { return tr("Sen&ds"); }, signal_), signal_);
  form->addRow(monitor_);
  form->addRow(toggle_);
  sent_ = add_way(
      *form, [] { return tr("Sent"); }, [] { return tr("Level: Sent"); }, u"meter_sent"_s);
  heard_ = add_way(
      *form, [] { return tr("Arrives"); }, [] { return tr("Level: Arrives"); }, u"meter_heard"_s);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(form);
  layout->addWidget(state_);
  layout->addStretch();
  connect(toggle_, &QPushButton::clicked, this, &EquipmentPanel::toggle);
  connect(line_, &QComboBox::currentTextChanged, this, &EquipmentPanel::line_changed);
  connect(signal_, &QComboBox::activated, this, [this] {
    if (session_) session_->send(signal());
  });
  connect(monitor_, &QCheckBox::toggled, this, [this] {
    if (!session_) return;
    again_ = true;  // the line is opened with its monitor, or without
    stop();
  });
  in_each_language(this, [this] { write_texts(); });
}

void EquipmentPanel::write_texts() {
  setTitle(tr("This laptop's line"));
  line_->lineEdit()->setPlaceholderText(tr("a sound device"));
  line_->setToolTip(tr("The sound devices of this laptop; the list follows what is plugged in and out"));
  line_->setAccessibleName(tr("Device of this laptop's line"));
  signal_->setItemText(static_cast<int>(TestSignal::silence), tr("nothing"));
  signal_->setItemText(static_cast<int>(TestSignal::tone), tr("a tone of 1020 Hz"));
  signal_->setItemText(static_cast<int>(TestSignal::speech), tr("speech"));
  signal_->setToolTip(tr("At the level at which sentences are sent, %1 dBm0")
                          .arg(number_words(kNominalSpeechLevelDbov - kZeroDbm0MuLawDbov, 1)));
  signal_->setAccessibleName(tr("Test signal"));
  monitor_->setText(tr("&Loudspeaker plays what arrives"));
  monitor_->setToolTip(tr("Through the usual output of this laptop; with a sound device alone"));
  refresh();
}

EquipmentPanel::~EquipmentPanel() {
  if (session_) session_->disconnect(this);
}

EquipmentPanel::Way EquipmentPanel::add_way(QFormLayout& form, const Words& caption, const Words& accessible_name,
                                            const QString& name) {
  Way way{new MeterBar(accessible_name), new WrappedLabel(3)};
  way.bar->setObjectName(name);
  way.words->setObjectName(name + u"_words"_s);
  way.words->show_text(u"–"_s);
  auto* column = new QVBoxLayout;
  column->setSpacing(0);
  column->addWidget(way.words);
  column->addWidget(way.bar);
  form.addRow(label(caption), column);
  return way;
}

TestSignal EquipmentPanel::signal() const {
  return static_cast<TestSignal>(signal_->currentIndex());
}

void EquipmentPanel::offer_lines(const QStringList& lines) {
  const QString typed = line_->currentText();
  const bool gone = offered_.contains(typed) && !lines.contains(typed);
  const bool back = !offered_.contains(typed) && lines.contains(typed);
  line_->clear();
  line_->addItems(lines);
  line_->setCurrentText(typed.isEmpty() && !lines.isEmpty() ? lines.front() : typed);
  offered_ = lines;
  if (gone) state_->show_text([] { return tr("⚠ This device is gone: plug it in again, or choose another one."); });
  if (back) state_->show_text(QString());
}

void EquipmentPanel::set_line(const QString& line) {
  line_->setCurrentText(line);
}

QString EquipmentPanel::line() const {
  return line_->currentText();
}

void EquipmentPanel::toggle() {
  session_ ? stop() : start();
}

void EquipmentPanel::stop() {
  if (!session_) return;
  toggle_->setEnabled(false);
  session_->stop();
}

void EquipmentPanel::start() {
  QString line = line_->currentText().trimmed();
  if (line.isEmpty()) {
    state_->show_text([] { return tr("⚠ Choose a sound device, or write the name of a line."); });
    return line_->setFocus();
  }
  if (monitor_->isChecked() && line.startsWith(u"audio:"_s))
    line += (line.contains(u'?') ? u"&"_s : u"?"_s) + u"monitor=default"_s;
  line_->lineEdit()->setCursorPosition(0);  // its beginning is in sight
  state_->show_text([] { return tr("Opening the line"); });
  session_ = make_session_(line);
  connect(session_.get(), &EquipmentSession::opened, this, [this](const QString& equipment) {
    state_->show_text([equipment] { return equipment.isEmpty() ? tr("The line is open.") : told(equipment); });
  });
  connect(session_.get(), &EquipmentSession::metered, this, &EquipmentPanel::show_reading);
  connect(session_.get(), &EquipmentSession::told, this,
          [this](const QString& what) { state_->show_text([what] { return u"⚠ "_s + told(what); }); });
  connect(session_.get(), &EquipmentSession::ended, this, &EquipmentPanel::show_ended);
  refresh();
  emit running_changed(true);
  session_->start();
  session_->send(signal());
}

void EquipmentPanel::show_reading(const EquipmentReading& reading) {
  for (const auto& [way, levels] : {std::pair{&sent_, &reading.sent}, std::pair{&heard_, &reading.heard}}) {
    way->bar->show_reading(*levels);
    way->words->show_text([reading = *levels] { return meter_words(reading); });
  }
}

void EquipmentPanel::show_ended(const QString& why) {
  session_->disconnect(this);
  session_.release()->deleteLater();
  show_reading({});
  for (const Way& way : {sent_, heard_}) way.words->show_text(u"–"_s);
  state_->show_text([why] { return why.isEmpty() ? QString() : u"⚠ "_s + told(why); });
  refresh();
  if (std::exchange(again_, false) && why.isEmpty()) return start();
  emit running_changed(false);
}

void EquipmentPanel::allow(bool allowed) {
  allowed_ = allowed;
  refresh();
}

void EquipmentPanel::refresh() {
  line_->setEnabled(!session_);
  toggle_->setEnabled(session_ != nullptr || allowed_);
  toggle_->setText(session_ ? tr("&Close the line") : tr("&Open the line and meter it"));
}

}  // namespace vqas::app
