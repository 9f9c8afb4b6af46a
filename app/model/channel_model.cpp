#include "model/channel_model.h"

#include <QLocale>
#include <array>
#include <utility>

#include "model/words.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

QString ber_words(double ber) {
  if (ber == 0) return u"0"_s;
  return QString::number(ber, 'e', 1).replace(u".0e"_s, u"e"_s).replace(u"e-0"_s, u"e-"_s);
}

void ChannelModel::show_calls(const std::vector<RelayedFigures>& calls) {
  std::vector<Row> rows;
  for (const RelayedFigures& call : calls) {
    for (const RelayedWay& way : call.ways) {
      rows.push_back({calls.size() > 1 ? u"%1"_s.arg(call.call) : QString(), way});
    }
  }
  if (rows.size() != rows_.size()) {
    beginResetModel();
    rows_ = std::move(rows);
    return endResetModel();
  }
  rows_ = std::move(rows);
  if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

int ChannelModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ChannelModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QString ChannelModel::text(const Row& row, int column) {
  const RelayedWay& way = row.way;
  const auto count = [](std::optional<std::uint64_t> value) {
    return value ? QLocale().toString(static_cast<qulonglong>(*value)) : u"–"_s;
  };
  switch (column) {
    case kDirection:
      return row.call.isEmpty() ? direction_label(way.from)
                                : tr("Call %1, %2").arg(row.call, direction_label(way.from));
    case kBits:
      return count(way.bits);
    case kErrors:
      return count(way.errors);
    case kBer:
      return way.measured_ber ? ber_words(*way.measured_ber) : u"–"_s;
    case kInterval:
      return way.measured_ber ? tr("%1 to %2").arg(ber_words(way.ber_low_95), ber_words(way.ber_high_95)) : u"–"_s;
    case kBursts:
      return count(way.bursts);
    case kPackets:
      return count(way.packets);
    case kDropped:
      return count(way.dropped);
    default:
      return {};
  }
}

QVariant ChannelModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || !checkIndex(index)) return {};
  if (role == Qt::TextAlignmentRole && index.column() != kDirection)
    return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) return {};
  return text(rows_[static_cast<std::size_t>(index.row())], index.column());
}

QVariant ChannelModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  const std::array<std::pair<QString, QString>, kColumns> titles{{
      {tr("Direction"), {}},
      {tr("Bits"), tr("Of G.711 speech that was passed on")},
      {tr("Errors"), tr("Wrong bits that the line put in")},
      {tr("Measured BER"), tr("Bit error ratio: errors divided by bits")},
      {tr("95 % interval"), tr("Of the bit error ratio (Clopper and Pearson)")},
      {tr("Bursts"), tr("Groups of two wrong bits or more; 32 good bits end a group")},
      {tr("Packets"), tr("That came; a line without packets has none")},
      {tr("Dropped"), tr("Packets that the relay left out")},
  }};
  const auto& [title, explanation] = titles[static_cast<std::size_t>(section)];
  if (role == Qt::DisplayRole) return title;
  if (role == Qt::ToolTipRole && !explanation.isEmpty()) return explanation;
  return {};
}

}  // namespace vqas::app
