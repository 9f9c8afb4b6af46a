#include "vqas/campaign/run_verdict.h"

#include "vqas/node/run_lock.h"
#include "vqas/report/findings.h"

namespace vqas {

RunVerdict verdict_of_start(const Error& error, const std::filesystem::path& folder) {
  const RunVerdict verdict = verdict_of(error);
  return verdict == RunVerdict::bad_input && run_goes_on(folder) ? RunVerdict::in_use : verdict;
}

RunVerdict verdict_of(const RunResults& results, const Provenance& provenance) {
  return run_verdict_from_string(verdict_word(results, provenance)).value_or(RunVerdict::not_measured);
}

}  // namespace vqas
