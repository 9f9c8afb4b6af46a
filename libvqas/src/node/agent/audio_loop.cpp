#include "node/agent/audio_loop.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "node/play/audio_priority.h"
#include "vqas/channel/line_direction.h"

namespace vqas {
namespace {

constexpr double kSample_ns = 1e9 / kLineRateHz;
constexpr double kBlock_ns = kSample_ns * kLineBlock;
// Half an hour: no capture is that long, and a round may last for days.
constexpr std::size_t kMostBlocks = 90000;
// Frames and clock are compared over the last half second (StreamClock), and a system may report a gap late.
constexpr std::size_t kSettles = 25;  // blocks
// After this many, the comparison covers only the time since: the last 0.4 to 0.5 s. A step before is included, and a
// later step does not hide it.
constexpr std::size_t kClockSettles = 20;

}  // namespace

struct AudioLoop::Active {
  Active(RoundJob&& job, End partner, int rate_hz)
      : number(job.number),
        transmission(job.transmission),
        player(std::move(job.send)),
        receiver(partner, job.transmission, rate_hz) {
    receiver.expect(job.expect);
  }

  // Nothing is left to play or to receive. A device may still have to report how the end of it left.
  bool is_over() const { return !player.busy() && receiver.idle(); }
  void append(RoundJob&& job) {
    number = job.number;
    player.append(std::move(job.send));
    receiver.expect(job.expect);
  }

  std::uint64_t number;
  TransmissionOptions transmission;
  RoundPlayer player;
  CaptureReceiver receiver;
  void add(const BlockTime& time) {
    if (count++ == 0) began_ns = time.time_ns;
    blocks.push_back(time);
    if (blocks.size() > kMostBlocks) blocks.erase(blocks.begin(), blocks.begin() + kMostBlocks / 2);
  }
  // Position in `blocks`; 0 for a forgotten block.
  std::size_t place(std::size_t block) const {
    const std::size_t forgotten = count - blocks.size();
    return block - std::min(block, forgotten);
  }
  // Sets the offset of the line's clock from the machine's for a transmission that begins in this block.
  void set_clock(DeviceNotes& notes, std::size_t block, std::size_t last) const {
    const std::size_t used = std::min(place(block + kClockSettles), blocks.size() - 1);
    notes.clock_offset_ns = blocks[used].clock_offset_ns;
    notes.clock_step_ms = largest_clock_step_ms(blocks, place(block), used, place(last));
  }
  DeviceNotes notes(std::size_t first, std::size_t last, bool real_device) const {
    return notes_of(blocks, place(first), place(last), real_device);
  }

  std::size_t count = 0;  // of blocks since the round began
  std::int64_t began_ns = 0;
  std::vector<BlockTime> blocks;  // the last ones
  // Transmissions that are completely in blocks but have not left yet.
  struct Leaving {
    std::uint32_t sequence = 0;
    std::size_t first = 0, given = 0;  // blocks in which they are given to the line
    std::size_t last = 0;              // block in which they have left
    std::optional<Echo> echo = {};     // until the next one began
    bool followed = false;             // by a next one
  };
  std::vector<Leaving> leaving;
  // What was received since the wait for the due mark began.
  std::vector<float> idle;
  LineStatistics idle_noticed;
  std::optional<std::uint16_t> idle_sequence;
  double silence_told_s = 0;

  std::size_t departed_in = 0;  // block in which the last transmission began
  std::uint32_t last_ended = 0;
  std::uint32_t last_wanted = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t last_captured = 0;
};

AudioLoop::AudioLoop(std::unique_ptr<Line> line, End own, LoopEvents events)
    : line_(std::move(line)),
      description_(line_->description()),
      line_block_(line_block(description_.rate_hz)),
      scale_(line_block_ / kLineBlock),
      partner_(other_end(own)),
      events_(std::move(events)),
      standing_(description_.virtual_time),
      echo_(own),
      block_(line_block_),
      heard_(line_block_),
      mark_rate_(description_.rate_hz),
      thread_([this] { run(); }) {}

AudioLoop::~AudioLoop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  line_->interrupt();
  thread_.join();
}

void AudioLoop::start(RoundJob job) {
  {
    const std::lock_guard lock(mutex_);
    if (!job.append) next_.clear();
    next_.push_back(std::move(job));
  }
  // An idle block may wait for a partner that is waiting for its own job.
  line_->interrupt();
}

// With mutex_ held. A job that does not append belongs to a new round; the active one is then over.
bool AudioLoop::is_of_active() const {
  return active_ && (next_.empty() || next_.front().append);
}

std::uint32_t AudioLoop::finish_sending() {
  const std::lock_guard lock(mutex_);
  for (RoundJob& job : next_) job.send.clear();
  return is_of_active() ? active_->player.finish() : 0;
}

std::int64_t AudioLoop::line_time_ns() const {
  const std::lock_guard lock(mutex_);
  if (!active_ || active_->count == 0) return 0;
  return active_->blocks.back().time_ns - active_->began_ns;
}

