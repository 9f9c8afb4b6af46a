#pragma once

#include "calls/media/media_call.h"
#include "line/sip/sip_call_state.h"
#include "vqas/calls/call_outcome.h"

namespace vqas {

/// Enters the times of the signalling into the outcome, and how the call ended where the far end or the line ended it.
/// Re-entrant.
void enter_signalling(const SipCallState& state, CallOutcome& outcome);
/// Enters an end of this side: no audio came, or came no more. Re-entrant.
void enter_end(const CallEnd& end, CallOutcome& outcome);
/// Enters what the packets were; the outcome is spoilt where this machine was late, its system refused packets, or the
/// terms of the audio changed. `change`: how, as terms_change_in_words() tells. Re-entrant.
void enter_media(const MediaCall::Taken& taken, const std::string& change, CallOutcome& outcome);
/// Enters the sentences, and whether the call has a score. Re-entrant.
void enter_scores(std::vector<CallSentence> sentences, CallOutcome& outcome);

/// Whether a call that was answered ended as it may: its caller has hung up. A session timer that ran out, a connection
/// that broke and missing packets are faults. Re-entrant.
bool ended_well(const std::optional<CallEnd>& end);

/// The end of a call in which packets came no more, or none at all.
CallEnd end_of_silence(MediaCall::Phase phase, const MediaOptions& options);

}  // namespace vqas
