#pragma once

#include <QFont>
#include <QLabel>

namespace vqas::app {

/// A line in bold above a group of widgets; the layout that takes it owns it.
inline QLabel* heading(const QString& text) {
  auto* label = new QLabel(text);
  QFont strong = label->font();
  strong.setBold(true);
  label->setFont(strong);
  return label;
}

}  // namespace vqas::app
