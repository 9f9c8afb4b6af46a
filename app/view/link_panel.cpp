#include "view/link_panel.h"

#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "model/phrases.h"
#include "model/words.h"
#include "view/wrapped_label.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

QLabel* words_label(const QString& name) {
  auto* label = new QLabel;
  label->setObjectName(name);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  QFont large = label->font();
  large.setPointSizeF(large.pointSizeF() * 1.3);
  label->setFont(large);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  return label;
}

}  // namespace

LinkPanel::LinkPanel(MakeLink make_link, QWidget* parent)
    : QGroupBox(parent),
      make_link_(std::move(make_link)),
      form_(new QFormLayout),
      address_(new QLineEdit),
      code_(new QLineEdit),
      pairing_(new QLineEdit),
      toggle_(new QPushButton),
      trust_(new QPushButton),
      distrust_(new QPushButton),
      state_(new WrappedLabel(8)),
      words_(words_label(u"partner_words"_s)),
      expected_(words_label(u"partner_expected"_s)) {
  address_->setObjectName(u"partner_address"_s);
  address_->setPlaceholderText(u"192.0.2.7"_s);
  code_->setObjectName(u"partner_code"_s);
  pairing_->setObjectName(u"partner_pairing"_s);
  auto* choose = new QPushButton(u"…"_s);
  choose->setObjectName(u"choose_partner_pairing"_s);
  choose->setMaximumWidth(choose->fontMetrics().height() * 2);
  auto* file = new QHBoxLayout;
  file->addWidget(pairing_, 1);
  file->addWidget(choose);
  form_->setContentsMargins(0, 0, 0, 0);
  form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form_->addRow(label([] { return tr("&Address"); }, address_), address_);
  form_->addRow(label([] { return tr("C&ode"); }, code_), code_);
  form_->addRow(label([] { return tr("Pairing &file"); }, pairing_), file);
  form_->addRow(toggle_);
  form_->addRow(label([] { return tr("Fingerprint"); }), words_);
  form_->addRow(label([] { return tr("Expected"); }), expected_);
  toggle_->setObjectName(u"partner_toggle"_s);
  trust_->setObjectName(u"partner_trust"_s);
  distrust_->setObjectName(u"partner_distrust"_s);
  state_->setObjectName(u"partner_state"_s);
  auto* answer = new QHBoxLayout;
  answer->addWidget(distrust_);
  answer->addWidget(trust_);
  answer->addStretch();
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(form_);
  layout->addWidget(state_);
  layout->addLayout(answer);
  layout->addStretch();
  connect(toggle_, &QPushButton::clicked, this, &LinkPanel::toggle);
  connect(choose, &QPushButton::clicked, this, [this] {
    auto* dialog = new QFileDialog(this, tr("Pairing file of your partner"), pairing_->text());
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, pairing_, &QLineEdit::setText);
    dialog->open();
  });
  for (const auto& [button, yes] : {std::pair{trust_, true}, std::pair{distrust_, false}}) {
    connect(button, &QPushButton::clicked, this, [this, yes = yes] {
      asking_ = false;
      refresh();
      if (link_) link_->trust(yes);
    });
  }
  for (QLineEdit* const edit : {address_, code_}) connect(edit, &QLineEdit::returnPressed, this, &LinkPanel::start);
  in_each_language(this, [this] { write_texts(); });
}

void LinkPanel::write_texts() {
  setTitle(tr("Your partner"));
  trust_->setText(tr("The&y are the same: trust"));
  distrust_->setText(tr("They diffe&r"));
  words_->setAccessibleName(tr("Fingerprint of your partner's end"));
  expected_->setAccessibleName(tr("Fingerprint that was expected"));
  address_->setToolTip(tr("As your partner's page shows it; the port is 7811 unless you write another one"));
  address_->setAccessibleName(tr("Address of your partner"));
  code_->setPlaceholderText(tr("six words"));
  code_->setToolTip(tr("The code that your partner reads out. It is not saved"));
  code_->setAccessibleName(tr("Code of your partner"));
  pairing_->setPlaceholderText(tr("none"));
  pairing_->setToolTip(tr("In place of the code: the file that your partner saved. Only its path is remembered"));
  pairing_->setAccessibleName(tr("Pairing file of your partner"));
  findChild<QPushButton*>(u"choose_partner_pairing"_s)->setAccessibleName(tr("Choose: pairing file of your partner"));
  refresh();
}

LinkPanel::~LinkPanel() {
  if (link_) link_->disconnect(this);
}

QString LinkPanel::pairing_file() const {
  return pairing_->text().trimmed();
}

void LinkPanel::toggle() {
  link_ ? leave() : start();
}

void LinkPanel::leave() {
  // Its thread may still look for the partner; the window does not wait for that.
  link_->disconnect(this);
  link_.release()->deleteLater();
  partner_.reset();
  asking_ = false;
  state_->show_text(QString());
  refresh();
  emit changed();
}

void LinkPanel::start() {
  if (link_) return;
  words_->clear();
  expected_->clear();
  state_->show_text([] { return tr("Looking for your partner"); });
  link_ = make_link_({address_->text(), code_->text(), pairing_file()});
  connect(link_.get(), &PartnerLink::asked_to_trust, this, &LinkPanel::ask_to_trust);
  connect(link_.get(), &PartnerLink::seen, this, &LinkPanel::show_partner);
  connect(link_.get(), &PartnerLink::failed, this, &LinkPanel::show_trouble);
  refresh();
  link_->start();
}

void LinkPanel::ask_to_trust(const QString& fingerprint, const QString& words) {
  words_->setText(words);
  words_->setToolTip(fingerprint);
  state_->show_text([] {
    return tr(
        "You connect to this partner for the first time. Have the fingerprint read out to you, or call to compare "
        "it: trust it only if every word is the same");
  });
  asking_ = true;
  refresh();
  distrust_->setFocus();
}

void LinkPanel::show_partner(const PartnerSeen& partner) {
  const bool first = !partner_;
  partner_ = partner;
  words_->setText(partner.words);
  words_->setToolTip(partner.fingerprint);
  state_->show_text([node = partner.node] {
    const QString held = node.held_by.empty() ? tr("The line is free")
                                              : tr("The line is held by %1").arg(QString::fromStdString(node.held_by));
    return tr("✓ Connected: end %1, %2\nRound trip %3 ms\n%4")
        .arg(node.end == End::a ? u"A"_s : u"B"_s, QString::fromStdString(node.line),
             number_words(node.round_trip_ms, 1), held);
  });
  refresh();
  if (first) emit changed();
}

void LinkPanel::show_trouble(const PartnerTrouble& trouble) {
  leave();
  words_->setText(trouble.shown_words);
  expected_->setText(trouble.expected_words);
  state_->show_text([trouble] { return u"⚠ %1\n%2"_s.arg(translated(trouble.what), translated(trouble.next_step)); });
  refresh();
}

void LinkPanel::refresh() {
  const bool linked = link_ != nullptr;
  for (QLineEdit* const edit : {address_, code_, pairing_}) edit->setEnabled(!linked);
  findChild<QPushButton*>(u"choose_partner_pairing"_s)->setEnabled(!linked);
  toggle_->setText(linked ? tr("Dis&connect") : tr("&Connect"));
  form_->setRowVisible(words_, !words_->text().isEmpty());
  form_->setRowVisible(expected_, !expected_->text().isEmpty());
  trust_->setVisible(asking_);
  distrust_->setVisible(asking_);
}

}  // namespace vqas::app
