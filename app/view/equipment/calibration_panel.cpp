#include "view/equipment/calibration_panel.h"

#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "model/words.h"
#include "view/equipment/wiring_picture.h"
#include "view/wrapped_label.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

CalibrationPanel::CalibrationPanel(Services services, QWidget* parent)
    : QGroupBox(parent), services_(std::move(services)), toggle_(new QPushButton), state_(new WrappedLabel(8)) {
  toggle_->setObjectName(u"calibrate"_s);
  state_->setObjectName(u"calibration_state"_s);
  auto* how = new WrappedLabel(6);
  how->show_text([] {
    return tr(
        "Join the output of the device to its own input with a cable. Turn a microphone input down, or use a "
        "cable with an attenuator.");
  });
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(how);
  layout->addWidget(new WiringPicture(Wiring::loop));
  layout->addWidget(toggle_);
  layout->addWidget(state_);
  connect(toggle_, &QPushButton::clicked, this, &CalibrationPanel::toggle);
  show_kept();
  in_each_language(this, [this] {
    setTitle(tr("Own delay of the device"));
    toggle_->setToolTip(tr("Sends five marks through the cable and listens for them, in 15 s"));
    refresh();
  });
}

CalibrationPanel::~CalibrationPanel() {
  if (session_) session_->disconnect(this);
}

void CalibrationPanel::set_line(const QString& line) {
  if (line == line_) return;
  line_ = line;
  if (!session_) show_kept();
}

void CalibrationPanel::show_kept() {
  const auto kept = services_.kept == nullptr ? std::nullopt : services_.kept->of(line_);
  state_->show_text([kept] {
    return kept ? calibration_words(*kept)
                : tr("Not measured yet: the delays of a run include half of what the device takes itself.");
  });
}

void CalibrationPanel::toggle() {
  if (session_) {
    end();
    return show_kept();
  }
  if (line_.trimmed().isEmpty()) return state_->show_text([] { return tr("⚠ Choose a sound device above first."); });
  session_ = services_.make_loop(line_.trimmed());
  connect(session_.get(), &LoopSession::finished, this,
          [this, line = line_](const LoopDelay& found, const QString& why) { show_found(line, found, why); });
  state_->show_text([] { return tr("Listening for the marks that come back; this takes 15 s"); });
  refresh();
  emit running_changed(true);
  session_->start();
}

void CalibrationPanel::show_found(const QString& line, const LoopDelay& found, const QString& why) {
  end();
  if (!why.isEmpty()) return state_->show_text([why] { return u"⚠ "_s + told(why); });
  if (found.steady() && services_.kept != nullptr)
    services_.kept->keep(line, {found.median_ms, found.return_loss_db, services_.now()});
  state_->show_text([found] { return loop_words(found); });
}

void CalibrationPanel::end() {
  session_->disconnect(this);
  session_.release()->deleteLater();
  refresh();
  emit running_changed(false);
}

void CalibrationPanel::allow(bool allowed) {
  allowed_ = allowed;
  refresh();
}

void CalibrationPanel::refresh() {
  toggle_->setEnabled(session_ != nullptr || allowed_);
  toggle_->setText(session_ ? tr("Sto&p listening") : tr("Measure the loo&p"));
}

}  // namespace vqas::app
