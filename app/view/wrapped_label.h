#pragma once

#include <QLabel>

#include "view/language.h"

namespace vqas::app {

/// Text that fits the width it is given: it breaks anywhere if it must. With more than `most_lines` lines it ends in an
/// ellipsis and its tool tip has the whole text. The window that holds it does not grow with the text.
class WrappedLabel : public QLabel {
  Q_OBJECT
 public:
  explicit WrappedLabel(int most_lines, QWidget* parent = nullptr);

  void show_text(const QString& text);
  /// A text that follows the language.
  void show_text(const Words& words);
  /// Whether a part of the text is not shown.
  bool is_cut() const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  int heightForWidth(int width) const override;

 protected:
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  /// The text broken into lines of this width.
  QStringList all_lines(int width) const;
  /// Those that are shown.
  QStringList lines(int width) const;

  void write(const QString& text);

  const int most_lines_;
  Words words_;  // empty: the text is the same in each language
};

}  // namespace vqas::app
