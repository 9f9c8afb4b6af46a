#include "view/end_panel.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QSysInfo>
#include <QVBoxLayout>

#include "model/words.h"
#include "view/wrapped_label.h"
#include "vqas/line/open_line.h"
#include "vqas/node/peers.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

EndPanel::EndPanel(MakeEnd make_end, QWidget* parent)
    : QGroupBox(parent),
      make_end_(std::move(make_end)),
      form_(new QFormLayout),
      end_(new QComboBox),
      line_(new QComboBox),
      port_(new QSpinBox),
      toggle_(new QPushButton),
      save_(new QPushButton),
      state_(new WrappedLabel(6)),
      told_(new WrappedLabel(6)) {
  end_->setObjectName(u"own_end"_s);
  end_->addItems({u"A"_s, u"B"_s});
  line_->setObjectName(u"own_line"_s);
  line_->setEditable(true);
  line_->setInsertPolicy(QComboBox::NoInsert);
  line_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  line_->setMinimumContentsLength(16);
  port_->setObjectName(u"own_port"_s);
  port_->setRange(0, 65535);
  port_->setValue(EndSettings{}.port);
  toggle_->setObjectName(u"own_toggle"_s);
  save_->setObjectName(u"save_pairing"_s);
  state_->setObjectName(u"own_state"_s);
  told_->setObjectName(u"own_told"_s);
  form_->setContentsMargins(0, 0, 0, 0);
  form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form_->addRow(label([] { return tr("&End"); }, end_), end_);
  form_->addRow(label([] { return tr("&Line"); }, line_), line_);
  form_->addRow(label([] { return tr("&Port"); }, port_), port_);
  form_->addRow(toggle_);
  auto* name = add_fact([] { return tr("Name"); }, u"own_name"_s);
  name->setText(QSysInfo::machineHostName());
  address_ = add_fact([] { return tr("Address"); }, u"own_address"_s);
  words_ = add_fact([] { return tr("Fingerprint"); }, u"own_words"_s);
  code_ = add_fact([] { return tr("Code"); }, u"own_code"_s);
  QFont large = code_->font();
  large.setPointSizeF(large.pointSizeF() * 1.3);
  words_->setFont(large);
  large.setBold(true);
  code_->setFont(large);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(form_);
  layout->addWidget(state_);
  layout->addWidget(told_);
  layout->addWidget(save_, 0, Qt::AlignLeft);
  layout->addStretch();
  connect(toggle_, &QPushButton::clicked, this, &EndPanel::toggle);
  connect(save_, &QPushButton::clicked, this, [this] {
    auto* dialog = new QFileDialog(this, tr("Save a pairing file for your partner"), u"pairing.json"_s);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, this, &EndPanel::save_pairing);
    dialog->open();
  });
  offer_lines({});
  in_each_language(this, [this] { write_texts(); });
}

EndPanel::~EndPanel() {
  if (session_) session_->disconnect(this);
}

void EndPanel::write_texts() {
  setTitle(tr("This laptop"));
  end_->setToolTip(tr("Each end of the line has its own letter; usually the one that measures is A"));
  line_->lineEdit()->setPlaceholderText(tr("audio:…, rtp:… or sip:…"));
  line_->setToolTip(
      tr("What the line is connected to: a sound device, audio:NAME?host=alsa; RTP, rtp:HERE:PORT/THERE:PORT; or a "
         "call that this end makes or answers, sip:USER@HOST;dial=USER@HOST;account=FILE"));
  port_->setSpecialValueText(tr("any"));
  port_->setToolTip(tr("TCP port at which your partner reaches this laptop; a firewall must let it through"));
  save_->setText(tr("Sa&ve pairing file…"));
  save_->setToolTip(tr("Writes address, fingerprint and code to a file for your partner: keep it as a secret"));
  end_->setAccessibleName(tr("This laptop: End"));
  line_->setAccessibleName(tr("This laptop: Line"));
  port_->setAccessibleName(tr("This laptop: Port"));
  offer_lines(offered_);
  refresh();
}

QLabel* EndPanel::add_fact(const Words& caption, const QString& name) {
  auto* fact = new QLabel;
  fact->setObjectName(name);
  in_each_language(fact, [fact, caption] { fact->setAccessibleName(tr("%1 of this laptop").arg(caption())); });
  fact->setTextFormat(Qt::PlainText);
  fact->setWordWrap(true);
  fact->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  form_->addRow(label(caption), fact);
  return fact;
}

End EndPanel::end() const {
  return end_->currentIndex() == 0 ? End::a : End::b;
}

