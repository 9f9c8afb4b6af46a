#pragma once

#include <QFutureWatcher>
#include <QSortFilterProxyModel>
#include <QWidget>
#include <functional>

#include "model/kept_runs_model.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace vqas::app {

/// The runs kept on this machine: search, open, compare, resume.
class ResultsPage : public QWidget {
  Q_OBJECT
 public:
  /// `open_path` shows a file or folder with the desktop's program for it.
  explicit ResultsPage(std::function<void(const QString&)> open_path, QWidget* parent = nullptr);
  ~ResultsPage() override;

  /// Reads the runs below `folder` beside the window's thread; read() follows.
  void read(const QString& folder);
  /// While a run is measured, no other can be resumed, or shown in its place.
  void allow_measuring(bool allowed);

 signals:
  /// The runs are shown.
  void shown();
  void resume_requested(const QString& folder);
  void show_requested(const QString& folder);
  /// What went wrong, with the cure.
  void failed(const QString& why);

 private:
  std::vector<int> chosen() const;
  void show_runs();
  void refresh_buttons();
  void compare();

  std::function<void(const QString&)> open_path_;
  QString folder_;
  KeptRunsModel runs_;
  QSortFilterProxyModel found_;
  QFutureWatcher<std::vector<KeptRun>> reading_;
  bool is_free_ = true;
  QLabel* note_;
  QLineEdit* search_;
  QTableView* table_;
  QPushButton* show_;
  QPushButton* open_report_;
  QPushButton* open_folder_;
  QPushButton* compare_;
  QPushButton* resume_;
};

}  // namespace vqas::app
