#pragma once

#include <QCoreApplication>

namespace vqas::fuzz {

/// The one application of the process, for targets that use Qt.
inline void need_qt() {
  static int arguments = 1;
  static char name[] = "fuzz";
  static char* names[] = {name, nullptr};
  static const QCoreApplication application(arguments, names);
}

}  // namespace vqas::fuzz
