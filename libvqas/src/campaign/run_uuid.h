#pragma once

#include <QUuid>
#include <string>

namespace vqas {

/// A random uuid of 36 characters, by which a store identifies a run, even if two runs begin in the same second.
inline std::string new_run_uuid() {
  return QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString();
}

}  // namespace vqas
