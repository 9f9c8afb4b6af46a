#pragma once

#include <QDateTime>
#include <QString>
#include <optional>

class QSettings;

namespace vqas::app {

/// The own delay of a sound device, as a loop of its output to its input showed it.
struct Calibration {
  double delay_ms = 0;        ///< from the output to the input
  double return_loss_db = 0;  ///< 0: as loud as it was sent
  QDateTime measured;
};

/// The calibrations of this machine's devices, kept in the given settings. For one thread.
class Calibrations {
 public:
  /// `settings` must outlive this object.
  explicit Calibrations(QSettings& settings) : settings_(settings) {}

  /// That of a line, "audio:USB%20Audio?host=alsa", whether or not a monitor is named with it; empty: none.
  std::optional<Calibration> of(const QString& line) const;
  void keep(const QString& line, const Calibration& calibration);

 private:
  QSettings& settings_;
};

/// "Own delay 12.34 ms, comes back 0.5 dB weaker, measured on 2026-01-31". Pure.
QString calibration_words(const Calibration& calibration);

}  // namespace vqas::app
