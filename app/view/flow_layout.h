#pragma once

#include <QLayout>
#include <algorithm>
#include <memory>
#include <vector>

namespace vqas::app {

/// Puts its items side by side as far as they fit, and the others below: columns of a page, or buttons of a row. An
/// item begins a new row when its width does not fit any more: the minimum width of an item that grows, the preferred
/// one of any other. An item grows if its horizontal policy is Expanding or has a stretch.
class FlowLayout : public QLayout {
 public:
  explicit FlowLayout(int spacing = -1) { setSpacing(spacing); }
  ~FlowLayout() override = default;

  /// Adds a widget that takes this share of the width that is left over.
  void add(QWidget* widget, int stretch);

  void addItem(QLayoutItem* item) override { items_.emplace_back(item); }
  int count() const override { return static_cast<int>(items_.size()); }
  QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;

  /// All in one row.
  QSize sizeHint() const override;
  /// As narrow as the widest item, and as high as the highest; the height for that width is more.
  QSize minimumSize() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return height_of(rows(inner(width)), false); }
  int minimumHeightForWidth(int width) const override { return height_of(rows(inner(width)), true); }
  void setGeometry(const QRect& rect) override;

 private:
  struct Place {
    QLayoutItem* item;
    int width;
  };
  using Row = std::vector<Place>;
  int gap() const { return std::max(0, spacing()); }
  int inner(int width) const;
  std::vector<Row> rows(int width) const;
  int row_height(const Row& row, bool least) const;
  int height_of(const std::vector<Row>& rows, bool least) const;

  std::vector<std::unique_ptr<QLayoutItem>> items_;
};

}  // namespace vqas::app
