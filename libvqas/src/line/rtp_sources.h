#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace vqas {

/// Whence a stream of RTP comes: a port of the other end's address, and the number that the stream gives itself.
struct RtpSource {
  std::uint16_t port = 0;
  std::uint32_t ssrc = 0;
  bool operator==(const RtpSource&) const = default;
};

/// Decides which of the streams that come to one port is heard, by who they are and by whether the one that is heard is
/// still alive; never by how many packets they send. A stream is a source and a run of sequence numbers.
///
/// The first stream is heard until one of these happens, and then another that sends two packets in order (RFC 3550,
/// A.1: MIN_SEQUENTIAL):
/// - it came from another port than the negotiated one, and the other comes from that;
/// - it said goodbye, and did not speak again;
/// - nothing of it has come for kSilence_ns.
///
/// What this cannot tell: which of two sources at the negotiated port is the right one (the first is heard while it
/// lives), and packets that carry the stream's own port, SSRC and next sequence numbers. For one thread.
class RtpSources {
 public:
  /// RFC 3550, A.1 lets a packet be overtaken by 2 s, so until then one of the first stream may still be on its way.
  /// This is longer, and ends before RtpLineOptions::patience gives the line up.
  static constexpr std::int64_t kSilence_ns = 3'000'000'000;
  /// A packet that is behind the newest by less than this is late and not of another stream, 20 s.
  static constexpr int kBehind = 1024;

  /// `negotiated_port`: the one that the line's name gives; 0: none.
  explicit RtpSources(std::uint16_t negotiated_port) : negotiated_port_(negotiated_port) {}

  enum class Verdict {
    heard,   ///< of the stream that is heard
    begins,  ///< the first packet of the stream that is heard from now on
    other,   ///< of another stream
  };
  Verdict take(const RtpSource& from, std::uint16_t sequence, std::int64_t came_ns);
  /// The source that is heard says that it ends. One that speaks again, later than a packet that the goodbye has
  /// overtaken, has not: nobody knows who sent the goodbye.
  void said_goodbye(std::int64_t came_ns);
  bool has_left() const { return left_ns_.has_value(); }
  /// Two packets with one number and different content came. One of them is not the heard source's.
  void contradicted();

  const std::optional<RtpSource>& heard() const { return heard_; }
  /// What an operator should know, a sentence part; each once. Empty: nothing new.
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
  std::int64_t came_ns_ = 0;  // the last packet of the heard stream
  std::optional<std::int64_t> left_ns_;
  // Of the negotiated port, and of all others: a flood from these must not hide the one that has a right to be heard.
  std::array<Candidate, 2> candidates_;
  // Packets of others, none of them kSilence_ns after the one before; and when the last contest was seen.
  int others_ = 0;
  std::int64_t other_came_ns_ = 0;
  RtpSource other_;
  std::optional<std::int64_t> contested_ns_, contradicted_ns_;
  std::string warning_;
};

}  // namespace vqas
