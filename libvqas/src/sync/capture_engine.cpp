#include "sync/capture_engine.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sync/capture_margin.h"
#include "sync/drift_limits.h"
#include "sync/symbol_shaping.h"

namespace vqas::sync {
namespace {

constexpr double kLeadingMiddle = kHopStart + kHopLength / 2.0;  // of the hop code, from the leading mark's start
constexpr double kTrailingMiddle = kHopLength / 2.0;
constexpr auto kMargin = static_cast<std::int64_t>(kCaptureMargin);
constexpr std::int64_t kPatience = 2 * kLineRateHz;  // for the trailing mark, after the stimulus's length
// How early a mark may come: a line's delay may shrink between two marks.
constexpr double kEarly = 0.5 * kLineRateHz;
// Two sound devices differ by at most 200 ppm, injected clock offsets are at most 1000; a larger difference is a step
// in the delay.
constexpr double kLargestDrift = 1000e-6;
constexpr double kSameDrift = kSameDrift_ppm / 1e6;
// Longest recording of a transmission without marks; the stored stream is longer by the stimulus.
constexpr std::int64_t kLongestLost = 60 * kLineRateHz;
constexpr std::size_t kShortestMemory = kLongestLost + 10 * kLineRateHz;

// Whether sequence number a comes after b, modulo 65536.
bool is_after(std::uint16_t a, std::uint16_t b) {
  return static_cast<std::int16_t>(static_cast<std::uint16_t>(a - b)) > 0;
}

}  // namespace

void StreamMemory::push(std::span<const float> block) {
  samples_.insert(samples_.end(), block.begin(), block.end());
  if (samples_.size() > 2 * kept_) {
    const std::size_t surplus = samples_.size() - kept_;
    samples_.erase(samples_.begin(), samples_.begin() + static_cast<std::ptrdiff_t>(surplus));
    start_ += static_cast<std::int64_t>(surplus);
  }
}

std::vector<float> StreamMemory::copy(std::int64_t& from, std::int64_t to) const {
  from = std::clamp(from, start_, end());
  to = std::clamp(to, from, end());
  return {samples_.begin() + (from - start_), samples_.begin() + (to - start_)};
}

CaptureEngine::CaptureEngine(End sender, const TransmissionOptions& options, int rate_hz)
    : sender_(sender),
      options_(options),
      scale_(rate_hz / kLineRateHz),
      mark_rate_(rate_hz),
      detector_(sender),
      memory_(kShortestMemory * static_cast<std::size_t>(scale_)) {}

TransmissionLayout CaptureEngine::layout() const {
  return transmission_layout(due_.front().stimulus_length, options_);
}

void CaptureEngine::expect(const std::vector<Expectation>& expectations) {
  if (due_.empty()) free_from_ = std::max(free_from_, heard_);
  for (const Expectation& expectation : expectations) {
    memory_.keep((expectation.stimulus_length + kShortestMemory) * static_cast<std::size_t>(scale_));
    due_.push_back(expectation);
  }
}

std::vector<Capture> CaptureEngine::push(std::span<const float> block) {
  const std::size_t most = 1024 * static_cast<std::size_t>(scale_);
  std::vector<Capture> done;
  while (!block.empty()) {
    const std::span<const float> chunk = block.first(std::min(block.size(), most));
    block = block.subspan(chunk.size());
    memory_.push(chunk);
    const std::span<const float> heard = mark_rate_.push(chunk);
    heard_ += static_cast<std::int64_t>(heard.size());
    for (const FoundMark& mark : detector_.push(heard)) on_mark(mark);
    on_time(heard_ - static_cast<std::int64_t>(MarkDetector::latency()));
    for (Capture& capture : collect(false)) done.push_back(std::move(capture));
  }
  return done;
}

std::vector<Capture> CaptureEngine::abandon() {
  if (open_) finish_open(nullptr, heard_);
  while (!due_.empty()) finish_lost(heard_);
  return collect(true);
}

std::vector<Capture> CaptureEngine::end_at(std::int64_t position) {
  if (open_) finish_open(nullptr, position / scale_);
  finish_lost_together(due_.size(), position / scale_);
  return collect(false);
}

void CaptureEngine::on_mark(const FoundMark& mark) {
  on_time(static_cast<std::int64_t>(mark.position));
  if (mark.kind == MarkKind::leading) {
    on_leading(mark);
  } else {
    on_trailing(mark);
  }
}

// Index of the transmission among those that are due; nothing for one of another run, an older or an unknown one.
std::optional<std::size_t> CaptureEngine::place_of(const MarkData& data) const {
  for (std::size_t i = 0; i < due_.size(); ++i) {
    const MarkData& expected = due_[i].data;
    if (expected.run_id != data.run_id || expected.sequence != data.sequence) continue;
    if (i == 0 || is_after(data.sequence, due_.front().data.sequence)) return i;
  }
  return std::nullopt;
}

void CaptureEngine::on_leading(const FoundMark& mark) {
  if (!due_.empty() && !mark.data) return on_undecodable_leading(mark);
  std::optional<std::size_t> place = mark.data ? place_of(*mark.data) : std::nullopt;
  if (!place) {
    foreign_ = !open_;
    return;
  }
  if (*place == 0 && open_ && open_->confirmed) return;
  const auto start = static_cast<std::int64_t>(mark.position);
  if (*place > 0 && open_) {
    finish_open(nullptr, start);
    --*place;
  }
  finish_lost_together(*place, start);
  open_ = Open{mark.position + kLeadingMiddle, due_.front().data == *mark.data, mark.coarse, mark.confidence};
  foreign_ = false;
}

void CaptureEngine::on_undecodable_leading(const FoundMark& mark) {
  const double middle = mark.position + kLeadingMiddle;
  if (open_) {
    // At or after the time of the trailing mark this is the next transmission; earlier it is a false mark.
    if (middle - open_->middle < static_cast<double>(layout().total) - kEarly) return;
    finish_open(nullptr, static_cast<std::int64_t>(mark.position));
  }
  if (!due_.empty()) open_ = Open{middle, false, mark.coarse, mark.confidence};
  foreign_ = due_.empty();
}

void CaptureEngine::on_trailing(const FoundMark& mark) {
  if (foreign_ || due_.empty()) {
    foreign_ = false;
    return;
  }
  const TransmissionLayout due = layout();
  const double middle = mark.position + kTrailingMiddle;
  if (!open_) {
    const double start = mark.position - static_cast<double>(due.trailing_start);
    if (start >= static_cast<double>(free_from_) - kEarly) finish_trailing_only(mark);
    return;
  }
  // The sender's guard intervals may be shorter than those expected here.
  TransmissionOptions shortest = options_;
  shortest.guard_s = 0;
  const TransmissionLayout least = transmission_layout(due_.front().stimulus_length, shortest);
  const double nominal = static_cast<double>(least.trailing_start) + kTrailingMiddle - kLeadingMiddle;
  if (middle - open_->middle < nominal - kEarly) return;
  open_->coarse = open_->coarse || mark.coarse;
  finish_open(&mark, heard_);
}

// A trailing mark alone may still be found after the leading mark's time has passed.
std::int64_t CaptureEngine::patience_end() const {
  const double within = std::clamp(due_.front().within_s, 0.0, 1e6) * kLineRateHz;
  return free_from_ + static_cast<std::int64_t>(within + kEarly) + static_cast<std::int64_t>(layout().total);
}

std::optional<AwaitedMark> CaptureEngine::awaited() const {
  if (due_.empty() || open_) return std::nullopt;
  const auto seconds = [](std::int64_t samples) { return static_cast<double>(samples) / kLineRateHz; };
  return AwaitedMark{due_.front().data.sequence, seconds(std::max<std::int64_t>(heard_ - free_from_, 0)),
                     seconds(std::max<std::int64_t>(patience_end() - heard_, 0))};
}

void CaptureEngine::on_time(std::int64_t certain) {
  while (!due_.empty()) {
    const TransmissionLayout due = layout();
    if (open_) {
      const auto end = static_cast<std::int64_t>(open_->middle - kLeadingMiddle) +
                       static_cast<std::int64_t>(due.speech_start + due.speech_length) + kPatience;
      if (certain < end) return;
      finish_open(nullptr, end);
    } else {
      const std::int64_t end = patience_end();
      if (certain < end) return;
      finish_lost(end);
    }
  }
}

void CaptureEngine::finish_open(const FoundMark* trailing, std::int64_t latest_end) {
  const TransmissionLayout due = layout();
  const double nominal = static_cast<double>(due.trailing_start) + kTrailingMiddle - kLeadingMiddle;
  Decided decided;
  decided.capture.marks = trailing != nullptr ? MarksFound::both : MarksFound::leading_only;
  decided.capture.data_confirmed = open_->confirmed;
  decided.capture.leading_confidence = open_->confidence;
  double stretch = drift_;
  // Positions accurate only to milliseconds give no clock offset.
  if (trailing != nullptr && !open_->coarse) {
    const double apart = trailing->position + kTrailingMiddle - open_->middle;
    const double drift = apart / nominal - 1;
    if (std::abs(drift) <= kLargestDrift) {
      stretch = drift;
      decided.capture.clock_drift_ppm = drift * 1e6;
      decided.capture.drift_repeated = last_drift_ && std::abs(drift - *last_drift_) <= kSameDrift;
      if (decided.capture.drift_repeated) drift_ = drift;
      last_drift_ = drift;
    } else {
      decided.capture.delay_step = apart - nominal * (1 + drift_);
    }
  }
  const double speech = open_->middle + (static_cast<double>(due.speech_start) - kLeadingMiddle) * (1 + stretch);
  const double earliest = speech + std::min(0.0, decided.capture.delay_step.value_or(0));
  decided.speech_start = speech;
  decided.from = static_cast<std::int64_t>(std::floor(earliest)) - kMargin;
  const auto speech_end = static_cast<std::int64_t>(std::ceil(speech)) + static_cast<std::int64_t>(due.speech_length);
  std::int64_t free_from = 0;
  if (trailing != nullptr) {
    decided.capture.trailing_confidence = trailing->confidence;
    // Wherever the delay changed, the speech ended before this mark.
    const auto before_mark = static_cast<std::int64_t>(std::ceil(trailing->position));
    decided.to = before_mark + kMargin;
    free_from = before_mark + kHopLength;
  } else {
    decided.to = std::min(speech_end + kPatience, latest_end);
    free_from = decided.to;
  }
  open_.reset();
  decide(std::move(decided), free_from);
}

void CaptureEngine::finish_trailing_only(const FoundMark& trailing) {
  const TransmissionLayout due = layout();
  const double middle = trailing.position + kTrailingMiddle;
  const double back = static_cast<double>(due.trailing_start - due.speech_start) + kTrailingMiddle;
  Decided decided;
  decided.capture.marks = MarksFound::trailing_only;
  decided.capture.trailing_confidence = trailing.confidence;
  decided.speech_start = middle - back * (1 + drift_);
  decided.from = static_cast<std::int64_t>(std::floor(*decided.speech_start)) - kMargin;
  decided.to = static_cast<std::int64_t>(std::ceil(*decided.speech_start)) +
               static_cast<std::int64_t>(due.speech_length) + kMargin;
  decide(std::move(decided), static_cast<std::int64_t>(middle) + kHopLength / 2);
}

void CaptureEngine::finish_lost(std::int64_t at) {
  Decided decided;
  decided.from = std::max(free_from_, at - kLongestLost);
  decided.to = at;
  decide(std::move(decided), at);
}

// Each lost transmission gets the whole segment, because the boundaries between them are unknown. Where two of them
// carry the same stimulus, the speech belongs to one of them but would be found for both.
void CaptureEngine::finish_lost_together(std::size_t count, std::int64_t at) {
  std::map<std::uint8_t, std::size_t> lost;
  for (std::size_t i = 0; i < count; ++i) ++lost[due_[i].data.stimulus];
  const std::int64_t free_from = free_from_;
  for (; count > 0; --count) {
    free_from_ = free_from;
    const bool ambiguous = lost[due_.front().data.stimulus] > 1;
    finish_lost(at);
    decided_.back().capture.ambiguous = ambiguous;
  }
}

void CaptureEngine::decide(Decided decided, std::int64_t free_from) {
  decided.capture.expectation = due_.front();
  due_.pop_front();
  decided_.push_back(std::move(decided));
  free_from_ = free_from;
}

std::vector<Capture> CaptureEngine::collect(bool all) {
  std::vector<Capture> done;
  const auto scale = static_cast<double>(scale_);
  while (!decided_.empty() && (all || decided_.front().to * scale_ <= memory_.end())) {
    Decided decided = std::move(decided_.front());
    decided_.pop_front();
    std::int64_t from = decided.from * scale_;
    decided.capture.recording = Signal{memory_.copy(from, decided.to * scale_), static_cast<int>(scale_) * kLineRateHz};
    decided.capture.stream_position = static_cast<std::uint64_t>(from);
    if (decided.speech_start) decided.capture.speech_start = scale * *decided.speech_start - static_cast<double>(from);
    if (decided.capture.delay_step) *decided.capture.delay_step *= scale;
    done.push_back(std::move(decided.capture));
  }
  return done;
}

}  // namespace vqas::sync
