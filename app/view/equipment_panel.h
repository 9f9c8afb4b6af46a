#pragma once

#include <QGroupBox>
#include <functional>
#include <memory>

#include "model/equipment_session.h"
#include "view/language.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QPushButton;

namespace vqas::app {

class WrappedLabel;

/// The levels of one way as a bar with its scale: filled up to the speech level, with a line at the peak.
class MeterBar : public QWidget {
  Q_OBJECT
 public:
  explicit MeterBar(const Words& accessible_name, QWidget* parent = nullptr);
  void show_reading(const MeterReading& reading);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  MeterReading reading_;
};

/// What this laptop's line is connected to, what it sends as a test, and live meters of both ways.
class EquipmentPanel : public QGroupBox {
  Q_OBJECT
 public:
  using MakeSession = std::function<std::unique_ptr<EquipmentSession>(const QString& line)>;
  explicit EquipmentPanel(MakeSession make_session, QWidget* parent = nullptr);
  ~EquipmentPanel() override;

  /// The lines of the sound devices that are there now. Says so if the chosen one is gone.
  void offer_lines(const QStringList& lines);
  void set_line(const QString& line);
  QString line() const;
  /// Opens the line, or closes it.
  void toggle();
  void stop();
  bool is_running() const { return session_ != nullptr; }
  /// While another part of the program uses a line, this one may not.
  void allow(bool allowed);

 signals:
  /// The line is opened or closed.
  void running_changed(bool running);
  void line_changed(const QString& line);

 private:
  struct Way {
    MeterBar* bar;
    WrappedLabel* words;
  };
  void write_texts();
  Way add_way(QFormLayout& form, const Words& caption, const Words& accessible_name, const QString& name);
  void start();
  void show_reading(const EquipmentReading& reading);
  void show_ended(const QString& why);
  void refresh();
  TestSignal signal() const;

  MakeSession make_session_;
  std::unique_ptr<EquipmentSession> session_;
  bool allowed_ = true;
  bool again_ = false;  // start again when the session has ended
  QStringList offered_;
  QComboBox* line_;
  QComboBox* signal_;
  QCheckBox* monitor_;
  QPushButton* toggle_;
  WrappedLabel* state_;
  Way sent_, heard_;
};

}  // namespace vqas::app
