#pragma once

#include <cstdint>
#include <optional>

namespace vqas {

/// How long a node has used the line, by what it tells. A value.
class NodeLineTime {
 public:
  /// What an earlier part of the run used.
  void restore(std::int64_t used_ns) { finished_ns_ = counted_ns_ = used_ns; }
  /// It told of something at this time of a round that is not finished.
  void told(std::int64_t time_ns);
  /// A round took so long.
  void add_round(std::int64_t time_ns);
  /// Its last round is over: nothing that it told is of a round under way.
  void end_round();
  /// It told how long its session has used the line in all; it counts from 0 again after it was started anew.
  void told_total(std::int64_t total_ns);
  /// Line time used so far. Of a round that is not finished only what was told can be known: from the silence before
  /// its first transmission to the beginning of its last one.
  std::int64_t used_ns() const;

 private:
  std::int64_t finished_ns_ = 0;                    // of the rounds that it has finished
  std::int64_t counted_ns_ = 0;                     // of what it told of its session's whole
  std::optional<std::int64_t> first_ns_, last_ns_;  // least and greatest time it told in a round that is not finished
};

}  // namespace vqas
