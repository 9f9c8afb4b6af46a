#pragma once

#include <cstdint>
#include <optional>

namespace vqas {

/// How long a node has used the line, by its reports. A value.
class NodeLineTime {
 public:
  /// The time used by an earlier part of the run.
  void restore(std::int64_t used_ns) { finished_ns_ = counted_ns_ = used_ns; }
  /// It reported an event at this time in an unfinished round.
  void told(std::int64_t time_ns);
  /// A round took this long.
  void add_round(std::int64_t time_ns);
  /// Its last round is over: no report belongs to a current round.
  void end_round();
  /// It reported the total line time of its session; the total restarts from 0 when the node does.
  void told_total(std::int64_t total_ns);
  /// Line time used so far. For an unfinished round only reported events count: from the silence before its first
  /// transmission to the beginning of its last one.
  std::int64_t used_ns() const;

 private:
  std::int64_t finished_ns_ = 0;                    // of its finished rounds
  std::int64_t counted_ns_ = 0;                     // of the reported total of its session
  std::optional<std::int64_t> first_ns_, last_ns_;  // least and greatest time reported in an unfinished round
};

}  // namespace vqas
