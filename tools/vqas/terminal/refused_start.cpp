#include "terminal/refused_start.h"

#include "vqas/campaign/exit_codes.h"

namespace vqas::cli {

ExitCode report_error(const Error& error, const std::filesystem::path& folder) {
  report_error(error);
  return exit_code_of(error, folder);
}

}  // namespace vqas::cli
