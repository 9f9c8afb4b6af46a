#include "view/results/store_dialog.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <array>

#include "model/elsewhere/stored_runs.h"
#include "view/language.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

StoreDialog::StoreDialog(const QString& url, std::size_t chosen, const QString& home, QWidget* parent)
    : QDialog(parent), home_(home), url_(new QLineEdit(url)) {
  url_->setObjectName(u"store_url"_s);
  const auto button = [](const QString& name) {
    auto* made = new QPushButton;
    made->setObjectName(name);
    return made;
  };
  auto* choose = button(u"store_choose"_s);
  auto* show = button(u"store_show"_s);
  auto* put = button(u"store_put"_s);
  auto* here = button(u"store_here"_s);
  auto* row = new QHBoxLayout;
  row->addWidget(url_, 1);
  row->addWidget(choose);
  auto* explanation = label([] {
    return tr(
        "A store holds the runs of many laptops: a file of SQLite, or a database of PostgreSQL. The same store "
        "serves \"vqas store\" and the plans of \"vqas measure\".");
  });
  explanation->setWordWrap(true);
  auto* actions = new QHBoxLayout;
  for (QPushButton* const one : {show, put, here}) actions->addWidget(one);
  for (QPushButton* const one : {choose, put, here}) one->setAutoDefault(false);
  show->setDefault(true);
  url_->setFocus();
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(label([] { return tr("S&tore"); }, url_));
  layout->addLayout(row);
  layout->addWidget(explanation);
  layout->addLayout(actions);
  setMinimumWidth(70 * fontMetrics().averageCharWidth());
  connect(choose, &QPushButton::clicked, this, [this] {
    auto* dialog = new QFileDialog(this, tr("File of the store"), {}, tr("SQLite (*.sqlite *.db)"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setOption(QFileDialog::DontConfirmOverwrite);  // a store that exists is added to
    dialog->setDefaultSuffix(u"sqlite"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, url_, &QLineEdit::setText);
    dialog->open();
  });
  connect(show, &QPushButton::clicked, this, [this] {
    emit shown(store_url(url_->text(), home_));
    accept();
  });
  connect(put, &QPushButton::clicked, this, [this] {
    emit taken(store_url(url_->text(), home_));
    accept();
  });
  connect(here, &QPushButton::clicked, this, [this] {
    emit shown(QString());
    accept();
  });
  const auto allow = [this, show, put, chosen] {
    const bool named = !url_->text().trimmed().isEmpty();
    show->setEnabled(named);
    put->setEnabled(named && chosen > 0);
  };
  connect(url_, &QLineEdit::textChanged, this, allow);
  allow();
  in_each_language(this, [this, choose, show, put, here, chosen] {
    setWindowTitle(tr("Store of runs"));
    url_->setPlaceholderText(tr("a file, or postgresql://USER@HOST/DATABASE"));
    choose->setText(tr("&File…"));
    show->setText(tr("&Show the runs of the store"));
    put->setText(chosen == 1 ? tr("&Put the chosen run in") : tr("&Put the %1 chosen runs in").arg(chosen));
    here->setText(tr("Runs of this &laptop"));
  });
}

}  // namespace vqas::app
