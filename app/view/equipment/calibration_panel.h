#pragma once

#include <QGroupBox>
#include <functional>
#include <memory>

#include "model/calibrations.h"
#include "model/loop_session.h"

class QPushButton;

namespace vqas::app {

class WrappedLabel;

/// The own delay and level of a sound device: how to join its output to its input, and what a measurement of that loop
/// found.
class CalibrationPanel : public QGroupBox {
  Q_OBJECT
 public:
  struct Services {
    std::function<std::unique_ptr<LoopSession>(const QString& line)> make_loop;
    std::function<QDateTime()> now;
    Calibrations* kept = nullptr;  ///< outlives the panel; null: nothing is kept
  };
  explicit CalibrationPanel(Services services, QWidget* parent = nullptr);
  ~CalibrationPanel() override;

  /// The line that is measured; shows what is kept of it.
  void set_line(const QString& line);
  /// While another part of the program uses a line, this one may not.
  void allow(bool allowed);
  bool is_running() const { return session_ != nullptr; }
  void toggle();

 signals:
  void running_changed(bool running);

 private:
  void show_kept();
  void show_found(const QString& line, const LoopDelay& found, const QString& why);
  void end();
  void refresh();

  const Services services_;
  std::unique_ptr<LoopSession> session_;
  QString line_;
  bool allowed_ = true;
  QPushButton* toggle_;
  WrappedLabel* state_;
};

}  // namespace vqas::app
