#pragma once

#include <functional>
#include <memory>

#include "model/check_model.h"
#include "model/check_session.h"
#include "view/equipment_panel.h"
#include "view/page_area.h"

class QPushButton;

namespace vqas::app {

class LogView;
class WrappedLabel;

/// The equipment of a line: meters of this laptop's own end, and whether the whole line is ready, as a checklist with
/// advice.
class CheckPage : public Page {
  Q_OBJECT
 public:
  explicit CheckPage(EquipmentPanel::MakeSession make_equipment, QWidget* parent = nullptr);
  ~CheckPage() override;

  /// Begins this check; one at a time.
  void begin(std::unique_ptr<CheckSession> session);
  bool is_running() const { return running_; }
  EquipmentPanel& equipment() { return *equipment_; }
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

 private:
  void show_end(const SharedCheck& result);
  void refresh();

  CheckModel findings_;
  std::unique_ptr<CheckSession> session_;
  bool running_ = false;
  bool allowed_ = true;
  bool simulated_ = false;
  EquipmentPanel* equipment_;
  WrappedLabel* state_;
  QPushButton* start_;
  QPushButton* stop_;
  LogView* list_;
};

}  // namespace vqas::app
