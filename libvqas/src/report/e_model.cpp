#include "vqas/report/e_model.h"

#include <algorithm>
#include <cmath>

namespace vqas {
namespace {

constexpr double kLowestRising = 6.5;  // below this, equation B-4 is less than 1 and not monotonic

double cubic(double rating) {
  return 1 + 0.035 * rating + rating * (rating - 60) * (100 - rating) * 7e-6;
}

// ITU-T G.107 (06/2015), table 2: total noise of the default connection, dBm0p, and the receiving loudness rating, dB.
constexpr double kNoise_dBm0p = -61.18;
constexpr double kReceivingLoudness_dB = 2;
constexpr double kRoe = -1.5 * (kNoise_dBm0p - kReceivingLoudness_dB);  // equation 7-20
constexpr double kWeightedEchoPathLoss_dB = 110;

/// Impairment by delay alone, equations 7-27 and 7-28.
double delay_impairment(double delay_ms) {
  if (delay_ms <= 100) return 0;
  const double x = std::log2(delay_ms / 100);
  const auto sixth = [](double value) { return std::pow(1 + std::pow(value, 6), 1.0 / 6); };
  return 25 * (sixth(x) - 3 * sixth(x / 3) + 2);
}

/// Impairment by the talker's echo, equations 7-19 to 7-22.
double talker_echo_impairment(double delay_ms, double echo_loss_db) {
  const double masked = echo_loss_db - 40 * std::log10((1 + delay_ms / 10) / (1 + delay_ms / 150)) +
                        6 * std::exp(-0.3 * delay_ms * delay_ms);
  const double half = (kRoe - (80 + 2.5 * (masked - 14))) / 2;
  return std::max(0.0, (half + std::sqrt(half * half + 100) - 1) * (1 - std::exp(-delay_ms)));
}

/// Impairment by the listener's echo at the default loss, equations 7-25 and 7-26, minus its part in the default R.
double listener_echo_impairment(double round_trip_ms) {
  const auto impairment = [](double trip_ms) {
    const double rle = 10.5 * (kWeightedEchoPathLoss_dB + 7) * std::pow(trip_ms + 1, -0.25);
    const double half = (kRoe - rle) / 2;
    return half + std::sqrt(half * half + 169);
  };
  return impairment(round_trip_ms) - impairment(0);
}

}  // namespace

double mos_of_rating(double rating) {
  if (!(rating > 0)) return 1;
  return rating >= 100 ? 4.5 : std::max(1.0, cubic(rating));
}

double rating_of_mos(double mos) {
  double low = kLowestRising;
  double high = 100;
  if (!(mos > cubic(low))) return low;
  if (mos >= 4.5) return high;
  while (high - low > 1e-9) {
    const double middle = (low + high) / 2;
    (cubic(middle) < mos ? low : high) = middle;
  }
  return (low + high) / 2;
}

double equipment_impairment(double mos_lqo) {
  return std::max(0.0, kDefaultRating - rating_of_mos(mos_lqo));
}

ConversationEstimate conversational_quality(double mos_lqo, const ConversationPath& path) {
  ConversationEstimate estimate;
  const double delay_ms = std::clamp(path.one_way_delay_ms, 0.0, kLongestConversationDelay_ms);
  estimate.ie_eff = equipment_impairment(mos_lqo);
  estimate.at_ceiling = mos_lqo > mos_of_rating(kDefaultRating);
  estimate.idd = delay_impairment(delay_ms);
  if (std::isfinite(path.echo_loss_db)) {
    estimate.idte = talker_echo_impairment(delay_ms, path.echo_loss_db);
    estimate.idle = listener_echo_impairment(2 * delay_ms);
  }
  estimate.rating = kDefaultRating - estimate.ie_eff - estimate.idd - estimate.idte - estimate.idle;
  estimate.mos_cqe = mos_of_rating(estimate.rating);
  return estimate;
}

}  // namespace vqas
