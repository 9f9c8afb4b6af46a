#include "line/simulated_path.h"

#include <array>
#include <cassert>

#include "line/wide_path.h"
#include "signal/twice_rate.h"
#include "vqas/line/line.h"
#include "vqas/signal/wide_rate.h"

namespace vqas {
namespace {

// G.711 from end to end.
class NarrowPath final : public SimulatedPath {
 public:
  NarrowPath(const Profile& profile, std::uint64_t seed, std::uint64_t stream) : direction_(profile, seed, stream) {}
  void push(std::span<const float> sent) override { direction_.push(sent); }
  std::size_t available() const override { return direction_.available(); }
  void pull(std::span<float> heard) override { direction_.pull(heard); }
  void set_end_silence_s(double end_silence_s) override { direction_.set_end_silence_s(end_silence_s); }

 private:
  LineDirection direction_;
};

// Two ends at 16 kHz, and a gateway that transcodes to G.711 between them.
class GatewayPath final : public SimulatedPath {
 public:
  GatewayPath(const Profile& profile, std::uint64_t seed, std::uint64_t stream) : direction_(profile, seed, stream) {}
  void push(std::span<const float> sent) override {
    std::array<float, kLineBlock> narrow{};
    const auto block = std::span(narrow).first(sent.size() / 2);
    down_.down(sent, block);
    direction_.push(block);
  }
  std::size_t available() const override { return 2 * direction_.available(); }
  void pull(std::span<float> heard) override {
    std::array<float, kLineBlock> narrow{};
    const auto block = std::span(narrow).first(heard.size() / 2);
    direction_.pull(block);
    up_.up(block, heard);
  }
  void set_end_silence_s(double end_silence_s) override { direction_.set_end_silence_s(end_silence_s); }

 private:
  LineDirection direction_;
  TwiceRate down_, up_;
};

}  // namespace

double gateway_delay_s() {
  return 2.0 * TwiceRate::kDelay / kWideRateHz;
}

std::unique_ptr<SimulatedPath> make_path(const SimulatedLine& line, const LineConditions& conditions,
                                         std::uint64_t stream) {
  Profile profile = direction_profile(line, conditions);
  switch (line.codec) {
    case LineCodec::g711:
      return std::make_unique<NarrowPath>(profile, line.seed, stream);
    case LineCodec::gateway:
      profile.line.delay_s -= gateway_delay_s();
      return std::make_unique<GatewayPath>(profile, line.seed, stream);
    case LineCodec::g722:
    case LineCodec::l16:
      break;
  }
  return std::make_unique<WidePath>(line.codec, profile, line.seed, stream);
}

}  // namespace vqas
