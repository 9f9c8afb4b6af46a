#include "vqas/channel/octet_channel.h"

#include <algorithm>
#include <utility>

#include "channel/call_release.h"
#include "channel/interrupter.h"
#include "channel/slip_buffer.h"

namespace vqas {
namespace {

// Separate from the streams of the legs, which count up from the line's own.
constexpr std::uint64_t kRestoredStream = std::uint64_t{1} << 56;

}  // namespace

struct OctetChannel::Engine {
  Engine(const Profile& profile, std::unique_ptr<ErrorProcess> process, std::uint64_t seed, std::uint64_t stream)
      : errors(std::move(process), profile.error_mask),
        release(profile.release, seed, stream + kRestoredStream),
        interrupter(profile.interruptions, profile.line.law),
        slips(profile.slips, idle_octet(profile.line.law)) {}

  BitErrorStream errors;
  CallRelease release;
  Interrupter interrupter;
  SlipBuffer slips;
  std::uint64_t overwritten = 0;
};

OctetChannel::OctetChannel(const Profile& profile, std::uint64_t seed, std::uint64_t stream)
    : OctetChannel(profile, make_errors(profile, seed, stream), seed, stream) {}
OctetChannel::OctetChannel(const Profile& profile, std::unique_ptr<ErrorProcess> errors, std::uint64_t seed,
                           std::uint64_t stream)
    : engine_(std::make_unique<Engine>(profile, std::move(errors), seed, stream)) {}
OctetChannel::~OctetChannel() = default;
OctetChannel::OctetChannel(OctetChannel&&) noexcept = default;
OctetChannel& OctetChannel::operator=(OctetChannel&&) noexcept = default;

void OctetChannel::process(std::span<std::uint8_t> octets) {
  Engine& engine = *engine_;
  while (!octets.empty()) {
    const std::uint64_t left = std::min(engine.release.octets_left(), engine.interrupter.octets_left());
    const auto piece = octets.first(static_cast<std::size_t>(std::min<std::uint64_t>(octets.size(), left)));
    const bool interrupted = engine.interrupter.is_open();
    if (interrupted || engine.release.state() == CallState::released) engine.overwritten += piece.size();
    engine.release.process(piece, engine.errors, !interrupted);
    engine.interrupter.process(piece);
    engine.slips.process(piece);
    octets = octets.subspan(piece.size());
  }
}

void OctetChannel::set_law(G711Law law) {
  engine_->interrupter.set_law(law);
  engine_->slips.set_idle(idle_octet(law));
}

std::uint64_t OctetChannel::latency() const {
  return engine_->slips.latency();
}
const ErrorCounters& OctetChannel::counters() const {
  return engine_->errors.counters();
}
void OctetChannel::inject(std::uint32_t bits) {
  engine_->errors.inject(bits);
}
void OctetChannel::record_to(ErrorPattern* pattern) {
  engine_->errors.record_to(pattern);
}
CallState OctetChannel::call() const {
  return engine_->release.state();
}
std::uint64_t OctetChannel::releases() const {
  return engine_->release.releases();
}
std::uint64_t OctetChannel::interrupted_octets() const {
  return engine_->overwritten;
}
std::uint64_t OctetChannel::slips() const {
  return engine_->slips.slips();
}
std::int64_t OctetChannel::slipped_octets() const {
  return engine_->slips.slipped();
}

}  // namespace vqas
