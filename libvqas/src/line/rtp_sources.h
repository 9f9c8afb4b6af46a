#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace vqas {

/// The source of an RTP stream: a port at the other end's address, and the stream's own SSRC.
struct RtpSource {
  std::uint16_t port = 0;
  std::uint32_t ssrc = 0;
  bool operator==(const RtpSource&) const = default;
};

/// Decides which of the streams arriving at one port is played, from their sources and from whether the present one is
/// still active; never from their packet rates. A stream is a source and a run of sequence numbers.
///
/// The first stream is played until one of these events; then another stream that sends two packets in order (RFC 3550,
/// A.1: MIN_SEQUENTIAL) replaces it:
/// - the first came from a port other than the negotiated one, and the other comes from that;
/// - the first said goodbye, and did not send again;
/// - no packet of the first has arrived for kSilence_ns.
///
/// Limits: of two sources at the negotiated port the first is played while it is active, even if the other is the right
/// one; packets that carry the stream's own port, SSRC and next sequence numbers cannot be recognised. For one thread.
class RtpSources {
 public:
  /// RFC 3550, A.1 allows a packet to be overtaken by 2 s, so one of the first stream may still be in transit until
  /// then. This time is longer, and ends before RtpLineOptions::patience abandons the line.
  static constexpr std::int64_t kSilence_ns = 3'000'000'000;
  /// A packet behind the newest by less than this is late; otherwise it is of another stream. 20 s.
  static constexpr int kBehind = 1024;

  /// `negotiated_port`: the one in the line's name; 0: none.
  explicit RtpSources(std::uint16_t negotiated_port) : negotiated_port_(negotiated_port) {}

  enum class Verdict {
    heard,   ///< of the present stream
    begins,  ///< the first packet of a new stream, played from now on
    other,   ///< of another stream
  };
  Verdict take(const RtpSource& from, std::uint16_t sequence, std::int64_t came_ns);
  /// The present source said goodbye. If it sends again, later than packets that the goodbye may have overtaken, the
  /// goodbye is ignored: its sender is not authenticated.
  void said_goodbye(std::int64_t came_ns);
  bool has_left() const { return left_ns_.has_value(); }
  /// Two packets with the same number and different content arrived. One of them is not from the present source.
  void contradicted();

  const std::optional<RtpSource>& heard() const { return heard_; }
  /// A warning for the operator, a sentence part, given once. Empty: nothing new.
  std::string take_warning();

 private:
  struct Candidate {
    RtpSource from;
    std::uint16_t newest = 0;
    int in_order = 0;  // 0: none
    std::int64_t came_ns = 0;
  };
  bool continues(std::uint16_t sequence, std::int64_t came_ns) const;
  const char* why_left(const RtpSource& for_which, std::int64_t came_ns) const;
  void follow(Candidate& candidate, const RtpSource& from, std::uint16_t sequence, std::int64_t came_ns) const;
  void hear(const RtpSource& from, std::uint16_t sequence, std::int64_t came_ns);
  void note_other(const RtpSource& from, std::int64_t came_ns);
  void note_contest(std::int64_t came_ns);
  void warn(std::string words);

  const std::uint16_t negotiated_port_;
  std::optional<RtpSource> heard_;
  std::uint16_t newest_ = 0;
  std::int64_t came_ns_ = 0;  // the last packet of the present stream
  std::optional<std::int64_t> left_ns_;
  // One for the negotiated port and one for all others: a flood from these must not hide the legitimate one.
  std::array<Candidate, 2> candidates_;
  // Packets of other sources, each within kSilence_ns of the previous; and when the last contest was seen.
  int others_ = 0;
  std::int64_t other_came_ns_ = 0;
  RtpSource other_;
  std::optional<std::int64_t> contested_ns_, contradicted_ns_;
  std::string warning_;
};

}  // namespace vqas
