#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "run/json.h"
#include "vqas/run/session_record.h"
#include "vqas/store/journal.h"

namespace vqas::store {

/// Rebuilds a run from the lines of a journal, one after the other, from any source.
class Rebuilder {
 public:
  /// What was planned, if known. A line with another stimulus for a planned number is not a measurement of this run.
  void expect(const SessionRecord& session) { planned_ = session.planned; }
  Status header(const Json& json, const std::string& where);
  Status line(const Json& json, const std::string& where);
  /// Counts a line after the header that cannot be used.
  void leave_out(const Error& why);
  std::size_t left_out() const { return left_out_; }
  StoredRun finish();

 private:
  Status resumed(const Json& json, const std::string& where);
  Status measurement(const Json& json, const std::string& where);
  Status end(const Json& json, const std::string& where);
  StimulusRun* find(Reader& reader);
  bool was_planned(const StimulusRun& stimulus, std::uint32_t sequence) const;

  StoredRun run_;
  /// The measurements so far, by the end that sent them and their number, each with its stimulus.
  std::map<std::pair<End, std::uint32_t>, std::pair<StimulusRun*, Measurement>> measured_;
  std::vector<std::map<std::uint32_t, std::size_t>> planned_;  // by direction: stimulus by sequence number
  bool ended_ = false;
  std::size_t left_out_ = 0, replaced_ = 0;
  std::string first_fault_;
};

/// A measurement's direction and number.
struct MeasurementNumber {
  End from = End::a;
  std::uint32_t sequence = 0;
};
/// The measurements that a line of a resumed run reports as lost from its journal; none if it reports none or is
/// unreadable.
std::vector<MeasurementNumber> lost_before(const Json& resumed);

/// Rebuilds the run in `folder` from its journal as read_stored_run() does, without its notes; passes each usable line
/// to `take`, the header first.
Result<StoredRun> rebuild_run(const std::filesystem::path& folder,
                              const std::function<void(const std::string& line, const Json& json)>& take);

}  // namespace vqas::store
