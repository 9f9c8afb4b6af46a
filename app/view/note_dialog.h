#pragma once

#include <QDateTime>
#include <QDialog>
#include <functional>
#include <vector>

#include "model/heard_note.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;

namespace vqas::app {

/// Asks which measurement sounds different from its score, and for the operator's words. Does not block the window, in
/// which measuring continues.
class NoteDialog : public QDialog {
  Q_OBJECT
 public:
  /// `now` gives the time of the note.
  NoteDialog(std::vector<HeardMeasurement> heard, std::function<QDateTime()> now, QWidget* parent = nullptr);

  void accept() override;

 signals:
  /// A note that can be kept; the dialog closes.
  void written(vqas::OperatorNote note);

 private:
  const std::vector<HeardMeasurement> heard_;
  const std::function<QDateTime()> now_;
  QComboBox* choice_;
  QPlainTextEdit* words_;
  QLabel* fault_;
};

}  // namespace vqas::app
