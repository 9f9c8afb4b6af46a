#pragma once

#include <jack/jack.h>

#include <atomic>
#include <cerrno>
#include <span>
#include <string>
#include <vector>

#include "support/wait_until.h"

namespace vqas::test {

/// A third client of the JACK server: records two of its ports on one sample clock, and connects ports of others.
class JackWitness {
 public:
  explicit JackWitness(std::size_t most_samples) {
    for (auto& one : heard_) one.resize(most_samples);
    client_ = jack_client_open("witness", JackNoStartServer, nullptr);
    if (client_ == nullptr) return;
    ports_[0] = jack_port_register(client_, "first", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
    ports_[1] = jack_port_register(client_, "second", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
    jack_set_process_callback(client_, &JackWitness::process, this);
    jack_activate(client_);
  }
  ~JackWitness() {
    if (client_ != nullptr) jack_client_close(client_);
  }
  JackWitness(const JackWitness&) = delete;
  JackWitness& operator=(const JackWitness&) = delete;

  bool works() const { return client_ != nullptr; }
  /// The port of a client whose name starts with `client`; waits for it. Empty: it did not appear.
  std::string port(const std::string& client, unsigned long flags) const {
    std::string name;
    wait_until([&] { return !(name = port_now(client, flags)).empty(); });
    return name;
  }
  /// Waits until no client whose name starts with `client` has a port; false: one still has.
  bool wait_until_gone(const std::string& client) const {
    return wait_until([&] { return port_now(client, 0).empty(); });
  }
  /// Connects two ports. A client lists its ports before it is active, and they cannot be connected until then: waits
  /// for that.
  bool connect(const std::string& from, const std::string& to) const {
    return wait_until([&] {
      const int answer = jack_connect(client_, from.c_str(), to.c_str());
      return answer == 0 || answer == EEXIST;
    });
  }
  bool record(const std::string& first, const std::string& second) const {
    return connect(first, jack_port_name(ports_[0])) && connect(second, jack_port_name(ports_[1]));
  }
  /// Waits until this many more samples were recorded; false when the server stands still.
  bool wait(std::size_t samples) const {
    const std::size_t until = count_.load(std::memory_order_acquire) + samples;
    return wait_until([&] { return count_.load(std::memory_order_acquire) >= until; });
  }
  /// The samples recorded so far.
  std::span<const float> heard(std::size_t which) const {
    return std::span(heard_[which]).first(count_.load(std::memory_order_acquire));
  }

 private:
  /// Empty: it has none.
  std::string port_now(const std::string& client, unsigned long flags) const {
    const char** const found = jack_get_ports(client_, ("^" + client).c_str(), JACK_DEFAULT_AUDIO_TYPE, flags);
    if (found == nullptr) return {};
    std::string name = found[0];
    jack_free(found);
    return name;
  }
  static int process(jack_nframes_t frames, void* self) {
    auto& witness = *static_cast<JackWitness*>(self);
    const std::size_t at = witness.count_.load(std::memory_order_relaxed);
    if (at + frames > witness.heard_[0].size()) return 0;
    for (std::size_t p = 0; p < 2; ++p) {
      const auto* const samples = static_cast<const float*>(jack_port_get_buffer(witness.ports_[p], frames));
      std::copy_n(samples, frames, witness.heard_[p].begin() + static_cast<std::ptrdiff_t>(at));
    }
    witness.count_.store(at + frames, std::memory_order_release);
    return 0;
  }

  jack_client_t* client_ = nullptr;
  jack_port_t* ports_[2] = {};
  std::vector<float> heard_[2];
  std::atomic<std::size_t> count_{0};
};

/// Lag of `second` behind `first` in the segment [begin, end) of it, in samples, at most `most`.
inline std::size_t lag_of(std::span<const float> first, std::span<const float> second, std::size_t begin,
                          std::size_t end, std::size_t most) {
  double best = 0;
  std::size_t lag = 0;
  for (std::size_t shift = 0; shift <= most && end + shift <= second.size(); ++shift) {
    float sum = 0;
    for (std::size_t n = begin; n < end; ++n) sum += first[n] * second[n + shift];
    if (static_cast<double>(sum) <= best) continue;
    best = static_cast<double>(sum);
    lag = shift;
  }
  return lag;
}

}  // namespace vqas::test
