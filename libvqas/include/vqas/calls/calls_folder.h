#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "vqas/calls/call_outcome.h"
#include "vqas/calls/calls_plan.h"
#include "vqas/calls/calls_ramp.h"
#include "vqas/calls/calls_summary.h"
#include "vqas/signal/json_text.h"
#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"

namespace vqas {

inline constexpr const char* kCallsFile = "calls.jsonl";
inline constexpr const char* kCallsSchema = "vqas-calls/1";

/// The folder of many calls: calls.jsonl grows by a sealed line for each call, which is on the disk before the next;
/// calls.csv, calls.json and calls.html are written at the end. A kill loses the calls that were up. For one thread;
/// every function may wait for the disk.
class CallsFolder {
 public:
  /// Begins a folder, which must be empty; with `force` calls in it are replaced. Fails with bad_input when another
  /// process writes there or it is not empty, with io.
  static Result<CallsFolder> create(const std::filesystem::path& folder, const CallsPlan& plan,
                                    const std::string& corpus_digest, const std::string& started_utc, bool force);
  /// Takes up the folder of calls that were stopped or killed. Fails with bad_input or io.
  static Result<CallsFolder> resume(const std::filesystem::path& folder, const std::string& resumed_utc);
  CallsFolder(CallsFolder&&) noexcept;
  CallsFolder& operator=(CallsFolder&&) noexcept;
  ~CallsFolder();

  const std::filesystem::path& folder() const;
  const CallsPlan& plan() const;
  const std::string& corpus_digest() const;
  /// Every call so far, in the order of their ends.
  const std::vector<CallOutcome>& calls() const;
  /// Lines of an earlier session that are damaged or missing; their calls are lost.
  std::size_t damaged() const;

  /// Adds a call. Where it is one of the worst, by how far it lies below what its sentences had in the calls before,
  /// `recording` is kept and replaces that of a better one. Fails with io.
  Status add(CallOutcome call, const Signal& recording);
  /// Appends to signalling/call-NNNNNN.txt, or to signalling/other.txt for number 0. Fails with io.
  Status trace(std::uint32_t number, const std::string& entries);
  /// Writes calls.csv, calls.json and calls.html. Fails with io.
  Status finish(const CallsSummary& summary, const RampFound* ramp);

 private:
  struct State;
  explicit CallsFolder(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The summary as calls.json has it. Re-entrant.
Json to_json(const CallsSummary& summary, const CallsPlan& plan, const RampFound* ramp);

}  // namespace vqas
