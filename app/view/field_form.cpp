#include "view/field_form.h"

#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "view/plot_style.h"
#include "view/wrapped_label.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

FieldForm::FieldForm(QWidget* parent) : QWidget(parent), form_(new QFormLayout(this)) {
  form_->setContentsMargins(0, 0, 0, 0);
  form_->setRowWrapPolicy(QFormLayout::WrapAllRows);
  form_->setVerticalSpacing(3);
}

QLineEdit* FieldForm::make_edit(const QString& name, const Words& tip) {
  auto* edit = new QLineEdit;
  edit->setObjectName(name);
  in_each_language(edit, [edit, tip] { edit->setToolTip(tip()); });
  connect(edit, &QLineEdit::textEdited, this, &FieldForm::edited);
  return edit;
}

QLineEdit* FieldForm::add_text(Field field, const Words& caption, const QString& name, const Words& tip) {
  QLineEdit* const edit = make_edit(name, tip);
  add(field, caption, edit);
  return edit;
}

QLineEdit* FieldForm::add_path(Field field, const Words& caption, const QString& name, const Words& tip, Chosen kind) {
  QLineEdit* const edit = make_edit(name, tip);
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(edit, 1);
  auto* choose = new QPushButton(u"…"_s);
  choose->setObjectName(u"choose_"_s + name);
  in_each_language(choose, [choose, caption] {
    choose->setAccessibleName(tr("Choose: %1").arg(caption().remove(u'&')));
    choose->setToolTip(choose->accessibleName());
  });
  choose->setMaximumWidth(choose->fontMetrics().height() * 2);
  layout->addWidget(choose);
  connect(choose, &QPushButton::clicked, this, [this, edit, kind, caption] {
    // Opens beside the window without blocking it; the fields and this button are disabled during a run.
    auto* dialog = new QFileDialog(this, caption().remove(u'&'), edit->text());
    dialog->setFileMode(kind == Chosen::folder ? QFileDialog::Directory : QFileDialog::ExistingFile);
    dialog->setOption(QFileDialog::ShowDirsOnly, kind == Chosen::folder);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, this, [this, edit](const QString& chosen) {
      edit->setText(chosen);
      emit edited();
    });
    dialog->open();
  });
  add(field, caption, edit, row);
  return edit;
}

void FieldForm::add(Field field, const Words& caption, QWidget* editor, QWidget* row) {
  in_each_language(editor, [editor, caption] { editor->setAccessibleName(caption().remove(u'&')); });
  auto* fault = new WrappedLabel(6);
  fault->hide();
  rows_[field] = form_->rowCount();
  form_->addRow(label(caption, editor), row != nullptr ? row : editor);
  form_->addRow(fault);
  editors_[field] = editor;
  fault_labels_[field] = fault;
}

void FieldForm::add_row(QWidget* row) {
  form_->addRow(row);
}

void FieldForm::show_field(Field field, bool shown) {
  form_->setRowVisible(rows_.at(field), shown);
  if (!shown) fault_labels_.at(field)->hide();
}

void FieldForm::show_faults(const std::vector<FieldFault>& faults) {
  for (const auto& [field, shown] : fault_labels_) {
    shown->hide();
    editors_[field]->setAccessibleDescription({});
  }
  for (const FieldFault& fault : faults) {
    if (!has(fault.field)) continue;
    WrappedLabel* shown = fault_labels_[fault.field];
    QPalette colours = shown->palette();
    colours.setColor(QPalette::WindowText, plot_style(palette(), font()).unscored);
    shown->setPalette(colours);
    shown->show_text(u"⚠ "_s + fault.message);
    shown->show();
    editors_[fault.field]->setAccessibleDescription(fault.message);
  }
}

}  // namespace vqas::app
