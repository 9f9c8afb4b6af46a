#pragma once

#include <QDialog>

class QCheckBox;
class QLabel;
class QLineEdit;

namespace vqas::app {

/// Asks whom to call, and as whom.
class CallDialog : public QDialog {
  Q_OBJECT
 public:
  /// `home`: where typed paths begin.
  explicit CallDialog(const QString& home, QWidget* parent = nullptr);

  void accept() override;

 signals:
  /// The line of the call, as open_line() takes it.
  void placed(const QString& line);

 private:
  const QString home_;
  QLineEdit* own_;
  QLineEdit* number_;
  QLineEdit* account_;
  QCheckBox* hd_;
  QLabel* fault_;
};

}  // namespace vqas::app
