#pragma once

#include <QWidget>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "model/measurements_model.h"
#include "model/sound_player.h"
#include "view/language.h"

class QPushButton;

namespace vqas::app {

class ReadTable;
class WrappedLabel;

/// What listening needs from outside.
struct ListenServices {
  std::function<std::unique_ptr<SoundPlayer>()> make_player;  ///< called when something is first played
  /// A stimulus as it was sent; fails with bad_input or io.
  std::function<Result<Signal>(const std::string& stimulus)> original;
  std::function<bool()> toss;  ///< the order of a blind comparison
};

/// The measurements of a run, to read and to listen to: what was received, what was sent, and both in a blind order.
class ListenView : public QWidget {
  Q_OBJECT
 public:
  ListenView(MeasurementsModel& model, ListenServices services, QWidget* parent = nullptr);

  /// Where the run's recordings are.
  void set_folder(const std::filesystem::path& folder) { folder_ = folder; }

 private:
  std::optional<MeasurementsModel::Row> chosen() const;
  void refresh_buttons();
  Result<Signal> received() const;
  Result<Signal> original() const;
  bool play(const Result<Signal>& signal, const Words& meanwhile);
  void play_blind();
  void answer(bool first);

  MeasurementsModel& model_;
  ListenServices services_;
  std::unique_ptr<SoundPlayer> player_;
  std::filesystem::path folder_;
  bool original_was_first_ = false;
  ReadTable* table_;
  WrappedLabel* told_;
  QPushButton* received_;
  QPushButton* original_;
  QPushButton* blind_;
  QPushButton* first_;
  QPushButton* second_;
  QPushButton* stop_;
};

}  // namespace vqas::app
