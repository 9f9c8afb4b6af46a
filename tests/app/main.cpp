#include <gtest/gtest.h>

#include <QApplication>
#include <QLocale>

#include "app/quiet.h"

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  qputenv("QT_STYLE_OVERRIDE", "Fusion");
  const vqas::test::QtWarningsFail warnings_fail;
  QApplication application(argc, argv);
  QLocale::setDefault(QLocale::c());  // tests read numbers as English writes them
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
