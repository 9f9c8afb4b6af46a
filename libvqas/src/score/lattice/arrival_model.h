#pragma once

#include <cstddef>

#include "score/model/shared_numbers.h"

namespace vqas::scoring {

/// What the search for the speech that arrived holds beside the fitted factors of arrival_table.h. All are set by hand.
/// A change moves scores: tests/score/score_version_test.cpp demands a new version of the score then.
struct ArrivalModel {
  // A bias towards received, nats, set by hand: what a step says is less its own where the correlation wavers.
  double bias = 2.4;
  double wavering = 1.3;  // for each nat by which it does
  // Where the waveform is not kept: nats for each decade that a step is too weak, from the most evidence down. By hand:
  // there only what is 27 dB too weak speaks against having arrived.
  double level = -3;
  double lose = 0.003;                // chance of a step to begin a loss: one in 1.3 s
  double regain = 1.0 / kTwoPackets;  // not tuned: of a step to end one
  double most_evidence = 8;           // nats of one step: none decides alone against a long run
  double little = 0.1;                // of q: what noise hides says nothing
  double click = 4;                   // times the median magnitude around: more is a click of a bit error
  std::size_t around = kAlignedHop;   // samples in which that median is taken
  std::size_t wavers = 6;             // samples either side that a speed of +-0.5 % moves a place within a second
};

}  // namespace vqas::scoring
