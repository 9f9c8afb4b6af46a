#pragma once

#include "vqas/corpus/build.h"
#include "vqas/signal/result.h"

namespace vqas::cli {

/// The flite program of this machine as a synthesiser. Fails with unsupported and a remedy if it is not installed or
/// lacks a voice that the corpus needs.
Result<Synthesiser> flite_synthesiser();

}  // namespace vqas::cli
