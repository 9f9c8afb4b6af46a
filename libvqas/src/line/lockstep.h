#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "line/simulated_path.h"
#include "vqas/line/line.h"
#include "vqas/line/simulator.h"
#include "vqas/sync/mark.h"

namespace vqas {

/// The simulated line without its sockets: requests of the two ends in, answers out. Decides only when both ends have a
/// request, and only from these requests, so the answers do not depend on timing. Whenever both have one, at least one
/// is answered, so the two ends can never wait for the line and for each other at the same time. For one thread.
class Lockstep {
 public:
  enum class Kind { heard, standing };
  struct Answer {
    End end = End::a;
    Kind kind = Kind::standing;
    std::uint64_t index = 0;
    std::int64_t time_ns = 0;
    std::vector<float> heard = {};
  };
  /// At most one answer for each end.
  struct Answers {
    std::array<Answer, 2> items;
    std::size_t count = 0;
    std::span<const Answer> all() const& { return std::span(items).first(count); }
    std::span<const Answer> all() const&& = delete;
  };

  /// `call` numbers the new lines from one seed, from 0.
  Lockstep(const SimulatedLine& line, std::uint64_t call);

  /// The next block of an end without a waiting request.
  void request(End end, Round round, std::span<const float> sent);
  bool waiting(End end) const { return side(end).pending.has_value(); }
  /// Withdraws a waiting request; false when there is none.
  bool withdraw(End end);
  /// The answers that are possible now; to be called after each request.
  Answers settle();
  /// Number of blocks taken from an end so far: the index of its next one.
  std::uint64_t taken(End end) const { return side(end).index; }

 private:
  struct Pending {
    Round round;
    std::vector<float> sent;
  };
  struct Side {
    double clock_ppm = 0;
    std::uint64_t index = 0;
    std::optional<Pending> pending;
    std::int64_t next_time_ns() const;
  };

  Side& side(End end) { return sides_[static_cast<std::size_t>(end)]; }
  const Side& side(End end) const { return sides_[static_cast<std::size_t>(end)]; }
  void stand(End end, Answers& answers);
  void serve(std::span<const End> ends, Answers& answers);

  std::array<Side, 2> sides_;
  std::array<std::unique_ptr<SimulatedPath>, 2> from_;  // by sender
  std::size_t block_;                                   // samples
};

}  // namespace vqas
