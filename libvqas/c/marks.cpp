#include "marks.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <span>
#include <string_view>

#include "border.h"
#include "vqas/sync/detector.h"
#include "vqas/sync/mark.h"
#include "vqas/sync/transmission.h"

struct vqas_detector {
  vqas::MarkDetector detector;
  std::deque<vqas::FoundMark> found;
};

namespace {

using vqas::End;
using vqas::MarkData;
using vqas::Signal;
using vqas::TransmissionOptions;
using vqas::c::Message;
using vqas::c::or_nan;

constexpr double kShortestGuardS = 0.05;
constexpr double kLongestGuardS = 1;

bool is_lawful(const vqas_mark_data& data) {
  return vqas::c::is_end(data.sender) && data.run_id < 1U << 24U && data.stimulus < 1U << 8U &&
         data.sequence < 1U << 16U && data.corpus_digest < 1U << 16U;
}

bool is_kind(vqas_mark_kind kind) {
  return kind == VQAS_LEADING || kind == VQAS_TRAILING;
}

vqas_mark in_c(const vqas::FoundMark& mark) {
  vqas_mark result{};
  result.kind = mark.kind == vqas::MarkKind::leading ? VQAS_LEADING : VQAS_TRAILING;
  result.sender = static_cast<vqas_end>(mark.sender);
  result.position = mark.position;
  result.confidence = mark.confidence;
  result.level_dbov = or_nan(mark.level_dbov);
  result.coarse = mark.coarse ? 1 : 0;
  result.has_data = mark.data ? 1 : 0;
  result.data.sender = result.sender;
  if (mark.data) result.data = vqas::c::in_c(*mark.data);
  return result;
}

}  // namespace

namespace vqas::c {

std::optional<MarkData> from_c(const vqas_mark_data* data) {
  if (data == nullptr || !is_lawful(*data)) return std::nullopt;
  return MarkData{static_cast<End>(data->sender), data->run_id, static_cast<std::uint8_t>(data->stimulus),
                  static_cast<std::uint16_t>(data->sequence), static_cast<std::uint16_t>(data->corpus_digest)};
}

vqas_mark_data in_c(const MarkData& data) {
  return {static_cast<vqas_end>(data.sender), data.run_id, data.stimulus, data.sequence, data.corpus_digest};
}

bool is_guard(double guard_s) {
  return within(guard_s, kShortestGuardS, kLongestGuardS);
}

}  // namespace vqas::c

std::size_t vqas_mark_length(vqas_mark_kind kind) {
  if (!is_kind(kind)) return 0;
  return kind == VQAS_LEADING ? vqas::leading_mark_length() : vqas::trailing_mark_length();
}

vqas_status vqas_mark_make(vqas_mark_kind kind, const vqas_mark_data* data, float* samples, std::size_t count) {
  const auto content = vqas::c::from_c(data);
  if (!content || samples == nullptr || !is_kind(kind) || count != vqas_mark_length(kind)) return VQAS_INVALID;
  Message message;
  return vqas::c::guarded(message, [&] {
    const auto mark = kind == VQAS_LEADING ? make_leading_mark(*content) : vqas::make_trailing_mark(content->sender);
    std::copy(mark.begin(), mark.end(), samples);
    return VQAS_OK;
  });
}

std::size_t vqas_transmission_length(std::size_t stimulus_count, double guard_s) {
  if (!vqas::c::is_guard(guard_s) || stimulus_count > std::size_t{vqas::kLineRateHz} * VQAS_LONGEST_S) return 0;
  return vqas::transmission_layout(stimulus_count, {.guard_s = guard_s}).total;
}

vqas_status vqas_transmission_make(const float* stimulus, std::size_t stimulus_count, const vqas_mark_data* data,
                                   double guard_s, float* samples, std::size_t count, std::size_t* speech_start) {
  const auto content = vqas::c::from_c(data);
  const std::size_t length = vqas_transmission_length(stimulus_count, guard_s);
  if (!content || length == 0 || count != length || samples == nullptr) return VQAS_INVALID;
  if (stimulus == nullptr && stimulus_count > 0) return VQAS_INVALID;
  Message message;
  return vqas::c::guarded(message, [&] {
    const Signal speech{{stimulus, stimulus + stimulus_count}, vqas::kLineRateHz};
    const auto made = compose_transmission(speech, *content, {.guard_s = guard_s});
    std::copy(made.signal.samples.begin(), made.signal.samples.end(), samples);
    if (speech_start != nullptr) *speech_start = made.layout.speech_start;
    return VQAS_OK;
  });
}

vqas_status vqas_detector_create(vqas_end sender, vqas_detector** detector) {
  if (detector == nullptr || !vqas::c::is_end(sender)) return VQAS_INVALID;
  Message message;
  return vqas::c::guarded(message, [&] {
    *detector = new vqas_detector{vqas::MarkDetector(static_cast<End>(sender)), {}};
    return VQAS_OK;
  });
}

void vqas_detector_destroy(vqas_detector* detector) {
  delete detector;
}

vqas_status vqas_detector_push(vqas_detector* detector, const float* samples, std::size_t count) {
  if (detector == nullptr || (samples == nullptr && count > 0)) return VQAS_INVALID;
  Message message;
  return vqas::c::guarded(message, [&] {
    for (const auto& mark : detector->detector.push({samples, count})) detector->found.push_back(mark);
    return VQAS_OK;
  });
}

std::size_t vqas_detector_latency(void) {
  return vqas::MarkDetector::latency();
}

vqas_status vqas_detector_next(vqas_detector* detector, vqas_mark* mark, std::size_t size) {
  if (!vqas::c::is_usable(detector, mark, size)) return VQAS_INVALID;
  if (detector->found.empty()) return VQAS_END;
  vqas::c::write(in_c(detector->found.front()), mark, size);
  detector->found.pop_front();
  return VQAS_OK;
}
