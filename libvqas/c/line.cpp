#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "border.h"
#include "vqas/channel/carry_signal.h"
#include "vqas/channel/line_direction.h"
#include "vqas/signal/signal.h"

struct vqas_line {
  vqas::LineDirection line;
  std::size_t delay_samples;
};

namespace {

using vqas::LineConditions;
using vqas::c::Message;

constexpr vqas_line_options kDefaults{VQAS_MU_LAW, 0, 0, 0, 0, -std::numeric_limits<double>::infinity()};

/// Without ripple, phase and drift, so that only what the options name acts.
LineConditions conditions_of(const vqas_line_options& options) {
  LineConditions conditions;
  conditions.law = options.law == VQAS_A_LAW ? vqas::G711Law::a : vqas::G711Law::mu;
  conditions.ber = options.ber;
  conditions.gain_db = options.gain_db;
  conditions.band_limit = options.band_limit != 0;
  conditions.circuit_noise_dbm0p = options.circuit_noise_dbm0p;
  conditions.gain_ripple_db = 0;
  conditions.fresh_phase = false;
  conditions.delay_s = options.delay_s + shortest_delay_s(conditions);
  return conditions;
}

}  // namespace

vqas_status vqas_line_options_init(vqas_line_options* options, std::size_t size) {
  return vqas::c::init(kDefaults, options, size);
}

vqas_status vqas_line_create(const vqas_line_options* options, std::size_t options_size, std::uint64_t seed,
                             std::uint64_t stream, vqas_line** line, char* message, std::size_t message_size) {
  Message said;
  const vqas_status status = vqas::c::guarded(said, [&] {
    if (line == nullptr) return invalid(said, "there is no place for the line");
    const auto chosen = vqas::c::options_or(kDefaults, options, options_size);
    if (!chosen) return invalid(said, vqas::c::kBadOptions);
    if (chosen->law != VQAS_MU_LAW && chosen->law != VQAS_A_LAW) return invalid(said, "the law is unknown");
    if (!vqas::c::within(chosen->delay_s, 0, vqas::kLongestSignalDelayS)) {
      return invalid(said, "the delay (delay_s) must be 0 to 9 s");
    }
    const LineConditions conditions = conditions_of(*chosen);
    if (const auto valid = validate(conditions); !valid) return invalid(said, valid.error().message);
    *line = new vqas_line{vqas::LineDirection(conditions, seed, stream),
                          static_cast<std::size_t>(std::llround(conditions.delay_s * vqas::kLineRateHz))};
    return VQAS_OK;
  });
  said.copy_to(message, message_size);
  return status;
}

void vqas_line_destroy(vqas_line* line) {
  delete line;
}

std::size_t vqas_line_delay_samples(const vqas_line* line) {
  return line != nullptr ? line->delay_samples : 0;
}

vqas_status vqas_line_process(vqas_line* line, const float* sent, std::size_t count, float* heard) {
  if (line == nullptr || (count > 0 && (sent == nullptr || heard == nullptr))) return VQAS_INVALID;
  Message message;
  return vqas::c::guarded(message, [&] {
    for (std::size_t done = 0; done < count;) {
      // The line's clocks are equal: what was pushed can be pulled, at least.
      const std::size_t block = std::min(count - done, line->line.room());
      line->line.push(std::span(sent + done, block));
      line->line.pull(std::span(heard + done, block));
      done += block;
    }
    return VQAS_OK;
  });
}

vqas_status vqas_line_get_counts(const vqas_line* line, vqas_line_counts* counts, std::size_t size) {
  if (!vqas::c::is_usable(line, counts, size)) return VQAS_INVALID;
  vqas::c::write(vqas_line_counts{line->line.bits(), line->line.bit_errors()}, counts, size);
  return VQAS_OK;
}
