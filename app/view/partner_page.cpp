#include "view/partner_page.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include "view/flow_layout.h"
#include "view/wrapped_label.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

PartnerPage::PartnerPage(const Services& services, QWidget* parent)
    : Page(parent),
      measuring_(new QRadioButton),
      waiting_(new QRadioButton),
      own_(new EndPanel(services.make_end)),
      partner_(new LinkPanel(services.make_link)),
      measure_(new QPushButton),
      hint_(new WrappedLabel(3)) {
  measuring_->setObjectName(u"partner_measuring"_s);
  waiting_->setObjectName(u"partner_waiting"_s);
  measure_->setObjectName(u"partner_measure"_s);
  hint_->setObjectName(u"partner_hint"_s);
  auto* mode = new FlowLayout;
  mode->addWidget(measuring_);
  mode->addWidget(waiting_);
  auto* columns = new FlowLayout;
  columns->add(own_, 1);
  columns->add(partner_, 1);
  auto* bottom = new QHBoxLayout;
  bottom->addWidget(hint_, 1);
  bottom->addWidget(measure_);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(mode);
  layout->addLayout(columns, 1);
  layout->addLayout(bottom);
  connect(measuring_, &QRadioButton::toggled, this, [this](bool on) {
    own_->set_waiting(!on);
    refresh();
  });
  connect(own_, &EndPanel::changed, this, [this] {
    refresh();
    emit line_used(own_->is_running());
  });
  connect(partner_, &LinkPanel::changed, this, &PartnerPage::refresh);
  connect(measure_, &QPushButton::clicked, this, &PartnerPage::measure);
  measuring_->setChecked(true);
  in_each_language(this, [this] {
    measuring_->setText(tr("I &measure; my partner waits"));
    waiting_->setText(tr("I wa&it; my partner measures"));
    measure_->setText(tr("&Use this line"));
  });
}

void PartnerPage::set_waiting(bool waiting) {
  (waiting ? waiting_ : measuring_)->setChecked(true);
}

void PartnerPage::open_line(const QString& line) {
  if (own_->is_running()) return;
  set_waiting(false);
  own_->set_line(line);
  own_->toggle();
}

void PartnerPage::refresh() {
  const bool measures = measuring_->isChecked();
  partner_->setVisible(measures);
  measure_->setVisible(measures);
  const bool own = own_->ready_end().has_value(), linked = partner_->partner().has_value();
  const bool alike = own && linked && own_->end() == partner_->partner()->node.end;
  for (QRadioButton* const one : {measuring_, waiting_}) one->setEnabled(!own_->is_running());
  measure_->setEnabled(own && linked && !alike);
  hint_->show_text([measures, alike, own, linked] {
    if (!measures) return tr("Stay on this page while your partner measures. What your partner measures is kept there");
    if (alike)
      return tr("⚠ Both ends have the same letter: stop this end, choose the other letter, and start it again");
    if (!own) return tr("1. Choose the line of this laptop and start this end");
    return linked ? tr("3. Both ends are ready") : tr("2. Connect to your partner");
  });
}

void PartnerPage::measure() {
  if (!own_->ready_end() || !partner_->partner()) return;
  const PartnerSeen& there = *partner_->partner();
  PartnerLine line;
  const bool own_is_a = own_->end() == End::a;
  line.node_a = own_is_a ? own_->ready_end()->own_address : there.address;
  line.node_b = own_is_a ? there.address : own_->ready_end()->own_address;
  (own_is_a ? line.access_b : line.access_a) = partner_->pairing_file();
  if (!there.code.isEmpty()) line.codes[there.address] = there.code;
  emit measure_requested(line);
}

}  // namespace vqas::app
