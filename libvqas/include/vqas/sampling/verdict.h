#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vqas {

/// What a measurement says of a limit. A closed list.
enum class LimitVerdict { pass, fail, undecided };
/// "pass", "fail", "undecided".
std::string_view to_string(LimitVerdict verdict);
std::optional<LimitVerdict> limit_verdict_from_string(std::string_view name);

/// A mean that is to be held against an absolute limit.
struct MeasuredMean {
  double mean = 0;
  double half_width = 0;        ///< repeatability at `confidence`; infinite when it is not known
  double confidence = 0;        ///< 0..1
  double model_error = 0;       ///< 1 σ, MOS; 0 when it is not known
  bool conditional = false;     ///< too much of it was not scored
  std::optional<double> bound;  ///< with what was not scored at the scale's bottom
};

struct Judgement {
  LimitVerdict verdict = LimitVerdict::undecided;
  double half_width = 0;  ///< repeatability and model error together, at the mean's confidence
  std::string reason;     ///< one sentence part, for a report
};

/// Half-width of repeatability and model error together: the model's error is taken as normal and independent, so the
/// squares of the two half-widths at `confidence` add up.
double with_model_error(double half_width, double confidence, double model_error);

/// Pass: the mean less the combined half-width reaches `limit` (MOS). Fail: the mean with it stays below. Undecided
/// otherwise; so is a mean without a known model error, and a conditional mean, which never passes. Re-entrant.
Judgement judge(const MeasuredMean& measured, double limit);

}  // namespace vqas
