#include <deque>
#include <utility>
#include <vector>

#include "border.h"
#include "marks.h"
#include "vqas/sync/capture.h"

struct vqas_receiver {
  vqas::CaptureReceiver receiver;
  std::deque<vqas::Capture> completed;
  vqas::Capture taken;  // its samples belong to the caller until the next call

  void take(std::vector<vqas::Capture> captures) {
    for (vqas::Capture& capture : captures) completed.push_back(std::move(capture));
  }
};

namespace {

using vqas::Capture;
using vqas::c::Message;
using vqas::c::or_nan;

constexpr std::size_t kLongestStimulus = std::size_t{600} * vqas::kLineRateHz;
constexpr double kShortestWaitS = 0.1;
constexpr double kLongestWaitS = 86400;

static_assert(VQAS_BOTH_MARKS == static_cast<int>(vqas::MarksFound::both));
static_assert(VQAS_LEADING_ONLY == static_cast<int>(vqas::MarksFound::leading_only));
static_assert(VQAS_TRAILING_ONLY == static_cast<int>(vqas::MarksFound::trailing_only));
static_assert(VQAS_NO_MARKS == static_cast<int>(vqas::MarksFound::none));

vqas_capture in_c(const Capture& capture) {
  vqas_capture result{};
  result.data = vqas::c::in_c(capture.expectation.data);
  result.marks = static_cast<vqas_marks_found>(capture.marks);
  result.confirmed = capture.data_confirmed ? 1 : 0;
  result.ambiguous = capture.ambiguous ? 1 : 0;
  result.stream_position = capture.stream_position;
  result.speech_start = or_nan(capture.speech_start);
  result.clock_drift_ppm = or_nan(capture.clock_drift_ppm);
  result.delay_step_samples = or_nan(capture.delay_step);
  result.samples = capture.recording.samples.data();
  result.count = capture.recording.size();
  return result;
}

}  // namespace

vqas_status vqas_receiver_create(vqas_end sender, double guard_s, vqas_receiver** receiver) {
  if (receiver == nullptr || !vqas::c::is_end(sender) || !vqas::c::is_guard(guard_s)) return VQAS_INVALID;
  Message message;
  return vqas::c::guarded(message, [&] {
    *receiver = new vqas_receiver{vqas::CaptureReceiver(static_cast<vqas::End>(sender), {.guard_s = guard_s}), {}, {}};
    return VQAS_OK;
  });
}

void vqas_receiver_destroy(vqas_receiver* receiver) {
  delete receiver;
}

vqas_status vqas_receiver_expect(vqas_receiver* receiver, const vqas_mark_data* data, std::size_t stimulus_count,
                                 double within_s) {
  const auto content = vqas::c::from_c(data);
  if (receiver == nullptr || !content || stimulus_count == 0 || stimulus_count > kLongestStimulus ||
      !vqas::c::within(within_s, kShortestWaitS, kLongestWaitS)) {
    return VQAS_INVALID;
  }
  Message message;
  return vqas::c::guarded(message, [&] {
    receiver->receiver.expect({{*content, stimulus_count, within_s}});
    return VQAS_OK;
  });
}

vqas_status vqas_receiver_push(vqas_receiver* receiver, const float* samples, std::size_t count) {
  if (receiver == nullptr || (samples == nullptr && count > 0)) return VQAS_INVALID;
  Message message;
  return vqas::c::guarded(message, [&] {
    receiver->take(receiver->receiver.push({samples, count}));
    return VQAS_OK;
  });
}

vqas_status vqas_receiver_finish(vqas_receiver* receiver) {
  if (receiver == nullptr) return VQAS_INVALID;
  Message message;
  return vqas::c::guarded(message, [&] {
    receiver->take(receiver->receiver.abandon());
    return VQAS_OK;
  });
}

vqas_status vqas_receiver_next(vqas_receiver* receiver, vqas_capture* capture, std::size_t size) {
  if (!vqas::c::is_usable(receiver, capture, size)) return VQAS_INVALID;
  if (receiver->completed.empty()) return VQAS_END;
  receiver->taken = std::move(receiver->completed.front());
  receiver->completed.pop_front();
  vqas::c::write(in_c(receiver->taken), capture, size);
  return VQAS_OK;
}
