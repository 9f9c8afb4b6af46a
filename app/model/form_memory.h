#pragma once

#include <QString>
#include <vector>

#include "model/run_settings.h"

class QSettings;

namespace vqas::app {

/// The setups that were measured last, kept in the settings that are handed in. Of pairing and token files only their
/// places are kept, never what is in them; of a results folder nothing. For one thread.
class FormMemory {
 public:
  /// `settings` has to outlive this.
  explicit FormMemory(QSettings& settings) : settings_(settings) {}

  /// The last one first; empty at the first start.
  std::vector<SettingsForm> recent() const;
  /// Puts a setup first; one that is there already is not there twice. Keeps eight.
  void remember(SettingsForm form);

 private:
  QSettings& settings_;
};

/// A setup in one line, for a list: "ws://10.0.0.7:7811 – ws://10.0.0.8:7811, M1, F5".
QString setup_words(const SettingsForm& form);

}  // namespace vqas::app
