#include "view/check_page.h"

#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "model/text.h"
#include "model/words.h"
#include "view/flow_layout.h"
#include "view/log_view.h"
#include "view/wrapped_label.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int kStateLetters = 20;  // least width of the state line

QString invitation(bool simulated) {
  return simulated ? Text::tr(
                         "The chosen line is simulated and has no equipment. Connect to a partner, or choose "
                         "\"Two nodes\" on the Measure page, to check a whole line")
                   : Text::tr("Sends a few sentences both ways and looks at levels, noise, echo, clocks and delay");
}

}  // namespace

CheckPage::CheckPage(const Services& services, QWidget* parent)
    : Page(parent),
      equipment_(new EquipmentPanel(services.make_equipment)),
      calibration_(new CalibrationPanel(services.calibration)),
      baseline_(new BaselinePanel(services.baseline_words)),
      state_(new WrappedLabel(10)),
      start_(new QPushButton),
      stop_(new QPushButton) {
  state_->setObjectName(u"check_state"_s);
  QFont large = state_->font();
  large.setPointSizeF(large.pointSizeF() * 1.2);
  large.setBold(true);
  state_->setFont(large);
  state_->setMinimumWidth(state_->fontMetrics().averageCharWidth() * kStateLetters);
  state_->show_text([this] { return invitation(simulated_); });
  start_->setObjectName(u"check"_s);
  stop_->setObjectName(u"stop_check"_s);
  connect(start_, &QPushButton::clicked, this, &CheckPage::requested);
  connect(stop_, &QPushButton::clicked, this, [this] { session_->cancel(); });
  list_ = new LogView(findings_, {[] { return tr("Checklist of the line"); },
                                  [] { return tr("Nothing has been checked yet"); }, false});
  auto* row = new FlowLayout;
  row->add(state_, 1);
  row->addWidget(start_);
  row->addWidget(stop_);
  auto* check = new QWidget;
  auto* right = new QVBoxLayout(check);
  right->setContentsMargins(0, 0, 0, 0);
  right->addLayout(row);
  right->addWidget(list_, 1);
  auto* columns = new FlowLayout(16);
  columns->add(equipment_, 2);
  columns->add(check, 5);
  auto* once = new FlowLayout(16);
  once->add(calibration_, 1);
  once->add(baseline_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(columns, 1);
  layout->addLayout(once);
  connect(equipment_, &EquipmentPanel::line_changed, calibration_, &CalibrationPanel::set_line);
  connect(equipment_, &EquipmentPanel::running_changed, this, &CheckPage::share_device);
  connect(calibration_, &CalibrationPanel::running_changed, this, &CheckPage::share_device);
  in_each_language(this, [this] {
    start_->setText(tr("&Check the line"));
    start_->setToolTip(tr("Less than a minute; the nodes are those of the Measure page"));
    stop_->setText(tr("&Stop"));
  });
  refresh();
}

CheckPage::~CheckPage() {
  if (session_) session_->disconnect(this);
}

void CheckPage::begin(std::unique_ptr<CheckSession> session) {
  session_ = std::move(session);
  connect(session_.get(), &CheckSession::part_begun, this, [this](int part, int parts) {
    state_->show_text([part, parts] { return tr("Checking, part %1 of %2").arg(part).arg(parts); });
  });
  connect(session_.get(), &CheckSession::noticed, this,
          [this](const QString& what) { state_->show_text([what] { return told(what); }); });
  connect(session_.get(), &CheckSession::asked_to_trust, this, [this](const QString& question) {
    state_->show_text([] { return tr("Waiting for your answer"); });
    emit asked_to_trust(question, [this](bool yes) { session_->trust(yes); });
  });
  connect(session_.get(), &CheckSession::found, this,
          [this](const SharedCheck& result) { findings_.show_result(*result); });
  connect(session_.get(), &CheckSession::finished, this, &CheckPage::show_end);
  findings_.clear();
  state_->show_text([] { return tr("Connecting to both nodes"); });
  running_ = true;
  refresh();
  emit running_changed(true);
  session_->start();
}

void CheckPage::show_end(const SharedCheck& result) {
  findings_.show_result(*result);
  state_->show_text([result] { return check_words(*result); });
  running_ = false;
  refresh();
  emit running_changed(false);
}

void CheckPage::allow(bool allowed) {
  allowed_ = allowed;
  refresh();
}

void CheckPage::allow_device(bool allowed) {
  device_allowed_ = allowed;
  equipment_->allow(allowed && !calibration_->is_running());
  calibration_->allow(allowed && !equipment_->is_running());
}

void CheckPage::release_device() {
  equipment_->stop();
  if (calibration_->is_running()) calibration_->toggle();
}

// A device serves one user at a time.
void CheckPage::share_device() {
  allow_device(device_allowed_);
  emit device_used();
}

void CheckPage::set_simulated(bool simulated) {
  if (simulated_ != simulated && !running_) state_->show_text([simulated] { return invitation(simulated); });
  simulated_ = simulated;
  refresh();
}

void CheckPage::refresh() {
  start_->setEnabled(allowed_ && !running_ && !simulated_);
  stop_->setEnabled(running_);
}

}  // namespace vqas::app
