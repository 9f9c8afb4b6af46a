#include "support/places.h"

namespace vqas::test {

const char* source_dir() {
  return VQAS_SOURCE_DIR;
}

const char* vqas_command() {
  return VQAS_COMMAND;
}

}  // namespace vqas::test
