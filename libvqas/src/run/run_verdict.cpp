#include "vqas/run/run_verdict.h"

#include <algorithm>

#include "signal/words.h"

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

}  // namespace vqas
