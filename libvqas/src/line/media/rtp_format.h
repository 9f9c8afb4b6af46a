#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vqas/channel/g711.h"
#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"

namespace vqas {

class LineName;

/// The encodings of speech that RTP lines have: 20 ms a packet, one channel.
enum class RtpEncoding : std::uint8_t { pcmu, pcma, g722, l16, l16wb, opus, gsm };

/// What is fixed about an encoding.
struct EncodingFacts {
  RtpEncoding encoding;
  const char* word;   ///< in a line's name: "g722"
  const char* name;   ///< in a session description: "G722"
  const char* words;  ///< for people: "G.722"
  /// RFC 3551, table 4; from 96 on the one that VQAS gives, because RFC 3551 fixes none.
  std::uint8_t payload_type;
  std::uint32_t clock_hz;  ///< of the timestamps; a session description has it too
  std::uint8_t channels;   ///< in a session description; Opus has 2 there, whatever it carries (RFC 7587, 7)
  bool wide;               ///< can carry more than the narrow band
};
/// All of them. Re-entrant, as are all functions here.
std::span<const EncodingFacts> encodings();
const EncodingFacts& facts_of(RtpEncoding encoding);

/// Value of a=fmtp, what an end of that rate can use; empty: none.
std::string parameters_of(RtpEncoding encoding, int rate_hz);

/// How a stream's packets are encoded and numbered. A value.
struct RtpFormat {
  RtpFormat() : RtpFormat(RtpEncoding::pcmu) {}
  explicit RtpFormat(RtpEncoding encoding);
  RtpFormat(G711Law law);  // NOLINT(google-explicit-constructor): a law of G.711 is a format

  RtpEncoding encoding;
  std::uint8_t sends_as, hears_as;  ///< payload types; answer and offer may differ
  /// Opus: what is sent repeats each packet in the next one (FEC), because the other end uses that.
  bool repeats = true;
  /// Opus: the highest rate in Hz that the other end plays (RFC 7587, 6.1: maxplaybackrate), so no more is sent. In a
  /// call at most rate_hz.
  int far_plays_hz = 48000;
  int rate_hz = kLineRateHz;  ///< of the samples at this end: 8000, or 16000 on a line of HD voice
  bool operator==(const RtpFormat&) const = default;

  /// Timestamps of 20 ms.
  std::uint32_t ticks() const { return facts_of(encoding).clock_hz / 50; }
};

/// The encodings that a line's name gives by `codec`, or by `law` for G.711; one, or with `several` a list in the order
/// of preference. Fails with bad_input.
Result<std::vector<RtpEncoding>> codecs_of(const LineName& name, bool several);

/// Whether the name asks for HD voice (hd=yes): 16000, else 8000. Fails with bad_input where none of the codecs can
/// carry it.
Result<int> rate_of(const LineName& name, const std::vector<RtpEncoding>& codecs);

/// Of a call that agreed on a codec of the narrow band, at an end of HD voice: a sentence part. Empty: of any other.
std::string narrow_in_words(const RtpFormat& format);

/// As session descriptions name it, and so the note of a call: "PCMU", "L16/16000".
std::string label_of(RtpEncoding encoding);
/// "G.722" or "G.722 or G.711 mu-law"
std::string in_words(const std::vector<RtpEncoding>& codecs);

}  // namespace vqas