void EndPanel::set_waiting(bool waiting) {
  if (session_) return;
  waiting_ = waiting;
  end_->setCurrentIndex(waiting ? 1 : 0);
  state_->show_text(QString());
  refresh();
}

void EndPanel::offer_lines(const QStringList& lines) {
  const QString typed = line_->currentText();
  offered_ = lines;
  line_->clear();
  line_->addItems(lines);
  // Forms to be filled in; a wrong one is refused with what is right.
  for (const LineScheme& kind : line_schemes()) {
    if (kind.scheme != "rtp" && kind.scheme != "sip") continue;
    line_->addItem(QString::fromUtf8(kind.pattern));
    line_->setItemData(line_->count() - 1, told(std::string(kind.summary)), Qt::ToolTipRole);
  }
  line_->setCurrentText(typed);
}

void EndPanel::set_line(const QString& line) {
  line_->setCurrentText(line);
}

void EndPanel::set_port(int port) {
  port_->setValue(port);
}

void EndPanel::toggle() {
  if (!session_) return start();
  toggle_->setEnabled(false);
  session_->stop();
}

void EndPanel::start() {
  EndSettings settings;
  settings.end = end();
  settings.line = line_->currentText().trimmed();
  settings.for_partner = waiting_;
  settings.port = static_cast<quint16>(port_->value());
  if (settings.line.isEmpty()) {
    state_->show_text(
        [] { return tr("⚠ Choose what the line is connected to: a sound device, an RTP address, or a SIP call."); });
    return line_->setFocus();
  }
  state_->show_text([] { return tr("Opening the line"); });
  session_ = make_end_(settings);
  connect(session_.get(), &EndSession::ready, this, &EndPanel::show_ready);
  connect(session_.get(), &EndSession::held, this, &EndPanel::show_holder);
  connect(session_.get(), &EndSession::told, this,
          [this](const QString& what) { told_->show_text([what] { return told(what); }); });
  connect(session_.get(), &EndSession::ended, this, &EndPanel::show_ended);
  refresh();
  emit changed();
  session_->start();
}

void EndPanel::show_ready(const EndReady& end) {
  ready_ = end;
  refresh();
  show_holder({});
  emit changed();
}

// What was told while another one held this end is over.
void EndPanel::show_holder(const QString& by) {
  if (holder_ == by) return;
  if (holder_ && by.isEmpty()) told_->show_text(QString());
  holder_ = by;
  if (!by.isEmpty())
    state_->show_text([by] { return tr("Measuring: %1 holds this end of the line").arg(by); });
  else if (waiting_)
    state_->show_text([] {
      return tr("Waiting: read address and code out to your partner, and compare the fingerprint word by word");
    });
  else
    state_->show_text([] { return tr("This end of the line is ready"); });
}

void EndPanel::show_ended(const QString& why) {
  session_->disconnect(this);  // what it still reports is about an end that is over
  session_.release()->deleteLater();
  ready_.reset();
  holder_.reset();
  told_->show_text(QString());
  state_->show_text([why] { return why.isEmpty() ? QString() : u"⚠ "_s + told(why); });
  refresh();
  emit changed();
}

void EndPanel::refresh() {
  const bool running = session_ != nullptr;
  for (QWidget* const one : {static_cast<QWidget*>(end_), static_cast<QWidget*>(line_), static_cast<QWidget*>(port_)})
    one->setEnabled(!running);
  toggle_->setEnabled(true);
  toggle_->setText(running ? tr("&Stop this end") : waiting_ ? tr("&Wait for a partner") : tr("S&tart this end"));
  form_->setRowVisible(port_, waiting_);
  const bool shown = ready_ && waiting_;
  for (QLabel* const fact : {address_, words_, code_}) form_->setRowVisible(fact, shown);
  save_->setVisible(shown);
  if (!shown) return;
  address_->setText(ready_->addresses.isEmpty() ? ready_->own_address : ready_->addresses.join(u'\n'));
  words_->setText(ready_->words);
  words_->setToolTip(ready_->fingerprint);
  code_->setText(QString(ready_->code).replace(u'-', u' '));
}

void EndPanel::save_pairing(const QString& path) {
  if (!ready_) return;
  const QString address = ready_->addresses.isEmpty() ? ready_->own_address : ready_->addresses.front();
  const Status saved = write_pairing(
      path.toStdString(), {address.toStdString(), ready_->fingerprint.toStdString(), ready_->code.toStdString()});
  if (saved)
    state_->show_text([] { return tr("The pairing file is saved: keep it as a secret until you stop this end"); });
  else
    state_->show_text([why = saved.error().message] { return u"⚠ "_s + told(why); });
}

}  // namespace vqas::app
