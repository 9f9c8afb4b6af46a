#pragma once

#include "vqas/run/run.h"

namespace vqas {

/// How a measurement counts for the sampler of its stimulus.
enum class CountedAs { score, failure, nothing };

/// Whether a measurement that says nothing about its stimulus counts as a failure. It does only where nothing else
/// would end a run on a line that is dead: a controller that cannot redial.
enum class Silent { fails, is_spared };

/// The one rule for controllers, listeners and journals. Nothing is said about its stimulus by an abandoned
/// measurement, because the stimulus is sent again, nor by silence before the first mark of a direction (`call` 0).
/// Cancelled ones never count. Re-entrant.
inline CountedAs counted_as(const Measurement& measurement, Silent silent = Silent::is_spared) {
  if (measurement.mos_lqo) return CountedAs::score;
  if (measurement.outcome == Outcome::cancelled) return CountedAs::nothing;
  const bool says_nothing = was_abandoned(measurement.outcome) || measurement.call == 0;
  return says_nothing && silent == Silent::is_spared ? CountedAs::nothing : CountedAs::failure;
}

/// Adds it to a sampler; `stimulus` is what the sampler's functions take before the score, if anything.
template <typename Sampler, typename... Stimulus>
void count_in(Sampler& sampler, const Measurement& measurement, Silent silent, Stimulus... stimulus) {
  const CountedAs counted = counted_as(measurement, silent);
  if (counted == CountedAs::score) sampler.add_score(stimulus..., *measurement.mos_lqo);
  if (counted == CountedAs::failure) sampler.add_failure(stimulus...);
}

}  // namespace vqas
