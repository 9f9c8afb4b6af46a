#pragma once

#include <QString>
#include <cstddef>
#include <optional>
#include <string>

#include "vqas/run/provenance.h"
#include "vqas/sampling/sampler.h"
#include "vqas/score/impairment.h"
#include "vqas/score/mode.h"
#include "vqas/score/outcome.h"
#include "vqas/signal/end.h"

namespace vqas::app {

// Plain words for what the library names. Pure functions, re-entrant.

/// "A to B" for the direction that starts at end a.
QString direction_label(End from);

/// What happened to a measurement, in words that need no manual: "Nothing of the sentence was found".
QString outcome_words(Outcome outcome);

/// "band loss".
QString impairment_words(Impairment impairment);

/// A MOS with two decimals, "4.12"; a dash if it was not measured.
QString mos_words(std::optional<double> mos);

/// What the scores of a mode are called, "MOS-LQON".
QString scale_words(ScoreMode mode);

/// "±0.05", at most the width of the scale of `mode`; empty when there is no interval yet.
QString half_width_words(std::optional<double> half_width, ScoreMode mode);

/// A confidence of 0..1 in per cent: "99 %".
QString confidence_words(double confidence);

/// One sentence on the model's own error, which is not part of repeatability.
QString model_error_words(const Provenance& provenance);

/// A number with `decimals` decimals, or with up to three digits, in the way of the language: "4.12", "4,12".
QString number_words(double value, int decimals);
QString number_words(double value);

/// "1 measurement", "12 measurements".
QString measurements_words(std::size_t count);

/// How a time of day is written on the screen, as QDateTime::toString() takes it; in files it is ISO 8601.
QString date_format();

/// A message as a sentence of a window: with a capital letter and a full stop, and no more than `lines` lines.
QString sentence(const QString& message, int lines = 4);

/// A library's message, which is English, as such a sentence in the language of the program.
QString told(const QString& english, int lines = 4);
QString told(const std::string& english, int lines = 4);

/// A time in seconds as a person says it: "1 min 20 s", "1 h 5 min"; less than a second is "1 s".
QString duration_words(double seconds);

}  // namespace vqas::app
