// Apart from other verdicts: programs that start no run need no locks of folders.
#include "vqas/campaign/exit_codes.h"
#include "vqas/campaign/run_verdict.h"
#include "vqas/node/run_lock.h"

namespace vqas {

RunVerdict verdict_of_start(const Error& error, const std::filesystem::path& folder) {
  const RunVerdict verdict = verdict_of(error);
  return verdict == RunVerdict::bad_input && run_goes_on(folder) ? RunVerdict::in_use : verdict;
}

ExitCode exit_code_of(const Error& error, const std::filesystem::path& folder) {
  return exit_code_of(verdict_of_start(error, folder));
}

}  // namespace vqas
