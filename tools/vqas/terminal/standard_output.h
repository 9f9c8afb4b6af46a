#pragma once

#include "vqas/signal/result.h"

namespace vqas::cli {

/// Flushes standard output. Fails with io when any of the output could not be written; later output is then lost.
Status flush_standard_output();

}  // namespace vqas::cli
