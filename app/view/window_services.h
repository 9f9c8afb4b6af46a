#pragma once

#include <QDateTime>
#include <QString>
#include <functional>
#include <memory>

#include "model/check_session.h"
#include "model/run_session.h"
#include "model/run_settings.h"
#include "view/channel/channel_page.h"
#include "view/equipment/calibration_panel.h"
#include "view/equipment_panel.h"
#include "view/language.h"
#include "view/listen_view.h"
#include "view/partner_page.h"

namespace vqas::app {

class FormMemory;
class Languages;

/// What a window needs from outside.
struct WindowServices {
  std::function<std::unique_ptr<RunSession>(const RunSettings&)> make_session;
  std::function<std::unique_ptr<CheckSession>(const RunSettings&)> make_check;
  std::function<void(const QString& path)> open_path;  ///< shows a file or folder with the desktop's program for it
  std::function<QDateTime()> now;
  QString home;                                         ///< where the default results folder is made
  std::function<QString(ScoreMode)> model_error_words;  ///< one sentence on the model's own error; empty: not told
  /// Remembers the setups measured last, and outlives the window; null: nothing is remembered.
  FormMemory* memory = nullptr;
  /// Offers the languages, and outlives the window; null: none is offered.
  Languages* languages = nullptr;
  ListenServices listening = {};
  PartnerPage::Services partner = {};
  EquipmentPanel::MakeSession make_equipment = {};
  std::function<std::unique_ptr<LoopSession>(const QString& line)> make_loop = {};
  /// Keeps what loops of devices showed, and outlives the window; null: nothing is kept.
  Calibrations* calibrations = nullptr;
  /// What is kept as the baseline, in words; called beside the window's thread.
  std::function<QString()> baseline_words = {};
  /// Makes a run the baseline; called beside the window's thread.
  std::function<Status(const std::filesystem::path& run)> make_baseline = {};
  ChannelPage::Services channel = {};
  /// Names of lines of this machine's sound devices; called beside the window's thread. Empty: none are offered.
  std::function<QStringList()> find_lines = {};
  /// The line time that a run will use, in words; called beside the window's thread. Empty: it is not told.
  std::function<QString(const RunSettings&)> forecast = {};
};

}  // namespace vqas::app
