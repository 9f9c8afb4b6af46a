#pragma once

#include <QFont>
#include <QLabel>

#include "view/language.h"

namespace vqas::app {

/// A line in bold above a group of widgets; the layout that takes it owns it.
inline QLabel* heading(const Words& words) {
  QLabel* const made = label(words);
  QFont strong = made->font();
  strong.setBold(true);
  made->setFont(strong);
  return made;
}

}  // namespace vqas::app
