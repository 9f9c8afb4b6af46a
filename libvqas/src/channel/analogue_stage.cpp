#include "channel/analogue_stage.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "vqas/signal/level.h"
#include "vqas/signal/signal.h"

namespace vqas {
namespace {

// The gain control of a telephone set, by our choice: it measures a tenth of a second, lowers the gain by 30 dB and
// raises it by 6 dB a second, and holds it in pauses.
constexpr double kPowerSeconds = 0.1;
constexpr double kDownDbPerSecond = 30;
constexpr double kUpDbPerSecond = 6;
constexpr double kPauseDbov = -50;

double power_of(double dbov) {
  return std::pow(10, dbov / 10);
}

}  // namespace

AnalogueStage::AnalogueStage(const AnalogueParts& parts, G711Law law)
    : agc_(parts.agc),
      target_power_(power_of(parts.agc_target_dbov)),
      pause_power_(power_of(kPauseDbov)),
      down_(db_to_amplitude(-kDownDbPerSecond / kLineRateHz)),
      up_(db_to_amplitude(kUpDbPerSecond / kLineRateHz)),
      lowest_gain_(db_to_amplitude(-parts.agc_range_db)),
      highest_gain_(db_to_amplitude(parts.agc_range_db)),
      hum_amplitude_(std::numbers::sqrt2 *
                     db_to_amplitude(parts.hum_dbm0 + (law == G711Law::mu ? kZeroDbm0MuLawDbov : kZeroDbm0ALawDbov))),
      hum_step_(parts.hum_hz / kLineRateHz),
      peak_(static_cast<float>(std::isfinite(parts.clip_dbov) ? db_to_amplitude(parts.clip_dbov)
                                                              : std::numeric_limits<double>::infinity())) {}

float AnalogueStage::agc_gain(float sample) {
  constexpr double kNew = 1 / (kPowerSeconds * kLineRateHz);
  power_ += kNew * (static_cast<double>(sample) * sample - power_);
  if (power_ > pause_power_) {
    const double wanted = std::clamp(std::sqrt(target_power_ / power_), lowest_gain_, highest_gain_);
    gain_ = wanted < gain_ ? std::max(wanted, gain_ * down_) : std::min(wanted, gain_ * up_);
  }
  return static_cast<float>(gain_);
}

void AnalogueStage::process(std::span<float> samples) {
  if (agc_) {
    for (float& sample : samples) sample *= agc_gain(sample);
  }
  if (hum_amplitude_ > 0) {
    for (float& sample : samples) {
      sample += static_cast<float>(hum_amplitude_ * std::sin(2 * std::numbers::pi * hum_turn_));
      hum_turn_ += hum_step_;
      if (hum_turn_ >= 1) hum_turn_ -= 1;
    }
  }
  if (std::isfinite(peak_)) {
    for (float& sample : samples) sample = std::clamp(sample, -peak_, peak_);
  }
}

EchoStage::EchoStage(const AnalogueParts& parts)
    : gain_(std::isfinite(parts.echo_loss_db) ? static_cast<float>(db_to_amplitude(-parts.echo_loss_db)) : 0),
      past_(gain_ == 0 ? 0 : static_cast<std::size_t>(std::llround(parts.echo_delay_s * kLineRateHz)), 0.0F) {}

void EchoStage::process(std::span<float> samples) {
  if (past_.empty()) return;
  for (float& sample : samples) {
    const float before = past_[next_];
    past_[next_] = sample;
    next_ = next_ + 1 == past_.size() ? 0 : next_ + 1;
    sample += gain_ * before;
  }
}

}  // namespace vqas
