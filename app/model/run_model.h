#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "model/plot_data.h"
#include "vqas/run/run.h"

namespace vqas::app {

/// The stimuli of a run in both directions, one row each, with their figures. Holds no measurement itself: it gets the
/// results as they grow. For the thread of its views.
class RunModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kDirection, kStimulus, kMean, kHalfWidth, kScored, kNotScored, kFindings, kState, kColumns };

  explicit RunModel(QObject* parent = nullptr);

  /// Shows `results`. Rows stay in place as long as directions and stimuli are the same. `over`: no more measurements
  /// will
  /// come, so the reason why each stimulus stopped can be shown.
  void update(const RunResults& results, bool over);
  /// Shows nothing, as before a run.
  void clear();

  /// Directions that the run has, 0 before it has begun.
  int directions() const { return static_cast<int>(plots_.size()); }
  /// What to draw of a direction, 0 <= direction < directions().
  const DirectionPlot& plot(int direction) const { return plots_[static_cast<std::size_t>(direction)]; }
  /// Measurements so far, and those with a score.
  std::size_t measured() const { return measured_; }
  std::size_t scored() const { return scored_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 signals:
  /// Plots and counts are new.
  void changed();

 private:
  struct Row {
    End from = End::a;
    StimulusPoint point;
    QString findings, indices;  // what the line did, in short; and in figures, for the tool tip
    QString state;
  };
  QString text(const Row& row, int column) const;
  bool same_shape(const std::vector<Row>& rows) const;

  std::vector<Row> rows_;
  std::vector<DirectionPlot> plots_;
  ScoreMode mode_ = ScoreMode::narrowband;
  std::size_t measured_ = 0;
  std::size_t scored_ = 0;
};

}  // namespace vqas::app
