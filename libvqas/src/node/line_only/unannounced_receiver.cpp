#include "node/line_only/unannounced_receiver.h"

#include <algorithm>
#include <cmath>

#include "sync/capture_margin.h"
#include "sync/drift_limits.h"

namespace vqas {
namespace {

// Part of the stream that is kept: enough for a capture, two transmissions of the longest stimulus and their marks.
constexpr std::size_t kKept = 90 * kLineRateHz;
// Of transmissions missed together, this many are searched for; the segment is the same for all.
constexpr std::uint32_t kMostMissed = 8;
// Recordings of unidentified transmissions.
constexpr std::size_t kMostUndecodable = 24;
constexpr std::int64_t kBefore = kLineRateHz / 4;
// An echo arrives within the transmission's time plus this: two satellite hops and two packet networks in both
// directions.
constexpr double kEcho_s = 2;
// A mark with another number than the last counts as an echo only if it is weaker by this: the sender may have
// restarted.
constexpr double kEchoLoss_db = 3;

}  // namespace

UnannouncedReceiver::UnannouncedReceiver(End sender, const TransmissionOptions& options, std::uint16_t digest,
                                         std::vector<std::size_t> lengths, int rate_hz)
    : sender_(sender),
      options_(options),
      digest_(digest),
      lengths_(std::move(lengths)),
      rate_hz_(rate_hz),
      mark_rate_(rate_hz),
      detector_(sender) {}

// The samples that are stored from this position on.
std::span<const float> UnannouncedReceiver::since(std::uint64_t position) const {
  return std::span(history_).subspan(static_cast<std::size_t>(position - history_start_) * mark_rate_.scale());
}

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

bool UnannouncedReceiver::quiet() const {
  if (under_way()) return false;
  const std::size_t longest = transmission_layout(*std::ranges::max_element(lengths_), options_).total;
  return !last_mark_ || position() > *last_mark_ + longest + static_cast<std::uint64_t>(kEcho_s * kLineRateHz);
}

// An undecodable leading mark may be a farewell's or an answer's; with a trailing mark at a stimulus's distance after
// it, it belongs to a transmission.
void UnannouncedReceiver::note_undecodable(const FoundMark& mark) {
  last_mark_ = detector_.position();
  if (mark.kind == MarkKind::leading) {
    undecodable_leading_ = mark.position;
    return;
  }
  const auto leading = std::exchange(undecodable_leading_, std::nullopt);
  const double shortest = static_cast<double>(leading_mark_length() + *std::ranges::min_element(lengths_));
  if (!leading || mark.position - *leading <= shortest) return;
  undecodable_.push_back(*leading);
  if (!known_) keep_undecodable(*leading);
}

// The trailing mark is found shortly after its last sample.
void UnannouncedReceiver::keep_undecodable(double leading) {
  const double first = std::max(leading - static_cast<double>(kBefore), static_cast<double>(history_start_));
  const std::span<const float> kept = since(static_cast<std::uint64_t>(first));
  undecodable_recordings_.push_back({{kept.begin(), kept.end()}, rate_hz_});
  if (undecodable_recordings_.size() > kMostUndecodable) undecodable_recordings_.pop_front();
}

void UnannouncedReceiver::note(const FoundMark& mark) {
  if (!mark.data) return note_undecodable(mark);
  undecodable_leading_.reset();
  if (const auto sign = sign_of(*mark.data, digest_)) {
    last_mark_ = detector_.position();
    // The echo of an earlier run's farewell says nothing about this one.
    if (!recent_.empty() && mark.data->run_id != recent_.back().data.run_id) return;
    if (sign->broken_off) broken_off_.insert(mark.data->sequence);
    farewell_ = sign->farewell;
    if (farewell_) recent_.clear();
    return;
  }
  if (mark.data->corpus_digest != digest_ || mark.data->stimulus >= lengths_.size() || mark.data->sequence == 0) return;
  if (is_echo(mark)) return;
  last_mark_ = detector_.position();
  farewell_ = false;
  undecodable_.clear();
  undecodable_recordings_.clear();
  announced_.push_back({*mark.data, mark.position, mark.level_dbov.value_or(0)});
  recent_.push_back(announced_.back());
}

Expectation UnannouncedReceiver::expectation(std::uint32_t number, double within_s) const {
  const std::size_t stimulus = stimulus_of(run_id_, number, lengths_.size());
  const MarkData data{sender_, run_id_, static_cast<std::uint8_t>(stimulus), static_cast<std::uint16_t>(number),
                      digest_};
  return {data, lengths_[stimulus], within_s};
}

// A receiver for this transmission and those missed before it, with everything that arrived since the previous capture.
void UnannouncedReceiver::begin(const Announced& announced, const std::vector<bool>& wanted) {
  const std::uint32_t number = announced.data.sequence;
  const auto shortly_before =
      static_cast<std::uint64_t>(std::max(0.0, announced.position - static_cast<double>(kBefore)));
  const bool anew = !known_ || announced.data.run_id != run_id_ || number <= last_number_;
  if (anew) {
    restarted_ = restarted_ || known_;
    known_ = true;
    run_id_ = announced.data.run_id;
    last_number_ = number - 1;
    last_drift_ppm_.reset();
    broken_off_.clear();
    free_from_ = std::max(free_from_, shortly_before);
  }
  // If the previous trailing mark was lost, that capture may reach into this one's leading mark.
  receiver_start_ = std::max(std::min(free_from_, shortly_before), history_start_);
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
  receiver_ = std::make_unique<CaptureReceiver>(sender_, options_, rate_hz_);
  receiver_->expect(due);
}

void UnannouncedReceiver::take(std::vector<Capture> captures, std::vector<Heard>& heard) {
  for (Capture& capture : captures) {
    Heard one;
    one.position = receiver_start_ * mark_rate_.scale() + capture.stream_position;
    one.number = capture.expectation.data.sequence;
    one.stimulus = capture.expectation.data.stimulus;
    one.broken_off = broken_off_.contains(one.number);
    one.announced = !announced_.empty() && one.number == announced_.front().data.sequence;
    one.restarted = std::exchange(restarted_, false);
    if (capture.clock_drift_ppm) {
      capture.drift_repeated =
          last_drift_ppm_ && std::fabs(*capture.clock_drift_ppm - *last_drift_ppm_) <= sync::kSameDrift_ppm;
      last_drift_ppm_ = capture.clock_drift_ppm;
    }
    std::uint64_t end = (one.position + capture.recording.size()) / mark_rate_.scale();
    // Its end is margin after the trailing mark.
    end -= std::min<std::uint64_t>(end, sync::kCaptureMargin);
    if (capture.marks == MarksFound::leading_only) {
      // Samples that arrived during the wait for its trailing mark may belong to the next one.
      const auto scale = static_cast<double>(mark_rate_.scale());
      const double speech_end =
          std::max(0.0, *capture.speech_start) + scale * static_cast<double>(capture.expectation.stimulus_length);
      end = std::min(end, (one.position + static_cast<std::uint64_t>(speech_end)) / mark_rate_.scale());
    }
    free_from_ = std::max(free_from_, end);
    one.capture = std::move(capture);
    heard.push_back(std::move(one));
  }
  if (!receiver_->idle()) return;
  receiver_.reset();
  broken_off_.erase(broken_off_.begin(), broken_off_.upper_bound(last_number_));
  if (!announced_.empty()) announced_.pop_front();
}

// A transmission without its trailing mark ends where the sender tells so, or begins the next one.
void UnannouncedReceiver::hear(std::span<const float> samples, std::vector<Heard>& heard) {
  take(receiver_->push(samples), heard);
  if (receiver_ && broken_off_.contains(last_number_))
    take(receiver_->end_at((detector_.position() - receiver_start_) * mark_rate_.scale()), heard);
  if (!receiver_ || announced_.size() < 2) return;
  const auto next = static_cast<std::uint64_t>(announced_[1].position);
  take(receiver_->end_at((next - std::min(next, receiver_start_)) * mark_rate_.scale()), heard);
}

std::vector<UnannouncedReceiver::Heard> UnannouncedReceiver::push(std::span<const float> block,
                                                                  const std::vector<bool>& wanted) {
  std::vector<Heard> heard;
  history_.insert(history_.end(), block.begin(), block.end());
  for (const FoundMark& mark : detector_.push(mark_rate_.push(block))) note(mark);
  if (receiver_) hear(block, heard);
  while (!receiver_ && !announced_.empty()) {
    begin(announced_.front(), wanted);
    hear(since(receiver_start_), heard);
  }
  trim();
  return heard;
}

std::vector<UnannouncedReceiver::Heard> UnannouncedReceiver::finish() {
  std::vector<Heard> heard;
  if (receiver_) take(receiver_->abandon(), heard);
  // The last ones, whose numbers no later mark gave. An echo may look like one, within the previous capture.
  const auto last = static_cast<double>(free_from_);
  const auto behind =
      static_cast<std::size_t>(std::ranges::count_if(undecodable_, [&](double at) { return at > last; }));
  if (!known_ || !announced_.empty() || behind == 0) return heard;
  receiver_start_ = std::max(free_from_, history_start_);
  std::vector<Expectation> due;
  for (std::size_t i = 0; i < std::min<std::size_t>(behind, kMostMissed); ++i)
    due.push_back(expectation(++last_number_, static_cast<double>(kKept) / kLineRateHz));
  receiver_ = std::make_unique<CaptureReceiver>(sender_, options_, rate_hz_);
  receiver_->expect(due);
  undecodable_.clear();
  take(receiver_->push(since(receiver_start_)), heard);
  if (receiver_) take(receiver_->abandon(), heard);
  return heard;
}

void UnannouncedReceiver::trim() {
  const std::size_t kept = kKept * mark_rate_.scale();
  if (history_.size() < 2 * kept) return;
  const std::size_t surplus = history_.size() - kept;
  history_.erase(history_.begin(), history_.begin() + static_cast<std::ptrdiff_t>(surplus));
  history_start_ += surplus / mark_rate_.scale();
}

}  // namespace vqas
