#include "view/flow_layout.h"

#include <QWidget>
#include <algorithm>
#include <numeric>

namespace vqas::app {

namespace {

/// Share of the left-over width; 0: the item does not grow.
int stretch_of(const QLayoutItem& item) {
  const QWidget* const widget = const_cast<QLayoutItem&>(item).widget();
  const int stretch = widget == nullptr ? 0 : widget->sizePolicy().horizontalStretch();
  return stretch > 0 ? stretch : (item.expandingDirections() & Qt::Horizontal) != 0 ? 1 : 0;
}

int width_of(const QLayoutItem& item) {
  return stretch_of(item) > 0 ? item.minimumSize().width() : item.sizeHint().width();
}

/// Gives the width that is left over to the items that grow; each gets what its share of the whole is, if that is not
/// less than its minimum.
template <class Row>
void widen(Row& row, int left_over) {
  int shares = 0, growing = left_over;
  for (const auto& place : row) {
    shares += stretch_of(*place.item);
    if (stretch_of(*place.item) > 0) growing += place.width;
  }
  // An item whose minimum is above its share keeps it, and the others share the rest.
  std::vector<bool> settled(row.size(), false);
  for (bool again = true; again && shares > 0;) {
    again = false;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const int share = stretch_of(*row[i].item);
      if (share == 0 || settled[i] || growing * share / shares >= row[i].width) continue;
      settled[i] = again = true;
      shares -= share;
      growing -= row[i].width;
      break;
    }
  }
  for (std::size_t i = 0; i < row.size(); ++i) {
    const int share = stretch_of(*row[i].item);
    if (share > 0 && !settled[i]) row[i].width = growing * share / shares;
  }
}

}  // namespace

void FlowLayout::add(QWidget* widget, int stretch) {
  QSizePolicy policy = widget->sizePolicy();
  policy.setHorizontalStretch(stretch);
  widget->setSizePolicy(policy);
  addWidget(widget);
}

QLayoutItem* FlowLayout::itemAt(int index) const {
  return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
  if (index < 0 || index >= count()) return nullptr;
  QLayoutItem* const item = items_[static_cast<std::size_t>(index)].release();
  items_.erase(items_.begin() + index);
  return item;
}

QSize FlowLayout::sizeHint() const {
  QSize size(-gap(), 0);
  for (const auto& item : items_) {
    if (item->isEmpty()) continue;
    size = QSize(size.width() + gap() + item->sizeHint().width(), std::max(size.height(), item->sizeHint().height()));
  }
  const QMargins margins = contentsMargins();
  return {std::max(0, size.width()) + margins.left() + margins.right(),
          size.height() + margins.top() + margins.bottom()};
}

QSize FlowLayout::minimumSize() const {
  QSize size(0, 0);
  for (const auto& item : items_)
    if (!item->isEmpty()) size = size.expandedTo({width_of(*item), item->minimumSize().height()});
  return size.grownBy(contentsMargins());
}

int FlowLayout::inner(int width) const {
  const QMargins margins = contentsMargins();
  return width - margins.left() - margins.right();
}

std::vector<FlowLayout::Row> FlowLayout::rows(int width) const {
  std::vector<Row> rows;
  int used = 0;
  for (const auto& item : items_) {
    if (item->isEmpty()) continue;
    const int needed = width_of(*item);
    if (rows.empty() || used + gap() + needed > width) {
      if (!rows.empty()) widen(rows.back(), width - used);
      rows.emplace_back();
      used = -gap();
    }
    used += gap() + needed;
    rows.back().push_back({item.get(), std::min(needed, width)});
  }
  if (!rows.empty()) widen(rows.back(), std::max(0, width - used));
  return rows;
}

int FlowLayout::row_height(const Row& row, bool least) const {
  int height = 0;
  for (const Place& place : row) {
    const QLayoutItem& item = *place.item;
    const int own = !item.hasHeightForWidth() ? (least ? item.minimumSize() : item.sizeHint()).height()
                    : least                   ? item.minimumHeightForWidth(place.width)
                                              : item.heightForWidth(place.width);
    height = std::max(height, own);
  }
  return height;
}

int FlowLayout::height_of(const std::vector<Row>& rows, bool least) const {
  const QMargins margins = contentsMargins();
  int height = margins.top() + margins.bottom() + gap() * std::max(0, static_cast<int>(rows.size()) - 1);
  for (const Row& row : rows) height += row_height(row, least);
  return height;
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  const QRect area = rect.marginsRemoved(contentsMargins());
  const std::vector<Row> all = rows(area.width());
  if (all.empty()) return;
  // Rows get their preferred height as far as there is room; what is left over is shared by rows that grow.
  std::vector<int> heights, wishes;
  std::vector<bool> grows;
  for (const Row& row : all) {
    heights.push_back(row_height(row, true));
    wishes.push_back(std::max(row_height(row, false), heights.back()));
    grows.push_back(std::ranges::any_of(
        row, [](const Place& place) { return (place.item->expandingDirections() & Qt::Vertical) != 0; }));
  }
  int left =
      area.height() - gap() * (static_cast<int>(all.size()) - 1) - std::accumulate(heights.begin(), heights.end(), 0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int more = std::clamp(wishes[i] - heights[i], 0, std::max(0, left));
    heights[i] += more;
    left -= more;
  }
  // A single row fills the layout.
  if (all.size() == 1) grows[0] = true;
  const auto growing = static_cast<int>(std::ranges::count(grows, true));
  int y = area.top();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (grows[i]) heights[i] += std::max(0, left) / growing;
    int x = area.left();
    for (const Place& place : all[i]) {
      place.item->setGeometry(QRect(x, y, place.width, heights[i]));
      x += place.width + gap();
    }
    y += heights[i] + gap();
  }
}

}  // namespace vqas::app
