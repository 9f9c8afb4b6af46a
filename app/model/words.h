#pragma once

#include <QString>
#include <optional>

#include "vqas/run/provenance.h"
#include "vqas/sampling/sampler.h"
#include "vqas/score/outcome.h"
#include "vqas/signal/end.h"

namespace vqas::app {

// Plain words for what the library names. Pure functions, re-entrant.

/// "A to B" for the direction that starts at end a.
QString direction_label(End from);

/// What happened to a measurement, in words that need no manual: "Nothing of the sentence was found".
QString outcome_words(Outcome outcome);

/// A MOS with two decimals, "4.12"; a dash if it was not measured.
QString mos_words(std::optional<double> mos);

/// "±0.05"; empty when there is no interval yet.
QString half_width_words(std::optional<double> half_width);

/// A confidence of 0..1 in per cent: "99 %".
QString confidence_words(double confidence);

/// One sentence on the model's own error, which is not part of repeatability.
QString model_error_words(const Provenance& provenance);

/// A library's message as a sentence of a window: with a capital letter and a full stop, and no more than `lines`
/// lines.
QString sentence(const QString& message, int lines = 4);

/// A time in seconds as a person says it: "1 min 20 s", "1 h 5 min"; less than a second is "1 s".
QString duration_words(double seconds);

}  // namespace vqas::app
