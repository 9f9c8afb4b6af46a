#include "vqas/score/outcome.h"

#include "signal/words.h"

namespace vqas {
namespace {

constexpr Words<Outcome, 10> kOutcomes{{{"scored", Outcome::scored},
                                        {"not_found", Outcome::not_found},
                                        {"not_aligned", Outcome::not_aligned},
                                        {"no_speech", Outcome::no_speech},
                                        {"too_short", Outcome::too_short},
                                        {"clipped_input", Outcome::clipped_input},
                                        {"bad_input", Outcome::bad_input},
                                        {"audio_fault", Outcome::audio_fault},
                                        {"line_lost", Outcome::line_lost},
                                        {"cancelled", Outcome::cancelled}}};

}  // namespace

std::string_view to_string(Outcome outcome) {
  return word_of(kOutcomes, outcome);
}

std::optional<Outcome> outcome_from_string(std::string_view name) {
  return value_of(kOutcomes, name);
}

}  // namespace vqas
