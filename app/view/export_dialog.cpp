#include "view/export_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "view/language.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

ExportDialog::ExportDialog(QWidget* parent)
    : QDialog(parent),
      page_(new QCheckBox),
      print_(new QCheckBox),
      figures_(new QCheckBox),
      recordings_(new QCheckBox) {
  const ExportWish usual;
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(label([] { return tr("What of this run do you want?"); }));
  for (const auto& [box, name, on] : {std::tuple{page_, u"export_page"_s, usual.page},
                                      {print_, u"export_print"_s, usual.print},
                                      {figures_, u"export_figures"_s, usual.figures},
                                      {recordings_, u"export_recordings"_s, usual.recordings}}) {
    box->setObjectName(name);
    box->setChecked(on);
    layout->addWidget(box);
  }
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  QPushButton* const choose = buttons->addButton(QString(), QDialogButtonBox::AcceptRole);
  choose->setObjectName(u"export_choose"_s);
  choose->setDefault(true);
  buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
  page_->setFocus();
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &ExportDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &ExportDialog::reject);
  in_each_language(this, [this, choose] {
    setWindowTitle(tr("Export a run"));
    page_->setText(tr("&Report as a web page (HTML)"));
    print_->setText(tr("Report to &print (PDF); takes some seconds"));
    figures_->setText(tr("&Figures as a table (CSV)"));
    recordings_->setText(tr("Recordings of what &arrived"));
    choose->setText(tr("&Choose folder…"));
  });
  const std::array boxes{page_, print_, figures_, recordings_};
  for (QCheckBox* const box : boxes) {
    connect(box, &QCheckBox::toggled, choose, [choose, boxes] {
      choose->setEnabled(std::ranges::any_of(boxes, [](const QCheckBox* one) { return one->isChecked(); }));
    });
  }
}

ExportWish ExportDialog::wish() const {
  return {page_->isChecked(), print_->isChecked(), figures_->isChecked(), recordings_->isChecked()};
}

void ExportDialog::accept() {
  auto* dialog = new QFileDialog(this, tr("Export into this folder"));
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
    emit chosen(wish(), folder);
    QDialog::accept();
  });
  dialog->open();
}

}  // namespace vqas::app
