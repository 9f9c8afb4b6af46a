#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "line/rtp_line.h"
#include "line/sip/sip_agent.h"
#include "vqas/line/line.h"

namespace vqas {

/// A call by SIP, made or answered by this end; its audio goes through an RtpLine. Until the call is up, exchange()
/// waits without sending or receiving, so no measurement begins. Then it dials the digits of the line's name, and
/// passes silence until packets have arrived for a second, by which time the other end is ready too.
class SipLine final : public Line {
 public:
  /// Takes the ports and begins to register, to dial or to wait for a call. Fails with io, and with bad_input when the
  /// account cannot be read.
  static Result<std::unique_ptr<Line>> open(const SipLineOptions& options, const ReadVariable& variable);
  SipLine(const SipLine&) = delete;
  SipLine& operator=(const SipLine&) = delete;

  LineDescription description() const override { return description_; }
  /// Fails with line_lost when the call cannot be made or ended, with bad_input when the account is refused. The
  /// message names how the call ended (CallEndKind).
  Result<BlockTime> exchange(std::span<const float> sent, std::span<float> heard, Round round) override;
  void interrupt() override;
  std::string take_warning() override;
  void tell_news(std::function<void(const LineNews&)> tell) override { tell_news_ = std::move(tell); }
  std::string take_note() override;

 private:
  SipLine(const SipLineOptions& options, RtpSockets sockets);
  Status await_answer();
  Result<int> settle();
  Error end_of_call(const SipCallState& state);
  Error why_lost(const Error& error);
  void take_up(const SipCallState& state);
  void warn(const std::string& words);
  void tell_waiting();
  void tell_call(const SipCallState& state);
  Status follow(const SipCallState& state);
  Result<BlockTime> pass(std::span<const float> sent, std::span<float> heard, Round round);

  const SipLineOptions options_;
  LineDescription description_;
  std::atomic<bool> interrupted_ = false;
  std::optional<RtpSockets> sockets_;  // until the call is answered
  std::mutex mutex_;
  std::unique_ptr<RtpLine> audio_;  // set under mutex_ by the thread of exchange()
  int heard_blocks_ = 0;            // since the first packet
  int after_end_ = 0;               // blocks
  std::string about_;               // the call, for the operator and, apart from it, for the record
  bool told_ = false, noted_ = false, said_silent_ = false;
  std::string warning_;
  std::function<void(const LineNews&)> tell_news_;
  RtpTerms terms_;                 // as the audio has them
  std::optional<DigitWalk> walk_;  // from the answer on
  // Last: it ends first, so that the far end gets BYE before the packets stop.
  std::unique_ptr<SipAgent> agent_;
};

}  // namespace vqas
