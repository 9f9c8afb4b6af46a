#include "score/plot_colours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace vqas::cli {
namespace {

struct Stop {
  double red, green, blue;
};

constexpr std::array<Stop, 5> kPower{{{24, 15, 62}, {54, 72, 136}, {38, 136, 134}, {116, 194, 92}, {250, 232, 80}}};
constexpr std::array<Stop, 5> kDifference{
    {{10, 62, 140}, {116, 166, 214}, {250, 250, 250}, {236, 140, 106}, {160, 18, 30}}};

Rgb between(std::span<const Stop> stops, double way) {
  const double place = std::clamp(way, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const auto first = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const double share = place - static_cast<double>(first);
  const auto mix = [&](double Stop::*part) {
    return static_cast<Rgb>(std::lround(stops[first].*part + share * (stops[first + 1].*part - stops[first].*part)));
  };
  return mix(&Stop::red) << 16 | mix(&Stop::green) << 8 | mix(&Stop::blue);
}

}  // namespace

Rgb power_colour(double value) {
  return between(kPower, value);
}

Rgb difference_colour(double value) {
  return between(kDifference, 0.5 + 0.5 * value);
}

}  // namespace vqas::cli
