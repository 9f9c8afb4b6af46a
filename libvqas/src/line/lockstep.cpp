#include "line/lockstep.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "vqas/signal/signal.h"

namespace vqas {
namespace {

constexpr double kBlock_ns = 1e9 * kLineBlock / kLineRateHz;

}  // namespace

std::int64_t Lockstep::Side::next_time_ns() const {
  return std::llround(static_cast<double>(index) * kBlock_ns / (1 + clock_ppm * 1e-6));
}

Lockstep::Lockstep(const SimulatedLine& line, std::uint64_t call)
    : from_{make_path(line, line.a_to_b, 2 * call), make_path(line, line.b_to_a, 2 * call + 1)},
      block_(line_block(rate_hz_of(line.codec))) {
  side(End::a).clock_ppm = line.a_to_b.sender_clock_ppm;
  side(End::b).clock_ppm = line.b_to_a.sender_clock_ppm;
}

void Lockstep::request(End end, Round round, std::span<const float> sent) {
  assert(!waiting(end) && sent.size() == block_);
  Pending& pending = side(end).pending.emplace();
  pending.round = round;
  pending.sent.assign(sent.begin(), sent.end());
}

bool Lockstep::withdraw(End end) {
  const bool was = waiting(end);
  side(end).pending.reset();
  return was;
}

void Lockstep::stand(End end, Answers& answers) {
  Answer& answer = answers.items[answers.count++];
  answer.end = end;
  answer.kind = Kind::standing;
  answer.index = side(end).index;
  answer.time_ns = side(end).next_time_ns();
  side(end).pending.reset();
}

void Lockstep::serve(std::span<const End> ends, Answers& answers) {
  // All samples sent in this step are pushed before any are pulled, so that no end can starve the other.
  for (const End end : ends) {
    SimulatedPath& outgoing = *from_[static_cast<std::size_t>(end)];
    const double end_silence_s = side(end).pending->round.end_silence_s;
    if (end_silence_s > 0) outgoing.set_end_silence_s(end_silence_s);
    outgoing.push(side(end).pending->sent);
  }
  for (const End end : ends) {
    Answer& answer = answers.items[answers.count++];
    answer.end = end;
    answer.kind = Kind::heard;
    answer.index = side(end).index;
    answer.time_ns = side(end).next_time_ns();
    SimulatedPath& incoming = *from_[static_cast<std::size_t>(other_end(end))];
    assert(incoming.available() >= block_);
    answer.heard.resize(block_);
    incoming.pull(answer.heard);
    side(end).pending.reset();
    ++side(end).index;
  }
}

Lockstep::Answers Lockstep::settle() {
  Answers answers;
  if (!waiting(End::a) || !waiting(End::b)) return answers;
  const Round a = side(End::a).pending->round, b = side(End::b).pending->round;
  if (a.number != b.number) {
    stand(a.number < b.number ? End::a : End::b, answers);
  } else if (!a.busy && !b.busy) {
    stand(End::a, answers);
    stand(End::b, answers);
  } else {
    const std::int64_t lead = side(End::b).next_time_ns() - side(End::a).next_time_ns();
    const auto block = static_cast<std::int64_t>(kBlock_ns);
    if (lead >= block) {
      serve(std::array{End::a}, answers);
    } else if (lead <= -block) {
      serve(std::array{End::b}, answers);
    } else {
      serve(std::array{End::a, End::b}, answers);
    }
  }
  return answers;
}

}  // namespace vqas
