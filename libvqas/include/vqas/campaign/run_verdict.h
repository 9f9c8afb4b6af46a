#pragma once

#include <filesystem>

#include "vqas/run/provenance.h"
#include "vqas/run/run.h"
#include "vqas/run/run_verdict.h"
#include "vqas/signal/result.h"

namespace vqas {

/// As verdict_of(error) where `error` refused a start in `folder`, which this process does not hold: in_use if another
/// one does.
RunVerdict verdict_of_start(const Error& error, const std::filesystem::path& folder);
/// The verdict on what was measured, by verdict_word() (vqas/report/findings.h); the one that records, figures, hooks
/// and pages state.
RunVerdict verdict_of(const RunResults& results, const Provenance& provenance);

}  // namespace vqas
