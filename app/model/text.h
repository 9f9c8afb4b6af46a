#pragma once

#include <QCoreApplication>

namespace vqas::app {

/// Texts of functions that belong to no QObject: Text::tr("…") is the text in the language of the program. The English
/// source is the key. Re-entrant.
struct Text {
  Q_DECLARE_TR_FUNCTIONS(Text)
};

}  // namespace vqas::app
