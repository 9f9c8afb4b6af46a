#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QString>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vqas/run/run.h"

namespace vqas::app {

/// The measurements of a run in plain words, one row each, in the order in which they came. Gets the results as they
/// grow; for the thread of its views.
class MeasurementsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kNumber, kDirection, kStimulus, kMos, kDelay, kImpairments, kOutcome, kReason, kColumns };

  /// What a row is about, to listen to it.
  struct Row {
    std::uint32_t sequence = 0;
    End from = End::a;
    QString stimulus, mos, delay, impairments, outcome, reason;
    bool scored = false;
    std::string recording;  ///< file in the run's folder; empty if none was kept
  };
  /// What tells that a measurement is another one than that of its row: a row's words take longer to make.
  struct Seen {
    Outcome outcome = Outcome::not_found;
    std::optional<double> mos_lqo, delay_ms;
    std::string recording, reason, note;
    bool operator==(const Seen&) const = default;
  };

  explicit MeasurementsModel(QObject* parent = nullptr);

  /// Existing rows stay, in the words of the moment; new ones are added at the end.
  void update(const RunResults& results);
  void clear();
  const Row& row(int index) const { return rows_.at(static_cast<std::size_t>(index)); }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  ScoreMode mode_ = ScoreMode::narrowband;
  QString language_;  // of the rows
  std::vector<Row> rows_;
  std::vector<Seen> seen_;                                       // by row
  std::map<std::pair<End, std::uint32_t>, std::size_t> places_;  // row of each measurement
};

/// Those without a score, with the columns that say why.
class UnscoredModel : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  /// `all` outlives the model.
  explicit UnscoredModel(MeasurementsModel& all, QObject* parent = nullptr);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  bool filterAcceptsColumn(int column, const QModelIndex& parent) const override;

 private:
  const MeasurementsModel& all_;
};

}  // namespace vqas::app
