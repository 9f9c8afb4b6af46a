#include "view/line_fields.h"

#include <QComboBox>
#include <QCompleter>
#include <QLineEdit>
#include <QRadioButton>
#include <QVBoxLayout>

#include "view/field_form.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

LineFields::LineFields(QWidget* parent)
    : QWidget(parent),
      simulated_(new QRadioButton(u"S&imulated line"_s)),
      nodes_(new QRadioButton(u"Two &nodes"_s)),
      simulated_fields_(new FieldForm),
      node_fields_(new FieldForm) {
  simulated_->setObjectName(u"simulated"_s);
  simulated_->setToolTip(u"A 64 kb/s G.711 line on this computer, to see how VQAS works"_s);
  nodes_->setObjectName(u"nodes"_s);
  nodes_->setToolTip(u"Nodes that run at the two ends of a line"_s);
  make_simulated_fields();
  make_node_fields();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(simulated_);
  layout->addWidget(nodes_);
  for (FieldForm* fields : this->fields()) {
    layout->addWidget(fields);
    connect(fields, &FieldForm::edited, this, &LineFields::edited);
  }
  connect(simulated_, &QRadioButton::toggled, this, [this] {
    show_fields_of_line();
    emit edited();
  });
}

void LineFields::make_simulated_fields() {
  ber_ = new QComboBox;
  ber_->setObjectName(u"ber"_s);
  ber_->setEditable(true);
  ber_->setInsertPolicy(QComboBox::NoInsert);
  ber_->addItems({u"0"_s, u"1e-6"_s, u"1e-5"_s, u"1e-4"_s, u"1e-3"_s, u"1e-2"_s});
  ber_->setToolTip(u"Share of the line's bits that arrive wrong; speech begins to suffer from 1e-6 to 1e-3"_s);
  connect(ber_, &QComboBox::currentTextChanged, this, &LineFields::edited);
  simulated_fields_->add(Field::ber, u"&Bit error ratio"_s, ber_);
  delay_ms_ = simulated_fields_->add_text(Field::delay_ms, u"&Delay in ms"_s, u"delay_ms"_s,
                                          u"One way, in milliseconds; a satellite hop has about 250"_s);
}

void LineFields::make_node_fields() {
  const QString of_address = u"The control address that `vqas node` printed when it was started, ws://… or wss://…"_s;
  const QString of_access =
      u"For a wss:// node that asks for a token: the file that \"vqas node token add NAME --pairing FILE\" wrote "
      u"there, or a file with the token alone. Only its path is remembered"_s;
  node_a_ = node_fields_->add_text(Field::node_a, u"Node &A"_s, u"node_a"_s, of_address);
  access_a_ = node_fields_->add_path(Field::access_a, u"Pairing or token file of A"_s, u"access_a"_s, of_access,
                                     FieldForm::Chosen::file);
  node_b_ = node_fields_->add_text(Field::node_b, u"Node &B"_s, u"node_b"_s, of_address);
  access_b_ = node_fields_->add_path(Field::access_b, u"Pairing or token file of B"_s, u"access_b"_s, of_access,
                                     FieldForm::Chosen::file);
  for (QLineEdit* edit : {access_a_, access_b_}) edit->setPlaceholderText(u"none"_s);
}

void LineFields::show_fields_of_line() {
  simulated_fields_->setVisible(simulated_->isChecked());
  node_fields_->setVisible(!simulated_->isChecked());
}

void LineFields::offer_addresses(const QStringList& addresses) {
  for (QLineEdit* edit : {node_a_, node_b_}) edit->setCompleter(new QCompleter(addresses, edit));
}

void LineFields::fill(SettingsForm& form) const {
  form.line = simulated_->isChecked() ? LineKind::simulated : LineKind::nodes;
  form.ber = ber_->currentText();
  form.delay_ms = delay_ms_->text();
  form.node_a = node_a_->text();
  form.node_b = node_b_->text();
  form.access_a = access_a_->text();
  form.access_b = access_b_->text();
}

void LineFields::show_form(const SettingsForm& form) {
  (form.line == LineKind::simulated ? simulated_ : nodes_)->setChecked(true);
  ber_->setCurrentText(form.ber);
  delay_ms_->setText(form.delay_ms);
  node_a_->setText(form.node_a);
  node_b_->setText(form.node_b);
  access_a_->setText(form.access_a);
  access_b_->setText(form.access_b);
  show_fields_of_line();
}

}  // namespace vqas::app
