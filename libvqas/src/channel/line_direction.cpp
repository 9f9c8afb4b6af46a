#include "vqas/channel/line_direction.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <optional>
#include <utility>

#include "channel/analogue_stage.h"
#include "channel/band_filter.h"
#include "channel/circuit_noise.h"
#include "channel/sample_queue.h"
#include "channel/transmission_reader.h"
#include "vqas/channel/octet_channel.h"
#include "vqas/channel/packet_path.h"
#include "vqas/channel/profile.h"
#include "vqas/signal/signal.h"

namespace vqas {
namespace {

// The reader's window must lie inside the silence when phase and gain change: validate() requires at least 0.1 s.
static_assert(kLineRateHz / 10 > 2 * FractionalReader::kLatency);

// How much can be pushed before it is pulled; a power of two, 8 s.
constexpr std::size_t kSlack = 65536;
// The most coded samples from kPiece sent ones, with clocks ±1000 ppm apart.
constexpr std::size_t kPiece = 64;
constexpr std::size_t kMaxCoded = kPiece + 2;
static_assert(kMaxCoded <= BandFilter::kMaxBlock);

// Samples that the receiver hears before the first one from the codec.
std::size_t samples_ahead(const Profile& profile) {
  const auto delay = static_cast<std::size_t>(std::llround(profile.line.delay_s * kLineRateHz));
  const auto parts = static_cast<std::size_t>(std::llround(shortest_delay_s(profile) * kLineRateHz));
  assert(delay >= parts);
  return delay - parts + FractionalReader::kLatency;
}

}  // namespace

struct LineDirection::Engine {
  Engine(const Profile& profile, std::uint64_t seed, std::uint64_t stream, std::unique_ptr<ErrorProcess> given_errors)
      : conditions(profile.line),
        band(profile.band),
        reader(profile.line, seed, stream, kLineRateHz),
        analogue(profile.analogue, profile.line.law),
        filter(band == Band::long_distance ? BandFilter::kNarrowUpperHz : BandFilter::kTelephoneUpperHz),
        octets(profile, std::move(given_errors), seed, stream),
        echo(profile.analogue),
        noise(circuit_noise_rms(conditions.circuit_noise_dbm0p, conditions.law), Random(seed, stream, kNoiseSubstream)),
        queue(samples_ahead(profile) + kSlack) {
    if (profile.packets) packets.emplace(*profile.packets, conditions.law, seed, stream);
    fill_with_idle(samples_ahead(profile));
  }

  void fill_with_idle(std::size_t count) {
    const std::array<float, 1> nothing{0.0F};
    std::array<std::uint8_t, 1> octet{};
    std::array<float, 1> idle{};
    g711_encode(nothing, octet, conditions.law);
    g711_decode(octet, idle, conditions.law);
    for (std::size_t i = 0; i < count; ++i) queue.put(idle);
  }

  // Returns the number of samples written to `coded`.
  std::size_t convert_clock(std::span<const float> sent, std::span<float> coded) {
    std::size_t count = 0;
    for (const float sample : sent) reader.push(sample, [&](float read) { coded[count++] = read; });
    return count;
  }

  void carry(std::span<float> samples) {
    std::array<std::uint8_t, kMaxCoded> room;
    const auto coded = std::span(room).first(samples.size());
    analogue.process(samples);
    if (band != Band::full) filter.process(samples);
    g711_encode(samples, coded, conditions.law);
    octets.process(coded);
    if (packets) {
      packets->process(coded, samples);
    } else {
      g711_decode(coded, samples, conditions.law);
    }
    echo.process(samples);
    queue.put(samples);
  }

  LineConditions conditions;
  Band band;
  TransmissionReader reader;
  AnalogueStage analogue;
  BandFilter filter;
  OctetChannel octets;
  std::optional<PacketPath> packets;
  EchoStage echo;
  CircuitNoise noise;
  SampleQueue queue;
};

LineDirection::LineDirection(const LineConditions& conditions, std::uint64_t seed, std::uint64_t stream)
    : LineDirection(profile_of(conditions), seed, stream) {}
LineDirection::LineDirection(const LineConditions& conditions, std::uint64_t seed, std::uint64_t stream,
                             std::unique_ptr<ErrorProcess> errors)
    : engine_(std::make_unique<Engine>(profile_of(conditions), seed, stream, std::move(errors))) {}
LineDirection::LineDirection(const Profile& profile, std::uint64_t seed, std::uint64_t stream)
    : engine_(std::make_unique<Engine>(profile, seed, stream, make_errors(profile, seed, stream))) {}
LineDirection::~LineDirection() = default;
LineDirection::LineDirection(LineDirection&&) noexcept = default;
LineDirection& LineDirection::operator=(LineDirection&&) noexcept = default;

void LineDirection::push(std::span<const float> sent) {
  sent = sent.first(std::min(sent.size(), room()));
  std::array<float, kMaxCoded> coded;
  while (!sent.empty()) {
    const auto piece = sent.first(std::min(kPiece, sent.size()));
    sent = sent.subspan(piece.size());
    const std::size_t count = engine_->convert_clock(piece, coded);
    engine_->carry(std::span(coded).first(count));
  }
}

std::size_t LineDirection::room() const {
  // Clocks ±1000 ppm apart add at most 1/498, and a fraction may be waiting.
  const std::size_t room = engine_->queue.room();
  const std::size_t reserve = room / 498 + 2;
  return room > reserve ? room - reserve : 0;
}

std::size_t LineDirection::available() const {
  return engine_->queue.size();
}

void LineDirection::pull(std::span<float> heard) {
  const auto there = heard.first(std::min(heard.size(), available()));
  engine_->queue.take(there);
  engine_->noise.add_to(there);
  std::fill(heard.begin() + static_cast<std::ptrdiff_t>(there.size()), heard.end(), 0.0F);
}

void LineDirection::set_end_silence_s(double end_silence_s) {
  engine_->reader.set_end_silence_s(end_silence_s);
}

std::uint64_t LineDirection::bits() const {
  return counters().bits();
}

std::uint64_t LineDirection::bit_errors() const {
  return counters().errors();
}

const ErrorCounters& LineDirection::counters() const {
  return engine_->octets.counters();
}

const OctetChannel& LineDirection::octets() const {
  return engine_->octets;
}

const PacketCounters* LineDirection::packets() const {
  return engine_->packets ? &engine_->packets->counters() : nullptr;
}

OctetChannel& LineDirection::octets() {
  return engine_->octets;
}

std::uint64_t LineDirection::transmissions() const {
  return engine_->reader.transmissions();
}

}  // namespace vqas
