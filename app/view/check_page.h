#pragma once

#include <functional>
#include <memory>

#include "model/check_model.h"
#include "model/check_session.h"
#include "view/equipment/baseline_panel.h"
#include "view/equipment/calibration_panel.h"
#include "view/equipment_panel.h"
#include "view/page_area.h"

class QPushButton;

namespace vqas::app {

class LogView;
class WrappedLabel;

/// The equipment of a line: meters of this laptop's own end, whether the whole line is ready, as a checklist with
/// advice, the own delay of the sound device, and the baseline.
class CheckPage : public Page {
  Q_OBJECT
 public:
  struct Services {
    EquipmentPanel::MakeSession make_equipment;
    CalibrationPanel::Services calibration;
    std::function<QString()> baseline_words;
  };
  explicit CheckPage(const Services& services, QWidget* parent = nullptr);
  ~CheckPage() override;

  /// Begins this check; one at a time.
  void begin(std::unique_ptr<CheckSession> session);
  bool is_running() const { return running_; }
  EquipmentPanel& equipment() { return *equipment_; }
  BaselinePanel& baseline() { return *baseline_; }
  /// This laptop's own line is open here.
  bool uses_device() const { return equipment_->is_running() || calibration_->is_running(); }
  /// While another page uses the device, this one may not.
  void allow_device(bool allowed);
  /// Closes this laptop's own line.
  void release_device();
  /// While a run is measured the line is not free.
  void allow(bool allowed);
  /// A simulated line has no equipment to check.
  void set_simulated(bool simulated);

 signals:
  /// The user wants a check of the line that the settings name.
  void requested();
  void asked_to_trust(const QString& question, const std::function<void(bool)>& answer);
  /// A check began or ended.
  void running_changed(bool running);
  /// This laptop's own line is opened or closed.
  void device_used();

 private:
  void show_end(const SharedCheck& result);
  void refresh();
  void share_device();

  CheckModel findings_;
  std::unique_ptr<CheckSession> session_;
  bool running_ = false;
  bool allowed_ = true;
  bool simulated_ = false;
  bool device_allowed_ = true;
  EquipmentPanel* equipment_;
  CalibrationPanel* calibration_;
  BaselinePanel* baseline_;
  WrappedLabel* state_;
  QPushButton* start_;
  QPushButton* stop_;
  LogView* list_;
};

}  // namespace vqas::app
