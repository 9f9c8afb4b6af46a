#pragma once

#include <filesystem>

#include "vqas/signal/result.h"

namespace vqas {

/// Prints the page of a report as PDF with the program weasyprint, which keeps its drawings and its style for print;
/// `pdf` is replaced as a whole or not at all. Waits for it, for minutes at most. Fails with unsupported without that
/// program, else with io. Re-entrant.
Status print_report(const std::filesystem::path& page, const std::filesystem::path& pdf);

}  // namespace vqas
