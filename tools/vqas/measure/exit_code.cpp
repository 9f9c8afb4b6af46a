#include "measure/exit_code.h"

#include <array>
#include <utility>

#include "vqas/campaign/exit_codes.h"

namespace vqas::cli {
namespace {

constexpr std::array<std::pair<RunVerdict, ExitCode>, 10> kCodes{{{RunVerdict::pass, kOk},
                                                                  {RunVerdict::undecided, kUndecided},
                                                                  {RunVerdict::fail, kFailed},
                                                                  {RunVerdict::not_measured, kNotMeasured},
                                                                  {RunVerdict::cancelled, kCancelled},
                                                                  {RunVerdict::line_lost, kLineLost},
                                                                  {RunVerdict::bad_input, kBadInput},
                                                                  {RunVerdict::io, kIo},
                                                                  {RunVerdict::internal, kInternal},
                                                                  {RunVerdict::unknown_peer, kUnknownPeer}}};

}  // namespace

int exit_code_of(RunVerdict verdict) {
  for (const auto& [one, code] : kCodes) {
    if (one == verdict) return code;
  }
  return kInternal;
}

RunVerdict verdict_of_exit_code(int exit_code) {
  for (const auto& [verdict, code] : kCodes) {
    if (code == exit_code) return verdict;
  }
  return RunVerdict::internal;
}

}  // namespace vqas::cli