void AudioLoop::listen_until(std::uint32_t sequence) {
  const std::lock_guard lock(mutex_);
  for (RoundJob& job : next_) {
    std::erase_if(job.expect, [sequence](const Expectation& one) { return one.data.sequence > sequence; });
  }
  if (is_of_active()) active_->last_wanted = sequence;
}

void AudioLoop::abandon() {
  {
    const std::lock_guard lock(mutex_);
    next_.clear();
    active_.reset();
    abandoned_ = true;
  }
  line_->interrupt();
}

// With mutex_ held.
void AudioLoop::adopt_jobs() {
  if (abandoned_) block_ready_ = false;
  abandoned_ = false;
  while (!next_.empty()) {
    RoundJob& job = next_.front();
    if (active_ && job.append) {
      // An empty job does not wait for a turn and delays no job behind it.
      const bool waits = job.in_turn && !(job.send.empty() && job.expect.empty());
      if (waits && !active_->is_over()) return;
      active_->append(std::move(job));
    } else {
      round_.end_silence_s = end_silence_for_guard(job.transmission.guard_s);
      active_ = std::make_unique<Active>(std::move(job), partner_, description_.rate_hz);
      round_.number = active_->number;
      block_ready_ = false;
    }
    next_.pop_front();
  }
}

// Waits while the line stands still and there is no job. Fails if the line is lost meanwhile; with cancelled when the
// thread must end.
Status AudioLoop::prepare_block() {
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      if (stopping_) return Error{ErrorCode::cancelled, {}};
      adopt_jobs();
      if (active_) standing_ = false;
      if (!standing_) {
        if (!block_ready_) next_block();
        return success();
      }
    }
    Status stood = line_->stand();
    if (!stood) return stood;
  }
}

// With mutex_ held.
void AudioLoop::next_block() {
  departure_.reset();
  if (active_) {
    departure_ = active_->player.fill(block_);
    // The content of this block keeps the round busy, even if it is the last.
    round_.busy = true;
  } else {
    std::fill(block_.begin(), block_.end(), 0.0F);
    round_.busy = false;
  }
  block_ready_ = true;
}

std::optional<std::int64_t> AudioLoop::arrival(const Capture& capture) const {
  if (!capture.speech_start) return std::nullopt;
  const auto layout = transmission_layout(capture.expectation.stimulus_length, active_->transmission);
  const double stretch = 1 + capture.clock_drift_ppm.value_or(0) * 1e-6;
  const double position = static_cast<double>(capture.stream_position) + *capture.speech_start -
                          stretch * static_cast<double>(scale_ * layout.speech_start);
  const auto size = static_cast<double>(line_block_);
  const double block = std::floor(position / size);
  if (block < 0 || block >= static_cast<double>(active_->count)) return std::nullopt;
  const double within = position - block * size;
  const BlockTime& heard = active_->blocks[active_->place(static_cast<std::size_t>(block))];
  return heard.time_ns + std::llround(within * kSample_ns / static_cast<double>(scale_));
}

void AudioLoop::deliver(std::vector<Capture> captures) {
  for (Capture& capture : captures) {
    const std::uint32_t sequence = capture.expectation.data.sequence;
    if (sequence > active_->last_wanted) continue;
    active_->last_captured = std::max(active_->last_captured, sequence);
    const auto arrived = arrival(capture);
    const std::size_t first = capture.stream_position / line_block_;
    const std::size_t last = (capture.stream_position + capture.recording.size()) / line_block_;
    DeviceNotes notes = active_->notes(first, last, description_.real_device);
    notes.noticed.buffer_resets += std::exchange(resets_between_, 0);
    notes.move_runs(-static_cast<std::int64_t>(capture.stream_position % line_block_ / scale_));
    notes.heard_until_ns = active_->blocks[active_->place(std::min(last, active_->count - 1))].time_ns;
    active_->set_clock(notes, first, last);
    notes.about_line = line_->take_note();
    events_.captured(std::move(capture), arrived, std::move(notes));
  }
}

void AudioLoop::finish_if_done(const BlockTime& time) {
  if (active_->last_captured >= active_->last_wanted || active_->last_wanted == 0) active_->receiver.abandon();
  // A waiting job that appends continues this round, as does one that arrives while it runs.
  const bool goes_on = !next_.empty() && next_.front().append;
  if (!active_->is_over() || !active_->leaving.empty() || goes_on) return;
  events_.done(active_->number, time.time_ns - active_->began_ns);
  active_.reset();
}

