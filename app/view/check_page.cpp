#include "view/check_page.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "model/words.h"
#include "view/log_view.h"
#include "view/wrapped_label.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

QString invitation(bool simulated) {
  return simulated
             ? u"A simulated line has no equipment to check. Connect to a partner, or choose \"Two nodes\" on the "
               u"Measure page"_s
             : u"Sends a few sentences both ways and looks at levels, noise, echo, clocks and delay"_s;
}

}  // namespace

CheckPage::CheckPage(QWidget* parent)
    : Page(parent),
      state_(new WrappedLabel(6)),
      start_(new QPushButton(u"&Check the line"_s)),
      stop_(new QPushButton(u"&Stop"_s)) {
  state_->setObjectName(u"check_state"_s);
  QFont large = state_->font();
  large.setPointSizeF(large.pointSizeF() * 1.4);
  large.setBold(true);
  state_->setFont(large);
  state_->show_text(invitation(simulated_));
  start_->setObjectName(u"check"_s);
  start_->setToolTip(u"Less than a minute; the nodes are those of the Measure page"_s);
  stop_->setObjectName(u"stop_check"_s);
  connect(start_, &QPushButton::clicked, this, &CheckPage::requested);
  connect(stop_, &QPushButton::clicked, this, [this] { session_->cancel(); });
  list_ = new LogView(findings_, {u"Checklist of the line"_s, u"Nothing has been checked yet"_s, false});
  auto* row = new QHBoxLayout;
  row->addWidget(state_, 1);
  row->addWidget(start_);
  row->addWidget(stop_);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(row);
  layout->addWidget(list_, 1);
  refresh();
}

CheckPage::~CheckPage() {
  if (session_) session_->disconnect(this);
}

void CheckPage::begin(std::unique_ptr<CheckSession> session) {
  session_ = std::move(session);
  connect(session_.get(), &CheckSession::part_begun, this,
          [this](int part, int parts) { state_->show_text(u"Checking, part %1 of %2"_s.arg(part).arg(parts)); });
  connect(session_.get(), &CheckSession::noticed, this,
          [this](const QString& what) { state_->show_text(sentence(what)); });
  connect(session_.get(), &CheckSession::asked_to_trust, this, [this](const QString& question) {
    state_->show_text(u"Waiting for your answer"_s);
    emit asked_to_trust(question, [this](bool yes) { session_->trust(yes); });
  });
  connect(session_.get(), &CheckSession::found, this,
          [this](const SharedCheck& result) { findings_.show_result(*result); });
  connect(session_.get(), &CheckSession::finished, this, &CheckPage::show_end);
  findings_.clear();
  state_->show_text(u"Connecting to both nodes"_s);
  running_ = true;
  refresh();
  emit running_changed(true);
  session_->start();
}

void CheckPage::show_end(const SharedCheck& result) {
  findings_.show_result(*result);
  state_->show_text(check_words(*result));
  running_ = false;
  refresh();
  emit running_changed(false);
}

void CheckPage::allow(bool allowed) {
  allowed_ = allowed;
  refresh();
}

void CheckPage::set_simulated(bool simulated) {
  if (simulated_ != simulated && !running_) state_->show_text(invitation(simulated));
  simulated_ = simulated;
  refresh();
}

void CheckPage::refresh() {
  start_->setEnabled(allowed_ && !running_ && !simulated_);
  stop_->setEnabled(running_);
}

}  // namespace vqas::app
