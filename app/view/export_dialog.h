#pragma once

#include <QDialog>

#include "model/run_export.h"

class QCheckBox;

namespace vqas::app {

/// Asks what of a run is exported, and to which folder. Does not block the window.
class ExportDialog : public QDialog {
  Q_OBJECT
 public:
  explicit ExportDialog(QWidget* parent = nullptr);

  ExportWish wish() const;
  void accept() override;

 signals:
  /// The user chose what, and a folder; the dialog closes.
  void chosen(const vqas::app::ExportWish& wish, const QString& folder);

 private:
  QCheckBox* page_;
  QCheckBox* print_;
  QCheckBox* figures_;
  QCheckBox* recordings_;
};

}  // namespace vqas::app
