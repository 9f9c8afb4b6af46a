#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "line/media/rtp_terms.h"
#include "line/sip/call_end.h"

namespace vqas {

/// A call's audio, as agreed by offer and answer.
struct AgreedMedia : RtpTerms {
  bool held = false;  ///< the far end neither sends nor plays, or only one of them
  bool operator==(const AgreedMedia&) const = default;
};

/// What a re-INVITE or UPDATE changed of a stream, as a sentence part; empty: nothing. Re-entrant.
std::string terms_change_in_words(const RtpTerms& before, const RtpTerms& after);
/// What a re-INVITE or UPDATE changed, in words for the operator; empty: nothing that is told. Re-entrant.
std::string change_in_words(const AgreedMedia& before, const AgreedMedia& after);

/// A call, as far as it has come. Times are by CLOCK_MONOTONIC; 0: not yet.
struct SipCallState {
  enum class Phase { registering, awaiting, dialling, up, over };
  Phase phase = Phase::registering;
  bool responded = false;        ///< to this end's INVITE, by any response
  std::int64_t begun_ns = 0;     ///< INVITE sent or received
  std::int64_t rang_ns = 0;      ///< first 180 or 183
  std::int64_t answered_ns = 0;  ///< 200 received, or its ACK
  std::int64_t ended_ns = 0;
  AgreedMedia media;  ///< as last agreed; valid from the answer on
  std::optional<CallEnd> end = {};
  std::string other;    ///< who called, as the call says; empty when this end dials
  std::string warning;  ///< for the operator, taken by SipAgent::take()
};

}  // namespace vqas
