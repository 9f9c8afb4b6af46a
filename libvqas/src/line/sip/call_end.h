#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vqas/signal/result.h"

namespace vqas {

/// How a call, or the attempt of one, ended. Each has a name of its own, and none of them ever becomes a score.
enum class CallEndKind {
  busy,            ///< 486, 600
  declined,        ///< 603
  no_answer,       ///< it rang until this end gave up, or the far end did (408, 480 or 487 after ringing)
  rejected,        ///< any other final response; code and reason are the far end's
  unreachable,     ///< no response at all, or no connection
  wrong_password,  ///< asked for credentials again after they were sent, or there are none
  registrar_lost,  ///< the registrar refuses this end, or does not respond
  hung_up,         ///< BYE after the answer: dropped in mid-run
  no_audio,        ///< answered, but no packet came
};
/// "busy", "declined", "no answer", …
const char* name_of(CallEndKind kind);

struct CallEnd {
  CallEndKind kind = CallEndKind::unreachable;
  int code = 0;        ///< of the SIP response; 0: there was none
  std::string reason;  ///< its phrase, or what the system says
  bool bye = false;    ///< the far end hung up in due form
};

/// What libre reports about a request: an error number of the system, or a final response.
struct SipReply {
  int error = 0;
  int code = 0;
  std::string reason;  ///< of the response; else, if not empty, a better one than the system's
};

/// The end of a call that was not answered. `rang`: the far end had said so (180, 183). Re-entrant.
CallEnd end_of_invite(const SipReply& reply, bool rang, bool has_password);
/// The end of a registration that failed. Re-entrant.
CallEnd end_of_registration(const SipReply& reply, bool has_password);

/// In words for the operator: "busy (486 Busy Here)". Re-entrant.
std::string in_words(const CallEnd& end);
/// What the operator can do about it, a sentence part. Re-entrant.
std::string next_step(const CallEnd& end);
/// The same as an error of the line: whether the call was made, its end in words, and the next step. `answered_s`: time
/// since the answer, if there was one. It is line_lost, so the run waits and the call is made again, except for a wrong
/// password: that is bad_input, because repeating it locks accounts.
Error error_of(const CallEnd& end, const std::string& line, std::optional<double> answered_s = {});

}  // namespace vqas
