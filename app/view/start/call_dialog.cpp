#include "view/start/call_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "model/call/call_form.h"
#include "view/language.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

CallDialog::CallDialog(const QString& home, QWidget* parent)
    : QDialog(parent),
      home_(home),
      own_(new QLineEdit),
      number_(new QLineEdit),
      account_(new QLineEdit),
      hd_(new QCheckBox),
      fault_(new QLabel) {
  own_->setObjectName(u"call_own"_s);
  number_->setObjectName(u"call_number"_s);
  account_->setObjectName(u"call_account"_s);
  hd_->setObjectName(u"call_hd"_s);
  fault_->setObjectName(u"call_fault"_s);
  fault_->setTextFormat(Qt::PlainText);
  fault_->setWordWrap(true);
  fault_->hide();
  auto* choose = new QPushButton(u"…"_s);
  choose->setAutoDefault(false);
  choose->setMaximumWidth(choose->fontMetrics().height() * 2);
  connect(choose, &QPushButton::clicked, this, [this] {
    auto* dialog = new QFileDialog(this, tr("File with user and password"), account_->text());
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, account_, &QLineEdit::setText);
    dialog->open();
  });
  auto* file = new QHBoxLayout;
  file->addWidget(account_, 1);
  file->addWidget(choose);
  auto* form = new QFormLayout;
  form->addRow(label([] { return tr("&Own address"); }, own_), own_);
  form->addRow(label([] { return tr("&Number"); }, number_), number_);
  form->addRow(label([] { return tr("&Account"); }, account_), file);
  form->addRow(hd_);
  auto* explanation = label([] {
    return tr(
        "VQAS must answer at the other end: there a partner waits with a SIP line, and gives you the address "
        "and the code for the next step.");
  });
  explanation->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
  QPushButton* const place = buttons->addButton(QString(), QDialogButtonBox::AcceptRole);
  place->setObjectName(u"call_place"_s);
  place->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &CallDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &CallDialog::reject);
  in_each_language(this, [this, place, choose] {
    setWindowTitle(tr("Place a call"));
    own_->setPlaceholderText(u"4711@pbx.example"_s);
    own_->setToolTip(
        tr("Name and host of this end's account at the exchange; without an exchange any name at this "
           "laptop's address"));
    number_->setPlaceholderText(u"4712"_s);
    number_->setToolTip(tr("Number at the same exchange, or NAME@HOST:PORT"));
    account_->setPlaceholderText(tr("none"));
    account_->setToolTip(tr("File with user and password, where the exchange asks for them"));
    choose->setAccessibleName(tr("Choose the file of the account"));
    hd_->setText(tr("&HD voice"));
    hd_->setToolTip(tr("Offers a codec at 16 kHz, as wideband scores need; the other end must offer it, too"));
    place->setText(tr("&Place the call"));
  });
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(form);
  layout->addWidget(fault_);
  layout->addWidget(explanation);
  layout->addWidget(buttons);
  own_->setFocus();
  setMinimumWidth(60 * fontMetrics().averageCharWidth());
}

void CallDialog::accept() {
  const CallReading read = read_call({own_->text(), number_->text(), account_->text(), hd_->isChecked()}, home_);
  fault_->setVisible(!read.fault.isEmpty());
  fault_->setText(u"⚠ "_s + read.fault);
  if (!read.fault.isEmpty()) return;
  emit placed(read.line);
  QDialog::accept();
}

}  // namespace vqas::app
