#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "vqas/relay/relay_watch.h"

namespace vqas::app {

/// The counters of a line's directions, a row each.
class ChannelModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kDirection, kBits, kErrors, kBer, kInterval, kBursts, kPackets, kDropped, kColumns };

  explicit ChannelModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

  /// Rows that are there already change in place.
  void show_calls(const std::vector<RelayedFigures>& calls);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  struct Row {
    QString call;  // its number; empty: the only one
    RelayedWay way;
  };
  static QString text(const Row& row, int column);

  std::vector<Row> rows_;
};

/// A bit error ratio for people, with two digits: "0", "1e-3", "2.5e-5". Pure.
QString ber_words(double ber);

}  // namespace vqas::app