void AudioLoop::tell_played() {
  if (!description_.real_device) return;
  const std::size_t now = active_->count - 1;
  const std::uint32_t ended = active_->player.last_ended();
  if (ended != active_->last_ended) {
    active_->last_ended = ended;
    // Notices taken with a block are about earlier blocks that were leaving.
    const auto later =
        static_cast<std::size_t>(std::ceil(static_cast<double>(active_->blocks.back().leaves_after_ns) / kBlock_ns)) +
        1;
    active_->leaving.push_back({.sequence = ended, .first = active_->departed_in, .given = now, .last = now + later});
  }
  std::erase_if(active_->leaving, [&](const Active::Leaving& one) {
    if (now < one.last + kSettles) return false;
    DeviceNotes notes = active_->notes(one.first, one.last + kSettles, true);
    // Excludes silence inserted later, and samples of the next transmission that were not sent.
    notes.noticed.inserted_samples = active_->notes(one.first, one.last, true).noticed.inserted_samples;
    notes.noticed.unsent_samples = active_->notes(one.first, one.given, true).noticed.unsent_samples;
    const std::int64_t later_ns = active_->blocks[active_->place(one.first)].leaves_after_ns;
    const auto later = static_cast<std::size_t>(std::max(0.0, static_cast<double>(later_ns)) / kBlock_ns);
    active_->set_clock(notes, one.first + later, one.last);
    if (const auto& echo = one.followed ? one.echo : echo_.echo()) {
      notes.echo_delay_ms = echo->delay_ms;
      notes.echo_return_loss_db = echo->return_loss_db;
    }
    events_.played(one.sequence, std::move(notes));
    return true;
  });
}

void AudioLoop::tell_silence() {
  const auto awaited = active_->receiver.awaited();
  if (!events_.silent || !awaited) return active_->idle_sequence.reset();
  if (active_->idle_sequence != awaited->sequence) {
    active_->idle_sequence = awaited->sequence;
    active_->idle.clear();
    active_->idle_noticed = {};
    active_->silence_told_s = kSilentAfter_s - 1;
  }
  constexpr auto kKept = static_cast<std::size_t>(kSilentAfter_s * kLineRateHz);
  std::vector<float>& idle = active_->idle;
  idle.insert(idle.end(), narrow_.begin(), narrow_.end());
  if (idle.size() > 2 * kKept) idle.erase(idle.begin(), idle.end() - static_cast<std::ptrdiff_t>(kKept));
  active_->idle_noticed += active_->blocks.back().noticed;
  if (awaited->waited_s < active_->silence_told_s + 1) return;
  active_->silence_told_s = awaited->waited_s;
  MarkSilence silence{*awaited, {}, active_->idle_noticed};
  silence.heard.samples.assign(idle.end() - static_cast<std::ptrdiff_t>(std::min(kKept, idle.size())), idle.end());
  events_.silent(std::move(silence));
}

void AudioLoop::heard_block(const BlockTime& time) {
  const std::lock_guard lock(mutex_);
  block_ready_ = false;
  if (!active_) {
    resets_between_ += time.noticed.buffer_resets;
    return;
  }
  active_->add(time);
  if (departure_) {
    active_->departed_in = active_->count - 1;
    for (Active::Leaving& before : active_->leaving) {
      if (!before.followed) before.echo = echo_.echo();
      before.followed = true;
    }
    const double offset = static_cast<double>(departure_->offset) / static_cast<double>(scale_);
    echo_.left(static_cast<double>(heard_samples_) + offset + static_cast<double>(time.leaves_after_ns) / kSample_ns);
    events_.sent(departure_->sequence, time.time_ns + time.leaves_after_ns + std::llround(offset * kSample_ns),
                 time.clock_offset_ns);
  }
  narrow_ = mark_rate_.push(heard_);
  if (description_.real_device) echo_.hear(narrow_);
  heard_samples_ += kLineBlock;
  tell_played();
  deliver(active_->receiver.push(heard_));
  tell_silence();
  finish_if_done(time);
}

// False if there is something to do.
bool AudioLoop::stand_still() {
  const std::lock_guard lock(mutex_);
  if (active_) return false;
  standing_ = true;
  block_ready_ = false;
  return true;
}

void AudioLoop::run() {
  std::optional<AudioPriority> priority;
  if (description_.real_device) priority.emplace();
  line_->tell_news([this](const LineNews& news) {
    if (!news.warning.empty() && events_.warned) events_.warned(news.warning);
    if (!news.trace.empty() && events_.traced) events_.traced(news.trace);
  });
  for (;;) {
    const Status ready = prepare_block();
    if (!ready) {
      if (ready.error().code != ErrorCode::cancelled) events_.lost(ready.error());
      return;
    }
    const auto time = line_->exchange(block_, heard_, round_);
    if (!time) {
      if (time.error().code == ErrorCode::cancelled) continue;
      events_.lost(time.error());
      return;
    }
    if (std::string warning = line_->take_warning(); !warning.empty() && events_.warned)
      events_.warned(std::move(warning));
    if (!time->standing) {
      heard_block(*time);
    } else if (!stand_still()) {
      events_.lost({ErrorCode::line_lost, "the other end continued with a later round"});
      return;
    }
  }
}

}  // namespace vqas
