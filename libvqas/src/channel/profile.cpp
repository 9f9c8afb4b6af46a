#include "vqas/channel/profile.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

#include "channel/band_filter.h"
#include "channel/fractional_reader.h"
#include "channel/profile_faults.h"
#include "vqas/signal/signal.h"

namespace vqas {
namespace {

// Each leg of a line has a stream that no line uses: lines count calls and directions from 0. A single leg of a fixed
// ratio takes the line's own stream, whose other substreams the line uses.
constexpr std::uint64_t kStreamsOfALeg = std::uint64_t{1} << 48;

std::uint64_t to_bits(double seconds, double bits_per_second) {
  return static_cast<std::uint64_t>(std::llround(seconds * bits_per_second));
}

struct MakeErrors {
  double bits_per_second;
  std::uint64_t seed;
  std::uint64_t stream;

  using Made = std::unique_ptr<ErrorProcess>;

  Made operator()(const RandomRate& random) const { return std::make_unique<RandomErrors>(random.ber, seed, stream); }
  Made operator()(const ExactCount& exact) const {
    return std::make_unique<ListedErrors>(
        choose_places(exact.errors, to_bits(exact.span_s, bits_per_second), seed, stream));
  }
  Made operator()(const Bursts& bursts) const {
    const double gap = bursts.gap_s * bits_per_second;
    const double burst = bursts.burst_s * bits_per_second;
    if (!bursts.periodic) {
      return (*this)(GilbertElliott{bursts.background_ber, bursts.burst_ber, std::max(2.0, gap), std::max(2.0, burst)});
    }
    const std::vector<ErrorSegment> segments{
        {to_bits(bursts.gap_s, bits_per_second), bursts.background_ber, bursts.background_ber},
        {to_bits(bursts.burst_s, bits_per_second), bursts.burst_ber, bursts.burst_ber}};
    return std::make_unique<ProfileErrors>(segments, true, seed, stream);
  }
  Made operator()(const GilbertElliott& model) const {
    return std::make_unique<GilbertElliottErrors>(model, seed, stream);
  }
  Made operator()(const ErrorsAt& errors) const {
    std::vector<std::uint64_t> places;
    places.reserve(errors.at_s.size());
    for (const double at : errors.at_s) places.push_back(to_bits(at, bits_per_second));
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return std::make_unique<ListedErrors>(std::move(places));
  }
  Made operator()(const PatternReplay& replay) const {
    return std::make_unique<ListedErrors>(replay.pattern->places, replay.loop ? replay.pattern->bits : 0);
  }
  Made operator()(const VaryingRate& varying) const {
    std::vector<ErrorSegment> segments;
    segments.reserve(varying.steps.size());
    for (const BerStep& step : varying.steps) {
      segments.push_back({to_bits(step.duration_s, bits_per_second), step.from_ber, step.to_ber});
    }
    return std::make_unique<ProfileErrors>(std::move(segments), varying.loop, seed, stream);
  }
};

struct SlipEvent {
  double at_s;
  int octets;
};

// Repeated slips alternate, so their first two cover all effects.
std::vector<SlipEvent> first_slips(const std::vector<Slip>& slips) {
  std::vector<SlipEvent> events;
  for (const Slip& one : slips) {
    events.push_back({one.at_s, one.octets});
    if (one.every_s > 0) events.push_back({one.at_s + one.every_s, -one.octets});
  }
  return events;
}

}  // namespace

bool PacketConditions::operator==(const PacketConditions& other) const {
  return packet_ms == other.packet_ms && loss == other.loss && loss_ratio == other.loss_ratio &&
         mean_loss_packets == other.mean_loss_packets && loss_file == other.loss_file && jitter_ms == other.jitter_ms &&
         keeps_order == other.keeps_order && reorder_ratio == other.reorder_ratio && reorder_ms == other.reorder_ms &&
         duplicate_ratio == other.duplicate_ratio && buffer_ms == other.buffer_ms && concealment == other.concealment &&
         bottleneck == other.bottleneck;
}

std::optional<LinkRelease> release_of_network(std::string_view network) {
  if (network == "terrestrial") return LinkRelease{1e-3, 5};
  if (network == "local-switch" || network == "satellite") return LinkRelease{1e-2, 2};
  return std::nullopt;
}

Profile profile_of(const LineConditions& conditions) {
  Profile profile;
  profile.line = conditions;
  profile.band = conditions.band_limit ? Band::g712 : Band::full;
  profile.errors.emplace_back(RandomRate{conditions.ber});
  return profile;
}

Status validate(const Profile& profile) {
  const auto fault = find_fault(profile);
  if (!fault) return success();
  const std::string name = profile.name.empty() ? "the line" : "the profile \"" + profile.name + "\"";
  return Error{ErrorCode::bad_input, name + ": " + fault->key + " " + fault->message};
}

// A repeated slip reverses its previous effect. So the stream can never advance further than the sum of what each slip
// skips.
std::uint64_t slip_reserve_octets(const std::vector<Slip>& slips) {
  auto events = first_slips(slips);
  const bool any_again = std::any_of(slips.begin(), slips.end(), [](const Slip& one) { return one.every_s > 0; });
  std::stable_sort(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.at_s < b.at_s; });
  std::int64_t place = 0;
  std::int64_t forward = 0;
  for (const SlipEvent& event : events) {
    place += event.octets;
    if (any_again) {
      forward += std::min(0, event.octets);
    } else {
      forward = std::min(forward, place);
    }
  }
  return static_cast<std::uint64_t>(-forward);
}

double shortest_delay_s(const Profile& profile) {
  const std::size_t filter = profile.band == Band::full ? 0 : BandFilter::kLatency;
  double samples = static_cast<double>(FractionalReader::kLatency + filter + slip_reserve_octets(profile.slips));
  if (profile.packets) {
    samples += std::ceil(profile.packets->packet_ms * kLineRateHz / 1000) +
               std::ceil(profile.packets->buffer_ms * kLineRateHz / 1000);
  }
  return samples / kLineRateHz;
}

std::unique_ptr<ErrorProcess> make_errors(const Profile& profile, std::uint64_t seed, std::uint64_t stream) {
  const double shown = static_cast<double>(kLineRateHz) * std::popcount(profile.error_mask);
  std::unique_ptr<ErrorProcess> all;
  std::uint64_t leg = 0;
  for (const ErrorKind& kind : profile.errors) {
    const bool plain = leg == 0 && std::holds_alternative<RandomRate>(kind);
    auto one = std::visit(MakeErrors{shown, seed, plain ? stream : stream + kStreamsOfALeg * (leg + 1)}, kind);
    ++leg;
    all = all ? std::make_unique<BothErrors>(std::move(all), std::move(one)) : std::move(one);
  }
  return all ? std::move(all) : std::make_unique<RandomErrors>(0, seed, stream);
}

}  // namespace vqas
