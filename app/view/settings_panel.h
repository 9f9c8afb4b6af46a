#pragma once

#include <QWidget>
#include <map>
#include <vector>

#include "model/run_settings.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QRadioButton;
class QStackedWidget;

namespace vqas::app {

class WrappedLabel;

/// The fields of a run. Keeps what was typed; read_form() checks it.
class SettingsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit SettingsPanel(QWidget* parent = nullptr);

  SettingsForm form() const;
  void set_form(const SettingsForm& form);
  /// Offers these setups for one click; none hides the list.
  void set_recent(const std::vector<SettingsForm>& forms);
  /// Shows each fault beneath its field; none clears all. With `take_focus` the first faulty field gets the focus.
  void show_faults(const std::vector<FieldFault>& faults, bool take_focus);

 signals:
  /// The user changed a field.
  void edited();

 private:
  QWidget* make_line_choice();
  void show_page(int shown);
  QWidget* make_simulated_page();
  QWidget* make_nodes_page();
  QWidget* make_common_fields();
  QWidget* make_recent();
  QWidget* make_access_row(QLineEdit* edit, const QString& end);
  QWidget* make_folder_row();
  QLineEdit* make_edit(const QString& name, const QString& tip);
  void add_field(QFormLayout& form, Field field, const QString& caption, QWidget* editor, QWidget* row = nullptr);
  void choose_folder();

  QRadioButton* simulated_;
  QRadioButton* nodes_;
  QStackedWidget* pages_;
  QComboBox* ber_;
  QLineEdit* delay_ms_;
  QWidget* recent_row_;
  QComboBox* recent_;
  std::vector<SettingsForm> recent_forms_;
  QLineEdit* node_a_;
  QLineEdit* node_b_;
  QLineEdit* access_a_;
  QLineEdit* access_b_;
  QLineEdit* stimuli_;
  QCheckBox* a_to_b_;
  QCheckBox* b_to_a_;
  QLineEdit* cap_;
  QLineEdit* seed_;
  QLineEdit* folder_;
  std::map<Field, QWidget*> editors_;
  std::map<Field, WrappedLabel*> fault_labels_;
};

}  // namespace vqas::app
