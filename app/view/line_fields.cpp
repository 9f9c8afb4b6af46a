#include "view/line_fields.h"

#include <QComboBox>
#include <QCompleter>
#include <QLineEdit>
#include <QRadioButton>
#include <QVBoxLayout>
#include <algorithm>

#include "view/field_form.h"
#include "vqas/channel/line_codec.h"
#include "vqas/channel/profile_library.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

LineFields::LineFields(QWidget* parent)
    : QWidget(parent),
      simulated_(new QRadioButton),
      nodes_(new QRadioButton),
      simulated_fields_(new FieldForm),
      node_fields_(new FieldForm) {
  simulated_->setObjectName(u"simulated"_s);
  nodes_->setObjectName(u"nodes"_s);
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
  in_each_language(this, [this] { write_texts(); });
}

void LineFields::write_texts() {
  simulated_->setText(tr("S&imulated line"));
  simulated_->setToolTip(tr("A 64 kb/s G.711 line on this computer, to see how VQAS works"));
  nodes_->setText(tr("Two &nodes"));
  nodes_->setToolTip(tr("Nodes that run at the two ends of a line"));
  ber_->setToolTip(tr("Share of the line's bits that arrive wrong; speech begins to suffer from 1e-6 to 1e-3"));
  const QString codecs[] = {tr("G.711: telephone band"), tr("Gateway: 16 kHz ends, G.711 between"),
                            tr("G.722: wideband"), tr("L16: wideband, no errors")};
  for (int i = 0; i < codec_->count(); ++i) codec_->setItemText(i, codecs[i]);
  codec_->setToolTip(tr("What carries the speech; wideband scores need an end at 16 kHz"));
  profile_->setItemText(0, tr("none: as set below"));
  profile_->setToolTip(
      tr("A line with all of its faults, as they change with time; the page Channel shows what it does"));
  for (QLineEdit* edit : {access_a_, access_b_}) edit->setPlaceholderText(tr("none"));
}

void LineFields::make_simulated_fields() {
  profile_ = new QComboBox;
  profile_->setObjectName(u"profile"_s);
  profile_->addItem(QString(), QString());
  for (const Profile& one : built_in_profiles())
    profile_->addItem(QString::fromStdString(one.name), QString::fromStdString(one.name));
  profile_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  profile_->setMinimumContentsLength(18);
  connect(profile_, &QComboBox::currentIndexChanged, this, [this] {
    show_fields_of_line();
    emit edited();
  });
  simulated_fields_->add(
      Field::profile, [] { return tr("&Profile"); }, profile_);
  codec_ = new QComboBox;
  codec_->setObjectName(u"codec"_s);
  for (const LineCodec one : {LineCodec::g711, LineCodec::gateway, LineCodec::g722, LineCodec::l16})
    codec_->addItem(QString(), QString::fromUtf8(to_string(one)));
  connect(codec_, &QComboBox::currentIndexChanged, this, &LineFields::edited);
  simulated_fields_->add(
      Field::codec, [] { return tr("C&odec"); }, codec_);
  ber_ = new QComboBox;
  ber_->setObjectName(u"ber"_s);
  ber_->setEditable(true);
  ber_->setInsertPolicy(QComboBox::NoInsert);
  ber_->addItems({u"0"_s, u"1e-6"_s, u"1e-5"_s, u"1e-4"_s, u"1e-3"_s, u"1e-2"_s});
  connect(ber_, &QComboBox::currentTextChanged, this, &LineFields::edited);
  simulated_fields_->add(
      Field::ber, [] { return tr("&Bit error ratio"); }, ber_);
  delay_ms_ = simulated_fields_->add_text(
      Field::delay_ms, [] { return tr("&Delay in ms"); }, u"delay_ms"_s,
      [] { return tr("One way, in milliseconds; a satellite hop has about 250"); });
}

void LineFields::make_node_fields() {
  const Words of_address = [] {
    return tr("The control address that `vqas node` printed when it was started, ws://… or wss://…");
  };
  const Words of_access = [] {
    return tr(
        "For a wss:// node that asks for a token: the file that \"vqas node token add NAME --pairing FILE\" wrote "
        "there, or a file with the token alone. Only its path is remembered");
  };
  node_a_ = node_fields_->add_text(
      Field::node_a, [] { return tr("Node &A"); }, u"node_a"_s, of_address);
  access_a_ = node_fields_->add_path(
      Field::access_a, [] { return tr("Pairing or token file of A"); }, u"access_a"_s, of_access,
      FieldForm::Chosen::file);
  node_b_ = node_fields_->add_text(
      Field::node_b, [] { return tr("Node &B"); }, u"node_b"_s, of_address);
  access_b_ = node_fields_->add_path(
      Field::access_b, [] { return tr("Pairing or token file of B"); }, u"access_b"_s, of_access,
      FieldForm::Chosen::file);
}

void LineFields::show_fields_of_line() {
  simulated_fields_->setVisible(simulated_->isChecked());
  node_fields_->setVisible(!simulated_->isChecked());
  for (const Field one : {Field::ber, Field::delay_ms}) simulated_fields_->show_field(one, profile().isEmpty());
}

QString LineFields::profile() const {
  return profile_->currentData().toString();
}

void LineFields::offer_addresses(const QStringList& addresses) {
  for (QLineEdit* edit : {node_a_, node_b_}) edit->setCompleter(new QCompleter(addresses, edit));
}

void LineFields::fill(SettingsForm& form) const {
  form.line = simulated_->isChecked() ? LineKind::simulated : LineKind::nodes;
  form.profile = profile();
  form.codec = codec_->currentData().toString();
  form.ber = ber_->currentText();
  form.delay_ms = delay_ms_->text();
  form.node_a = node_a_->text();
  form.node_b = node_b_->text();
  form.access_a = access_a_->text();
  form.access_b = access_b_->text();
}

void LineFields::show_form(const SettingsForm& form) {
  (form.line == LineKind::simulated ? simulated_ : nodes_)->setChecked(true);
  if (profile_->findData(form.profile) < 0) profile_->addItem(form.profile, form.profile);  // a file
  profile_->setCurrentIndex(profile_->findData(form.profile));
  codec_->setCurrentIndex(std::max(0, codec_->findData(form.codec)));
  ber_->setCurrentText(form.ber);
  delay_ms_->setText(form.delay_ms);
  node_a_->setText(form.node_a);
  node_b_->setText(form.node_b);
  access_a_->setText(form.access_a);
  access_b_->setText(form.access_b);
  show_fields_of_line();
}

}  // namespace vqas::app
