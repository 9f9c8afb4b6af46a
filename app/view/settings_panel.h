#pragma once

#include <QWidget>
#include <vector>

#include "model/run_settings.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QToolButton;

namespace vqas::app {

class FieldForm;
class GoalFields;
class LineFields;
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
  /// The time zone of the times of day; and the one that a saved plan keeps, as the plan that was opened has it.
  void show_zone(const QString& here, const QString& of_plan);
  /// Shows each fault beneath its field; none clears all. With `take_focus` the first faulty field gets the focus.
  void show_faults(const std::vector<FieldFault>& faults, bool take_focus);

 signals:
  /// The user changed a field.
  void edited();
  /// The user chose the file of a plan.
  void plan_opened(const QString& path);
  void plan_saved(const QString& path);

 private:
  QWidget* make_recent();
  QWidget* make_plan();
  void make_about();
  void make_advanced();
  void write_texts();
  QWidget* make_directions();
  std::vector<FieldForm*> all_fields() const;

  QComboBox* recent_;
  std::vector<SettingsForm> recent_forms_;
  LineFields* line_;
  GoalFields* goal_;
  FieldForm* about_;
  QLineEdit* site_;
  QLineEdit* circuit_;
  QLineEdit* notes_;
  QToolButton* more_;
  FieldForm* advanced_;
  QComboBox* mode_;
  QLineEdit* every_;
  QLineEdit* at_;
  WrappedLabel* zone_;
  QLineEdit* for_h_;
  QLineEdit* stimuli_;
  QCheckBox* a_to_b_;
  QCheckBox* b_to_a_;
  QLineEdit* seed_;
  QLineEdit* folder_;
};

}  // namespace vqas::app
