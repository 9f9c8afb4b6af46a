#include "vqas/sampling/verdict.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "vqas/sampling/interval.h"

namespace vqas {

std::string_view to_string(LimitVerdict verdict) {
  switch (verdict) {
    case LimitVerdict::pass:
      return "pass";
    case LimitVerdict::fail:
      return "fail";
    case LimitVerdict::undecided:
      return "undecided";
  }
  return "unknown";
}

double with_model_error(double half_width, double confidence, double model_error) {
  return std::hypot(half_width, two_sided_t(confidence, std::numeric_limits<double>::infinity()) * model_error);
}

Judgement judge(const MeasuredMean& measured, double limit) {
  Judgement judgement;
  judgement.half_width = with_model_error(measured.half_width, measured.confidence, measured.model_error);
  if (!std::isfinite(judgement.half_width)) {
    judgement.reason = "fewer than two scores";
    return judgement;
  }
  if (measured.model_error <= 0) {
    judgement.reason = "the model's error is not known";
    return judgement;
  }
  const double low = measured.mean - judgement.half_width;
  const double high = measured.mean + judgement.half_width;
  const std::string range = fmt::format("{:.2f} ±{:.2f} (repeatability and model error, {:.4g} %)", measured.mean,
                                        judgement.half_width, 100 * measured.confidence);
  if (high < limit) {
    judgement.verdict = LimitVerdict::fail;
    judgement.reason = fmt::format("{} lies below {:.2f}", range, limit);
  } else if (low < limit) {
    judgement.reason = fmt::format("{} contains the limit {:.2f}", range, limit);
  } else if (measured.conditional) {
    judgement.reason = fmt::format(
        "{} lies above {:.2f}, but too many transmissions were not scored{}", range, limit,
        measured.bound ? fmt::format("; with those at the bottom of the scale it is {:.2f}", *measured.bound) : "");
  } else {
    judgement.verdict = LimitVerdict::pass;
    judgement.reason = fmt::format("{} is not below {:.2f}", range, limit);
  }
  return judgement;
}

}  // namespace vqas
