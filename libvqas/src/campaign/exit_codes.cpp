#include "vqas/campaign/exit_codes.h"

#include "vqas/campaign/run_verdict.h"

namespace vqas {

ExitCode exit_code_of(const Error& error, const std::filesystem::path& folder) {
  return exit_code_of(verdict_of_start(error, folder));
}

}  // namespace vqas
