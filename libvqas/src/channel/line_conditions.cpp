#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "channel/band_filter.h"
#include "channel/fractional_reader.h"
#include "signal/words.h"
#include "vqas/channel/geometric_gaps.h"
#include "vqas/channel/line_codec.h"
#include "vqas/channel/line_direction.h"
#include "vqas/signal/signal.h"
#include "vqas/signal/wide_rate.h"

namespace vqas {
namespace {

constexpr double kMostGainDb = 40;
constexpr double kLeastNoiseDbm0p = -120;
constexpr double kMostNoiseDbm0p = -20;
constexpr double kMostRippleDb = 6;
constexpr double kMostClockPpm = 1000;
constexpr double kLeastEndSilenceS = 0.1;
constexpr double kMostEndSilenceS = 2;
// Margin over the guard interval, so that fades and rounding around it never end a transmission.
constexpr double kBeyondGuardS = 0.05;

constexpr Words<LineCodec, 4> kCodecs{
    {{"g711", LineCodec::g711}, {"gateway", LineCodec::gateway}, {"g722", LineCodec::g722}, {"l16", LineCodec::l16}}};

// Written so that NaN is out of range.
Status within(const char* name, double value, double low, double high, const char* unit) {
  if (value >= low && value <= high) return success();
  return Error{ErrorCode::bad_input, fmt::format("{} is {}; give {} to {}{}", name, value, low, high, unit)};
}

}  // namespace

std::string_view to_string(LineCodec codec) {
  return word_of(kCodecs, codec);
}

std::optional<LineCodec> line_codec_from_string(std::string_view name) {
  return value_of(kCodecs, name);
}

std::string_view in_words(LineCodec codec) {
  switch (codec) {
    case LineCodec::g711:
      return "G.711";
    case LineCodec::gateway:
      return "G.711 between two ends at 16 kHz (a transcoding gateway)";
    case LineCodec::g722:
      return "G.722 at 64 kbit/s";
    case LineCodec::l16:
      break;
  }
  return "L16 at 16 kHz";
}

int rate_hz_of(LineCodec codec) {
  return codec == LineCodec::g711 ? kLineRateHz : kWideRateHz;
}

double shortest_delay_s(const LineConditions& conditions) {
  return static_cast<double>(FractionalReader::kLatency + (conditions.band_limit ? BandFilter::kLatency : 0)) /
         kLineRateHz;
}

double end_silence_for_guard(double guard_s) {
  return std::max(kLeastEndSilenceS, guard_s + kBeyondGuardS);
}

Status validate(const LineConditions& conditions) {
  if (!is_valid_ber(conditions.ber)) {
    return Error{ErrorCode::bad_input, fmt::format("the bit error ratio (ber) is {}; give 0, or {} to {}",
                                                   conditions.ber, kLowestBer, kHighestBer)};
  }
  const double shortest = shortest_delay_s(conditions);
  if (conditions.delay_s >= 0 && conditions.delay_s < shortest) {
    return Error{ErrorCode::bad_input,
                 fmt::format("the delay (delay_s) is {} s, which is shorter than the {} s that the "
                             "line's own filters take; give {} s or more",
                             conditions.delay_s, shortest, shortest)};
  }
  if (auto ok = within("the delay (delay_s)", conditions.delay_s, shortest, kLongestDelay_s, " s"); !ok) return ok;
  if (auto ok = within("the gain (gain_db)", conditions.gain_db, -kMostGainDb, kMostGainDb, " dB"); !ok) return ok;
  if (conditions.circuit_noise_dbm0p != -HUGE_VAL) {
    if (auto ok = within("the circuit noise (circuit_noise_dbm0p)", conditions.circuit_noise_dbm0p, kLeastNoiseDbm0p,
                         kMostNoiseDbm0p, " dBm0p, or -inf for none");
        !ok) {
      return ok;
    }
  }
  if (auto ok = within("the gain ripple (gain_ripple_db)", conditions.gain_ripple_db, 0, kMostRippleDb, " dB"); !ok) {
    return ok;
  }
  if (auto ok = within("the sender's clock (sender_clock_ppm)", conditions.sender_clock_ppm, -kMostClockPpm,
                       kMostClockPpm, " ppm");
      !ok) {
    return ok;
  }
  if (auto ok = within("the silence that ends a transmission (end_silence_s)", conditions.end_silence_s,
                       kLeastEndSilenceS, kMostEndSilenceS, " s");
      !ok) {
    return ok;
  }
  return within("the receiver's clock (receiver_clock_ppm)", conditions.receiver_clock_ppm, -kMostClockPpm,
                kMostClockPpm, " ppm");
}

}  // namespace vqas
