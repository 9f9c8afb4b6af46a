#pragma once

#include <QUuid>
#include <string>

namespace vqas {

/// What a store knows a new run by, 36 characters. By chance: two runs that begin in one second are two.
inline std::string new_run_uuid() {
  return QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString();
}

}  // namespace vqas
