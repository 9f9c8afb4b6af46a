#pragma once

#include <QDateTime>
#include <QString>
#include <functional>
#include <memory>

#include "model/check_session.h"
#include "model/run_session.h"
#include "model/run_settings.h"
#include "view/listen_view.h"

namespace vqas::app {

class FormMemory;

/// What a window needs from outside.
struct WindowServices {
  std::function<std::unique_ptr<RunSession>(const RunSettings&)> make_session;
  std::function<std::unique_ptr<CheckSession>(const RunSettings&)> make_check;
  std::function<void(const QString& path)> open_path;  ///< shows a file or folder with the desktop's program for it
  std::function<QDateTime()> now;
  QString home;               ///< where the default results folder is made
  QString model_error_words;  ///< one sentence on the model's own error
  /// Remembers the setups measured last, and outlives the window; null: nothing is remembered.
  FormMemory* memory = nullptr;
  ListenServices listening = {};
};

}  // namespace vqas::app
