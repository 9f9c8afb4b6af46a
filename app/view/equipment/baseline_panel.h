#pragma once

#include <QFutureWatcher>
#include <QGroupBox>
#include <functional>

namespace vqas::app {

class WrappedLabel;

/// The limit of the equipment itself: a run over the two ends cabled together, kept beside later results.
class BaselinePanel : public QGroupBox {
  Q_OBJECT
 public:
  /// `words` says what is kept, or how to make it; called beside the window's thread.
  explicit BaselinePanel(std::function<QString()> words, QWidget* parent = nullptr);
  ~BaselinePanel() override;

  /// Looks again; shown() follows.
  void read();

 signals:
  void shown();

 private:
  const std::function<QString()> words_;
  QFutureWatcher<QString> reading_;
  WrappedLabel* state_;
};

}  // namespace vqas::app
