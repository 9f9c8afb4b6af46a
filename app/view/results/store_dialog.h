#pragma once

#include <QDialog>

class QLineEdit;
class QPushButton;

namespace vqas::app {

/// Asks which store, and what to do with it.
class StoreDialog : public QDialog {
  Q_OBJECT
 public:
  /// `url`: the store of the last time. `chosen`: how many runs of this laptop are chosen.
  StoreDialog(const QString& url, std::size_t chosen, const QString& home, QWidget* parent = nullptr);

 signals:
  /// Show the runs of this store; empty: those of this laptop.
  void shown(const QString& url);
  /// Put the chosen runs into this store.
  void taken(const QString& url);

 private:
  const QString home_;
  QLineEdit* url_;
};

}  // namespace vqas::app
