#include "vqas/sampling/sampler.h"

#include <cmath>

#include "border.h"

struct vqas_sampler {
  vqas::Sampler sampler;
};

namespace {

using vqas::SamplerOptions;
using vqas::c::kUndefined;
using vqas::c::Message;

vqas_sampler_options defaults() {
  const SamplerOptions options;
  return {options.first_count,
          options.step,
          options.cap_count,
          options.max_failures,
          options.goal.half_width,
          options.goal.confidence,
          options.fallback->half_width,
          options.fallback->confidence};
}

SamplerOptions from_c(const vqas_sampler_options& options) {
  SamplerOptions result{options.first_count,
                        options.step,
                        options.cap_count,
                        options.max_failures,
                        {options.goal_half_width, options.goal_confidence},
                        std::nullopt};
  if (!std::isnan(options.fallback_half_width)) {
    result.fallback = vqas::PrecisionGoal{options.fallback_half_width, options.fallback_confidence};
  }
  return result;
}

}  // namespace

vqas_status vqas_sampler_options_init(vqas_sampler_options* options, std::size_t size) {
  return vqas::c::init(defaults(), options, size);
}

vqas_status vqas_sampler_create(const vqas_sampler_options* options, std::size_t options_size, vqas_sampler** sampler,
                                char* message, std::size_t message_size) {
  Message said;
  const vqas_status status = vqas::c::guarded(said, [&] {
    if (sampler == nullptr) return invalid(said, "there is no place for the sampler");
    const auto chosen = vqas::c::options_or(defaults(), options, options_size);
    if (!chosen) return invalid(said, vqas::c::kBadOptions);
    const SamplerOptions checked = from_c(*chosen);
    if (const auto valid = validate(checked); !valid) return invalid(said, valid.error().message);
    *sampler = new vqas_sampler{vqas::Sampler(checked)};
    return VQAS_OK;
  });
  said.copy_to(message, message_size);
  return status;
}

void vqas_sampler_destroy(vqas_sampler* sampler) {
  delete sampler;
}

vqas_status vqas_sampler_add(vqas_sampler* sampler, double mos) {
  if (sampler == nullptr) return VQAS_INVALID;
  Message message;
  return vqas::c::guarded(message, [&] {
    sampler->sampler.add_score(mos);
    return VQAS_OK;
  });
}

vqas_status vqas_sampler_stop(vqas_sampler* sampler, vqas_stop_reason reason) {
  if (sampler == nullptr) return VQAS_INVALID;
  if (reason != VQAS_SAMPLING_CANCELLED && reason != VQAS_SAMPLING_LINE_LOST) return VQAS_INVALID;
  Message message;
  return vqas::c::guarded(message, [&] {
    sampler->sampler.stop(reason == VQAS_SAMPLING_CANCELLED ? vqas::StopReason::cancelled
                                                            : vqas::StopReason::line_lost);
    return VQAS_OK;
  });
}

std::size_t vqas_sampler_wanted(const vqas_sampler* sampler) {
  return sampler != nullptr ? sampler->sampler.wanted() : 0;
}

vqas_stop_reason vqas_sampler_reason(const vqas_sampler* sampler) {
  if (sampler == nullptr || !sampler->sampler.finished()) return VQAS_GOING;
  return static_cast<vqas_stop_reason>(static_cast<int>(*sampler->sampler.stopped_because()) + 1);
}

vqas_status vqas_sampler_interval(const vqas_sampler* sampler, vqas_interval* interval, std::size_t size) {
  if (!vqas::c::is_usable(sampler, interval, size)) return VQAS_INVALID;
  Message message;
  return vqas::c::guarded(message, [&] {
    const vqas::Interval known = sampler->sampler.interval();
    const bool spread = known.n >= 2;
    vqas::c::write(
        vqas_interval{known.n, known.n > 0 ? known.mean : kUndefined, spread ? known.standard_deviation : kUndefined,
                      spread ? known.half_width : kUndefined, known.confidence},
        interval, size);
    return VQAS_OK;
  });
}
