#include "node/line_listening.h"

#include <algorithm>
#include <cmath>

#include "sync/drift_limits.h"

namespace vqas {
namespace {

// What is kept of the stream: what a capture may need, two transmissions of the longest stimulus and their marks.
constexpr std::size_t kKept = 90 * kLineRateHz;
// Of transmissions that were missed together so many are looked for; the stretch is the same for all.
constexpr std::uint32_t kMostMissed = 8;
constexpr std::int64_t kBefore = kLineRateHz / 4;
// An echo comes within the transmission's time and this: two satellite hops and two packet networks there and back.
constexpr double kEcho_s = 2;
// Of another number than the last it is an echo only if it is weaker by this: a sender may have begun anew meanwhile.
constexpr double kEchoLoss_db = 3;

}  // namespace

UnannouncedReceiver::UnannouncedReceiver(End sender, const TransmissionOptions& options, std::uint16_t digest,
                                         std::vector<std::size_t> lengths)
    : sender_(sender), options_(options), digest_(digest), lengths_(std::move(lengths)), detector_(sender) {}

bool UnannouncedReceiver::is_echo(const FoundMark& mark) {
  const auto over = [&](const Announced& one) {
    const std::size_t total = transmission_layout(lengths_[one.data.stimulus], options_).total;
    return mark.position - one.position > static_cast<double>(total) + kEcho_s * kLineRateHz;
  };
  while (!recent_.empty() && over(recent_.front())) recent_.pop_front();
  const MarkData& data = *mark.data;
  return std::ranges::any_of(recent_, [&](const Announced& one) {
    if (data.run_id != one.data.run_id || data.sequence > one.data.sequence) return false;
    return data.sequence == one.data.sequence || mark.level_dbov.value_or(0) < one.level_dbov - kEchoLoss_db;
  });
}

void UnannouncedReceiver::note(const FoundMark& mark) {
  if (!mark.data) {
    last_mark_ = detector_.position();
    return;
  }
  if (const auto sign = sign_of(*mark.data, digest_)) {
    last_mark_ = detector_.position();
    // The echo of an earlier run's farewell says nothing of this one.
    if (!recent_.empty() && mark.data->run_id != recent_.back().data.run_id) return;
    farewell_ = sign->farewell;
    if (farewell_) recent_.clear();
    return;
  }
  if (mark.data->corpus_digest != digest_ || mark.data->stimulus >= lengths_.size() || mark.data->sequence == 0) return;
  if (is_echo(mark)) return;
  last_mark_ = detector_.position();
  farewell_ = false;
  announced_.push_back({*mark.data, mark.position, mark.level_dbov.value_or(0)});
  recent_.push_back(announced_.back());
}

Expectation UnannouncedReceiver::expectation(std::uint32_t number, double within_s) const {
  const std::size_t stimulus = stimulus_of(run_id_, number, lengths_.size());
  const MarkData data{sender_, run_id_, static_cast<std::uint8_t>(stimulus), static_cast<std::uint16_t>(number),
                      digest_};
  return {data, lengths_[stimulus], within_s};
}

// A receiver for this transmission and those that were missed before it, and all that came since the capture before.
void UnannouncedReceiver::begin(const Announced& announced, const std::vector<bool>& wanted) {
  const std::uint32_t number = announced.data.sequence;
  const bool anew = !known_ || announced.data.run_id != run_id_ || number <= last_number_;
  if (anew) {
    restarted_ = restarted_ || known_;
    known_ = true;
    run_id_ = announced.data.run_id;
    last_number_ = number - 1;
    last_drift_ppm_.reset();
    free_from_ = std::max<std::uint64_t>(
        free_from_, static_cast<std::uint64_t>(std::max(0.0, announced.position - static_cast<double>(kBefore))));
  }
  receiver_start_ = std::max(free_from_, history_start_);
  const double within_s = (announced.position - static_cast<double>(receiver_start_)) / kLineRateHz + 2;
  std::vector<Expectation> due;
  const std::uint32_t first = std::max(last_number_ + 1, number > kMostMissed ? number - kMostMissed : 1);
  for (std::uint32_t missed = first; missed < number; ++missed) {
    if (wanted[stimulus_of(run_id_, missed, lengths_.size())]) due.push_back(expectation(missed, within_s));
  }
  due.push_back(expectation(number, within_s));
  due.back().data = announced.data;
  due.back().stimulus_length = lengths_[announced.data.stimulus];
  last_number_ = number;
  receiver_ = std::make_unique<CaptureReceiver>(sender_, options_);
  receiver_->expect(due);
}

void UnannouncedReceiver::take(std::vector<Capture> captures, std::vector<Heard>& heard) {
  for (Capture& capture : captures) {
    Heard one;
    one.position = receiver_start_ + capture.stream_position;
    one.number = capture.expectation.data.sequence;
    one.stimulus = capture.expectation.data.stimulus;
    one.announced = one.number == announced_.front().data.sequence;
    one.restarted = std::exchange(restarted_, false);
    if (capture.clock_drift_ppm) {
      capture.drift_repeated =
          last_drift_ppm_ && std::fabs(*capture.clock_drift_ppm - *last_drift_ppm_) <= sync::kSameDrift_ppm;
      last_drift_ppm_ = capture.clock_drift_ppm;
    }
    const std::uint64_t end = receiver_start_ + capture.stream_position + capture.recording.size();
    // Half a second of it is margin after the trailing mark.
    free_from_ = std::max(free_from_, end - std::min<std::uint64_t>(end, kLineRateHz / 2));
    one.capture = std::move(capture);
    heard.push_back(std::move(one));
  }
  if (!receiver_->idle()) return;
  receiver_.reset();
  announced_.pop_front();
}

std::vector<UnannouncedReceiver::Heard> UnannouncedReceiver::push(std::span<const float> block,
                                                                  const std::vector<bool>& wanted) {
  std::vector<Heard> heard;
  history_.insert(history_.end(), block.begin(), block.end());
  for (const FoundMark& mark : detector_.push(block)) note(mark);
  if (receiver_) take(receiver_->push(block), heard);
  while (!receiver_ && !announced_.empty()) {
    begin(announced_.front(), wanted);
    take(receiver_->push(std::span(history_).subspan(static_cast<std::size_t>(receiver_start_ - history_start_))),
         heard);
  }
  trim();
  return heard;
}

std::vector<UnannouncedReceiver::Heard> UnannouncedReceiver::finish() {
  std::vector<Heard> heard;
  if (receiver_) take(receiver_->abandon(), heard);
  return heard;
}

void UnannouncedReceiver::trim() {
  if (history_.size() < 2 * kKept) return;
  const std::size_t surplus = history_.size() - kKept;
  history_.erase(history_.begin(), history_.begin() + static_cast<std::ptrdiff_t>(surplus));
  history_start_ += surplus;
}

}  // namespace vqas
