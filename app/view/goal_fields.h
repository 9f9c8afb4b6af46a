#pragma once

#include <QWidget>

#include "model/run_settings.h"

class QButtonGroup;
class QLineEdit;

namespace vqas::app {

class FieldForm;

/// What the user wants to know of the line.
class GoalFields : public QWidget {
  Q_OBJECT
 public:
  explicit GoalFields(QWidget* parent = nullptr);

  void fill(SettingsForm& form) const;
  void show_form(const SettingsForm& form);
  FieldForm& fields() { return *fields_; }

 signals:
  void edited();

 private:
  GoalOf goal() const;
  void show_fields_of_goal();

  QButtonGroup* goals_;
  FieldForm* fields_;
  QLineEdit* minutes_;
  QLineEdit* limit_;
  QLineEdit* cap_;
};

}  // namespace vqas::app
