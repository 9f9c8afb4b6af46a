#include "view/findings_view.h"

#include <QLabel>

namespace vqas::app {

using namespace Qt::StringLiterals;

FindingsView::FindingsView(QWidget* parent) : QScrollArea(parent), text_(new QLabel) {
  setObjectName(u"findings"_s);
  setAccessibleName(tr("What the results mean"));
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
  show_findings({});
}

void FindingsView::show_findings(const std::vector<DirectionFinding>& findings) {
  if (findings.empty()) return text_->setText(tr("Nothing has been measured yet"));
  QString html;
  for (const DirectionFinding& one : findings) {
    html += u"<p><b>%1</b>&nbsp;&nbsp;%2"_s.arg(one.title.toHtmlEscaped(), one.sentence.toHtmlEscaped());
    if (!one.next.isEmpty()) html += u"<br><b>→</b> %1"_s.arg(one.next.toHtmlEscaped());
    html += u"</p>"_s;
  }
  text_->setText(html);
}

}  // namespace vqas::app
