#include <algorithm>
#include <deque>
#include <limits>

#include "node/line_only/line_stimuli.h"
#include "node/line_only/status_marks.h"
#include "node/play/audio_priority.h"
#include "node/play/outgoing.h"
#include "receive/device_notes.h"
#include "sync/mark_rate.h"
#include "vqas/node/line_only.h"
#include "vqas/sync/detector.h"

namespace vqas {
namespace {

constexpr std::uint32_t kLastNumber = std::numeric_limits<std::uint16_t>::max();
// Silence after the last mark, so that it arrives for any line delay up to 2 s: a satellite and packets.
constexpr double kTail_s = 3;
// A sign to the listener is sent this many times, because it gets no answer.
constexpr int kSigns = 2;

/// The sending end: output and input, block by block. For one thread.
class Sending {
 public:
  Sending(Line& line, const Corpus& corpus, const SendPlan& plan, const std::atomic<bool>& cancelled)
      : line_(line),
        corpus_(corpus),
        plan_(plan),
        cancelled_(cancelled),
        digest_(short_digest(corpus.digest())),
        packets_(line.description().packets),
        rate_hz_(line.description().rate_hz),
        mark_rate_(rate_hz_),
        detector_(other_end(plan.end)),
        not_wanted_(corpus.stimuli().size(), false),
        owed_(corpus.stimuli().size(), 0),
        block_(line_block(rate_hz_)),
        heard_(line_block(rate_hz_)) {
    progress_.stimuli = not_wanted_.size();
    transmission_.guard_s = plan.guard_s;
  }

  Result<SendProgress> run() {
    std::optional<AudioPriority> priority;
    if (line_.description().real_device) priority.emplace();
    while (const auto number = next_number()) {
      if (cancelled_) return Error{ErrorCode::cancelled, "stopped by the user"};
      if (plan_.over && plan_.over()) break;
      const Status sent = transmit(*number);
      if (!sent) return sent.error();
      if (plan_.progressed) plan_.progressed(progress_);
      if (broken_off_in_a_row_ >= kMostBrokenOff) return too_busy();
      if (plan_.rounds || progress_.answered > 0) continue;
      if (progress_.sent >= kUnanswered) return unanswered();
      if (progress_.sent == 1 && plan_.noticed) {
        plan_.noticed("no answer came to the first transmission, " + std::to_string(kUnanswered - 1) +
                      " more are tried; where the other end listens with --silent, or nothing comes back over this "
                      "line, stop this and send with --rounds 10");
      }
    }
    progress_.finished = !next_number();
    // The listener may leave as soon as it has received the farewell.
    if (const Status said = say_farewell(); !said && said.error().code == ErrorCode::cancelled) return said.error();
    return progress_;
  }

 private:
  static Error unanswered() {
    return {
        ErrorCode::line_lost,
        "no answer came to the first " + std::to_string(kUnanswered) +
            " transmissions: start \"vqas listen\" at the other end first, without --silent; where the way back does "
            "not work, send with --rounds"};
  }

  Error too_busy() {
    (void)say_farewell();
    return {ErrorCode::line_lost,
            "the last " + std::to_string(kMostBrokenOff) +
                " transmissions were broken off, because this machine could not send in time: end other "
                "programs on it, look at its network and firewall, or send from another machine"};
  }

  // The last number of the rounds that are asked for.
  std::size_t last_planned() const {
    return plan_.rounds ? std::min<std::size_t>(*plan_.rounds * not_wanted_.size(), kLastNumber) : kLastNumber;
  }

  // The next transmission whose stimulus is wanted. After the rounds these are the stimuli that were broken off.
  std::optional<std::uint32_t> next_number() const {
    const std::size_t count = not_wanted_.size();
    if (std::all_of(not_wanted_.begin(), not_wanted_.end(), [](bool one) { return one; })) return std::nullopt;
    if (last_number_ >= last_planned() && std::ranges::all_of(owed_, [](int times) { return times == 0; }))
      return std::nullopt;
    for (std::uint32_t number = last_number_ + 1; number <= kLastNumber; ++number) {
      const std::size_t stimulus = stimulus_of(plan_.run_id, number, count);
      if (number <= last_planned() ? !not_wanted_[stimulus] : owed_[stimulus] > 0) return number;
    }
    return std::nullopt;
  }

  // Plays it, then listens until the answer has arrived or its time is over.
  Status transmit(std::uint32_t number) {
    const std::size_t stimulus = stimulus_of(plan_.run_id, number, not_wanted_.size());
    const auto recording = corpus_.recording(corpus_.stimuli()[stimulus].id, rate_hz_);
    if (!recording) return recording.error();
    const MarkData data{plan_.end, plan_.run_id, static_cast<std::uint8_t>(stimulus),
                        static_cast<std::uint16_t>(number), digest_};
    last_number_ = number;
    answer_.reset();
    NodeOptions none;
    none.end = plan_.end;
    const auto fault = play_in_time(compose_outgoing(*recording, data, transmission_, none));
    if (!fault) return fault.error();
    ++progress_.sent;
    progress_.rounds = (number - 1) / not_wanted_.size() + 1;
    if (number > last_planned()) --owed_[stimulus];
    broken_off_in_a_row_ = fault->empty() ? 0 : broken_off_in_a_row_ + 1;
    if (!fault->empty()) {
      if (Status told = break_off(number, stimulus, *fault); !told) return told;
    }
    if (plan_.rounds) return success();
    const double deadline = progress_.line_seconds + plan_.answer_within_s;
    while (!answer_ && progress_.line_seconds < deadline) {
      const Status went = exchange([](std::span<float> block) { std::fill(block.begin(), block.end(), 0.0F); }, true);
      if (!went) return went.error();
    }
    if (answer_) heed(*answer_, stimulus);
    return success();
  }

