#include "view/note_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFontMetrics>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "view/language.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

NoteDialog::NoteDialog(std::vector<HeardMeasurement> heard, std::function<QDateTime()> now, QWidget* parent)
    : QDialog(parent),
      heard_(std::move(heard)),
      now_(std::move(now)),
      choice_(new QComboBox),
      words_(new QPlainTextEdit),
      fault_(new QLabel) {
  for (const HeardMeasurement& one : heard_) choice_->addItem(one.words);
  choice_->setObjectName(u"heard"_s);
  words_->setObjectName(u"words"_s);
  words_->setTabChangesFocus(true);
  words_->setFixedHeight(5 * words_->fontMetrics().lineSpacing());
  fault_->setObjectName(u"note_fault"_s);
  fault_->setTextFormat(Qt::PlainText);
  fault_->hide();

  auto* which = label([] { return tr("&Measurement"); }, choice_);
  auto* what = label([] { return tr("What you &heard"); }, words_);
  auto* explanation = label([] {
    return tr("The score is not changed. The note appears in the report, and the stimulus is measured again.");
  });
  explanation->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  QPushButton* const keep = buttons->addButton(QString(), QDialogButtonBox::AcceptRole);
  keep->setObjectName(u"keep_note"_s);
  connect(buttons, &QDialogButtonBox::accepted, this, &NoteDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &NoteDialog::reject);

  in_each_language(this, [this, keep] {
    setWindowTitle(tr("Sounds different"));
    words_->setPlaceholderText(tr("For example: every word was clear"));
    keep->setText(tr("Note and measure more"));
  });

  auto* layout = new QVBoxLayout(this);
  for (QWidget* one : std::initializer_list<QWidget*>{which, choice_, what, words_, fault_, explanation, buttons}) {
    layout->addWidget(one);
  }
  buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
  keep->setDefault(true);
  setMinimumWidth(50 * fontMetrics().averageCharWidth());
  words_->setFocus();
}

void NoteDialog::accept() {
  const int row = choice_->currentIndex();
  const NoteReading reading = read_note(
      row < 0 ? std::nullopt : std::optional(heard_.at(static_cast<std::size_t>(row))), words_->toPlainText(), now_());
  if (reading.note) {
    emit written(*reading.note);
    return QDialog::accept();
  }
  fault_->setText(reading.fault);
  fault_->show();
  words_->setAccessibleDescription(reading.fault);
  words_->setFocus();
}

}  // namespace vqas::app
