#pragma once

#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

#include "model/channel_model.h"
#include "model/channel_session.h"
#include "view/page_area.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGroupBox;
class QFormLayout;
class QLineEdit;
class QPushButton;
class QRadioButton;
class QSpinBox;

namespace vqas::app {

class BerSlider;
class WrappedLabel;

/// A line's faults, changed while speech runs through it, with live counters: a simulated line of this laptop, or a
/// running relay.
class ChannelPage : public Page {
  Q_OBJECT
 public:
  struct Services {
    std::function<std::unique_ptr<ChannelSession>(const QString& address)> make_relay;
    std::function<std::unique_ptr<ChannelSession>(bool aloud)> make_simulated;
  };
  explicit ChannelPage(Services services, QWidget* parent = nullptr);
  ~ChannelPage() override;

  /// Runs the line, or connects to the relay; or ends that.
  void toggle();
  void stop();
  bool is_running() const { return session_ != nullptr; }
  /// While a run is measured, no other one can be begun.
  void allow_measuring(bool allowed);

 signals:
  /// A trial on a simulated line of these conditions: by a profile, or by these values when it is empty.
  void measure_requested(const QString& profile, double ber, double delay_ms);

 private:
  QWidget* make_source();
  QWidget* make_faults();
  void start();
  void connect_session();
  void show_calls(const std::vector<RelayedFigures>& calls);
  void show_conditions(const RelayedWay& way);
  void show_ended(const QString& why);
  void choose_profile();
  void change_soon(const std::function<void(RelayChange&)>& fill);
  void send_change();
  void write_texts();
  void refresh();
  bool is_simulated() const;
  std::optional<End> direction() const;

  const Services services_;
  std::unique_ptr<ChannelSession> session_;
  ChannelModel counters_;
  std::optional<RelayChange> change_;  // not sent yet
  QTimer sending_, settling_;
  bool has_packets_ = false, two_ways_ = false, allowed_ = true, refused_ = false;
  QGroupBox* source_;
  QGroupBox* faults_;
  QRadioButton* simulated_;
  QRadioButton* relay_;
  QLineEdit* address_;
  QCheckBox* aloud_;
  QPushButton* toggle_;
  WrappedLabel* state_;
  QFormLayout* form_;
  QComboBox* direction_;
  QComboBox* profile_;
  BerSlider* ber_;
  QSpinBox* delay_ms_;
  QDoubleSpinBox* loss_;
  QSpinBox* burst_bits_;
  QPushButton* burst_;
  QPushButton* measure_;
};

}  // namespace vqas::app
