#pragma once

#include "vqas/campaign/run_verdict.h"

namespace vqas::cli {

int exit_code_of(RunVerdict verdict);
/// The verdict for an exit code whose error is already printed; pass for kOk.
RunVerdict verdict_of_exit_code(int exit_code);

}  // namespace vqas::cli
