#include "vqas/signal/line_statistics.h"

#include <algorithm>

namespace vqas {

LineStatistics& LineStatistics::operator+=(const LineStatistics& more) {
  input_overflows += more.input_overflows;
  input_underflows += more.input_underflows;
  output_overflows += more.output_overflows;
  output_underflows += more.output_underflows;
  lost_samples += more.lost_samples;
  inserted_samples += more.inserted_samples;
  unsent_samples += more.unsent_samples;
  packets += more.packets;
  packets_lost += more.packets_lost;
  packets_late += more.packets_late;
  packets_repeated += more.packets_repeated;
  packets_discarded += more.packets_discarded;
  packets_of_others += more.packets_of_others;
  packets_contradicting += more.packets_contradicting;
  source_changes += more.source_changes;
  silence_samples += more.silence_samples;
  concealed_samples += more.concealed_samples;
  buffer_steps += more.buffer_steps;
  buffer_resets += more.buffer_resets;
  jitter_ms = more.jitter_ms;
  sent_late_ms = std::max(sent_late_ms, more.sent_late_ms);
  if (more.far) {
    const std::uint32_t before = far ? far->reports : 0;
    far = more.far;
    far->reports += before;
  }
  return *this;
}

bool is_uneventful(const LineStatistics& statistics) {
  return statistics == LineStatistics();
}

}  // namespace vqas
