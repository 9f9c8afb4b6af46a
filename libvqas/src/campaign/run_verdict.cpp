#include "vqas/campaign/run_verdict.h"

#include <algorithm>

#include "signal/words.h"
#include "vqas/node/run_lock.h"
#include "vqas/report/findings.h"

namespace vqas {
namespace {

constexpr Words<RunVerdict, 12> kVerdicts{{{"no_limit", RunVerdict::no_limit},
                                           {"pass", RunVerdict::pass},
                                           {"undecided", RunVerdict::undecided},
                                           {"fail", RunVerdict::fail},
                                           {"not_measured", RunVerdict::not_measured},
                                           {"cancelled", RunVerdict::cancelled},
                                           {"line_lost", RunVerdict::line_lost},
                                           {"bad_input", RunVerdict::bad_input},
                                           {"in_use", RunVerdict::in_use},
                                           {"io", RunVerdict::io},
                                           {"internal", RunVerdict::internal},
                                           {"unknown_peer", RunVerdict::unknown_peer}}};

}  // namespace

std::string_view to_string(RunVerdict verdict) {
  return word_of(kVerdicts, verdict);
}
std::optional<RunVerdict> run_verdict_from_string(std::string_view name) {
  return value_of(kVerdicts, name);
}

RunVerdict worse(RunVerdict one, RunVerdict other) {
  return std::max(one, other);
}

RunVerdict verdict_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::bad_input:
    case ErrorCode::unsupported:
    case ErrorCode::protocol:
      return RunVerdict::bad_input;
    case ErrorCode::io:
      return RunVerdict::io;
    case ErrorCode::line_lost:
      return RunVerdict::line_lost;
    case ErrorCode::cancelled:
      return RunVerdict::cancelled;
  }
  return RunVerdict::internal;
}

RunVerdict verdict_of_start(const Error& error, const std::filesystem::path& folder) {
  const RunVerdict verdict = verdict_of(error);
  return verdict == RunVerdict::bad_input && run_goes_on(folder) ? RunVerdict::in_use : verdict;
}

RunVerdict verdict_of(const RunResults& results, const Provenance& provenance) {
  return run_verdict_from_string(verdict_word(results, provenance)).value_or(RunVerdict::not_measured);
}

}  // namespace vqas
