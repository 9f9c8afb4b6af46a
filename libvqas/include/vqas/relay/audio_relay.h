#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "vqas/channel/error_counters.h"
#include "vqas/relay/conditions.h"
#include "vqas/relay/counters.h"
#include "vqas/relay/live_control.h"
#include "vqas/relay/sound_port.h"
#include "vqas/signal/result.h"

namespace vqas {

struct AudioRelayOptions {
  RelayConditions conditions;  ///< the law, the digital part and the delay; packet conditions do not apply
  std::uint64_t seed = 1;
  double buffer_ms = 60;  ///< kept ready for the output against uneven callbacks, 5..1000; adds to the delay
};

struct AudioRelayCounters {
  std::uint64_t heard = 0;         ///< samples from the input, at its rate
  std::uint64_t played = 0;        ///< samples to the output
  std::uint64_t overflows = 0;     ///< samples lost because the relay was too slow for the input
  std::uint64_t underflows = 0;    ///< samples of silence played because nothing was ready
  std::uint64_t clock_slips = 0;   ///< samples left out because the output's clock is slower than the input's
  std::uint64_t device_flags = 0;  ///< callbacks in which the device reported its own overflow or underflow
  ErrorCounters errors;            ///< of the G.711 stream in between
  LiveEvents events;               ///< likewise
};

/// Sound in, G.711 with the digital part of a profile and a delay, sound out. The devices' callbacks only move samples
/// through lock-free rings; a separate thread resamples to 8 kHz, encodes, decodes and resamples back. One other thread
/// may call the methods.
class AudioRelay {
 public:
  /// Starts it. Fails with bad_input or io.
  static Result<std::unique_ptr<AudioRelay>> start(const AudioRelayOptions& options, std::unique_ptr<SoundPort> port);
  ~AudioRelay();
  AudioRelay(const AudioRelay&) = delete;
  AudioRelay& operator=(const AudioRelay&) = delete;

  AudioRelayCounters counters() const;  ///< a snapshot
  /// Applies from now on. A longer delay inserts silence, a shorter one leaves samples out. Fails with bad_input.
  Status change(const RelayConditions& conditions);
  void inject(std::uint32_t bits);           ///< inverts the next bits of payload
  const SoundPort& port() const;             ///< the one given to start(); lives as long as this
  const AudioRelayOptions& options() const;  ///< as given to start it

 private:
  struct Engine;
  explicit AudioRelay(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

/// Controls the only direction of an AudioRelay, "a_to_b" of call 0, for keys and control sockets. Requests about
/// packets or another direction are refused. For one thread.
class AudioControl : public LiveControl {
 public:
  /// `profiles` are those that set() may name; `relay` outlives this.
  explicit AudioControl(AudioRelay& relay, ProfileSource profiles = ProfileSource())
      : relay_(relay), conditions_(relay.options().conditions), profiles_(std::move(profiles)) {}

  Status set(const RelayTarget& target, const std::string& json) override;
  Status inject(const RelayTarget& target, std::uint32_t bits) override;
  const RelayConditions& conditions(End) const override { return conditions_; }
  std::vector<End> directions() const override { return {End::a}; }
  Relayed relayed() const override { return Relayed::sound; }
  bool real_time() const override { return false; }
  std::vector<std::string> calls_json() const override;
  AudioRelay& relay() { return relay_; }

 private:
  AudioRelay& relay_;
  RelayConditions conditions_;
  const ProfileSource profiles_;
};

}  // namespace vqas
