#pragma once

#include <QString>
#include <vector>

#include "model/run_settings.h"

class QSettings;

namespace vqas::app {

/// The setups that were measured last, kept in the given settings: the paths of pairing and token files but never their
/// contents, and no results folder. For one thread.
class FormMemory {
 public:
  /// `settings` must outlive this object.
  explicit FormMemory(QSettings& settings) : settings_(settings) {}

  /// The latest first; empty at the first start.
  std::vector<SettingsForm> recent() const;
  /// Puts a setup first, without duplicates. Keeps eight.
  void remember(SettingsForm form);
  /// The store of runs that was used last; empty: none was.
  QString store() const;
  /// Without the password that the address of a PostgreSQL server may have.
  void remember_store(const QString& url);

 private:
  QSettings& settings_;
};

/// The setup to begin with: the same without its repeats, which are asked for anew each time. Pure.
SettingsForm measured_once(SettingsForm form);

/// The line of a setup: "ws://10.0.0.7:7811 – ws://10.0.0.8:7811", "Simulated line, bit error ratio 1e-5, delay 250
/// ms".
QString line_words(const SettingsForm& form);

/// A setup in one line, for a list: "ws://10.0.0.7:7811 – ws://10.0.0.8:7811, M1, F5".
QString setup_words(const SettingsForm& form);

}  // namespace vqas::app
