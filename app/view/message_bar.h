#pragma once

#include <QFrame>
#include <QString>
#include <functional>
#include <vector>

#include "view/language.h"

class QHBoxLayout;
class QLabel;
class QTextEdit;

namespace vqas::app {

/// A message inside the window, with buttons for a decision. Does not block the window.
class MessageBar : public QFrame {
  Q_OBJECT
 public:
  struct Choice {
    Words text;
    std::function<void()> chosen;  ///< the bar is hidden before it is called
  };

  explicit MessageBar(QWidget* parent = nullptr);

  /// Shows the first `lines` lines of `message`, and scrolls if they do not fit. Without choices a button dismisses it.
  /// The first choice gets the focus.
  void show_message(const Words& message, const std::vector<Choice>& choices = {}, int lines = 4);
  QString message() const;

 private:
  void clear_choices();
  void write_texts();
  void fit_text();

  Words message_;
  int lines_ = 0;
  QLabel* symbol_;
  QTextEdit* text_;
  QHBoxLayout* buttons_;
};

}  // namespace vqas::app
