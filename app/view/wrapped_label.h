#pragma once

#include <QLabel>

namespace vqas::app {

/// Text that takes the width it is given and never asks for more: it breaks anywhere where it must, and ends in an
/// ellipsis, with the whole text in its tool tip, where it has more than `most_lines`. A window that holds it does not
/// grow with what it says.
class WrappedLabel : public QLabel {
  Q_OBJECT
 public:
  explicit WrappedLabel(int most_lines, QWidget* parent = nullptr);

  void show_text(const QString& text);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  /// The text as it stands in lines of this width.
  QStringList lines(int width) const;

  const int most_lines_;
};

}  // namespace vqas::app
