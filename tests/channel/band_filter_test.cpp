#include "channel/band_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "support/signals.h"

namespace vqas {
namespace {

std::vector<float> filtered(std::vector<float> samples, std::size_t block = BandFilter::kMaxBlock) {
  BandFilter filter;
  for (std::size_t start = 0; start < samples.size(); start += block) {
    filter.process(std::span(samples).subspan(start, std::min(block, samples.size() - start)));
  }
  return samples;
}

std::vector<float> impulse_response() {
  std::vector<float> impulse(256);
  impulse[0] = 1;
  return filtered(impulse);
}

double response_db(const std::vector<float>& response, double frequency_hz) {
  std::complex<double> sum;
  for (std::size_t n = 0; n < response.size(); ++n) {
    sum += static_cast<double>(response[n]) *
           std::polar(1.0, -2 * std::numbers::pi * frequency_hz / 8000 * static_cast<double>(n));
  }
  return 20 * std::log10(std::abs(sum) + 1e-12);
}

TEST(BandFilter, PassesTheTelephoneBandEvenly) {
  const auto response = impulse_response();
  for (double f = 300; f <= 3400; f += 10) EXPECT_NEAR(response_db(response, f), 0, 0.05) << f << " Hz";
}

TEST(BandFilter, StopsMainsHumAndWhatIsAboveTheBand) {
  const auto response = impulse_response();
  for (double f = 0; f <= 117; f += 3) EXPECT_LT(response_db(response, f), -47) << f << " Hz";
  for (double f = 3585; f <= 4000; f += 5) EXPECT_LT(response_db(response, f), -47) << f << " Hz";
}

TEST(BandFilter, DelaysEveryFrequencyAlike) {
  const auto response = impulse_response();
  for (std::size_t i = 1; i <= BandFilter::kLatency; ++i) {
    EXPECT_EQ(response[BandFilter::kLatency - i], response[BandFilter::kLatency + i]) << i;
  }
  for (std::size_t i = 2 * BandFilter::kLatency + 1; i < response.size(); ++i) EXPECT_EQ(response[i], 0) << i;
}

TEST(BandFilter, DoesNotDependOnBlockSizes) {
  const auto sent = test::noise(0.5, 0.5, 9).samples;
  const auto expected = filtered(sent);
  EXPECT_EQ(filtered(sent, 1), expected);
  EXPECT_EQ(filtered(sent, 37), expected);
}

}  // namespace
}  // namespace vqas
