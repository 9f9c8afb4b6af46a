#pragma once

#include <QWidget>
#include <array>

#include "model/run_settings.h"

class QComboBox;
class QLineEdit;
class QRadioButton;

namespace vqas::app {

class FieldForm;

/// Which line is measured, and how it is reached.
class LineFields : public QWidget {
  Q_OBJECT
 public:
  explicit LineFields(QWidget* parent = nullptr);

  void fill(SettingsForm& form) const;
  void show_form(const SettingsForm& form);
  /// Offers these addresses while one is typed.
  void offer_addresses(const QStringList& addresses);
  std::array<FieldForm*, 2> fields() { return {simulated_fields_, node_fields_}; }

 signals:
  void edited();

 private:
  void make_simulated_fields();
  void make_node_fields();
  void write_texts();
  void show_fields_of_line();
  QString profile() const;

  QRadioButton* simulated_;
  QRadioButton* nodes_;
  FieldForm* simulated_fields_;
  FieldForm* node_fields_;
  QComboBox* profile_;
  QComboBox* codec_;
  QComboBox* ber_;
  QLineEdit* delay_ms_;
  QLineEdit* node_a_;
  QLineEdit* node_b_;
  QLineEdit* access_a_;
  QLineEdit* access_b_;
};

}  // namespace vqas::app
