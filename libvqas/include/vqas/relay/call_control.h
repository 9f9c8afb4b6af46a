#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vqas/relay/live_control.h"
#include "vqas/relay/rtp_relay.h"
#include "vqas/relay/sip.h"

namespace vqas {

/// Controls the calls of a running relay: it holds the conditions of future calls, and passes changes to present calls.
/// For one thread.
class CallControl : public LiveControl {
 public:
  /// `defaults` are the conditions of new calls, `profiles` those that set() may name; `relay` outlives this.
  CallControl(RtpRelay& relay, const CallOptions& defaults, ProfileSource profiles = ProfileSource())
      : relay_(relay), defaults_(defaults), profiles_(std::move(profiles)) {}

  RtpRelay& relay() { return relay_; }
  const CallOptions& defaults() const { return defaults_; }

  Status set(const RelayTarget& target, const std::string& json) override;
  Status inject(const RelayTarget& target, std::uint32_t bits) override;
  const RelayConditions& conditions(End from) const override {
    return defaults_.sides[static_cast<std::size_t>(from)].conditions;
  }
  std::vector<End> directions() const override { return {End::a, End::b}; }
  Relayed relayed() const override { return Relayed::packets; }
  bool real_time() const override { return relay_.real_time(); }
  std::vector<std::string> calls_json() const override;
  std::string sip_json() const override;

  /// Source of the counters of SIP; empty: none.
  void show_sip(std::function<SipCounters()> counters) { sip_ = std::move(counters); }
  /// Nothing without SIP.
  std::optional<SipCounters> sip() const { return sip_ ? std::optional(sip_()) : std::nullopt; }

 private:
  std::vector<std::uint64_t> calls_of(const RelayTarget& target) const;

  RtpRelay& relay_;
  CallOptions defaults_;
  const ProfileSource profiles_;
  std::function<SipCounters()> sip_;
};

/// A call as JSON on one line, as described in relay-control.md.
std::string call_json(const RelayedCallState& call);

}  // namespace vqas
