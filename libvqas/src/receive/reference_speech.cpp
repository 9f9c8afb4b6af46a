#include "receive/reference_speech.h"

#include <utility>

#include "vqas/signal/resample.h"

namespace vqas {

// Both rates are within the limits of resample().
ReferenceSpeech::ReferenceSpeech(Signal speech) : speech_(std::move(speech)) {
  if (speech_.rate_hz != kLineRateHz) halved_ = *resample(speech_, kLineRateHz);
}

}  // namespace vqas
