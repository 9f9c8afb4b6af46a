#include "view/findings_view.h"

#include <QLabel>

#include "model/words.h"
#include "view/language.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

FindingsView::FindingsView(QWidget* parent) : QScrollArea(parent), text_(new QLabel) {
  setObjectName(u"findings"_s);
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  text_->setObjectName(u"findings_text"_s);
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::RichText);
  text_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  text_->setMargin(8);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  setWidget(text_);
  in_each_language(this, [this] { write_texts(); });
}

void FindingsView::show_findings(const std::vector<DirectionFinding>& findings) {
  findings_ = findings;
  write_texts();
}

void FindingsView::write_texts() {
  setAccessibleName(tr("What the results mean"));
  if (findings_.empty()) return text_->setText(tr("Nothing has been measured yet"));
  QString html;
  for (const DirectionFinding& one : findings_) {
    const QString title = one.from ? direction_label(*one.from) : tr("Cabled together");
    QString heard = told(one.heard);
    heard[0] = heard[0].toUpper();
    html += u"<p><b>%1</b>&nbsp;&nbsp;%2"_s.arg(title.toHtmlEscaped(), heard.toHtmlEscaped());
    if (!one.next.empty()) html += u"<br><b>→</b> %1"_s.arg(told(one.next).toHtmlEscaped());
    html += u"</p>"_s;
  }
  text_->setText(html);
}

}  // namespace vqas::app
