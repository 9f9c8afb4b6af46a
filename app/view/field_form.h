#pragma once

#include <QWidget>
#include <map>
#include <vector>

#include "model/run_settings.h"
#include "view/language.h"

class QFormLayout;
class QLineEdit;

namespace vqas::app {

class WrappedLabel;

/// Labelled fields in a column, each with room for its fault beneath it.
class FieldForm : public QWidget {
  Q_OBJECT
 public:
  explicit FieldForm(QWidget* parent = nullptr);

  /// A line of text, which reports edited(). `name` is its object name.
  QLineEdit* add_text(Field field, const Words& caption, const QString& name, const Words& tip);
  /// The same with a button that lets the user choose a file, or a folder.
  enum class Chosen { file, folder };
  QLineEdit* add_path(Field field, const Words& caption, const QString& name, const Words& tip, Chosen kind);
  /// Any editor, in a `row` of its own if it is only a part of one. `caption` without its mnemonic is its accessible
  /// name.
  void add(Field field, const Words& caption, QWidget* editor, QWidget* row = nullptr);
  /// A row without a field.
  void add_row(QWidget* row);
  void show_field(Field field, bool shown);

  bool has(Field field) const { return editors_.contains(field); }
  /// Shows those of the faults that are of its fields; clears the others.
  void show_faults(const std::vector<FieldFault>& faults);
  /// has(field) must hold.
  QWidget* editor(Field field) const { return editors_.at(field); }

 signals:
  /// The user changed a field that add_text() or add_path() made.
  void edited();

 private:
  QLineEdit* make_edit(const QString& name, const Words& tip);

  QFormLayout* form_;
  std::map<Field, QWidget*> editors_;
  std::map<Field, WrappedLabel*> fault_labels_;
  std::map<Field, int> rows_;
};

}  // namespace vqas::app
