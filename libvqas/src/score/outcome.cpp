#include "vqas/score/outcome.h"

namespace vqas {

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::scored:
      return "scored";
    case Outcome::not_found:
      return "not_found";
    case Outcome::not_aligned:
      return "not_aligned";
    case Outcome::no_speech:
      return "no_speech";
    case Outcome::too_short:
      return "too_short";
    case Outcome::clipped_input:
      return "clipped_input";
    case Outcome::bad_input:
      return "bad_input";
    case Outcome::audio_fault:
      return "audio_fault";
    case Outcome::line_lost:
      return "line_lost";
    case Outcome::cancelled:
      return "cancelled";
  }
  return "";
}

std::optional<Outcome> outcome_from_string(std::string_view name) {
  for (const Outcome outcome : kAllOutcomes) {
    if (to_string(outcome) == name) return outcome;
  }
  return std::nullopt;
}

}  // namespace vqas
