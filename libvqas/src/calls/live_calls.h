#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "calls/call_ends.h"
#include "calls/call_numbers.h"
#include "calls/media/media_loop.h"
#include "calls/scoring/score_pool.h"
#include "line/sip/sip_calls.h"
#include "vqas/calls/call_outcome.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// What this end does in one call, and what it scores of it.
struct CallRole {
  CallPart part;
  CallExpectation expected;
  bool scores = false;  ///< what was recorded
};

struct LiveCallsOptions {
  SipLineOptions line;
  double late_ms = 15;
  std::size_t most_answered = 0;    ///< calls at a time that are taken; 0: none
  std::size_t answered_in_all = 0;  ///< 0: any number
  /// The role in the call with that number. Called by the thread of step() and dial().
  std::function<CallRole(std::uint32_t number)> role_of;
  std::function<void(const std::string&)> noticed;  ///< for the operator, a sentence without a full stop
  /// What was sent and received in the call with that number, as entries of a trace; 0: of no call. May be empty.
  std::function<Status(std::uint32_t number, const std::string& entries)> traced;
};

/// The calls that are under way, made or answered: signalling, packets and scores. For one thread; its own threads are
/// one for the signalling, one for the packets, and two for the scores.
class LiveCalls {
 public:
  struct Ended {
    CallOutcome outcome;
    Signal recording;  ///< what was heard; empty where nothing was scored
  };
  /// Fails with io, and with bad_input when the account cannot be read. `corpus` has the line's rate, and outlives the
  /// calls.
  static Result<std::unique_ptr<LiveCalls>> start(LiveCallsOptions options, const CallCorpus& corpus);
  ~LiveCalls();
  LiveCalls(const LiveCalls&) = delete;
  LiveCalls& operator=(const LiveCalls&) = delete;

  /// Begins a call; `outcome` has its number and start. Fails with io when there is no port for its audio.
  Status dial(CallOutcome outcome);
  /// Waits up to 10 ms for events, and returns the calls that have an outcome now. Where `traced` fails, it is told
  /// once.
  std::vector<Ended> step();
  /// Hangs up every call that is under way, without an outcome. Those that wait for a score keep it.
  void hang_up_all();

  SipCalls::Registration registration() const { return sip_->registration(); }
  CallEnd registration_end() const { return sip_->registration_end(); }
  std::size_t dialling() const { return live_.size() - up(); }
  std::size_t up() const;
  std::size_t under_way() const { return live_.size(); }
  /// No call is under way, and none waits for a score.
  bool is_idle() const;
  std::size_t scoring() const { return scoring_.size(); }
  /// Calls that were answered, those that are over among them.
  std::size_t answered_in_all() const;

 private:
  struct Live {
    CallOutcome outcome;
    CallRole role;
    SipCallState state;
    std::optional<RtpSockets> sockets;  // until the call is up
    std::shared_ptr<MediaCall> media;
    RtpTerms terms;
    std::string change;  // the first one of the terms, in words
    bool answers = false, did_its_part = false, leaving = false, over = false;
  };
  using Place = std::map<SipCalls::Id, Live>::iterator;

  LiveCalls(LiveCallsOptions options, const CallCorpus& corpus);
  std::optional<SocketAddress> take_in(SipCalls::Id id);
  void take(const SipCalls::News& news);
  void begin_media(SipCalls::Id id, Live& live);
  void leave(SipCalls::Id id, Live& live, const std::optional<CallEnd>& end);
  /// True when the call is concluded, and is to be removed.
  bool look(SipCalls::Id id, Live& live);
  void conclude(Live& live);
  void trace();
  /// Answered, and no news of it was taken: its number is to come.
  bool is_incoming(SipCalls::Id id) const;

  const LiveCallsOptions options_;
  MediaOptions media_options_;
  const std::shared_ptr<PacketReader> reader_ = std::make_shared<PacketReader>();
  SocketAddress local_;
  MediaLoop loop_;
  std::map<SipCalls::Id, Live> live_;
  std::map<std::uint32_t, CallOutcome> scoring_;
  CallNumbers numbers_;
  std::map<SipCalls::Id, std::string> without_number_;  // entries of calls that came in just now
  bool trace_failed_ = false;
  std::vector<Ended> ended_;
  mutable std::mutex mutex_;
  std::map<SipCalls::Id, RtpSockets> incoming_;  // guarded by mutex_, as is the next
  std::size_t answered_ = 0;
  std::uint32_t last_answered_ = 0;
  // Before the pool, whose threads wake it; it ends first, so that the far ends get BYE before the packets stop.
  std::unique_ptr<SipCalls> sip_;
  std::unique_ptr<ScorePool> pool_;
};

}  // namespace vqas
