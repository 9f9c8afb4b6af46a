#include "node/play/audio_priority.h"

#include <pthread.h>
#include <sched.h>

namespace vqas {

AudioPriority::AudioPriority() {
  constexpr int kPriority = 5;  // below that of sound servers
  int policy = SCHED_OTHER;
  sched_param before{}, raised{};
  if (::pthread_getschedparam(::pthread_self(), &policy, &before) != 0) return;
  raised.sched_priority = kPriority;
  if (::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &raised) == 0) before_ = {policy, before.sched_priority};
}

AudioPriority::~AudioPriority() {
  if (!before_) return;
  sched_param parameters{};
  parameters.sched_priority = before_->second;
  (void)::pthread_setschedparam(::pthread_self(), before_->first, &parameters);
}

}  // namespace vqas
