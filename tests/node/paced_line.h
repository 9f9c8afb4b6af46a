#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "node/paced_ends.h"
#include "support/normal.h"
#include "vqas/line/line.h"
#include "vqas/sync/mark.h"

namespace vqas::test {

/// The clock of an end of such a line.
struct PacedClock {
  std::string name = {};      ///< empty: none
  std::int64_t ahead_ns = 0;  ///< of the other end's
  std::optional<double> device_latency_ms = {};
};

/// A line in real time between two nodes of this process: its clock never stands still, and runs `speed` times as fast
/// as a wall clock, or slower on a slow machine; that loses nothing. Delays by 100 ms.
class PacedLine {
 public:
  /// `dead`: nothing from this end arrives.
  explicit PacedLine(double speed, std::array<PacedClock, 2> clocks = {}, std::optional<End> dead = {})
      : shared_(std::make_shared<Shared>(speed)) {
    if (dead) shared_->dead.at(static_cast<std::size_t>(*dead)) = true;
    shared_->clocks = std::move(clocks);
    for (auto& direction : shared_->under_way) direction.assign(kDelay, {});
  }
  /// From now on nothing from this end arrives.
  void die(End end) {
    const std::lock_guard lock(shared_->mutex);
    shared_->dead.at(static_cast<std::size_t>(end)) = true;
  }
  /// Both ends hear noise of this level, too; call it before the line is opened.
  void noisy(double rms) { shared_->noise = rms; }
  /// The line from this end opens so long after the end's first sound, in s of line time.
  void open_late(End end, double seconds) {
    shared_->opens_after.at(static_cast<std::size_t>(end)) = static_cast<std::uint64_t>(seconds / 0.02);
  }
  std::unique_ptr<Line> open(End end) const { return std::make_unique<OneEnd>(shared_, static_cast<std::size_t>(end)); }

 private:
  using Block = std::array<float, kLineBlock>;
  static constexpr std::size_t kDelay = 5;

  struct Shared : PacedEnds {
    using PacedEnds::PacedEnds;
    std::array<std::deque<Block>, 2> under_way;  // by sender
    std::array<bool, 2> dead{};
    std::array<std::uint64_t, 2> opens_after{}, since_first_sound{};  // in blocks
    std::array<PacedClock, 2> clocks;
    double noise = 0;  // rms
  };

  class OneEnd : public Line {
   public:
    OneEnd(std::shared_ptr<Shared> shared, std::size_t own)
        : shared_(std::move(shared)), own_(own), noise_(shared_->noise, own) {}
    LineDescription description() const override {
      LineDescription description{"paced:", false, {}};
      description.clock = shared_->clocks.at(own_).name;
      description.device_latency_ms = shared_->clocks.at(own_).device_latency_ms;
      description.real_device = !description.clock.empty();
      return description;
    }
    Result<BlockTime> exchange(std::span<const float> sent, std::span<float> heard, Round) override {
      Shared& s = *shared_;
      std::unique_lock lock(s.mutex);
      const bool ready = s.wait(lock, own_, [](bool not_ahead) { return not_ahead; });
      if (!ready) return Error{ErrorCode::cancelled, "interrupted"};
      Block& out = s.under_way[own_].emplace_back();
      const bool sounds = std::ranges::any_of(sent, [](float sample) { return sample != 0; });
      if (s.since_first_sound[own_] > 0 || sounds) ++s.since_first_sound[own_];
      if (!s.dead[own_] && s.since_first_sound[own_] > s.opens_after[own_])
        std::copy(sent.begin(), sent.end(), out.begin());
      std::deque<Block>& in = s.under_way[1 - own_];
      std::copy_n(in.front().begin(), kLineBlock, heard.begin());
      in.pop_front();
      if (s.noise > 0)
        for (float& one : heard) one += static_cast<float>(noise_());
      const std::uint64_t index = s.taken[own_];
      s.finish(lock, own_);
      BlockTime time{index, static_cast<std::int64_t>(index) * 20'000'000, false};
      if (!s.clocks.at(own_).name.empty()) time.clock_offset_ns = s.clocks.at(own_).ahead_ns;
      return time;
    }
    void interrupt() override { shared_->interrupt(own_); }

   private:
    const std::shared_ptr<Shared> shared_;
    const std::size_t own_;
    Normal noise_;
  };

  std::shared_ptr<Shared> shared_;
};

}  // namespace vqas::test
