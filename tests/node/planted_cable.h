#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "line/audio_line.h"
#include "line/fake_audio.h"
#include "node/paced_ends.h"
#include "vqas/sync/mark.h"

namespace vqas::test {

/// Faults of a sound device while end a sends.
struct PlantedFault {
  enum class Kind {
    none,      ///< only the flags
    missed,    ///< the device is not served: no input, no output; time passes
    late,      ///< served, but its output comes too late to be played
    zeroed,    ///< its input is zeros
    inserted,  ///< served once more, with zeros, in no time
  };
  Kind kind = Kind::none;
  End at = End::a;
  double at_s = 0;  ///< from the transmission's first sample
  int periods = 1;
  bool a_is_told = false, b_is_told = false;  ///< by the flags of its next callback
  bool stale = true;  ///< replacement of missing output: a repeat of the previous period, like JACK; else zeros
};

/// Two sound devices with a cable between them, in cycles of 5 ms, each served by an AudioLine; `speed` times as fast
/// as a wall clock, or slower where the machine is slow. Nothing is lost by that. What goes one way takes one cycle.
/// With an end that was destroyed there is nothing to exchange any more: the other one is lost, and never waits for it.
class PlantedCable {
 public:
  static constexpr std::size_t kPeriod = 40;

  /// `faults` by the number of the transmission from end a, from 1.
  /// `echo`: how much of what an end plays comes back to it, as a factor.
  PlantedCable(std::multimap<int, PlantedFault> faults, double speed, float echo = 0)
      : shared_(std::make_shared<Shared>(speed)) {
    shared_->faults = std::move(faults);
    shared_->echo = echo;
    for (auto& device : shared_->devices) {
      device = std::make_shared<FakeDevice>();
      device->period = kPeriod;
    }
    for (auto& port : shared_->ports) port.assign(kPeriod, 0.0F);
  }
  Result<std::unique_ptr<Line>> open(End end) const {
    const auto own = static_cast<std::size_t>(end);
    const std::lock_guard lock(shared_->mutex);
    const auto options = parse_audio_line("audio:card?rate=8000&period=40");
    auto line = AudioLine::open(*options, std::make_unique<FakeBackend>(shared_->devices[own]));
    if (!line) return line.error();
    shared_->gone[own] = false;
    shared_->changed.notify_all();
    return std::unique_ptr<Line>(std::make_unique<OneEnd>(shared_, own, std::move(line).value()));
  }

 private:
  using Kind = PlantedFault::Kind;

  struct Shared : PacedEnds {
    using PacedEnds::PacedEnds;
    std::array<std::shared_ptr<FakeDevice>, 2> devices;
    std::array<std::vector<float>, 2> ports;  // what each end played last
    std::array<bool, 2> gone{};               // their lines were destroyed
    std::multimap<int, PlantedFault> faults;
    float echo = 0;
    int transmission = 0;
    std::size_t since = 0, silent = 1U << 20;  // frames since it began, and of silence

    bool planted(End at, Kind kind, bool* stale = nullptr) const {
      const auto [first, last] = faults.equal_range(transmission);
      return std::any_of(first, last, [&](const auto& entry) {
        const PlantedFault& one = entry.second;
        const auto begin = static_cast<std::size_t>(one.at_s * 8000);
        const bool now = since >= begin && since < begin + static_cast<std::size_t>(one.periods) * kPeriod;
        if (stale != nullptr && now) *stale = one.stale;
        return now && one.at == at && one.kind == kind;
      });
    }
    void tell() {
      const auto [first, last] = faults.equal_range(transmission);
      std::for_each(first, last, [&](const auto& entry) {
        const PlantedFault& one = entry.second;
        const auto begin = static_cast<std::size_t>(one.at_s * 8000);
        if (since < begin || since >= begin + kPeriod) return;
        for (const std::size_t end : {0U, 1U}) {
          if (!(end == 0 ? one.a_is_told : one.b_is_told)) continue;
          devices[end]->flags.input_overflow = devices[end]->flags.output_underflow = true;
        }
      });
    }
    std::vector<float> serve(std::size_t end, const std::vector<float>& in) const {
      FakeDevice& device = *devices[end];
      device.looped.assign(in.begin(), in.end());
      device.tick();
      return {device.looped.begin(), device.looped.end()};
    }
    void watch(const std::vector<float>& played) {
      for (const float sample : played) {
        if (sample != 0.0F && silent >= 1400) {
          ++transmission;
          since = 0;
        }
        silent = sample == 0.0F ? silent + 1 : 0;
      }
    }
    void cycle() {
      tell();
      auto heard = ports;  // by sending end
      for (std::size_t n = 0; echo != 0 && n < kPeriod; ++n) {
        heard[0][n] += echo * ports[1][n];
        heard[1][n] += echo * ports[0][n];
      }
      for (const std::size_t end : {0U, 1U}) {
        const auto at = static_cast<End>(end);
        bool stale = true;
        const std::vector<float> silence(kPeriod, 0.0F);
        if (planted(at, Kind::missed, &stale)) {
          devices[end]->miss_a_period();
          if (!stale) ports[end] = silence;
          continue;
        }
        std::vector<float> played = serve(end, planted(at, Kind::zeroed) ? silence : heard[1 - end]);
        if (end == 0) watch(played);
        if (!planted(at, Kind::late, &stale)) {
          ports[end] = std::move(played);
        } else if (!stale) {
          ports[end] = silence;
        }
        if (planted(at, Kind::inserted)) {
          serve(end, silence);
          devices[end]->now_ns -= devices[end]->period_ns();
        }
      }
      since += kPeriod;
    }
  };

  class OneEnd : public Line {
   public:
    OneEnd(std::shared_ptr<Shared> shared, std::size_t own, std::unique_ptr<Line> line)
        : shared_(std::move(shared)), own_(own), line_(std::move(line)) {}
    ~OneEnd() override {
      const std::lock_guard lock(shared_->mutex);
      shared_->gone[own_] = true;
      shared_->changed.notify_all();
    }
    OneEnd(const OneEnd&) = delete;
    OneEnd& operator=(const OneEnd&) = delete;
    LineDescription description() const override { return line_->description(); }
    Result<BlockTime> exchange(std::span<const float> sent, std::span<float> heard, Round round) override {
      Shared& s = *shared_;
      std::unique_lock lock(s.mutex);
      // Both are there, and neither is more than a block ahead.
      const bool ready = s.wait(
          lock, own_, [&](bool not_ahead) { return s.gone[1 - own_] || (s.devices[1 - own_]->callback && not_ahead); });
      if (!ready) return Error{ErrorCode::cancelled, "interrupted"};
      if (s.gone[1 - own_]) return Error{ErrorCode::line_lost, "the other end of the cable is gone"};
      while (s.devices[own_]->frame < (s.taken[own_] + 1) * kLineBlock) s.cycle();
      auto time = line_->exchange(sent, heard, round);
      s.finish(lock, own_);
      return time;
    }
    void interrupt() override { shared_->interrupt(own_); }

   private:
    const std::shared_ptr<Shared> shared_;
    const std::size_t own_;
    const std::unique_ptr<Line> line_;
  };

  std::shared_ptr<Shared> shared_;
};

}  // namespace vqas::test
