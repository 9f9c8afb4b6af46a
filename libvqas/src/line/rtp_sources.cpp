#include "line/rtp_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace vqas {
namespace {

constexpr std::int64_t kPacket_ns = 20'000'000;
constexpr int kInOrder = 2;  // RFC 3550, A.1: MIN_SEQUENTIAL
// Number of packets that may be lost between two packets of a candidate, 1 s.
constexpr int kLongestGap = 50;
// A candidate that is silent for longer is replaced by another.
constexpr std::int64_t kCandidate_ns = 5 * kPacket_ns;
constexpr int kContest = 5;  // packets of other sources that are more than strays
// A contest that resumes within this time is the same one, which was already reported.
constexpr std::int64_t kSameContest_ns = 60'000'000'000;

int steps(std::uint16_t from, std::uint16_t to) {
  return static_cast<std::int16_t>(static_cast<std::uint16_t>(to - from));
}

std::string name_of(const RtpSource& source) {
  return fmt::format("port {} (SSRC {:08x})", source.port, source.ssrc);
}

}  // namespace

// A stream advances with time: a packet further ahead than the losses since its last packet explain belongs to another
// stream.
bool RtpSources::continues(std::uint16_t sequence, std::int64_t came_ns) const {
  const int ahead = steps(newest_, sequence);
  const std::int64_t passed_ns = std::max<std::int64_t>(came_ns - came_ns_, 0);
  return ahead > -kBehind && ahead <= (kSilence_ns + passed_ns) / kPacket_ns;
}

// Why the present source may be replaced by this one; null: it may not.
const char* RtpSources::why_left(const RtpSource& for_which, std::int64_t came_ns) const {
  if (negotiated_port_ != 0 && for_which.port == negotiated_port_ && heard_->port != negotiated_port_)
    return "it comes from the port that the line's name gives";
  if (left_ns_) return "the previous source said goodbye";
  return came_ns - came_ns_ >= kSilence_ns ? "the previous source has been silent for 3 s" : nullptr;
}

void RtpSources::follow(Candidate& candidate, const RtpSource& from, std::uint16_t sequence,
                        std::int64_t came_ns) const {
  const bool is_silent = candidate.in_order == 0 || came_ns - candidate.came_ns > kCandidate_ns;
  const int ahead = steps(candidate.newest, sequence);
  if (candidate.in_order > 0 && candidate.from == from && std::abs(ahead) <= kLongestGap) {
    if (ahead <= 0) return;
    candidate = {from, sequence, std::min(candidate.in_order + 1, kInOrder), came_ns};
  } else if (is_silent) {
    candidate = {from, sequence, 1, came_ns};
  }
}

void RtpSources::hear(const RtpSource& from, std::uint16_t sequence, std::int64_t came_ns) {
  heard_ = from;
  newest_ = sequence;
  came_ns_ = came_ns;
  left_ns_.reset();
  candidates_ = {};
  others_ = 0;
}

void RtpSources::note_other(const RtpSource& from, std::int64_t came_ns) {
  if (came_ns - other_came_ns_ >= kSilence_ns) others_ = 0;
  others_ = std::min(others_ + 1, kContest);
  other_ = from;
  other_came_ns_ = came_ns;
}

// A packet of the present stream among those of others: both are active. Packets after the end of the present stream
// belong to its successor.
void RtpSources::note_contest(std::int64_t came_ns) {
  if (others_ < kContest || came_ns - other_came_ns_ >= kSilence_ns) return;
  const bool known = contested_ns_ && came_ns - *contested_ns_ < kSameContest_ns;
  contested_ns_ = came_ns;
  if (known) return;
  warn(
      fmt::format("packets of another sender arrive from {} while {} is played; they are not played. Look for an old "
                  "call, a second node with this port, or an attack",
                  name_of(other_), name_of(*heard_)));
}

RtpSources::Verdict RtpSources::take(const RtpSource& from, std::uint16_t sequence, std::int64_t came_ns) {
  if (!heard_) {
    hear(from, sequence, came_ns);
    return Verdict::begins;
  }
  if (heard_ == from && continues(sequence, came_ns)) {
    note_contest(came_ns);
    if (steps(newest_, sequence) > 0) newest_ = sequence;
    came_ns_ = std::max(came_ns_, came_ns);
    if (left_ns_ && came_ns > *left_ns_ + kPacket_ns) left_ns_.reset();
    return Verdict::heard;
  }
  note_other(from, came_ns);
  Candidate& candidate = candidates_.at(from.port == negotiated_port_ ? 0 : 1);
  follow(candidate, from, sequence, came_ns);
  const char* const why = why_left(from, came_ns);
  if (candidate.from != from || candidate.in_order < kInOrder || why == nullptr) return Verdict::other;
  warn(fmt::format("{} is played from now on instead of {}: {}", name_of(from), name_of(*heard_), why));
  hear(from, sequence, came_ns);
  return Verdict::begins;
}

void RtpSources::said_goodbye(std::int64_t came_ns) {
  if (came_ns_ <= came_ns + kPacket_ns) left_ns_ = came_ns;
}

void RtpSources::contradicted() {
  const bool known = contradicted_ns_ && came_ns_ - *contradicted_ns_ < kSameContest_ns;
  contradicted_ns_ = came_ns_;
  if (known || !heard_) return;
  warn(fmt::format(
      "two packets with the same number and different content arrived from {}: another sender copies this stream, "
      "and the right one is unknown; transmissions received meanwhile get no score",
      name_of(*heard_)));
}

void RtpSources::warn(std::string words) {
  warning_ += (warning_.empty() ? "" : "; ") + std::move(words);
}

std::string RtpSources::take_warning() {
  return std::exchange(warning_, {});
}

}  // namespace vqas
