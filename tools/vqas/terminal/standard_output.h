#pragma once

#include "vqas/signal/result.h"

namespace vqas::cli {

/// Brings what was printed until now to standard output. io when any of it could not be written; after that nothing
/// that is printed gets there.
Status flush_standard_output();

}  // namespace vqas::cli
