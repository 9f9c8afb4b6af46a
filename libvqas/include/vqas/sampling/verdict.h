#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vqas {

/// Verdict of a measurement against a limit. A closed list.
enum class LimitVerdict { pass, fail, undecided };
/// "pass", "fail", "undecided".
std::string_view to_string(LimitVerdict verdict);

/// A mean to compare with an absolute limit.
struct MeasuredMean {
  double mean = 0;
  double half_width = 0;        ///< repeatability at `confidence`; infinite when unknown
  double confidence = 0;        ///< 0..1
  double model_error = 0;       ///< 1 σ, MOS; 0 when unknown
  bool conditional = false;     ///< too much of it was not scored
  std::optional<double> bound;  ///< with unscored measurements at the bottom of the scale
};

struct Judgement {
  LimitVerdict verdict = LimitVerdict::undecided;
  double half_width = 0;  ///< repeatability and model error together, at the mean's confidence
  std::string reason;     ///< one sentence part, for a report
};

/// Half-width of repeatability and model error together: the model's error is assumed normal and independent, so the
/// squares of the two half-widths at `confidence` add up.
double with_model_error(double half_width, double confidence, double model_error);

/// Pass: the mean minus the combined half-width reaches `limit` (MOS). Fail: the mean plus it stays below. Undecided
/// otherwise, and for a mean without a known model error. A conditional mean never passes. Re-entrant.
Judgement judge(const MeasuredMean& measured, double limit);

}  // namespace vqas
