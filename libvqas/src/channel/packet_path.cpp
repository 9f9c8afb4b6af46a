#include "vqas/channel/packet_path.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <vector>

#include "channel/concealer.h"
#include "channel/packet_arrivals.h"
#include "vqas/signal/signal.h"

namespace vqas {
namespace {

std::size_t to_samples(double ms) {
  return static_cast<std::size_t>(std::ceil(ms * kLineRateHz / 1000));
}

}  // namespace

// A packet occupies a slot of a ring from the instant it is full until its last sample is played.
struct PacketPath::Engine {
  struct Slot {
    std::array<std::uint8_t, Concealer::kMostPacket> octets;
    bool there = false;
  };

  Engine(const PacketConditions& conditions, G711Law given_law, std::uint64_t seed, std::uint64_t stream)
      : law(given_law),
        length(to_samples(conditions.packet_ms)),
        buffer(to_samples(conditions.buffer_ms)),
        buffer_ms(conditions.buffer_ms),
        arrivals(conditions, seed, stream),
        concealer(conditions.concealment),
        slots(buffer / length + 3) {}

  Slot& slot(std::uint64_t packet) { return slots[packet % slots.size()]; }

  void take(std::uint8_t octet) {
    const std::uint64_t packet = taken / length;
    slot(packet).octets[taken % length] = octet;
    ++taken;
    if (taken % length != 0) return;
    const auto arrival = arrivals.next(counters);
    const bool late = !arrival.lost && arrival.delay_ms > buffer_ms;
    if (late) ++counters.late;
    slot(packet).there = !arrival.lost && !late;
  }

  // The next sample to play; its packet is full, because it was sent one buffer length ago.
  float play() {
    if (played % length == 0) {
      const std::span<float> samples = std::span(sound).first(length);
      const Slot& next = slot(played / length);
      if (next.there) {
        g711_decode(std::span(next.octets).first(length), samples, law);
        concealer.hear(samples);
      } else {
        concealer.conceal(samples);
        ++counters.concealed;
      }
    }
    return sound[played++ % length];
  }

  G711Law law;
  std::size_t length;
  std::size_t buffer;
  double buffer_ms;
  PacketArrivals arrivals;
  Concealer concealer;
  std::vector<Slot> slots;
  std::array<float, Concealer::kMostPacket> sound{};
  std::uint64_t taken = 0;
  std::uint64_t played = 0;
  PacketCounters counters;
};

PacketPath::PacketPath(const PacketConditions& conditions, G711Law law, std::uint64_t seed, std::uint64_t stream)
    : engine_(std::make_unique<Engine>(conditions, law, seed, stream)) {}
PacketPath::~PacketPath() = default;
PacketPath::PacketPath(PacketPath&&) noexcept = default;
PacketPath& PacketPath::operator=(PacketPath&&) noexcept = default;

void PacketPath::process(std::span<const std::uint8_t> octets, std::span<float> samples) {
  assert(octets.size() == samples.size());
  Engine& engine = *engine_;
  for (std::size_t i = 0; i < octets.size(); ++i) {
    // Without a buffer, a packet that becomes full at this octet is played immediately.
    const bool may_play = engine.taken >= latency();
    engine.take(octets[i]);
    samples[i] = may_play ? engine.play() : 0.0F;
  }
}

std::uint64_t PacketPath::latency() const {
  return engine_->length + engine_->buffer;
}

const PacketCounters& PacketPath::counters() const {
  return engine_->counters;
}

}  // namespace vqas
