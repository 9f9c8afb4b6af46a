#pragma once

#include <string>

#include "vqas/score/outcome.h"

namespace vqas::scoring {

/// Why a pair gets no score: the outcome and one sentence with the cure.
struct Refusal {
  Outcome outcome = Outcome::bad_input;
  std::string reason;
};

}  // namespace vqas::scoring
