#include <cstdint>

#include "border.h"
#include "vqas/sampling/sampler.h"
#include "vqas/score/impairment.h"
#include "vqas/score/outcome.h"
#include "vqas/score/score.h"

// The enumerations of the two languages have the same order.
static_assert(VQAS_STOPPED == static_cast<int>(vqas::Outcome::cancelled));
static_assert(VQAS_STOPPED + 1 == vqas::kAllOutcomes.size());
static_assert(VQAS_CUT == static_cast<int>(vqas::Impairment::cut));
static_assert(VQAS_CUT + 1 == vqas::kAllImpairments.size());
static_assert(VQAS_GOAL == static_cast<int>(vqas::StopReason::goal) + 1);
static_assert(VQAS_SENDER_FINISHED == static_cast<int>(vqas::StopReason::sender_finished) + 1);

namespace {

// An enumeration from C may hold any number.
template <typename Enum>
bool is_up_to(Enum value, int last) {
  return static_cast<std::int64_t>(value) >= 0 && static_cast<std::int64_t>(value) <= last;
}

}  // namespace

const char* vqas_status_text(vqas_status status) {
  switch (status) {
    case VQAS_OK:
      return "done";
    case VQAS_INVALID:
      return "an argument is missing or out of range";
    case VQAS_NO_MEMORY:
      return "there is not enough memory";
    case VQAS_READ_FAILED:
      return "the caller's read function failed";
    case VQAS_CANCELLED:
      return "the caller's progress function stopped the call";
    case VQAS_END:
      return "there is no further element";
    case VQAS_INTERNAL:
      return "VQAS itself failed";
  }
  return "an unknown status";
}

const char* vqas_version(void) {
  return VQAS_VERSION;
}

const char* vqas_score_version(void) {
  return vqas::kScoreVersion;
}

const char* vqas_score_version_of(vqas_mode mode) {
  const auto known = vqas::c::score_mode(mode);
  return known ? vqas::score_version(*known) : "unknown";
}

double vqas_model_error_mos(void) {
  return vqas::model_error().mos;
}

double vqas_model_error_mos_of(vqas_mode mode) {
  const auto known = vqas::c::score_mode(mode);
  return known ? vqas::model_error(*known).mos : vqas::c::kUndefined;
}

// The names are literals, so they end with 0.
const char* vqas_outcome_text(vqas_outcome outcome) {
  return is_up_to(outcome, VQAS_STOPPED) ? to_string(static_cast<vqas::Outcome>(outcome)).data() : "unknown";
}

const char* vqas_impairment_text(vqas_impairment impairment) {
  return is_up_to(impairment, VQAS_CUT) ? to_string(static_cast<vqas::Impairment>(impairment)).data() : "unknown";
}

const char* vqas_impairment_advice(vqas_impairment impairment, double missing_ms) {
  return is_up_to(impairment, VQAS_CUT) ? advice(static_cast<vqas::Impairment>(impairment), missing_ms).data() : "";
}

const char* vqas_stop_reason_text(vqas_stop_reason reason) {
  if (reason == VQAS_GOING) return "";
  if (!is_up_to(reason, VQAS_SENDER_FINISHED)) return "unknown";
  return to_string(static_cast<vqas::StopReason>(static_cast<int>(reason) - 1)).data();
}

vqas_status vqas_from_int16(const std::int16_t* from, std::size_t count, float* samples) {
  if (count > 0 && (from == nullptr || samples == nullptr)) return VQAS_INVALID;
  for (std::size_t n = 0; n < count; ++n) samples[n] = static_cast<float>(from[n]) / 32768.0F;
  return VQAS_OK;
}