  void heed(const Sign& answer, std::size_t stimulus) {
    ++progress_.answered;
    if (answer.scored) ++progress_.scored;
    if (answer.enough) not_wanted_[stimulus] = true;
    if (answer.all_enough) not_wanted_.assign(not_wanted_.size(), true);
    progress_.not_wanted = static_cast<std::size_t>(std::count(not_wanted_.begin(), not_wanted_.end(), true));
  }

  // Without its end, and by a sign of its number, the listener does not score it.
  Status break_off(std::uint32_t number, std::size_t stimulus, const std::string& why) {
    ++progress_.broken_off;
    if (plan_.rounds) ++owed_[stimulus];
    if (plan_.noticed) {
      plan_.noticed("transmission " + std::to_string(number) +
                    " was broken off, and its sentence will be sent again: " + why);
    }
    return play(signs({.broken_off = true}, static_cast<std::size_t>(gap_for_guard(plan_.guard_s) * rate_hz_)));
  }

  Status say_farewell() {
    std::vector<PlayItem> items = signs({.farewell = true}, static_cast<std::size_t>(rate_hz_));
    items.push_back({last_number_, 0, std::vector<float>(static_cast<std::size_t>(kTail_s * rate_hz_), 0.0F)});
    return play(std::move(items));
  }

  // About the last transmission, each after this many samples of silence.
  std::vector<PlayItem> signs(const Sign& sign, std::size_t silence) const {
    const auto number = static_cast<std::uint16_t>(last_number_);
    const MarkData data = sign_mark(sign, plan_.end, plan_.run_id, number, digest_);
    return std::vector<PlayItem>(kSigns, {number, silence, sync::mark_at(make_leading_mark(data), rate_hz_)});
  }

  // Returns why it was broken off; empty: it was not.
  Result<std::string> play_in_time(PlayItem item) {
    RoundPlayer player({std::move(item)});
    bool begun = false;
    while (player.busy()) {
      const Status went = exchange([&](std::span<float> block) { begun = player.fill(block).has_value() || begun; });
      if (!went) return went.error();
      if (!begun) continue;
      if (auto fault = not_sent_in_time(noticed_)) return *std::move(fault);
      if (packets_ && noticed_.output_overflows > 0) return std::string("the system refused a packet of it");
    }
    return std::string();
  }

  Status play(std::vector<PlayItem> items) {
    RoundPlayer player(std::move(items));
    while (player.busy()) {
      if (Status went = exchange([&](std::span<float> block) { player.fill(block); }); !went) return went;
    }
    return success();
  }

  // Only answers are wanted from the way back, and none arrives while this end sends.
  template <typename Fill>
  Status exchange(Fill fill, bool hears = false) {
    fill(std::span(block_));
    for (;;) {
      if (cancelled_) return Error{ErrorCode::cancelled, "stopped by the user"};
      const auto time = line_.exchange(block_, heard_, {.number = 1, .busy = true, .hears = hears});
      if (time) noticed_ = time->noticed;
      if (time && !time->standing) break;
      if (time) return Error{ErrorCode::line_lost, "the other end takes part in another measurement"};
      if (time.error().code != ErrorCode::cancelled) return time.error();
    }
    progress_.line_seconds += static_cast<double>(kLineBlock) / kLineRateHz;
    for (const FoundMark& mark : detector_.push(mark_rate_.push(heard_))) {
      if (!mark.data || mark.data->run_id != plan_.run_id || mark.data->sequence != last_number_) continue;
      if (const auto sign = sign_of(*mark.data, digest_)) answer_ = sign;
    }
    return success();
  }

  Line& line_;
  const Corpus& corpus_;
  const SendPlan& plan_;
  const std::atomic<bool>& cancelled_;
  const std::uint16_t digest_;
  const bool packets_;
  const int rate_hz_;
  sync::MarkRate mark_rate_;
  TransmissionOptions transmission_;
  MarkDetector detector_;
  std::vector<bool> not_wanted_;
  std::vector<int> owed_;  // with plan_.rounds: how often a stimulus must be sent after the rounds
  std::size_t broken_off_in_a_row_ = 0;
  LineStatistics noticed_;  // with the last block
  std::uint32_t last_number_ = 0;
  std::optional<Sign> answer_;  // to last_number_
  SendProgress progress_;
  std::vector<float> block_, heard_;
};

}  // namespace

Result<SendProgress> send_over_line(Line& line, const Corpus& corpus, const SendPlan& plan,
                                    const std::atomic<bool>& cancelled) {
  if (const Status carried = check_line_stimuli(corpus, {}, line.description().rate_hz); !carried)
    return carried.error();
  return Sending(line, corpus, plan, cancelled).run();
}

}  // namespace vqas
